"""schemathesis looks for contradictions between the shipped server and its OpenAPI document.

It runs all checks. ORGCTX_TEST_SEED chooses other cases, ORGCTX_TEST_EXAMPLES more.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.operations import ROWS
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.service import serve
from tests.support.thorough import FACTOR

PROGRAM = Path(sys.executable).with_name("schemathesis")
SETTINGS = Path(__file__).with_name("schemathesis.toml")
CASES_OF_ONE_OPERATION = 35


@pytest.mark.thorough
# The program takes minutes on a busy machine.
@pytest.mark.timeout(900)
def test_schemathesis_finds_nothing(acme: Deployment, tmp_path: Path) -> None:
    """[4.14.1]"""
    key = acme.issue_key(make.ACME, make.OWNER)
    seed = os.environ.get("ORGCTX_TEST_SEED", "1")
    cases = round(CASES_OF_ONE_OPERATION * FACTOR)
    with serve(acme, key) as served:
        document = f"{served.base_url}/api/v1/openapi.json"
        command = [PROGRAM, "--config-file", SETTINGS, "run", document]
        command += ["--header", f"Authorization: Bearer {key}", "--checks", "all"]
        command += ["--max-examples", str(cases), "--seed", seed, "--workers", "2"]
        command += ["--continue-on-failure", "--generation-database", "none"]
        result = subprocess.run(
            [*map(str, command), "--no-color"],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=False,
        )
    assert result.returncode == 0, f"seed {seed}\n{result.stdout}\n{result.stderr}"
    assert f"Tested: {len(ROWS)}" in result.stdout
    (count,) = re.findall(r"(\d+) generated", result.stdout)
    print(f"{count} cases")
    assert int(count) > 14 * cases

"""`make sbom`, with the tool that it installs."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.deploy.release import AUDIT
from tests.support.processes import ROOT

DEPLOY = ROOT / "deploy"
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
LOCKED = re.compile(r"^([a-z0-9.-]+)(?:\[.*\])?==(\S+)(.*(?:\n    --hash.*)+)", re.MULTILINE)


@pytest.mark.system
@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-importers.txt"])
def test_bill_of_materials_is_the_lock(lock: str, tmp_path: Path) -> None:
    if not AUDIT.is_dir() and not os.environ.get("ORGCTX_TEST_AUDIT_TOOLS"):
        pytest.skip("run `make sbom`, which installs the tool")
    environment = os.environ | {"PATH": f"{AUDIT}{os.pathsep}{os.environ['PATH']}"}
    files = [tmp_path / "first.json", tmp_path / "second.json"]
    for file in files:
        subprocess.run(["sh", DEPLOY / "sbom.sh", file, lock], env=environment, check=True)
    assert files[0].read_bytes() == files[1].read_bytes()
    bill = json.loads(files[0].read_text())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["name"] == "orgctx"
    components = {
        (component["name"], component["version"]): {
            entry["content"] for link in component["externalReferences"] for entry in link["hashes"]
        }
        for component in bill["components"]
    }
    pins = LOCKED.findall((DEPLOY / lock).read_text())
    assert components == {(name, version): {*HASH.findall(rest)} for name, version, rest in pins}

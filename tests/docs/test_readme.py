"""The shell blocks of README.md work from top to bottom, and its targets of make exist."""

import re
import subprocess
from pathlib import Path

import pytest

from orgctx.schemas.json_schema import OPENAPI_VERSION
from tests.docs.pages import ROOT, blocks, run_blocks, shell_texts
from tests.docs.test_tasks import environment
from tests.support.deployment import Deployment
from tests.support.service import serve

PAGE = ROOT / "README.md"
MAKE = re.findall(r"^(make .*?)(?: +#|$)", PAGE.read_text("utf-8"), re.MULTILINE)


@pytest.mark.thorough
def test_readme_leads_from_files_to_an_agent(deployment: Deployment, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    clone.mkdir()
    with serve(deployment, key="") as served:
        base_url = served.base_url
        variables = environment(deployment, clone, ORGCTX_BASE_URL=base_url)
        assert "search_context" in run_blocks(shell_texts(PAGE), variables, clone)
    assert f"{base_url}/api/mcp" in clone.joinpath(".mcp.json").read_text("utf-8")
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert not re.search(rb"octx_\w{40}", b"".join(written))


def test_targets_of_make_exist_in_the_first_block() -> None:
    assert len(MAKE) == len(blocks(PAGE)[0].text.splitlines()) == 3
    for command in MAKE:
        stamps = ["-o", ".venv/demo.stamp", "-o", ".venv/dev.stamp"]
        dry = ["make", "--no-print-directory", "-n", *stamps, *command.split()[1:]]
        printed = subprocess.run(dry, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        if port := re.search(r"PORT=(\d+)", command):
            assert printed == f".venv/bin/orgctx demo --port {port[1]}\n"


def test_badges_tell_what_the_package_declares() -> None:
    badges = (ROOT / "docs/page/badges.svg").read_text("utf-8")
    setup = (ROOT / "setup.cfg").read_text("utf-8")
    versions = re.findall(r"Python :: (3\.\d+)", setup)
    assert f">{versions[0]} – {versions[-1]}<" in badges
    assert f">{OPENAPI_VERSION.rpartition('.')[0]}<" in badges
    assert re.search(r"^license = (.*)$", setup, re.MULTILINE)[1] in badges

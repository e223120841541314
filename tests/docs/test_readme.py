"""The shell blocks of README.md work from top to bottom, and its targets of make exist."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from orgctx.schemas.json_schema import OPENAPI_VERSION
from tests.docs.pages import ROOT, blocks, run_blocks, shell_blocks
from tests.docs.test_tasks import environment
from tests.importers.exports import chat, message
from tests.mcp.served import serve
from tests.support import factories as make
from tests.support.deployment import Deployment

PAGE = ROOT / "README.md"
MAKE = re.findall(r"^(make .*?)(?: +#|$)", PAGE.read_text("utf-8"), re.MULTILINE)


def write_files(folder: Path) -> None:
    """The files that the page calls yours."""
    records = [
        make.organization(slug="acme"),
        make.member(displayName="Ada"),
        make.source("docs", "docs:handbook"),
    ]
    folder.joinpath("acme.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records))
    folder.joinpath("result.json").write_text(json.dumps(chat(message(1))))
    folder.joinpath("handbook").mkdir()
    folder.joinpath("handbook/tides.md").write_text("# Tides\n\nHigh water is at noon.\n")


@pytest.mark.thorough
def test_readme_leads_from_files_to_an_agent(deployment: Deployment, tmp_path: Path) -> None:
    write_files(tmp_path)
    with serve(deployment, key="") as served:
        base_url = served.url.removesuffix("/api/mcp")
        variables = environment(deployment, tmp_path, ORGCTX_BASE_URL=base_url)
        texts = [block.text for block in shell_blocks(PAGE)]
        result = run_blocks(texts, variables, tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "search_context" in result.stdout
    assert f"{base_url}/api/mcp" in tmp_path.joinpath(".mcp.json").read_text("utf-8")
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

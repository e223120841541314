"""The documentation site, as `make site` builds it: whole, and without anything from elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.docs.pages import ROOT
from tests.house.test_commands import LEAVES
from tests.operations import ROWS

LOADING = {"src", "srcset", "poster", "data"}


class Addresses(HTMLParser):
    """What a page loads and where it leads."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: set[str] = set()
        self.linked: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in LOADING or (tag == "link" and name == "href"):
                self.loaded.add(value or "")
            elif tag == "a" and name == "href":
                self.linked.add(value or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    done = subprocess.run(
        [*command, "--site-dir", str(directory)], cwd=ROOT, capture_output=True, text=True,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return directory


def test_pages_load_nothing_from_elsewhere_and_lead_to_what_is_there(site: Path) -> None:
    pages = [page for page in site.rglob("*.html") if page.name != "404.html"]
    assert len(pages) > 30
    for page in pages:
        found = Addresses()
        found.feed(page.read_text("utf-8"))
        assert not [one for one in found.loaded if urlsplit(one).scheme not in ("", "data")], page
        for one in found.loaded | found.linked:
            parts = urlsplit(one)
            if not parts.scheme and parts.path:
                assert (page.parent / unquote(parts.path)).exists(), f"{page.name}: {one}"


def test_every_operation_and_command_is_shown(site: Path) -> None:
    operations = (site / "reference/api.html").read_text("utf-8")
    assert [name for name in ROWS if f'id="{name}"' not in operations] == []
    commands = (site / "reference/commands.html").read_text("utf-8")
    assert [
        name for name in LEAVES if f'id="orgctx-{name.replace(" ", "-")}"' not in commands
    ] == []

"""The documentation site, as `make site` builds it: whole, and without anything from elsewhere."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import fields
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from mkdocs.exceptions import PluginError

from deploy.site import diagrams
from orgctx.config.settings import Config
from tests.architecture.test_commands import LEAVES
from tests.docs.pages import ROOT
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


def build(repository: Path, directory: Path) -> subprocess.CompletedProcess[str]:
    """What `make site` runs, for a repository, into a directory."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    recipe = re.search(r"^site:.*\n\t(.+)$", makefile, re.MULTILINE)
    assert recipe
    command = recipe[1].replace("$(BIN)", str(Path(sys.executable).parent))
    return subprocess.run(
        ["sh", "-c", f'{command} --site-dir "{directory}"'], cwd=repository,
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("site")
    done = build(ROOT, directory)
    assert done.returncode == 0, done.stderr
    return directory


def test_a_broken_link_and_a_page_outside_the_navigation_fail(tmp_path: Path) -> None:
    for part in ("docs", "deploy/site"):
        shutil.copytree(ROOT / part, tmp_path / part)
    for path in (ROOT / "mkdocs.yml", ROOT / ".env.example", *ROOT.glob("*.md")):
        shutil.copy(path, tmp_path)
    (tmp_path / "docs/lost.md").write_text("# Lost\n\n[one](nowhere.md), [two](errors.md#no)\n")
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode == 1
    assert "- lost.md" in done.stderr
    assert "'nowhere.md'" in done.stderr
    assert "'#no'" in done.stderr


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


def test_a_diagram_is_drawn_and_a_changed_one_fails(site: Path) -> None:
    page = (site / "architecture.html").read_text("utf-8")
    drawn = page.partition('<div class="diagram"><svg')[2].partition("</svg>")[0]
    assert "importers" in drawn
    assert "flowchart TB" not in page
    for path in ROOT.glob("docs/**/*.md"):
        for source in diagrams.FENCE.findall(path.read_text("utf-8")):
            assert diagrams.drawing(source).exists(), f"{path}: run `make diagrams`"
    with pytest.raises(PluginError, match="make diagrams"):
        diagrams.on_page_markdown("```mermaid\nflowchart TB\n  changed --> since\n```\n")


def test_every_setting_is_shown(site: Path) -> None:
    settings = (site / "reference/settings.html").read_text("utf-8")
    names = [f"ORGCTX_{field.name.upper()}" for field in fields(Config)]
    assert [name for name in names if f"<code>{name}</code>" not in settings] == []


def test_every_operation_and_command_is_shown(site: Path) -> None:
    operations = (site / "reference/api.html").read_text("utf-8")
    assert [name for name in ROWS if f'id="{name}"' not in operations] == []
    commands = (site / "reference/commands.html").read_text("utf-8")
    assert [
        name for name in LEAVES if f'id="orgctx-{name.replace(" ", "-")}"' not in commands
    ] == []

"""The documentation site of `make site`: complete, with working links and local resources."""

import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from mkdocs.exceptions import PluginError

from deploy.site import diagrams
from orgctx.config.settings import Config
from tests.architecture.test_commands import LEAVES
from tests.docs.pages import ROOT
from tests.operations import ROWS

pytestmark = pytest.mark.thorough

LOADED = re.compile(r'(?:<link [^>]*\bhref| src| srcset| poster| data)="?([^" >]*)')
LINKED = re.compile(r'<a [^>]*\bhref="?([^" >]*)')


def build(repository: Path, directory: Path) -> subprocess.CompletedProcess[str]:
    """Run the recipe of `make site` in a repository."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    recipe = re.search(r"^site:.*\n\t(.+)$", makefile, re.MULTILINE)
    assert recipe
    command = recipe[1].replace("$(BIN)", str(Path(sys.executable).parent))
    return subprocess.run(
        ["sh", "-c", f'{command} --site-dir "{directory}"'], cwd=repository,
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Build a copy of the repository with a faulty page. Returns the site and the errors."""
    repository = tmp_path_factory.mktemp("repository")
    for part in ("docs", "deploy/site"):
        shutil.copytree(ROOT / part, repository / part)
    for path in (ROOT / "mkdocs.yml", ROOT / ".env.example", *ROOT.glob("*.md")):
        shutil.copy(path, repository)
    (repository / "docs/lost.md").write_text("# Lost\n\n[one](nowhere.md), [two](errors.md#no)\n")
    result = build(repository, repository / "site")
    assert result.returncode == 1
    return repository / "site", result.stderr


@pytest.fixture(scope="module")
def site(built: tuple[Path, str]) -> Path:
    """The site without the faulty page, which is written nevertheless."""
    (built[0] / "lost.html").unlink(missing_ok=True)
    return built[0]


def test_build_fails_only_for_a_faulty_page(built: tuple[Path, str]) -> None:
    _, errors = built
    assert errors.count("WARNING") == 3
    assert all(text in errors for text in ("- lost.md", "'nowhere.md'", "'#no'"))


def test_pages_have_local_resources_and_working_links(site: Path) -> None:
    pages = [page for page in site.rglob("*.html") if page.name != "404.html"]
    assert len(pages) > 30
    for page in pages:
        text = page.read_text("utf-8")
        loaded = LOADED.findall(text)
        assert not [url for url in loaded if urlsplit(url).scheme not in ("", "data")], page
        for url in {*loaded, *LINKED.findall(text)}:
            parts = urlsplit(url)
            if not parts.scheme and parts.path:
                assert (page.parent / unquote(parts.path)).exists(), f"{page.name}: {url}"


def test_diagrams_are_drawn_and_a_changed_one_fails(site: Path) -> None:
    page = (site / "architecture.html").read_text("utf-8")
    drawing = page.partition('<div class="diagram"><svg')[2].partition("</svg>")[0]
    assert "importers" in drawing
    assert "flowchart TB" not in page
    for path in ROOT.glob("docs/**/*.md"):
        for source in diagrams.FENCE.findall(path.read_text("utf-8")):
            assert diagrams.drawing_path(source).exists(), f"{path}: run `make diagrams`"
    with pytest.raises(PluginError, match="make diagrams"):
        diagrams.on_page_markdown("```mermaid\nflowchart TB\n  changed --> since\n```\n")


def test_site_shows_every_setting(site: Path) -> None:
    settings = (site / "reference/settings.html").read_text("utf-8")
    names = [f"ORGCTX_{field.name.upper()}" for field in fields(Config)]
    assert [name for name in names if f"<code>{name}</code>" not in settings] == []


def test_site_shows_every_operation_and_command(site: Path) -> None:
    operations = (site / "reference/api.html").read_text("utf-8")
    assert [name for name in ROWS if f'id="{name}"' not in operations] == []
    commands = (site / "reference/commands.html").read_text("utf-8")
    ids = [f'id="orgctx-{name.replace(" ", "-")}"' for name in LEAVES]
    assert [id_ for id_ in ids if id_ not in commands] == []

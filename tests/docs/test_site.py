"""The documentation site of `make site`: complete, with working links and local resources."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.docs.pages import ROOT

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
    shutil.copytree(ROOT / "docs", repository / "docs")
    shutil.copy(ROOT / "mkdocs.yml", repository)
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

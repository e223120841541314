"""The documentation site of `make site`: complete, with working links and local resources."""

import re
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.support.processes import ROOT, run

pytestmark = pytest.mark.thorough

LOADED = re.compile(r'(?:<link [^>]*\bhref| src| srcset| poster| data)="?([^" >]*)')
LINKED = re.compile(r'<a [^>]*\bhref="?([^" >]*)')


def build(directory: Path) -> None:
    """Run the recipe of `make site`."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    recipe = re.search(r"^site:.*\n\t(.+)$", makefile, re.MULTILINE)
    assert recipe
    command = recipe[1].replace("$(BIN)", str(Path(sys.executable).parent))
    run("sh", "-c", f'{command} --site-dir "{directory}"')


def test_pages_have_local_resources_and_working_links(tmp_path: Path) -> None:
    build(tmp_path)
    pages = [page for page in tmp_path.rglob("*.html") if page.name != "404.html"]
    assert len(pages) > 30
    for page in pages:
        text = page.read_text("utf-8")
        loaded = LOADED.findall(text)
        assert not [url for url in loaded if urlsplit(url).scheme not in ("", "data")], page
        for url in {*loaded, *LINKED.findall(text)}:
            parts = urlsplit(url)
            if not parts.scheme and parts.path:
                assert (page.parent / unquote(parts.path)).exists(), f"{page.name}: {url}"

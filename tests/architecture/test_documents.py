"""Documents name files that exist, so that a reader who follows them arrives."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from orgctx.clients import CLIENTS

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
NAMED = re.compile(r"`((?:orgctx|sql|tests|bench|deploy|docs)/[\w./-]*[\w/])`")
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_document_names_existing_files(document: Path) -> None:
    text = document.read_text("utf-8")
    named = {ROOT / name for name in NAMED.findall(text)}
    linked = {document.parent / target for target in LINK.findall(text)}
    missing = [str(path.relative_to(ROOT)) for path in named if not path.exists()]
    missing += [str(path) for path in linked if not path.exists()]
    assert not missing, f"{document.name} names what is not there: {missing}"


def test_agent_page_names_every_client() -> None:
    page = ROOT / "docs/tasks/agent.md"
    text = " ".join(page.read_text("utf-8").split())
    missing = [client.title for client in CLIENTS.values() if client.title not in text]
    assert not missing, f"{page} does not name {missing}"


def test_pictures_are_linked() -> None:
    folder = ROOT / "docs/page"
    linked = set(LINK.findall((folder / "README.md").read_text("utf-8")))
    assert {path.name for path in folder.glob("*.png")} <= linked

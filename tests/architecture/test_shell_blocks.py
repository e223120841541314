"""Every shell block of a page is pasted by a test, or says why not in a comment above it:
`<!-- not run: reason -->`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, shell_blocks

PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
TESTS = "".join(path.read_text("utf-8") for path in ROOT.glob("tests/docs/test_*.py"))


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_shell_blocks_are_pasted_or_give_a_reason(page: Path) -> None:
    sections = {block.section for block in shell_blocks(page)}
    assert not sections or f'"{name(page)}"' in TESTS, (
        f"{name(page)}: paste the blocks of {sections} in tests/docs, or say above each why not"
    )


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_shell_block_reasons_name_existing_tests(page: Path) -> None:
    reasons = re.findall(r"^<!-- not run: (.*) -->\n(```)?", page.read_text("utf-8"), re.MULTILINE)
    assert all(fence for _, fence in reasons), (
        f"{name(page)}: a reason must be right above its block"
    )
    named = {one for reason, _ in reasons for one in re.findall(r"tests/[\w/.]+", reason)}
    assert not [one for one in named if not (ROOT / one).exists()]

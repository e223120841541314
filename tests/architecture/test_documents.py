"""Documents name files that exist, their shell blocks are tested, and promises have tests."""

import re
from pathlib import Path

import pytest

from orgctx.clients import CLIENTS
from tests.contract.promises import DOCUMENT, PROMISE, holders, main, promises, scope_promise
from tests.docs.pages import ROOT, blocks, shell_blocks
from tests.operations import ROWS

DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
NAMED = re.compile(r"`((?:orgctx|sql|tests|bench|deploy|docs)/[\w./-]*[\w/])`")
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)")


def test_document_names_existing_files() -> None:
    for document in DOCUMENTS:
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
    pages = "".join(page.read_text("utf-8") for page in DOCUMENTS)
    for picture in ROOT.glob("docs/page/*"):
        assert f"page/{picture.name}" in pages


# Shell blocks are pasted by a test, or have a comment above them: `<!-- not run: reason -->`.


REASON = re.compile(r"^<!-- not run: (.*) -->\n(```)?", re.MULTILINE)
TESTS = "".join(path.read_text("utf-8") for path in ROOT.glob("tests/docs/test_*.py"))


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def test_shell_blocks_are_pasted_or_give_a_reason() -> None:
    for page in DOCUMENTS:
        sections = {block.section for block in shell_blocks(page)}
        assert not sections or f'"{name(page)}"' in TESTS, (
            f"{name(page)}: paste the blocks of {sections} in tests/docs, or say above each why not"
        )


def test_shell_block_reasons_name_existing_tests() -> None:
    for page in DOCUMENTS:
        reasons = REASON.findall(page.read_text("utf-8"))
        assert all(fence for _, fence in reasons), (
            f"{name(page)}: a reason must be right above its block"
        )
        named = {one for reason, _ in reasons for one in re.findall(r"tests/[\w/.]+", reason)}
        assert not [one for one in named if not (ROOT / one).exists()], name(page)


# Every promise of docs/contract.md has a test, and every quoted number is a promise


def test_promises_have_tests() -> None:
    held = holders()
    of_scopes = {scope_promise(row.path, row.scopes) for row in ROWS.values()}
    without = [
        number
        for number, text in promises().items()
        if number not in held and text not in of_scopes
    ]
    assert not without, (
        f"tests/contract: quote each number as [4.1.1] in the docstring of its test: {without}"
    )


def test_quoted_numbers_are_promises() -> None:
    known = promises()
    unknown = {number: tests for number, tests in holders().items() if number not in known}
    assert not unknown, f"docs/contract.md has no such promise: {unknown}"


def test_program_prints_the_example(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = [block.text for block in blocks(DOCUMENT) if block.language == "console"]
    command, _, expected = example.partition("\n")
    monkeypatch.setattr("sys.argv", ["promises", command.split()[-1]])
    main()
    assert capsys.readouterr().out == expected


def test_promise_numbers_are_unique() -> None:
    numbers = [number for number, _ in PROMISE.findall(DOCUMENT.read_text("utf-8"))]
    assert len(numbers) == len(set(numbers))

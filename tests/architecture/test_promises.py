"""Every promise of docs/contract.md has a test, and every quoted number is a promise."""

from __future__ import annotations

import pytest

from tests.contract.promises import DOCUMENT, PROMISE, holders, main, promises, scope_promise
from tests.docs.pages import blocks
from tests.operations import ROWS


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

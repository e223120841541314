"""Every promise of docs/contract.md has a test, and every quoted number is a promise."""

from __future__ import annotations

from tests.contract.promises import DOCUMENT, PROMISE, holders, promises


def test_promises_have_tests() -> None:
    held = holders()
    without = [number for number in promises() if number not in held]
    assert not without, f"quote [number] in the docstring of a test that holds it: {without}"


def test_quoted_numbers_are_promises() -> None:
    known = promises()
    unknown = {number: tests for number, tests in holders().items() if number not in known}
    assert not unknown, f"docs/contract.md has no such promise: {unknown}"


def test_promise_numbers_are_unique() -> None:
    numbers = [number for number, _ in PROMISE.findall(DOCUMENT.read_text("utf-8"))]
    assert len(numbers) == len(set(numbers))

"""docs/contract.md says what the docstrings say."""

from __future__ import annotations

from tests.contract import table


def test_the_table_is_current() -> None:
    """Write it anew with `python -m tests.contract.table`."""
    assert table.DOCUMENT.read_text("utf-8") == table.document()


def test_every_section_is_there() -> None:
    sections = {section.split(".")[0] for section, _, _ in table.quotes()}
    assert sections >= {"2", "3", "4", "5", "6", "7", "8", "D1", "D2", "D3", "D4", "D5", "D6"}
    of_endpoints = {section for section, _, _ in table.quotes() if section.startswith("4.")}
    assert of_endpoints == {f"4.{number}" for number in range(1, 16)}

"""Rows of a statement give their values by name."""

import pytest

from orgctx.stores.db import Rows

COLUMNS = ("total", "id", "name")


def test_rows_dicts_have_column_names() -> None:
    assert Rows(("id", "name"), [(1, "a"), (2, None)]).dicts() == [
        {"id": 1, "name": "a"},
        {"id": 2, "name": None},
    ]


@pytest.mark.parametrize(
    ("rows", "whole", "records"),
    [
        ([], {}, []),
        ([(0, None, None)], {"total": 0}, []),
        ([(2, 1, "a"), (2, 2, None)], {"total": 2}, [(1, "a"), (2, None)]),
    ],
    ids=["no row", "no record", "records"],
)
def test_rows_split_separates_the_list_from_its_records(
    rows: list[tuple[object, ...]], whole: dict[str, object], records: list[tuple[object, ...]]
) -> None:
    assert Rows(COLUMNS, rows).split("id") == (whole, Rows(("id", "name"), records))


def test_rows_split_requires_a_column() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        Rows(COLUMNS, []).split("title")

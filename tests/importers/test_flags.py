"""The documentation names each member that holds a page back."""

from __future__ import annotations

from pathlib import Path

import pytest

from orgctx.importers.markdown import flags

PAGE = (Path(__file__).parents[2] / "docs" / "importing.md").read_text("utf-8")


@pytest.mark.parametrize(
    "name", [*flags.HOLD_IF_TRUE, *flags.HOLD_IF_FALSE, flags.STATUS, *flags.HOLD_IF_STATUS]
)
def test_member_is_documented(name: str) -> None:
    (row,) = (line for line in PAGE.splitlines() if line.startswith("| front matter |"))
    assert f"`{name}`" in row

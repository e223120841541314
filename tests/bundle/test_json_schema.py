"""The published JSON Schema and the loader agree on what a record is."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from orgctx.bundle.json_schema import bundle_schema
from orgctx.bundle.reading import Line, LineErrors, Places, check
from tests.properties.conftest import examples
from tests.support import factories as make

VALIDATOR = Draft202012Validator(bundle_schema())
RECORDS = [
    *make.everything(),
    make.message(2, file=make.file(fileName="a.pdf", sticker="static"), sender=make.author(1)),
    make.message(3, file=make.file(width=3)),
    make.mention(2, quoted={"author": make.author(), "text": "t", "url": "https://x.com/a"}),
    make.source(href="/api/v1/assets", staleAfterSeconds=None, account=None),
    make.delete("telegram.message", 1, chatId=make.CHAT),
    make.delete("asset", make.uuid("a")),
]
VALUES: tuple[Any, ...] = (
    None, "", "x", "a" * 513, "javascript:x", "https://a.example", make.AT, make.uuid("new"), 0, -1,
    1.5, 2**31, 2**63, True, [], {}, [None], ["x"], "current", "docs", "note", "telegram.message",
)  # fmt: skip
# Rules that the schema cannot express, as its description says.
INEXPRESSIBLE = re.compile(
    r"a UUID of|RFC 3339|bytes as JSON|UTF-16|where id begins|unless public|the asset itself"
    r"|belongs to a telegram.message|data\.id |NUL"
)


def error(record: Any) -> str | None:
    """The loader's error for a single record."""
    places = Places()
    places.begin("record", 0)
    errors = LineErrors(places)
    list(check([Line(1, orjson.dumps(record))], errors))
    return str(errors.error()) if errors else None


def paths_of(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values in a JSON value."""
    paths = [path] if path else []
    if isinstance(value, dict | list):
        members = value.items() if isinstance(value, dict) else enumerate(value)
        for name, inner in members:
            paths += paths_of(inner, (*path, name))
    return paths


@st.composite
def changed(draw: st.DrawFn) -> Any:
    """A valid record with one member replaced, removed or added."""
    record = deepcopy(draw(st.sampled_from(RECORDS)))
    *path, last = draw(st.sampled_from(paths_of(record)))
    holder = record
    for name in path:
        holder = holder[name]
    change = draw(st.sampled_from(("replace", "replace", "replace", "remove", "add")))
    if change == "replace":
        holder[last] = draw(st.sampled_from(VALUES))
    elif change == "remove":
        del holder[last]
    elif isinstance(holder, dict):
        holder["another"] = 1
    return record


def test_schema_and_loader_accept_every_record_type() -> None:
    Draft202012Validator.check_schema(bundle_schema())
    for record in make.everything():
        assert VALIDATOR.is_valid(record), record
        assert error(record) is None


@examples(400)
@given(record=changed())
def test_schema_and_loader_agree(record: Any) -> None:
    message = error(record)
    if message is None:
        assert VALIDATOR.is_valid(record), record
    elif VALIDATOR.is_valid(record):
        assert INEXPRESSIBLE.search(message), message

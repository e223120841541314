"""A mutated export either converts, into records that the loader accepts, or is refused.

The error names the place; what was left out is counted with its place.
"""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orgctx.bundle.reading import Line, LineErrors, Places, parse_records
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.telegram import importer as telegram
from orgctx.importers.x import importer as x
from tests.importers.conftest import convert, folders
from tests.importers.exports import ABSENT, account, chat, message, page, post
from tests.support.thorough import examples

TELEGRAM = account(
    [
        chat(
            message(1, text=["a", {"type": "bold", "text": "b"}]),
            message(2, photo=ABSENT, width=3, height=4),
            message(3, poll={"question": "q", "answers": [{"text": "a"}]}),
            message(4, type="service"),
            message(5, file="s.webp", media_type="sticker", edited_unixtime="1769850000"),
        ),
        chat(message(1), id=2, type="personal_chat"),
    ],
    [chat(message(1), id=3)],
)
X = page(
    post(1, referenced_posts=[{"type": "quoted", "id": "9"}], note_post={"text": "long"}),
    post(2, attachments={"media_keys": ["k"]}),
    includes={
        "users": [{"id": "7", "username": "bob", "name": "Bob", "verified": True}],
        "posts": [post(9)],
        "media": [{"media_key": "k", "type": "photo", "url": "https://example.com/a"}],
    },
)
STRANGE: list[Any] = [
    None, True, -1, 0, 2**31, 2**63, 10**40, 1e400, 0.5, "", "\0", "a/b", "x" * 300, [], {},
    [[]], {"text": 5}, [None], "\U0001f6a2", "999999999999", "2026-13-01T00:00:00",
]  # fmt: skip
NOISE = [
    b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\\x0", b"\\x1f", b"\\ud800", b"\xff",
    b"\0", b"nul", b"1e999", b"[" * 2_000, b'{"a":' * 500, b'"document_id": a b,\n',
]  # fmt: skip
EXPORTS: dict[str, tuple[Any, Any]] = {
    "result.json": (telegram, TELEGRAM),
    "page.json": (x, X),
    "doc.md": (
        folders,
        "---\ntitle: T\ndate: 2024-01-01\ntags: [a]\n---\n# H\n\n```\ncode\n```\n",
    ),
}


def error(record: Any) -> str | None:
    """The loader's error for a single record."""
    places = Places()
    places.begin("record", 0)
    errors = LineErrors(places)
    list(parse_records([Line(1, json.dumps(record).encode())], errors))
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
def mutated(draw: st.DrawFn, original: Any) -> bytes:
    """The content of a file with some strange values, and some bytes added or removed."""
    if isinstance(original, str):
        content = original.encode()
    else:
        value = json.loads(json.dumps(original))
        for path in draw(st.lists(st.sampled_from(paths_of(value)), max_size=2)):
            _replace(value, path, draw(st.sampled_from(STRANGE)))
        content = json.dumps(value, ensure_ascii=draw(st.booleans()), indent=1).encode()
    for _ in range(draw(st.integers(0, 2))):
        start = draw(st.integers(0, len(content)))
        rest = content[start + draw(st.sampled_from([0, 1, 9])) :]
        content = content[:start] + draw(st.sampled_from(NOISE)) + rest
    return content[: draw(st.one_of(st.none(), st.integers(0, len(content))))]


def _replace(value: Any, path: tuple[Any, ...], strange: Any) -> None:
    """Replace the value at a path, unless the path no longer exists."""
    try:
        for key in path[:-1]:
            value = value[key]
        value[path[-1]] = deepcopy(strange)
    except (KeyError, IndexError, TypeError):
        return


@pytest.mark.parametrize("name", EXPORTS)
@examples(100)
@given(data=st.data())
def test_mutated_export_converts_or_is_refused(tmp_path: Path, name: str, data: Any) -> None:
    importer, original = EXPORTS[name]
    report = Report()
    path = tmp_path / name
    path.write_bytes(data.draw(mutated(original)))
    try:
        if importer is x:
            records = convert(x, [path], report, account="acme")
        else:
            records = convert(importer, tmp_path if importer is folders else path, report)
    except ImportRejected as rejected:
        assert name in str(rejected)  # noqa: PT017
        return
    assert all(name in line for line in report.refused)
    assert bool(report.refused) == bool(report.refused_count)
    assert not [text for text in map(error, records) if text]

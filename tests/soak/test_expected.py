"""Answers that a change interrupts: which of them are correct."""

from collections.abc import Sequence

import orjson
import pytest

from tests.soak.expected import Expected, Reader
from tests.soak.requests import REST, Request, tool_call
from tests.soak.wire import Reply
from tests.soak.world import State

READER = Reader("amberfox", "everything")
META = {"freshness": {"status": "current"}}
BEFORE, AFTER = State(1, True), State(0, True)


def answer(ids: Sequence[str], total: int) -> Reply:
    items = [{"id": id_, "path": "", "sourceId": "assets:main"} for id_ in ids]
    content = {"data": items, "meta": META, "pagination": {"total": total}}
    return Reply(200, {}, orjson.dumps({"result": {"structuredContent": content}}))


@pytest.mark.parametrize(
    ("name", "ids", "total", "is_right"),
    [
        ("list_assets", ["kept"], 2, True),
        ("list_assets", ["deleted"], 2, False),
        ("list_assets", [], 2, False),
        ("list_assets", ["kept", "deleted"], 1, False),
        # What this tool reads last is optional.
        ("list_telegram_messages", ["kept"], 2, False),
    ],
)
def test_only_deleted_items_may_be_missing(
    name: str, ids: list[str], total: int, is_right: bool
) -> None:
    request: Request = tool_call(name, {"page": 1})
    expected = Expected()
    expected.learn(READER, BEFORE, request, answer(["kept", "deleted"], 2))
    expected.learn(READER, AFTER, request, answer(["kept"], 1))
    states = (BEFORE, AFTER)
    assert expected.is_mixed(READER, states, request, answer(ids, total)) == is_right


def found(day: int, ids: Sequence[str], note: str | None) -> Reply:
    freshness = {"updatedAt": f"2026-01-0{day}T00:00:00Z", "status": "current"}
    meta = {"freshness": freshness | ({"note": note} if note else {})}
    data = [{"id": id_} for id_ in ids]
    return Reply(200, {}, orjson.dumps({"data": data, "meta": meta}))


NOTE = "Nothing was found."


@pytest.mark.parametrize(
    ("reply", "is_right"),
    [
        (found(1, [], NOTE), True),
        (found(1, [], None), False),
        (found(1, ["a"], NOTE), False),
        (found(3, [], NOTE), False),
    ],
)
def test_note_belongs_to_the_data(reply: Reply, is_right: bool) -> None:
    request = Request(REST, "GET", "/api/v1/people?q=a")
    expected = Expected()
    expected.learn(READER, BEFORE, request, found(1, ["a"], None))
    expected.learn(READER, AFTER, request, found(2, [], NOTE))
    assert expected.is_mixed(READER, (BEFORE, AFTER), request, reply) == is_right

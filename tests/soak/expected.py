"""Decide which answers are correct: those that the same states gave without load.

Under load every answer must equal that of a possible state, byte for byte. A request first reads
its key and its sources, then its data. If a change comes between, each part of the answer may
belong to another state, but it must be a whole part of that state's answer. The note of the
freshness belongs to the data: it may say that nothing was found. What a tool adds to the answer of
REST is read last; a list lacks the items that were deleted before that, and a document that was
deleted has no matches. A search by a tool lists the sources of what it read last, so each of these
may be as in any answer of a possible state. So may the place of a file, which it reads last and
which is the same in every search.
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple

import orjson

from orgctx.operations.operation import Operation
from orgctx.resources.catalog import OPERATIONS
from orgctx.schemas.payload import fields_of
from tests.soak.requests import HEAD, MCP, OPEN, Request
from tests.soak.wire import Answer, Reply
from tests.soak.world import State

# These answers combine data read with the key and data read after it.
COMBINED = ("/api/v1/context", "/api/v1/search", "get_context", "search_context")
# The names of parts that each state has once for all searches by a tool: a source, and where a
# file is.
LISTED = "search_context of "
SHARED = re.compile(rf"{LISTED}.*|search_context .* asset")


class Reader(NamedTuple):
    """Who reads: the marker of an organization and a name in world.GRANTS."""

    marker: str
    grants: str


class Expected:
    """All correct answers."""

    def __init__(self) -> None:
        self._answers: dict[tuple[Reader, State, Request], Answer] = {}
        self._revoked: dict[Request, Answer] = {}
        # The values of a part in all searches by a tool.
        self._listed: dict[tuple[Reader, State, str], list[Any]] = {}

    def learn(self, reader: Reader, state: State, request: Request, reply: Reply) -> None:
        """Store an answer without load; it must equal an earlier one of the same state."""
        assert reply.status < 500, (request, reply)
        answer = reply.answer
        known = self._answers.setdefault((reader, state, request), answer)
        assert known == answer, f"{reader} {state} {request} changed without load"
        for name, value in _parts(request, answer).items() if request.kind == MCP else ():
            values = self._listed.setdefault((reader, state, name), [])
            if SHARED.fullmatch(name) and value not in values:
                values.append(value)

    def learn_revoked(self, request: Request, reply: Reply) -> None:
        """Store the answer to a revoked key."""
        assert request.kind == OPEN or reply.status == 401, (request, reply)
        self._revoked[request] = reply.answer

    def answer(self, reader: Reader, state: State, request: Request) -> Answer:
        return self._answers[reader, state, request]

    def revoked(self, request: Request) -> Answer:
        return self._revoked[request]

    def is_mixed(
        self, reader: Reader, states: Sequence[State], request: Request, reply: Reply
    ) -> bool:
        """Whether each part belongs to a possible state, though not all to the same one."""
        answers = [self.answer(reader, state, request) for state in states]
        if request.kind == HEAD:
            return reply.answer[0] in {answer[0] for answer in answers}
        possible = [_parts(request, answer) for answer in answers]
        parts = _parts(request, reply.answer)
        if request.kind == MCP and _may_lack_items(_name(request)):
            possible += _without_deleted(possible)
        return bool(parts) and all(
            any(name in each and each[name] == value for each in possible)
            or any(value in self._listed.get((reader, state, name), ()) for state in states)
            or (value == [] and name.endswith(" matches") and {} in possible)
            for name, value in parts.items()
        )

    def differing(self, reader: Reader, state: State, request: Request, reply: Reply) -> list[str]:
        """Return the names of the parts that differ from the answer of a state."""
        parts = _parts(request, reply.answer)
        expected = _parts(request, self.answer(reader, state, request))
        names = {*parts, *expected}
        return sorted(name for name in names if parts.get(name) != expected.get(name))


def conditional(answer: Answer, etag: bytes) -> Answer:
    """Return the correct answer for a client that already has `etag`."""
    return (304, answer[1], b"") if etag and answer[1] == etag else answer


def _parts(request: Request, answer: Answer) -> dict[str, Any]:
    """Return the parts of an answer by name; empty if it has no parts."""
    status, _, body = answer
    document = orjson.loads(body) if body else {}
    if request.kind == MCP:
        document = document.get("result", {}).get("structuredContent", {})
    if status != 200 or "meta" not in document:
        return {}
    name = _name(request)
    freshness = dict(document["meta"]["freshness"])
    note = freshness.pop("note", None)
    parts = {"meta": document["meta"] | {"freshness": freshness}}
    if request.kind == MCP:
        document["data"] = _split(document["data"], _added(name), name, parts)
    if name not in COMBINED:
        return parts | {"data": [document["data"], document.get("pagination"), note]}
    parts["note"] = note
    data: dict[str, Any] = dict(document["data"])
    if name == "search_context":
        listed = {f"{each['id']}": each for each in data.pop("sources")}
        listed["meta"] = parts.pop("meta")
        parts |= {f"{LISTED}{id_}": each for id_, each in listed.items()}
    connections: dict[str, Any] = data.pop("connections", {})
    return parts | data | connections


def _name(request: Request) -> str:
    """Return the path, or the name of the tool."""
    if request.body:
        return str(orjson.loads(request.body)["params"]["name"])
    return request.path.partition("?")[0]


def _without_deleted(possible: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the list of each state without the items that another state does not have."""
    found = []
    for one, other in permutations((each["data"] for each in possible if each), 2):
        (items, pagination, note), (left, _, other_note) = one, other
        kept = [item for item in items if item["id"] in {each["id"] for each in left}]
        found.append({"data": [kept, pagination, note if kept else other_note]})
    return found


@cache
def _may_lack_items(name: str) -> bool:
    """Whether the items of a tool's list need what it reads last."""
    operation = _operation(name)
    fields = fields_of(operation.tool_payload)
    added = fields.keys() - fields_of(operation.payload).keys()
    return operation.is_list and not all(fields[each].optional for each in added)


def _operation(name: str) -> Operation:
    (operation,) = (each for each in OPERATIONS if each.name == name)
    return operation


@cache
def _added(name: str) -> frozenset[str]:
    """Return the members that the results of a tool have and the answers of REST do not."""
    operation = _operation(name)
    return frozenset(_members(operation.tool_payload) - _members(operation.payload))


def _members(schema: Any) -> set[str]:
    """Return the names of the members of a payload, including nested ones."""
    names: set[str] = set()
    for field in fields_of(schema).values():
        inner = getattr(field, "inner", field)
        inside = _members(type(inner.schema)) if hasattr(inner, "schema") else set()
        names |= {field.data_key} | inside
    return names


def _split(value: Any, added: frozenset[str], place: str, parts: dict[str, Any]) -> Any:
    """Move the members of these names out of a value, each into a part of its own."""
    if isinstance(value, list):
        return [_split(each, added, place, parts) for each in value]
    if not isinstance(value, dict):
        return value
    place = f"{place} {value.get('id')}"
    for name in value.keys() & added:
        part = value[name]
        # Records that a tool adds have members that it reads after them.
        parts[f"{place} {name}"] = _split(part, added, place, parts) if _are_records(part) else part
    return {
        name: _split(each, added, place, parts) for name, each in value.items() if name not in added
    }


def _are_records(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(each, dict) and "id" in each for each in value
    )

"""What is right: the answers of each state, taken at rest and held against the plain model.

Under load every answer must be the one of a state that was possible, byte for byte. A request
reads its key and its sources first and its data after that. Where a change came between, the one
part may be of the state before and the other of the state after, but each of them whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import orjson

from tests.soak.asks import HEAD, MCP, OPEN, Ask
from tests.soak.wire import Reply
from tests.soak.world import State

Told = tuple[int, bytes, bytes]
# Their answers combine data that is read with the key and data that is read after it.
SPLIT = ("/api/v1/context", "/api/v1/search", "get_context", "search_context")


class Whose(NamedTuple):
    """marker: of an organization. grants: a name of world.GRANTS."""

    marker: str
    grants: str


class Right:
    """All right answers. `foreign`: words that no answer to an organization holds."""

    def __init__(self) -> None:
        self._told: dict[tuple[Whose, State, Ask], Told] = {}
        self._refused: dict[Ask, Told] = {}

    def learn(self, whose: Whose, state: State, ask: Ask, reply: Reply) -> None:
        """Take an answer at rest. Raises AssertionError where one was there and differs."""
        told = reply.told
        known = self._told.setdefault((whose, state, ask), told)
        assert known == told, f"{whose} {state} {ask} changed at rest"

    def learn_refusal(self, ask: Ask, reply: Reply) -> None:
        """What a key gets that is no longer good."""
        assert ask.kind == OPEN or reply.status == 401, (ask, reply)
        self._refused[ask] = reply.told

    def told(self, whose: Whose, state: State, ask: Ask) -> Told:
        return self._told[whose, state, ask]

    def refusal(self, ask: Ask) -> Told:
        return self._refused[ask]

    def is_mixed(self, whose: Whose, states: Sequence[State], ask: Ask, reply: Reply) -> bool:
        """Whether its parts are each of a possible state, though not all of the same."""
        if ask.kind == HEAD:
            return reply.told[0] in {self.told(whose, state, ask)[0] for state in states}
        possible = [_parts(ask, self.told(whose, state, ask)) for state in states]
        found = _parts(ask, reply.told)
        return bool(found) and all(
            any(name in one and one[name] == value for one in possible)
            for name, value in found.items()
        )


def expected(told: Told, etag: bytes) -> Told:
    """What is to come of it where the client has `etag`."""
    own = told[1]
    return (304, own, b"") if etag and own == etag else told


def _parts(ask: Ask, told: Told) -> dict[str, Any]:
    """The parts of an answer by name; none of what has no parts."""
    status, _, body = told
    document = orjson.loads(body) if body else {}
    if ask.kind == MCP:
        document = document.get("result", {}).get("structuredContent", {})
    if status != 200 or "meta" not in document:
        return {}
    name = orjson.loads(ask.body)["params"]["name"] if ask.body else ask.path.partition("?")[0]
    found = {"meta": document["meta"]}
    if name not in SPLIT:
        return found | {"data": [document["data"], document.get("pagination")]}
    data: dict[str, Any] = dict(document["data"])
    connections: dict[str, Any] = data.pop("connections", {})
    return found | data | connections


def markers(texts: Iterable[bytes], foreign: Sequence[str]) -> list[str]:
    """Which foreign words stand in them."""
    words = [word.encode() for word in foreign]
    return [word.decode() for text in texts for word in words if word in text]

"""Which answers are right: those that the states gave at rest, compared with the plain model.

Under load every answer must equal that of a possible state, byte for byte. A request first reads
its key and its sources, then its data. If a change comes between, each part of the answer may
belong to another state, but must be a whole part of it.
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
    """marker: of the organization. grants: a name in world.GRANTS."""

    marker: str
    grants: str


class Right:
    """All right answers. `foreign`: words that no answer to an organization holds."""

    def __init__(self) -> None:
        self._told: dict[tuple[Whose, State, Ask], Told] = {}
        self._refused: dict[Ask, Told] = {}

    def learn(self, whose: Whose, state: State, ask: Ask, reply: Reply) -> None:
        """Remember an answer at rest. Raises AssertionError if it differs from the one before."""
        told = reply.told
        known = self._told.setdefault((whose, state, ask), told)
        assert known == told, f"{whose} {state} {ask} changed at rest"

    def learn_refusal(self, ask: Ask, reply: Reply) -> None:
        """Remember what a key gets that is no longer good."""
        assert ask.kind == OPEN or reply.status == 401, (ask, reply)
        self._refused[ask] = reply.told

    def told(self, whose: Whose, state: State, ask: Ask) -> Told:
        return self._told[whose, state, ask]

    def refusal(self, ask: Ask) -> Told:
        return self._refused[ask]

    def is_mixed(self, whose: Whose, states: Sequence[State], ask: Ask, reply: Reply) -> bool:
        """Whether each part belongs to a possible state, though not all to the same one."""
        if ask.kind == HEAD:
            return reply.told[0] in {self.told(whose, state, ask)[0] for state in states}
        possible = [_parts(ask, self.told(whose, state, ask)) for state in states]
        found = _parts(ask, reply.told)
        return bool(found) and all(
            any(name in one and one[name] == value for one in possible)
            for name, value in found.items()
        )


def expected(told: Told, etag: bytes) -> Told:
    """The right answer if the client already has `etag`."""
    own = told[1]
    return (304, own, b"") if etag and own == etag else told


def _parts(ask: Ask, told: Told) -> dict[str, Any]:
    """The parts of an answer by name; empty if it has no parts."""
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
    """The foreign words that they contain."""
    words = [word.encode() for word in foreign]
    return [word.decode() for text in texts for word in words if word in text]

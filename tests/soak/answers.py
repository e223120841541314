"""Decide which answers are correct: those that the same state gave without load, byte for byte.

A request that a change interrupts first reads its key and its sources, then its data, so that its
answer may combine two states. Then its status must be that of a possible state, or 404 because what
it names is deleted meanwhile.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tests.soak import world
from tests.soak.requests import OPEN, Answer, Request
from tests.soak.world import State
from tests.support.organizations import HIDDEN

RIGHT, COMBINED = "right", "combined"


class Reader(NamedTuple):
    """Who reads: the marker of an organization, and a name in world.GRANTS or None: rejected."""

    marker: str
    grants: str | None


class Answers:
    """All correct answers."""

    def __init__(self) -> None:
        self._known: dict[tuple[Reader | None, State | None, Request], Answer] = {}

    def __len__(self) -> int:
        return len(self._known)

    def learn(self, reader: Reader, state: State, request: Request, answer: Answer) -> None:
        """Store an answer without load; it must equal an earlier one of the same state."""
        assert answer[0] < 500, (request, answer)
        assert not foreign(reader.marker, answer[2]), (reader, request, answer)
        known = self._known.setdefault(_key(reader, state, request), answer)
        assert known == answer, f"{reader} {state} {request} changed without load"

    def of(self, reader: Reader, state: State, request: Request) -> Answer:
        return self._known[_key(reader, state, request)]

    def possible(
        self, readers: Iterable[Reader], states: Sequence[State], request: Request
    ) -> list[Answer]:
        return [self.of(reader, state, request) for reader in readers for state in states]


def _key(
    reader: Reader, state: State, request: Request
) -> tuple[Reader | None, State | None, Request]:
    """Answers to rejected keys, and those before the key is checked, depend on no state."""
    is_read = reader.grants and request.kind != OPEN
    return (reader, state, request) if is_read else (None, None, request)


def foreign(marker: str, body: bytes) -> bool:
    """Whether a body contains a word of another organization, or of a source not approved."""
    words = [each.marker for each in world.ALL if each.marker != marker] + [HIDDEN]
    return any(word.encode() in body for word in words)


def judge(marker: str, answer: Answer, possible: Sequence[Answer], etag: str = "") -> str:
    """Return RIGHT, COMBINED or what is wrong with an answer.

    Args:
        possible: the answers that are right; several while a change lasts.
        etag: of the answer that the client already has.
    """
    possible = [(304, etag, b"") if etag and each[1] == etag else each for each in possible]
    if answer in possible:
        return RIGHT
    if foreign(marker, answer[2]):
        return "foreign"
    if len(possible) > 1 and answer[0] in {404, *(each[0] for each in possible)}:
        return COMBINED
    return f"{answer[0]}, stale or malformed"

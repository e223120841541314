"""The primary's positions over time limit how old a replica's data may be."""

from __future__ import annotations

from datetime import UTC, datetime
from math import inf

import pytest

from orgctx.config.database_url import each_host
from orgctx.stores.positions import MOST_NOTES, Position, Trail

STARTED = datetime(2026, 1, 1, tzinfo=UTC)
LATER = datetime(2026, 1, 2, tzinfo=UTC)


def primary(position: int) -> Position:
    return Position(1, 7, STARTED, is_replica=False, bytes=position)


def replica(position: int) -> Position:
    return Position(1, 7, LATER, is_replica=True, bytes=position)


def trail(*notes: tuple[float, int]) -> Trail:
    one = Trail()
    for at, position in notes:
        one.note(at, primary(position))
    return one


@pytest.mark.parametrize(
    ("notes", "position", "until"),
    [
        ([], 5, -inf),
        ([(1, 5)], 4, -inf),
        ([(1, 5)], 5, 1),
        ([(1, 5), (2, 7), (3, 9)], 8, 2),
        ([(1, 5), (2, 7), (3, 9)], 9, 3),
        # The primary is idle, so the replica has everything, however long ago it was written.
        ([(1, 5), (1000, 5), (2000, 5)], 5, 2000),
        # Another server took over and lacks the end of the log.
        ([(1, 5), (2, 9), (3, 7)], 6, -inf),
        ([(1, 5), (2, 9), (3, 7)], 8, 3),
    ],
)
def test_until_when_a_replica_is_complete(
    notes: list[tuple[float, int]], position: int, until: float
) -> None:
    assert trail(*notes).complete_until(replica(position)) == until


def test_notes_are_bounded() -> None:
    one = trail(*((at, at) for at in range(MOST_NOTES + 1)))
    assert one.complete_until(replica(0)) == -inf
    assert one.complete_until(replica(1)) == 1


def test_who_is_no_replica_of_the_primary() -> None:
    one = trail((1, 5))
    assert one.complete_until(primary(5)) == 1
    former = Position(1, 7, LATER, is_replica=False, bytes=9)
    foreign = Position(2, 7, LATER, is_replica=True, bytes=9)
    other = Position(1, 8, LATER, is_replica=True, bytes=9)
    assert {one.complete_until(server) for server in (former, foreign, other)} == {-inf}


def test_hosts_are_named_by_host_and_port() -> None:
    found = each_host("postgresql://me:secret@a,b:5433,[::1]:5434/db?connect_timeout=3")
    assert list(found) == ["a:5432", "b:5433", "::1:5434"]
    assert "host=b" in found["b:5433"]
    assert "port=5433" in found["b:5433"]
    assert "secret" in found["b:5433"]
    assert list(each_host("host=a,b port=6000")) == ["a:6000", "b:6000"]
    assert list(each_host("dbname=only")) == ["localhost:5432"]
    with pytest.raises(ValueError, match="one port"):
        each_host("host=a,b,c port=1,2")

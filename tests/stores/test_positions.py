"""The history of the primary's positions gives the maximum age of a replica's data."""

import socket
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from math import inf

import gevent
import pytest

from orgctx.config.urls import each_host
from orgctx.stores.deadline import _Polled, _Watched
from orgctx.stores.replicas import MAX_HISTORY, Position, PositionHistory

STARTED = datetime(2026, 1, 1, tzinfo=UTC)
LATER = datetime(2026, 1, 2, tzinfo=UTC)


def primary(position: int) -> Position:
    return Position(1, 7, STARTED, is_replica=False, bytes=position)


def replica(position: int) -> Position:
    return Position(1, 7, LATER, is_replica=True, bytes=position)


def history_of(*positions: tuple[float, int]) -> PositionHistory:
    history = PositionHistory()
    for read_at, position in positions:
        history.add(read_at, primary(position))
    return history


@pytest.mark.parametrize(
    ("positions", "position", "until"),
    [
        ([], 5, -inf),
        ([(1, 5)], 4, -inf),
        ([(1, 5)], 5, 1),
        ([(1, 5), (2, 7), (3, 9)], 8, 2),
        ([(1, 5), (2, 7), (3, 9)], 9, 3),
        # The primary is idle, so the replica is complete although the last write is old.
        ([(1, 5), (1000, 5), (2000, 5)], 5, 2000),
        # Another server took over and lacks the end of the log.
        ([(1, 5), (2, 9), (3, 7)], 6, -inf),
        ([(1, 5), (2, 9), (3, 7)], 8, 3),
    ],
)
def test_position_history_dates_a_replica(
    positions: list[tuple[float, int]], position: int, until: float
) -> None:
    assert history_of(*positions).complete_until(replica(position)) == until


def test_position_history_is_bounded() -> None:
    history = history_of(*((number, number) for number in range(MAX_HISTORY + 1)))
    assert history.complete_until(replica(0)) == -inf
    assert history.complete_until(replica(1)) == 1


def test_position_history_knows_only_replicas_of_the_primary() -> None:
    history = history_of((1, 5))
    assert history.complete_until(primary(5)) == 1
    former = Position(1, 7, LATER, is_replica=False, bytes=9)
    foreign = Position(2, 7, LATER, is_replica=True, bytes=9)
    other = Position(1, 8, LATER, is_replica=True, bytes=9)
    assert {history.complete_until(server) for server in (former, foreign, other)} == {-inf}


def test_each_host_is_named_by_host_and_port() -> None:
    urls = each_host("postgresql://me:secret@a,b:5433,[::1]:5434/db?connect_timeout=3")
    assert list(urls) == ["a:5432", "b:5433", "::1:5434"]
    assert "host=b" in urls["b:5433"]
    assert "port=5433" in urls["b:5433"]
    assert "secret" in urls["b:5433"]
    assert list(each_host("host=a,b port=6000")) == ["a:6000", "b:6000"]
    assert list(each_host("dbname=only")) == ["localhost:5432"]
    with pytest.raises(ValueError, match="one port"):
        each_host("host=a,b,c port=1,2")


# Threads and greenlets wait until a socket is readable or the time is over


Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    here, there = socket.socketpair()
    with here, there:
        yield here, there


@pytest.mark.parametrize("kind", [_Polled, _Watched])
def test_readiness_wakes_for_data_and_at_the_end(
    kind: type[_Polled] | type[_Watched], pair: Pair
) -> None:
    watched = kind(pair[0].fileno())
    for _ in range(3):
        assert not watched.wait(0.001)
        pair[1].send(b"x")
        # The second time, the data has arrived before.
        assert watched.wait(10)
        assert watched.wait(10)
        assert pair[0].recv(9) == b"x"
    assert not watched.wait(0.001)
    pair[1].close()
    assert watched.wait(10)
    watched.close()


def test_readiness_stops_watching_an_unread_socket(pair: Pair) -> None:
    """Such a socket belongs to an idle connection that the server has closed."""
    watched = _Watched(pair[0].fileno())
    assert not watched.wait(0.001)
    pair[1].send(b"x")
    while watched._watcher.active:
        gevent.sleep(0.01)
    assert watched.wait(10)
    watched.close()


def test_readiness_waits_in_full_after_work(pair: Pair) -> None:
    watched = _Watched(pair[0].fileno())

    def work_and_wait() -> float:
        gevent.sleep(0.001)
        # Not gevent.sleep: the event loop must not run in the meantime.
        time.sleep(0.2)
        began = time.monotonic()
        assert not watched.wait(0.2)
        return time.monotonic() - began

    assert gevent.spawn(work_and_wait).get() > 0.19
    watched.close()


def test_readiness_survives_a_killed_greenlet(pair: Pair) -> None:
    watched = _Watched(pair[0].fileno())
    waiting = gevent.spawn(watched.wait, 10)
    gevent.sleep(0)
    waiting.kill()
    pair[1].send(b"x")
    gevent.sleep(0.01)
    assert watched.wait(10)
    watched.close()

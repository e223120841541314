"""Threads and greenlets wait for a socket until something arrives or their time is over."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import gevent
import pytest

from orgctx.stores import readiness

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    here, there = socket.socketpair()
    with here, there:
        yield here, there


@pytest.fixture(params=[readiness._Polled, readiness._Watched])
def watched(request: pytest.FixtureRequest, pair: Pair) -> Iterator[readiness.Readiness]:
    found = request.param(pair[0].fileno())
    yield found
    found.close()


def test_readiness_wakes_when_data_arrives(watched: readiness.Readiness, pair: Pair) -> None:
    for _ in range(3):
        assert not watched.wait(0.001)
        pair[1].send(b"x")
        assert watched.wait(10)
        assert pair[0].recv(9) == b"x"


def test_readiness_returns_at_once_if_data_has_arrived(
    watched: readiness.Readiness, pair: Pair
) -> None:
    pair[1].send(b"x")
    assert watched.wait(10)
    assert watched.wait(10)


def test_readiness_wakes_when_the_peer_closes(watched: readiness.Readiness, pair: Pair) -> None:
    assert not watched.wait(0.001)
    pair[1].close()
    assert watched.wait(10)


def test_readiness_stops_watching_an_unread_socket(pair: Pair) -> None:
    """Such a socket belongs to an idle connection that its server has closed."""
    watched = readiness._Watched(pair[0].fileno())
    assert not watched.wait(0.001)
    pair[1].send(b"x")
    gevent.sleep(0.01)
    assert not watched._watcher.active
    assert watched.wait(10)
    watched.close()


def test_readiness_waits_in_full_after_work(pair: Pair) -> None:
    watched = readiness._Watched(pair[0].fileno())

    def work_and_wait() -> float:
        gevent.sleep(0.001)
        # No greenlet may sleep here: the loop must get no turn meanwhile.
        time.sleep(0.2)
        began = time.monotonic()
        assert not watched.wait(0.2)
        return time.monotonic() - began

    assert gevent.spawn(work_and_wait).get() > 0.19
    watched.close()


def test_readiness_survives_a_killed_greenlet(pair: Pair) -> None:
    watched = readiness._Watched(pair[0].fileno())
    waiting = gevent.spawn(watched.wait, 10)
    gevent.sleep(0)
    waiting.kill()
    pair[1].send(b"x")
    gevent.sleep(0.01)
    assert watched.wait(10)
    watched.close()

"""Quotas are exact while 64 clients use 4 workers and three limits apply."""

import socket
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest
from redis import Redis

from tests.conftest import empty_redis
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.service import SOURCES, Answer, Running, head, receive, serve
from tests.support.traffic import lasting_windows

CLIENTS = 64
LIMIT_KEY, LIMIT_ORGANIZATION, LIMIT_IP = 20, 50, 64


@pytest.fixture(scope="module")
def keys(acme: Deployment) -> list[str]:
    return [acme.issue_key(make.ACME, make.OWNER) for _ in range(4)]


@pytest.fixture(scope="module")
def running(acme: Deployment) -> Iterator[Running]:
    limits = {
        "limit_key": LIMIT_KEY, "limit_organization": LIMIT_ORGANIZATION, "limit_ip": LIMIT_IP,
    }  # fmt: skip
    with serve(acme, workers=4, **limits) as running:
        yield running


@pytest.fixture
def counters(acme: Deployment, running: Running) -> Iterator[Callable[[], dict[str, int]]]:
    """The counters in Redis of each key, organization and address, by name."""
    empty_redis(acme.redis_url)
    redis: Any = Redis.from_url(acme.redis_url)

    def read() -> dict[str, int]:
        names = [name.decode() for name in redis.keys("*")]
        assert all(0 < redis.ttl(name) <= 90 * 86_400 for name in names)
        return {
            name.removeprefix("orgctx:quota:"): int(redis.get(name))
            for name in names
            if name.startswith("orgctx:quota:")
        }

    with lasting_windows(acme.redis_url):
        yield read
    redis.close()


def ask(running: Running, key: str, address: str) -> Answer:
    """Send one request from a loopback address; its headers claim another address."""
    place = ("127.0.0.1", running.port)
    with closing(socket.create_connection(place, 60, (address, 0))) as connection:
        spoofed = ("X-Forwarded-For: 203.0.113.1", "Forwarded: for=203.0.113.2", "X-Real-IP: ::1")
        connection.sendall(head(SOURCES, key, *spoofed, "Connection: close"))
        return receive(connection)


def ask_at_once(requests: list[tuple[Running, str, str]]) -> list[Answer]:
    with ThreadPoolExecutor(CLIENTS) as pool:
        return [*pool.map(lambda request: ask(*request), requests)]


def outcomes(answers: list[Answer]) -> Counter[Any]:
    """The number of admitted requests, and of rejected requests by limit."""
    limits = ("API key", "organization", "IP address")
    return Counter(
        answer.status if answer.status != 429 else next(
            limit for limit in limits if limit in answer.body["error"]["message"]
        )
        for answer in answers
    )  # fmt: skip


@pytest.mark.thorough
def test_quota_of_an_organization_is_exact_under_load(
    running: Running, keys: list[str], counters: Callable[[], dict[str, int]]
) -> None:
    requests = [(running, keys[n % 4], f"127.0.0.{2 + n // 4 % 4}") for n in range(4 * CLIENTS)]
    answers = ask_at_once(requests)
    counted = outcomes(answers)
    assert counted[200] == LIMIT_ORGANIZATION
    assert counted["IP address"] == 0
    by_key = Counter(
        key for (_, key, _), answer in zip(requests, answers, strict=True) if answer.status == 200
    )
    assert all(count <= LIMIT_KEY for count in by_key.values())
    counts = counters()
    assert counts[f"{{{make.ACME}}}"] == LIMIT_ORGANIZATION
    # A request over the organization's limit is not charged to the key, and vice versa.
    of_keys = [count for name, count in counts.items() if ":key:" in name]
    assert sorted(of_keys) == sorted(by_key.values())
    assert {name for name in counts if name.startswith("ip:")} == {
        f"ip:127.0.0.{last}" for last in range(2, 6)
    }


@pytest.mark.thorough
def test_quota_of_a_key_is_exact_under_load(
    running: Running, keys: list[str], counters: Callable[[], dict[str, int]]
) -> None:
    """[8.13]"""
    counted = outcomes(ask_at_once([(running, keys[0], "127.0.0.9")] * CLIENTS))
    assert counted == {200: LIMIT_KEY, "API key": CLIENTS - LIMIT_KEY}
    assert counters()[f"{{{make.ACME}}}"] == LIMIT_KEY


def test_key_whose_sources_are_gone_reads_nothing(own_acme: Deployment) -> None:
    """[5.17] Neither a deletion nor a source that is approved later ends a limit."""
    own_acme.load([make.source("docs", "docs:brief")])
    key = own_acme.issue_key(make.ACME, make.OWNER, sources=["docs:brief"])
    with own_acme.client(key) as client:

        def source_ids() -> list[str]:
            return [source["id"] for source in client.get(SOURCES).json["data"]]

        assert source_ids() == []
        own_acme.approve(make.ACME, make.OWNER, "docs:brief")
        assert source_ids() == ["docs:brief"]
        for verb in ("exclude", "include", "withdraw"):
            own_acme.cli("sources", verb, *make.WHO, "docs:brief").done()
            assert source_ids() == (["docs:brief"] if verb == "include" else [])
        own_acme.cli("sources", "delete", *make.WHO, "docs:brief", "--yes").done()
        own_acme.load([make.source("docs", "docs:later"), make.source("docs", "docs:brief")])
        own_acme.approve(make.ACME, make.OWNER, "docs:later", "docs:brief")
        assert source_ids() == []

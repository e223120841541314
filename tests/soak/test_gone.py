"""Answers of requests whose organization is deleted between their statements."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic

import psycopg
import pytest

from orgctx.bundle.records import TYPES
from orgctx.stores.db import sql
from tests.soak import world
from tests.soak.baseline import Baseline
from tests.soak.changes import Changes
from tests.soak.expected import Expected, Reader, conditional
from tests.soak.requests import HEAD, MCP, REST, Request, requests, tool_call
from tests.soak.wire import Answer, Connection, Reply
from tests.soak.world import DELETED, FIRST, GONE
from tests.support import citus
from tests.support import factories as make
from tests.support.crawl import PREFIX, reads
from tests.support.deployment import Deployment
from tests.support.service import Running, serve
from tests.support.waiting import until

pytestmark = pytest.mark.thorough

READER = Reader(DELETED.marker, "everything")
KINDS = (REST, MCP, HEAD)
# Requests of each kind. They all wait at once, though an organization may hold only half of the
# connections.
MOST = 8
SETTINGS = {"workers": 1, "database_pool_size": 80}
# Read by a single statement after the first one, so none of it is read before the deletion.
MATCH = f"{PREFIX}/knowledge/{make.knowledge_id()}?q=e"
MATCHES = [
    Request(REST, "GET", MATCH),
    Request(HEAD, "HEAD", MATCH),
    tool_call(*reads()[MATCH]),
]
# What the statements after the first read.
TABLES = ", ".join((*(each.table for each in TYPES.values() if each.has_source), "people"))


class Soak:
    """A soak without load: its changes, a server and the answers of DELETED in each state."""

    def __init__(self, deployment: Deployment, folder: Path, running: Running) -> None:
        self.deployment, self.changes = deployment, Changes(deployment, folder)
        holders = self.changes.issue_lasting()
        self.expected = Expected()
        self.requests = [each for each in (*requests(MOST), *MATCHES) if each.kind in KINDS]
        self._address = ("127.0.0.1", running.port)
        connection = Connection(self._address)
        baseline = Baseline(connection, list, self.expected, self.requests, holders)
        baseline.learn(self.changes, DELETED)
        connection.close()

    def answer(self, request: Request, etag: bytes) -> Answer:
        """Return the answer of the first state."""
        return conditional(self.expected.answer(READER, FIRST, request), etag)

    def sent(self) -> list[tuple[Request, bytes]]:
        """Return each request, and those of REST once more with the ETag of the first state."""
        etags = [(each, self.answer(each, b"")[1]) for each in self.requests if each.kind == REST]
        return [*((each, b"") for each in self.requests), *etags]

    def exchange(self, request: Request, etag: bytes) -> Reply:
        (key,) = (each.key for each in self.changes.deleted if each.reader == READER)
        connection = Connection(self._address)
        try:
            return connection.exchange(request.encode(key, etag))
        finally:
            connection.close()

    def is_right(self, request: Request, etag: bytes, reply: Reply) -> bool:
        states = [FIRST, GONE]
        answers = [self.expected.answer(READER, state, request) for state in states]
        is_whole = reply.answer in [conditional(answer, etag) for answer in answers]
        return is_whole or self.expected.is_mixed(READER, states, request, reply)


@pytest.fixture(scope="module")
def soak(module_deployment: Deployment, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Soak]:
    folder = tmp_path_factory.mktemp("soak")
    world.prepare(module_deployment, folder)
    with serve(module_deployment, **SETTINGS) as running:
        yield Soak(module_deployment, folder, running)


def test_deletion_and_load_allow_answers_without_records(soak: Soak) -> None:
    states = soak.changes.states[DELETED.marker]
    began_at = monotonic()
    soak.changes.delete_and_load()
    assert states.possible(began_at, began_at) == [FIRST]
    assert set(states.possible(began_at, monotonic())) == {FIRST, GONE}
    now = monotonic()
    assert states.possible(now, now) == [FIRST]


@citus.impossible("the statements of a deletion and of a request wait on several servers")
def test_every_answer_of_a_deleted_organization_is_expected(soak: Soak) -> None:
    sent = soak.sent()
    soak.exchange(*sent[0])  # caches the caller; otherwise its first statement finds no key
    with (
        psycopg.connect(soak.deployment.admin_url) as deletion,
        ThreadPoolExecutor(len(sent)) as pool,
    ):
        identity = {"organization_id": DELETED.id, "id": DELETED.id}
        deletion.execute(sql("bundle/delete_organization"), identity)
        # Requests still find the key. Then they wait until the records are gone.
        deletion.execute(f"LOCK TABLE {TABLES} IN ACCESS EXCLUSIVE MODE")
        replies = [pool.submit(soak.exchange, *each) for each in sent]

        def waiting_or_done() -> int:
            return soak.deployment.waiting() + sum(each.done() for each in replies)

        until(lambda: waiting_or_done() == len(replies), "requests do not wait")
        assert soak.deployment.waiting() > len(replies) / 2
        deletion.commit()
    answered = [(*each, reply.result()) for each, reply in zip(sent, replies, strict=True)]
    assert not [each for each in answered if not soak.is_right(*each)]
    changed = [request for request, etag, reply in answered
               if soak.answer(request, etag) != reply.answer]  # fmt: skip
    assert {*MATCHES} <= {*changed}

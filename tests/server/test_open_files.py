"""A process that may open few files answers 503 with the cause, and no bug."""

import os
import resource
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from orgctx.stores.causes import OUT_OF_FILES, reason_of
from orgctx.stores.connection import Connection
from orgctx.stores.deadline import Deadline
from tests.mcp.endpoint import Endpoint, call
from tests.support.deployment import Deployment
from tests.support.service import SOURCES, head, receive, serve
from tests.support.waiting import until

pytestmark = pytest.mark.thorough

LIMIT = 256
SECONDS = 20
SPARE = 8
# Clients that send at once, so that they need several connections to Redis.
AT_ONCE = 4
ATTEMPTS = 50
WAITS = f"A connection waits: {OUT_OF_FILES}"


def test_lack_of_files_for_stores_is_503_with_its_cause(acme: Deployment, key: str) -> None:
    """The limit is lowered while the worker runs, so that accepting and connecting fail."""
    with serve(acme) as running, ExitStack() as stack:
        (worker,) = running.workers()
        soft, hard = resource.prlimit(worker, resource.RLIMIT_NOFILE)
        open_count = len(list(Path(f"/proc/{worker}/fd").iterdir()))
        resource.prlimit(worker, resource.RLIMIT_NOFILE, (open_count + SPARE, hard))
        # The last of them wait until they can be accepted.
        clients = [stack.enter_context(closing(running.connect(SECONDS))) for _ in range(2 * SPARE)]
        until(lambda: [line for line in running.log() if WAITS in line.get("message", "")])
        statuses: set[int] = set()
        for _ in range(ATTEMPTS):
            for client in clients[:AT_ONCE]:
                client.sendall(head(SOURCES, key))
            statuses |= {receive(client).status for client in clients[:AT_ONCE]}
            if 503 in statuses:
                break
        resource.prlimit(worker, resource.RLIMIT_NOFILE, (soft, hard))
        clients[-1].sendall(head(SOURCES, key))
        assert receive(clients[-1]).status == 200
        after = [running.get(SOURCES, key).status for _ in range(4)]
        lines = running.log()
    assert statuses - {200} == {503}
    assert after == [200] * 4
    assert not [line for line in lines if "exception" in line]
    failed = [line for line in lines if line.get("status") == 503]
    assert all(line["faults"] == ["service_unavailable"] for line in failed)
    reasons = {line["causes"][0].partition(": ")[2] for line in failed}
    # libpq may not know why, and another thread may have closed a file meanwhile.
    assert OUT_OF_FILES in reasons
    assert reasons <= {OUT_OF_FILES, ""}


@contextmanager
def no_free_file() -> Iterator[None]:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.dup(0)
    os.close(free)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (free, limits[1]))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_connecting_without_a_free_file_says_so(acme: Deployment) -> None:
    """libpq has no text for it if not even one file can be opened."""
    with no_free_file(), pytest.raises(psycopg.OperationalError) as raised:
        Connection.open(acme.database_url, Deadline(SECONDS))
    assert reason_of(raised.value) == OUT_OF_FILES


def test_mcp_without_a_free_file_is_503_as_rest(acme: Deployment, key: str) -> None:
    with acme.app() as app:
        client = app.test_client()
        endpoint = Endpoint(client, key)

        def statuses() -> list[int]:
            rest = client.get(SOURCES, headers={"Authorization": f"Bearer {key}"})
            return [rest.status_code, endpoint.post(call("list_sources")).status_code]

        assert statuses() == [200, 200]
        app.extensions["orgctx"].quota.close()
        with no_free_file():
            assert statuses() == [503, 503]
        assert statuses() == [200, 200]


def test_start_warns_of_a_low_limit_in_one_line(acme: Deployment) -> None:
    with serve(acme, workers=2, open_files=LIMIT) as running:
        messages = [line.get("message", "") for line in running.log()]
    (warning,) = (message for message in messages if "open only" in message)
    assert warning.startswith(f"A worker may open only {LIMIT} files, so it serves ")

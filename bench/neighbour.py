"""Measure one tenant beside a hostile one: python -m bench.neighbour [--seconds 60].

The hostile organization sends the most expensive requests that its quota allows: searches in texts
of repeated characters, batches of 20 tool calls, deep pages, and responses that it never reads.
The quiet organization reads one small object again and again. The result is its p99 beside the
hostile one, divided by its p99 alone. Exits with 1 if one of its requests fails or a worker takes
200 MiB.
"""

from __future__ import annotations

import argparse
import socket
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from itertools import count, cycle
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep
from urllib.parse import quote

import orjson

from bench.cases import Case
from bench.dataset import AT, chat, identity
from bench.load_generator import percentile
from bench.prepare import issue_key, prepared
from bench.server_process import GUNICORN, Launch, ServerProcess, running
from orgctx.bundle import load_records

SCALE = "small"
# The quotas of the top plan. All requests come from one address, which has no limit.
SETTINGS = {
    "ORGCTX_LOG_LEVEL": "CRITICAL",
    "ORGCTX_LIMIT_KEY": "360",
    "ORGCTX_LIMIT_ORGANIZATION": "1800",
}
KEY_COUNT = 5
REPEATED_TEXTS, REPEATED_LENGTH = 500, 30_000
CLIENT_COUNT, UNREAD_COUNT = 40, 40
MAX_WORKER_MIB = 200
# The quiet tenant pauses between two requests to stay within its quota.
PAUSE_SECONDS = 0.04


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    with prepared(SCALE) as data:
        load_records(data.database_url, repeated_texts())
        hostile, quiet = (
            [issue_key(data.environment, number) for _ in range(KEY_COUNT)] for number in (1, 2)
        )
        with running(Launch(GUNICORN, SETTINGS), data) as server:
            read(server, quiet, 2)
            alone, failed_alone = read(server, quiet, options.seconds / 2)
            with hostile_load(server, hostile) as statuses:
                beside, failed_beside = read(server, quiet, options.seconds)
                mebibytes = max(resident_mebibytes(server))
            print(f"statuses of the hostile tenant: {dict(sorted(statuses.items()))}")
    for name, times in (("alone", alone), ("beside", beside)):
        print(
            f"{name}: {len(times)} reads, p50 {percentile(times, 0.5):.1f} ms,"
            f" p99 {percentile(times, 0.99):.1f} ms, slowest {times[-1] * 1e3:.1f} ms"
        )
    ratio, failed = percentile(beside, 0.99) / percentile(alone, 0.99), failed_alone + failed_beside
    print(f"p99 {ratio:.1f} times that alone; {failed} failed; largest worker {mebibytes:.0f} MiB")
    return int(bool(failed) or mebibytes > MAX_WORKER_MIB)


def repeated_texts() -> Iterator[dict[str, object]]:
    """Yield messages in which a search for almost the same characters looks everywhere."""
    for number in range(1, REPEATED_TEXTS + 1):
        sender = {"id": "user1", "name": "Person 1", "username": "person1"}
        data = {
            "chatId": str(chat(1, 1)), "id": 1_000_000 + number, "sender": sender, "kind": "text",
            "text": "a" * REPEATED_LENGTH, "detail": None, "file": None, "replyToMessageId": None,
            "sentAt": AT, "editedAt": None,
        }  # fmt: skip
        yield {
            "type": "telegram.message", "organizationId": str(identity(1)),
            "sourceId": "telegram:1", "data": data,
        }  # fmt: skip


def read(server: ServerProcess, keys: list[str], seconds: float) -> tuple[list[float], int]:
    """Read a small object for this time. Returns sorted seconds and the number of failures."""
    case = Case("small object", f"/api/v1/assets/{identity(2, 4, 1)}")
    times, failed, deadline = [], 0, monotonic() + seconds
    connection = HTTPConnection(*server.address, timeout=30)
    for key in cycle(keys):
        if monotonic() > deadline:
            break
        began_at = monotonic()
        failed += _status(connection, case, key) != 200
        times.append(monotonic() - began_at)
        sleep(PAUSE_SECONDS)
    connection.close()
    return sorted(times), failed


def expensive_cases() -> list[Case]:
    """Return the requests that cost most."""
    api, term = "/api/v1", "a" * 100 + "b" + "a" * 99
    calls = [("search_context", {"q": term, "limit": 50}), ("list_people", {"q": term}),
             ("list_telegram_messages", {"chatId": str(chat(1, 1)), "limit": 100})]  # fmt: skip
    batch = [
        {"jsonrpc": "2.0", "id": n, "method": "tools/call",
         "params": {"name": calls[n % 3][0], "arguments": calls[n % 3][1]}}
        for n in range(20)
    ]  # fmt: skip
    messages = f"{api}/telegram/chats/{chat(1, 1)}/messages"
    return [
        Case("long page", messages, {"limit": 100}),
        Case("search", f"{api}/search", {"q": term, "limit": 50}),
        Case("messages", messages, {"q": term}),
        Case("batch", "/api/mcp", body=orjson.dumps(batch)),
        Case("deep page", f"{api}/people", {"page": 10_000}),
        Case("deep search", f"{api}/knowledge", {"q": "e", "page": 10_000}),
    ]


@contextmanager
def hostile_load(server: ServerProcess, keys: list[str]) -> Iterator[Counter[int]]:
    """Send expensive requests during the block. Yields the count of each status, 0 for none."""
    ended, statuses = Event(), Counter[int]()
    with ExitStack() as stack:
        arguments = [(server, keys, number, ended, statuses) for number in range(CLIENT_COUNT)]
        threads = [Thread(target=_send_expensive, args=each) for each in arguments]
        threads.append(Thread(target=_leave_unread, args=(server, keys, stack, ended)))
        for thread in threads:
            thread.start()
        try:
            yield statuses
        finally:
            ended.set()
            for thread in threads:
                thread.join()


def _send_expensive(
    server: ServerProcess, keys: list[str], first: int, ended: Event, statuses: Counter[int]
) -> None:
    cases = expensive_cases()
    connection = HTTPConnection(*server.address, timeout=60)
    for number in count(first):
        if ended.is_set():
            break
        status = _status(connection, cases[number % len(cases)], keys[number % len(keys)])
        statuses[status] += 1
        if status == 429:
            ended.wait(1)
    connection.close()


def _leave_unread(server: ServerProcess, keys: list[str], stack: ExitStack, ended: Event) -> None:
    for number in range(UNREAD_COUNT):
        client = stack.enter_context(socket.socket())
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with suppress(OSError):
            client.connect(server.address)
            client.sendall(expensive_cases()[0].request(keys[number % len(keys)]))
        ended.wait(0.1)


def _status(connection: HTTPConnection, case: Case, key: str) -> int:
    """Send one request and read the response. Returns its status, or 0 if there is none."""
    path = case.path + ("?" + "&".join(f"{n}={quote(str(v))}" for n, v in case.query.items()))
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    try:
        connection.request("POST" if case.body else "GET", path, case.body or None, headers)
        response = connection.getresponse()
        response.read()
    except (OSError, HTTPException):
        connection.close()
        return 0
    return response.status


def resident_mebibytes(server: ServerProcess) -> Iterator[float]:
    """Yield the peak memory of each process of the server."""
    for pid in server.pids():
        status = Path(f"/proc/{pid}/status").read_text()
        yield int(status.partition("VmHWM:")[2].split()[0]) / 1024


if __name__ == "__main__":
    sys.exit(main())

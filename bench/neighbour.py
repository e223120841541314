"""One tenant at its worst beside another: python -m bench.neighbour [--seconds 60].

The first organization does within its quota what costs most: searches in texts of repeated
characters, batches of 20 tool calls, pages far behind, answers that it never reads. The second
reads one small object again and again. Its p99 beside the first, divided by its p99 without,
is the figure; none of its requests may fail, and no worker may take 200 MiB.
"""

from __future__ import annotations

import argparse
import socket
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from http.client import HTTPConnection, HTTPException
from itertools import count, cycle
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep
from urllib.parse import quote

import orjson

from bench.cases import Case
from bench.contenders import Contender, running
from bench.dataset import AT, chat, identity
from bench.prepare import Prepared, by, command, prepared
from orgctx.bundle import load_records
from orgctx.operations.exposure import SCOPES

SCALE = "small"
# Quotas of a key and an organization on the top plan. All requests come from one address.
KEY, ORGANIZATION = 360, 1800
HOSTILE_TEXTS, HOSTILE_LENGTH = 500, 30_000
CLIENTS, READERS = 40, 40
MAX_WORKER_MIB = 200
# The quiet tenant waits this long between two requests, to stay within its quota.
PAUSE_SECONDS = 0.04


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--data-dir", type=Path, default=Path(".orgctx/bench"))
    options = parser.parse_args()
    with prepared(options.data_dir, SCALE) as ready:
        load_records(ready.database_url, hostile_texts())
        loud, quiet = ([issue(ready, number) for _ in range(5)] for number in (1, 2))
        # The log would get a line for every refusal of the loud tenant.
        limits = {
            "ORGCTX_LOG_LEVEL": "CRITICAL",
            "ORGCTX_LIMIT_KEY": str(KEY),
            "ORGCTX_LIMIT_ORGANIZATION": str(ORGANIZATION),
        }
        limited = replace(ready, environment=ready.environment | limits)
        with running("orgctx", limited) as server:
            read(server, quiet, 2)
            alone, failed_alone = read(server, quiet, options.seconds / 2)
            with at_its_worst(server, loud) as statuses:
                beside, failed = read(server, quiet, options.seconds)
                memory = max(resident(server))
            print(f"the loud one was answered {dict(sorted(statuses.items()))}")
    ratio = percentile(beside, 0.99) / percentile(alone, 0.99)
    for name, times in (("alone", alone), ("beside", beside)):
        print(
            f"{name}: {len(times)} reads, p50 {percentile(times, 0.5):.1f} ms,"
            f" p99 {percentile(times, 0.99):.1f} ms, slowest {times[-1] * 1e3:.1f} ms"
        )
    print(f"p99 {ratio:.1f} times that without; {failed_alone + failed} failed; {memory:.0f} MiB")
    return int(bool(failed_alone + failed) or memory > MAX_WORKER_MIB)


def hostile_texts() -> Iterator[dict[str, object]]:
    """Messages in which a search of nearly the same characters looks everywhere."""
    for number in range(1, HOSTILE_TEXTS + 1):
        sender = {"id": "user1", "name": "Person 1", "username": "person1"}
        data = {
            "chatId": str(chat(1, 1)), "id": 1_000_000 + number, "sender": sender, "kind": "text",
            "text": "a" * HOSTILE_LENGTH, "detail": None, "file": None, "replyToMessageId": None,
            "sentAt": AT, "editedAt": None,
        }  # fmt: skip
        yield {
            "type": "telegram.message", "organizationId": str(identity(1)),
            "sourceId": "telegram:1", "data": data,
        }  # fmt: skip


def issue(ready: Prepared, organization: int) -> str:
    scopes = ["--scope", ",".join(SCOPES), "--access", "both", "--expires-in-days", "7"]
    issued = command(ready.environment, "keys", "issue", "--json", *scopes, *by(organization))
    return str(orjson.loads(issued)["key"])


def read(server: Contender, keys: list[str], seconds: float) -> tuple[list[float], int]:
    """The sorted seconds of small reads, and how many failed."""
    small = Case("small object", f"/api/v1/assets/{identity(2, 4, 1)}")
    times, failed, until = [], 0, monotonic() + seconds
    connection = HTTPConnection(*server.address, timeout=30)
    for key in cycle(keys):
        if monotonic() > until:
            break
        began = monotonic()
        try:
            failed += ask(connection, small, key) != 200
        except (OSError, HTTPException):
            failed += 1
            connection.close()
        times.append(monotonic() - began)
        sleep(PAUSE_SECONDS)
    connection.close()
    return sorted(times), failed


def worst() -> list[Case]:
    """The requests that cost most."""
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
        Case("search", f"{api}/search", {"q": term, "limit": 50}),
        Case("messages", messages, {"q": term}),
        Case("batch", "/api/mcp", body=orjson.dumps(batch)),
        Case("deep page", f"{api}/people", {"page": 10_000}),
        Case("deep search", f"{api}/knowledge", {"q": "e", "page": 10_000}),
        Case("long page", messages, {"limit": 100}),
    ]


class at_its_worst:  # noqa: N801, used as a context
    """Surrounds the other's reads. Its value counts the statuses that the loud one got."""

    def __init__(self, server: Contender, keys: list[str]) -> None:
        self._server, self._keys = server, keys
        self._ended = Event()
        self._stack = ExitStack()
        self.statuses: Counter[int] = Counter()

    def __enter__(self) -> Counter[int]:
        self._threads = [Thread(target=self._act, args=(number,)) for number in range(CLIENTS)]
        self._threads.append(Thread(target=self._leave_unread))
        for thread in self._threads:
            thread.start()
        return self.statuses

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()
        self._stack.close()

    def _act(self, first: int) -> None:
        cases = worst()
        connection = HTTPConnection(*self._server.address, timeout=60)
        for number in count(first):
            if self._ended.is_set():
                break
            key = self._keys[number % len(self._keys)]
            try:
                status = ask(connection, cases[number % len(cases)], key)
            except (OSError, HTTPException):
                status = 0
                connection.close()
            self.statuses[status] += 1
            if status == 429:
                # The pause keeps it within its quota.
                self._ended.wait(1)
        connection.close()

    def _leave_unread(self) -> None:
        messages = next(case for case in worst() if case.name == "long page")
        for number in range(READERS):
            client = self._stack.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            with suppress(OSError):
                client.connect(self._server.address)
                client.sendall(messages.request(self._keys[number % len(self._keys)]))
            self._ended.wait(0.1)


def ask(connection: HTTPConnection, case: Case, key: str) -> int:
    """The status of one request, its answer read."""
    path = case.path + ("?" + "&".join(f"{n}={quote(str(v))}" for n, v in case.query.items()))
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    connection.request("POST" if case.body else "GET", path, case.body or None, headers)
    answer = connection.getresponse()
    answer.read()
    return answer.status


def resident(server: Contender) -> Iterator[float]:
    """MiB of each process of the server."""
    for pid in server.pids():
        status = Path(f"/proc/{pid}/status").read_text()
        yield int(status.partition("VmHWM:")[2].split()[0]) / 1024


def percentile(times: list[float], share: float) -> float:
    """Milliseconds that this share of all took at most."""
    return times[min(len(times) - 1, int(share * len(times)))] * 1e3


if __name__ == "__main__":
    sys.exit(main())

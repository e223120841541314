"""Ask every operation for the worst: python -m gevent.monkey --module bench.hostile [--only TEXT].

An organization stores what takes longest to fold, compare and serialize, as long as the loader
accepts it. Each operation of REST and MCP is asked for each of its records and terms, and for the
bounds of its other arguments, in the process of the bench. Another tenant asks for its people
meanwhile. Prints for each operation the processor time of the longest stretch without a switch of
greenlets, and the slowest answer to the other tenant, each with the arguments. Exits with 1 if a
stretch exceeds MOST_STRETCH_MS. `tests/properties/test_stored_text.py` counts what is compared.
"""

import argparse
import gc
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from operator import itemgetter
from random import Random
from time import perf_counter, thread_time
from typing import Any
from urllib.parse import quote

import greenlet  # type: ignore[import-untyped]
import orjson
from gevent import sleep, spawn
from marshmallow import ValidationError

from bench.cases import Case, rpc
from bench.dataset import AT, identity, user
from bench.prepare import DATA_DIR, Prepared, by, command, issue_key, prepared
from orgctx.app import create_app
from orgctx.bundle.loader import load_records
from orgctx.operations.operation import Operation
from orgctx.resources.catalog import OPERATIONS
from orgctx.schemas.fields import Enum, Integer, Text
from orgctx.schemas.formats import DateTime
from orgctx.schemas.payload import fields_of

Values = dict[str, Any]

SCALE = "neighbor"
FIRST_ORGANIZATION, MOST_ORGANIZATIONS = 101, 8
KEYS_PER_ORGANIZATION = 10
QUIET_ORGANIZATION, QUIET = 2, Case("people", "/api/v1/people")
MOST_STRETCH_MS = 50

DOCUMENT_COUNT, DOCUMENT_LENGTH = 250, 200_000
# Each message has another sender.
MESSAGE_COUNT, MENTION_COUNT, SOURCE_COUNT = 4_000, 2_000, 980
TEXT_BYTES, LONGEST_UNITS = 64 * 1024, 10_000_000
CHAT = str(identity(FIRST_ORGANIZATION, 2, 1))
TERM_LENGTH = 60
# What the texts of the first organization repeat.
REPEATED = {
    "spaces": " ",
    "runs": "word" + " " * 8_000,
    "one letter": "a",
    "combining": "e\u0301\u0302",
    "marks": "ｶﾞ",
    "Chinese": "漢 ",
    "headings": "# a\n",
    "lines": "\n",
    "ships": "🚢",
    "anagrams": " ".join("".join(Random(n).sample("monastery", 9)) for n in range(2_000)) + " ",
}
TERMS = (
    " q", "\n q", "a" * 199 + "b", "e\u0301" * 100, "漢" * 200, "# a", "a", "monastrey",
    "stray mon", " ".join(f"z{n}" for n in range(50)),
)  # fmt: skip


def texts(byte_count: int) -> list[str]:
    """Return the worst texts of at most so many bytes as JSON."""
    return [part * (byte_count // len(orjson.dumps(part)[1:-1])) for part in REPEATED.values()]


def letters(seed: int, length: int) -> str:
    """Return random letters a and b: every trigram of a term is in every text."""
    return f"{Random(seed).getrandbits(length):0{length}b}".translate({48: "a", 49: "b"})


def records(number: int) -> Iterator[Values]:
    """Yield an organization whose texts are random letters, and in the first one the worst ones."""
    times = {"createdAt": AT, "updatedAt": AT}
    base: Values = {"organizationId": str(identity(number))}
    data = {"displayName": f"Hostile {number}", "slug": f"hostile-{number}", **times}
    yield {"type": "organization", **base, "data": data}
    owner = {"id": str(user(number)), "displayName": "Owner", "role": "owner"}
    yield {"type": "member", **base, "data": owner}
    worst = texts(TEXT_BYTES) if number == FIRST_ORGANIZATION else []
    sources = [("telegram", "main"), ("x", "main"), ("assets", "main"), ("docs", "main")]
    sources += [("docs", str(place)) for place in range(SOURCE_COUNT)] * bool(worst)
    for kind, name in sources:
        source: Values = {
            "label": "l" * 512,
            "description": "d" * 1_000,
            "kind": kind,
            "status": "stale",
        }
        source |= {"updatedAt": AT, "account": "hostile" if kind == "x" else None}
        yield {"type": "source", **base, "sourceId": f"{kind}:{name}", "data": source}
    chat = {
        "id": CHAT, "type": "supergroup", "title": "Chat", "username": None, "memberCount": 1,
        "linkedAt": AT, "updatedAt": AT,
    }  # fmt: skip
    yield {"type": "telegram.chat", **base, "sourceId": "telegram:main", "data": chat}
    for place, text in enumerate([*_short(MESSAGE_COUNT), *worst * 6]):
        sender = {"id": f"u{place}", "name": text[:500].strip() or "a", "username": None}
        message = {
            "chatId": CHAT, "id": place + 1, "kind": "text", "sender": sender, "text": text,
            "file": None, "replyToMessageId": None, "sentAt": AT, "detail": None, "editedAt": None,
        }  # fmt: skip
        yield {"type": "telegram.message", **base, "sourceId": "telegram:main", "data": message}
    counts = dict.fromkeys(("likes", "reposts", "replies", "quotes"), 0)
    for place, text in enumerate([*_short(MENTION_COUNT), *(text[:20_000] for text in worst * 6)]):
        author = {"id": f"a{place}", "username": f"a{place}", "name": "A", "verified": False}
        post = {
            "account": "hostile", "id": str(place + 1), "text": text, "createdAt": AT,
            "url": f"https://x.com/a/status/{place + 1}", "metrics": counts | {"views": place},
            "author": author, "isReply": False, "isRepost": False, "media": [], "quoted": None,
        }  # fmt: skip
        yield {"type": "x.mention", **base, "sourceId": "x:main", "data": post}
    file = {
        "id": str(identity(number, 4, 1)), "parentId": None, "kind": "file", "name": "a" * 200,
        "mime": None, "bytes": 0, "public": False, "publicUrl": None,
        "uploadedBy": {"id": str(user(number)), "displayName": "Owner"}, **times,
    }  # fmt: skip
    yield {"type": "asset", **base, "sourceId": "assets:main", "data": file}
    documents = [letters(place, DOCUMENT_LENGTH) for place in range(DOCUMENT_COUNT)]
    longest = texts(LONGEST_UNITS) if worst else []
    for place, content in enumerate([*documents, *longest]):
        document = {
            "id": _document(number, place), "source": "docs", "title": content[:500] or "a",
            "content": content, "visibility": "public", "archived": False,
            "contentFormat": "markdown", "sourceStatus": "current", "sourceLabel": "Bench",
            "sourceHref": None, **times,
        }  # fmt: skip
        yield {"type": "knowledge", **base, "sourceId": "docs:main", "data": document}


def _short(count: int) -> list[str]:
    return [letters(place, 200) for place in range(count)]


def _document(organization: int, place: int) -> str:
    return f"docs:{identity(organization, 3, place)}"


# Ids of records; an operation is asked for those that its argument accepts.
IDS = (
    *(_document(FIRST_ORGANIZATION, DOCUMENT_COUNT + n) for n in range(-1, len(REPEATED))),
    CHAT, str(identity(FIRST_ORGANIZATION, 4, 1)),
    *(f"telegram:u{MESSAGE_COUNT + n}" for n in range(len(REPEATED))), "x:a0",
)  # fmt: skip


def cases() -> Iterator[Case]:
    """Yield the requests; the name of each is that of its interface and operation."""
    for operation in OPERATIONS:
        for is_tool in (False, True):
            fields = fields_of(operation.tool_arguments if is_tool else operation.arguments)
            named = [field for field in fields.values() if field.path]
            for record in _accepted(named[0]) if named else [{}]:
                yield _case(operation, is_tool, record)
                for field in fields.values():
                    for value in () if field.path else _worst(field):
                        arguments = {**record, field.data_key: value}
                        yield _case(operation, is_tool, arguments)
                        if "q" in fields and field.data_key != "q":
                            yield _case(operation, is_tool, {**arguments, "q": "a"})


def _accepted(field: Any) -> Iterator[Values]:
    for value in IDS:
        with suppress(ValidationError):
            field.parse(value)
            yield {field.data_key: value}


def _worst(field: Any) -> tuple[Any, ...]:
    """Return the values of an argument that may take longest."""
    if isinstance(field, Enum):
        return tuple(field.choices)
    if isinstance(field, Integer):
        return tuple(value for value in (field.minimum, field.maximum) if value is not None)
    return TERMS if isinstance(field, Text) else (AT,) if isinstance(field, DateTime) else ()


def _case(operation: Operation, is_tool: bool, arguments: Values) -> Case:
    if is_tool:
        body = rpc("tools/call", name=operation.name, arguments=arguments)
        return Case(f"MCP {operation.name}", "/api/mcp", body=orjson.dumps(body))
    query = dict(arguments)
    path = {
        field.path: quote(query.pop(field.data_key), safe="")
        for field in fields_of(operation.arguments).values()
        if field.path
    }
    return Case(f"REST {operation.name}", f"/api/v1{operation.path.format(**path)}", query)


def keys(data: Prepared, count: int) -> list[list[str]]:
    """Return the keys of the quiet organization, and of each of the first hostile ones."""
    issued = []
    for number in (QUIET_ORGANIZATION, *range(FIRST_ORGANIZATION, FIRST_ORGANIZATION + count)):
        stored = DATA_DIR / SCALE / f"keys-{number}"
        if not stored.exists():
            if number >= FIRST_ORGANIZATION:
                load_records(data.database_url, records(number))
                command(data.environment, "sources", "approve", "--all", "--yes", *by(number))
            own = [issue_key(data.environment, by(number)) for _ in range(KEYS_PER_ORGANIZATION)]
            stored.write_text("\n".join(own))
        issued.append(stored.read_text().split())
    return issued


class Stretches:
    """The longest processor time of the current greenlet between two switches, in ms."""

    def __init__(self) -> None:
        self.longest, self._since, self._own = 0.0, thread_time(), greenlet.getcurrent()

    def __call__(self, _: str, switch: tuple[Any, Any]) -> None:
        now = thread_time()
        if switch[0] is self._own:
            self.longest = max(self.longest, (now - self._since) * 1e3)
        self._since = now


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="operations that contain this")
    only = parser.parse_args().only
    with prepared(SCALE) as data:
        (quiet, *_), (hostile, *_) = keys(data, 1)
        os.environ.update(data.environment | {"ORGCTX_LOG_LEVEL": "CRITICAL"})
        client = create_app().test_client()
        for case in {case.name: case for case in cases()}.values():
            ask(client, quiet, case)
        gc.freeze()
        slowest = [0.0]
        other = spawn(_repeat, client, quiet, slowest)
        rows: dict[str, list[tuple[float, float, int, str]]] = {}
        for case in cases():
            if only in case.name:
                sleep(0.02)
                slowest[0], stretches = 0.0, Stretches()
                greenlet.settrace(stretches)
                status = ask(client, hostile, case)
                stretches("", (greenlet.getcurrent(), None))
                greenlet.settrace(None)
                sleep(0)
                row = stretches.longest, slowest[0], status, _arguments(case)
                rows.setdefault(case.name, []).append(row)
        other.kill()
    for name, measured in rows.items():
        stretch, beside = max(measured), max(measured, key=itemgetter(1))
        print(
            f"{name}: stretch {stretch[0]:.0f} ms of {stretch[3]}; other tenant {beside[1]:.0f} ms "
            f"beside {beside[3]}; statuses {dict(Counter(map(itemgetter(2), measured)))}"
        )
    return int(max(max(measured)[0] for measured in rows.values()) > MOST_STRETCH_MS)


def ask(client: Any, key: str, case: Case) -> int:
    """Send a request within this process; return its status."""
    body = {"data": case.body, "content_type": "application/json"} if case.body else {}
    response = client.open(
        case.path,
        method="POST" if case.body else "GET",
        query_string=case.query,
        headers={"Authorization": f"Bearer {key}"},
        **body,
    )
    status: int = response.status_code
    return status


def _arguments(case: Case) -> str:
    text = case.body.partition(b'"arguments":')[2].decode() if case.body else ""
    return text[:80] or f"{case.path} {str(case.query)[:60]}"


def _repeat(client: Any, key: str, slowest: list[float]) -> None:
    """Ask again and again; keep the milliseconds of the slowest answer."""
    while True:
        began_at = perf_counter()
        assert ask(client, key, QUIET) == 200
        slowest[0] = max(slowest[0], (perf_counter() - began_at) * 1e3)
        sleep(0.005)


if __name__ == "__main__":
    sys.exit(main())

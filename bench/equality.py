"""Check that all servers give the same answers before they are measured."""

import sys
from typing import Any

import orjson

from bench.cases import UNKNOWN_KEY, Case
from bench.load_generator import exchange
from bench.server_process import ServerProcess
from orgctx.key_format import checksum

# Headers that either all servers send or none. A 304 may have a Content-Type.
HEADERS = {
    "cache-control", "x-request-id", "x-content-type-options", "etag", "vary", "ratelimit-limit",
    "ratelimit-remaining", "ratelimit-reset",
}  # fmt: skip


class DifferentAnswer(Exception):
    """A server answers a case differently, so its speed cannot be compared."""


def check(cases: list[Case], servers: list[ServerProcess], key: str) -> None:
    """Compare status, names of headers and JSON with those of the first server.

    Raises:
        DifferentAnswer: names the case, the server and the first difference.
    """
    first, *others = servers
    for case in cases:
        expected = _answer(case, first, key)
        for other in others:
            if case.is_for(other) and (answer := _answer(case, other, key)) != expected:
                raise DifferentAnswer(
                    f"{case.name}: {other.name} differs from {first.name} at "
                    + _difference(expected, answer)
                )
    print(f"{len(servers)} servers give equal answers to {len(cases)} cases", file=sys.stderr)


def _answer(case: Case, server: ServerProcess, key: str) -> tuple[int, set[str], Any]:
    sent_key = UNKNOWN_KEY + checksum(UNKNOWN_KEY) if case.is_unauthorized else key
    status, headers, body = exchange(server.address, case.request(sent_key))
    if case.is_conditional:
        request = case.request(key, headers["etag"])
        status, headers, body = exchange(server.address, request)
    if status != case.status:
        raise DifferentAnswer(f"{case.name}: {server.name} answers {status}: {body[:300]!r}")
    compared = HEADERS if status == 304 else HEADERS | {"content-type"}
    return status, compared & headers.keys(), _comparable(orjson.loads(body) if body else None)


def _comparable(document: Any) -> Any:
    """Drop the message and the request id of an error, which may differ."""
    if isinstance(document, dict) and isinstance(document.get("error"), dict):
        return {"code": document["error"]["code"], "members": sorted(document)}
    return document


def _difference(expected: Any, answer: Any) -> str:
    """Return the texts of both answers from the first place at which they differ."""
    texts = [str(expected), str(answer)]
    start = next((index for index, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), 0)
    return " / ".join(text[max(0, start - 60) : start + 200] for text in texts)

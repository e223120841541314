"""Proof that all servers answer the same, before any of them is measured."""

from __future__ import annotations

import sys
from typing import Any

import orjson

from bench.cases import UNKNOWN_KEY, Case
from bench.contenders import Contender
from bench.load_generator import exchange
from orgctx.keys import checksum

# These headers must be equal. RateLimit-* must be, wherever the quota was charged.
HEADERS = ("content-type", "cache-control", "x-request-id", "x-content-type-options")
OF_SUCCESS = ("etag", "vary", "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset")


class Different(Exception):
    """A peer that does not do the same is no peer."""


def check(chosen: list[Case], contenders: list[Contender], key: str) -> None:
    """Raise Different unless every server gives orgctx's status, headers and JSON."""
    first, *others = contenders
    for case in chosen:
        expected = _answer(case, first, key)
        for other in others:
            found = _answer(case, other, key)
            if found != expected:
                raise Different(
                    f"{case.name}: {other.name} differs from {first.name} at "
                    + _difference(expected, found)
                )
    print(f"{len(contenders)} servers answer {len(chosen)} cases alike", file=sys.stderr)


def _answer(case: Case, contender: Contender, key: str) -> tuple[int, set[str], Any]:
    sent_key = UNKNOWN_KEY + checksum(UNKNOWN_KEY) if case.is_unauthorized else key
    status, headers, body = exchange(contender.address, case.request(sent_key))
    if case.is_conditional:
        request = case.request(key, headers["etag"])
        status, headers, body = exchange(contender.address, request)
    if status != case.status:
        raise Different(f"{case.name}: {contender.name} answers {status}: {body[:300]!r}")
    wanted = HEADERS[1:] if status == 304 else HEADERS
    present = {name for name in (*wanted, *OF_SUCCESS) if name in headers}
    document = orjson.loads(body) if body else None
    return status, present, _without_request(document)


def _without_request(document: Any) -> Any:
    """An error's message and request id are each server's own."""
    if isinstance(document, dict) and "error" in document:
        return {"code": document["error"]["code"], "members": sorted(document)}
    return document


def _difference(expected: Any, found: Any, path: str = "$") -> str:
    """The first place at which two documents differ."""
    if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        for name in expected:
            if expected[name] != found[name]:
                return _difference(expected[name], found[name], f"{path}.{name}")
    if isinstance(expected, list | tuple) and len(expected) == len(found):
        for index, (one, other) in enumerate(zip(expected, found, strict=True)):
            if one != other:
                return _difference(one, other, f"{path}[{index}]")
    return f"{path}: {str(expected)[:300]} / {str(found)[:300]}"

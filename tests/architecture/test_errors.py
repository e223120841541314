"""Errors of every status have the same JSON Schema."""

import re
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import pytest

import orgctx
from orgctx import errors
from orgctx.errors import ApiError
from orgctx.mcp import messages
from tests.contract.checks import CODES
from tests.docs.pages import ROOT

ARGUMENTS: dict[type[ApiError], tuple[object, ...]] = {
    errors.MethodNotAllowed: ("GET, HEAD",),
    errors.RateLimited: ("API key", 7),
    errors.InvalidParameter: ("page must be an integer from 1 to 10000",),
    errors.InsufficientScope: ("This key lacks the scope x:read.",),
    errors.SourceConflict: ("The stored mentions are of another account.",),
}
# The MCP endpoint answers with more statuses, whose body JSON-RPC defines.
KINDS = [kind for kind in ApiError.__subclasses__() if kind.__module__ == errors.__name__]
REQUEST_ID = "0d6f2f44-5f0c-4d0e-9a43-1f1d6d1f5a11"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_error_body_has_the_common_shape(kind: type[ApiError]) -> None:
    error = kind(*ARGUMENTS.get(kind, ()))  # type: ignore[arg-type]
    body = error.body(REQUEST_ID)
    assert body.keys() == {"error", "requestId"}
    assert body["error"]["code"] == (CODES | {500: "internal_error"})[error.status]
    assert body["error"]["message"][-1] in ".0"


def test_statuses_have_one_error_each() -> None:
    statuses = [kind.status for kind in KINDS]
    assert sorted(statuses) == sorted([*CODES, 500])


# docs/errors.md has a row for each error that a caller can meet, and for no other


ROW = re.compile(r"^\| (?:(\d{3}) \| )?`([\w-]+)` \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
# These packages define the errors of requests. Others may need libraries of an extra.
PREFIXES = ("orgctx.server.", "orgctx.mcp.", "orgctx.http.", "orgctx.gate.", "orgctx.stores.")


def kinds(kind: type[ApiError] = ApiError) -> Iterator[type[ApiError]]:
    for one in kind.__subclasses__():
        yield one
        yield from kinds(one)


def documented() -> list[tuple[str, str]]:
    rows = ROW.findall((ROOT / "docs/errors.md").read_text("utf-8"))
    assert all(cause.strip() and fix.strip() for _, _, cause, fix in rows)
    return [(status, code) for status, code, _, _ in rows]


def test_errors_page_has_a_row_for_each_error() -> None:
    for module in walk_packages(orgctx.__path__, "orgctx."):
        if module.name.startswith(PREFIXES) and not module.name.endswith("__main__"):
            import_module(module.name)
    # The codes of JSON-RPC are negative.
    rpc = [("", str(code)) for code in vars(messages).values() if type(code) is int and code < 0]
    http = {(str(one.status), one.code) for one in kinds() if one.__module__.startswith("orgctx.")}
    assert sorted(documented()) == sorted([*http, *rpc])

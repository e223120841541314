"""Errors of every status have the same JSON Schema."""

from __future__ import annotations

import pytest

from orgctx import errors
from orgctx.errors import ApiError
from tests.contract.checks import CODES, validate
from tests.contract.json_schemas import ERROR

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
    validate(ERROR, body)
    assert body["error"]["code"] == (CODES | {500: "internal_error"})[error.status]
    assert body["error"]["message"][-1] in ".0"


def test_statuses_have_one_error_each() -> None:
    statuses = [kind.status for kind in KINDS]
    assert sorted(statuses) == sorted([*CODES, 500])

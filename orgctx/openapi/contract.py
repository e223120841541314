"""Describe the path of the OpenAPI document itself, which is not an operation of the catalog."""

from __future__ import annotations

from typing import Any

from orgctx.openapi.error_responses import responses
from orgctx.openapi.headers import PUBLIC_SUCCESS, headers
from orgctx.openapi.operations import not_modified

PATH = "/openapi.json"
ERROR_RESPONSES = (
    "InvalidParameter",
    "MethodNotAllowed",
    "BodyNotAccepted",
    "RateLimited",
    "InternalError",
    "ServiceUnavailable",
    "RequestTimeout",
)
SCHEMA = {
    "type": "object",
    "description": "An OpenAPI 3.1 document.",
    "properties": {
        "openapi": {"type": "string", "pattern": r"^3\.1\."},
        "info": {"type": "object"},
        "paths": {"type": "object"},
    },
    "required": ["info", "openapi", "paths"],
}


def describe(tag: str, example: dict[str, Any]) -> dict[str, Any]:
    """Describe the operation. example: the first members of a document."""
    success = headers(*PUBLIC_SUCCESS)
    return {
        "operationId": "get_openapi",
        "summary": "Get this contract",
        "description": "The OpenAPI document of this API. Requires no key; limited by IP address.",
        "tags": [tag],
        "security": [],
        "parameters": [],
        "responses": {
            "200": {
                "description": "This document.",
                "headers": success,
                "content": {"application/json": {"schema": SCHEMA, "example": example}},
            },
            "304": not_modified(success),
            **responses(*ERROR_RESPONSES),
        },
    }

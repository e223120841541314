"""Detect which MCP protocol version a message uses, and describe how versions differ.

Handshake versions begin with `initialize` and then name the version in a header. Modern versions
name it in every message, and repeat in headers the fields that proxies route by.
"""

import base64
import binascii
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from werkzeug.datastructures import Headers

from orgctx import __version__
from orgctx.mcp.messages import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    UNSUPPORTED_VERSION,
    RpcError,
)

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN_VERSIONS = ("2026-07-28",)
# Later versions removed batches.
BATCH_VERSIONS = (None, *HANDSHAKE_VERSIONS[:2])

VERSION_HEADER = "MCP-Protocol-Version"
METHOD_HEADER = "Mcp-Method"
NAME_HEADER = "Mcp-Name"
VERSION_META = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_META = "io.modelcontextprotocol/clientCapabilities"
SERVER_META = "io.modelcontextprotocol/serverInfo"


SERVER = {"name": "orgctx", "title": "Organization context", "version": __version__}

Members = dict[str, Any]


@dataclass(frozen=True)
class ProtocolVersion:
    """What depends on the protocol version. statuses: HTTP status by error code, default 200."""

    is_modern: bool
    statuses: Mapping[int, int]
    result: Callable[[Members], Members]  # completes the result of a method


def _modern_result(members: Members) -> Members:
    meta = members.get("_meta", {}) | {SERVER_META: SERVER}
    return members | {"resultType": "complete", "_meta": meta}


HANDSHAKE = ProtocolVersion(is_modern=False, statuses={}, result=lambda members: members)
MODERN = ProtocolVersion(
    is_modern=True,
    result=_modern_result,
    statuses={METHOD_NOT_FOUND: 404, INVALID_PARAMS: 400, INVALID_REQUEST: 400},
)


def of_batch(headers: Headers) -> ProtocolVersion:
    """Return the version of a batch. Raises RpcError if that version does not support batches."""
    version = headers.get(VERSION_HEADER)
    if version not in BATCH_VERSIONS:
        raise RpcError(
            INVALID_REQUEST,
            f"Protocol version {version[:100]} has no batches. Send one message per request.",
        )
    return HANDSHAKE


def of_request(request: Mapping[str, Any], headers: Headers) -> ProtocolVersion:
    """Return the version of a single request. Raises RpcError if header and body disagree."""
    meta = request["params"].get("_meta")
    meta = meta if isinstance(meta, dict) else {}
    version = headers.get(VERSION_HEADER)
    if VERSION_META not in meta:
        if request["method"] == "initialize" or version in (None, *HANDSHAKE_VERSIONS):
            return HANDSHAKE
        if version not in MODERN_VERSIONS:
            raise _unsupported(version, request, (*HANDSHAKE_VERSIONS, *MODERN_VERSIONS))
    _check_meta(request, meta)
    _check_headers(request, meta, headers)
    if meta[VERSION_META] not in MODERN_VERSIONS:
        raise _unsupported(meta[VERSION_META], request, MODERN_VERSIONS)
    return MODERN


def _check_meta(request: Mapping[str, Any], meta: Mapping[str, Any]) -> None:
    missing = [name for name in (VERSION_META, CAPABILITIES_META) if name not in meta]
    if missing:
        message = f"params._meta must contain {' and '.join(missing)}"
    elif not isinstance(meta[VERSION_META], str):
        message = f"{VERSION_META} must be a string"
    elif not isinstance(meta[CAPABILITIES_META], dict):
        message = f"{CAPABILITIES_META} must be an object"
    else:
        return
    raise RpcError(INVALID_PARAMS, message, message_id=request["id"])


def _check_headers(request: Mapping[str, Any], meta: Mapping[str, Any], headers: Headers) -> None:
    """Raise RpcError unless headers and body agree, because proxies route by the headers."""
    pairs = [
        (VERSION_HEADER, headers.get(VERSION_HEADER), meta[VERSION_META]),
        (METHOD_HEADER, headers.get(METHOD_HEADER), request["method"]),
    ]
    if request["method"] == "tools/call" and "name" in request["params"]:
        name = _decoded(headers.get(NAME_HEADER))
        pairs.append((NAME_HEADER, name, request["params"]["name"]))
    for header, value, expected in pairs:
        if value is None or value != expected:
            problem = "is missing" if value is None else "differs from the body"
            raise RpcError(
                HEADER_MISMATCH, f"The header {header} {problem}", message_id=request["id"]
            )


def _decoded(value: str | None) -> str | None:
    """Decode a header that may be wrapped as `=?base64?…?=`; None if the result is not text."""
    if value is None or not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return base64.b64decode(value[9:-2], validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return None


def _unsupported(version: Any, request: Mapping[str, Any], supported: tuple[str, ...]) -> RpcError:
    return RpcError(
        UNSUPPORTED_VERSION,
        "Unsupported protocol version",
        message_id=request["id"],
        data={"supported": list(supported), "requested": str(version)[:100]},
    )

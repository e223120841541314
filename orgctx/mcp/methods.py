"""The JSON-RPC methods of each protocol version, as functions of an Exchange and params."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jsonrpcserver import Error, Result, Success

from orgctx.gate.admission import Admission
from orgctx.mcp import tools
from orgctx.mcp.messages import INTERNAL_ERROR, INVALID_PARAMS, RpcError
from orgctx.mcp.protocol_versions import (
    HANDSHAKE_VERSIONS,
    MODERN_VERSIONS,
    SERVER,
    ProtocolVersion,
)
from orgctx.mcp.visibility import TOOLS, instructions, visible_names
from orgctx.observability.logs import note_error, note_tool
from orgctx.operations.operation import Reader
from orgctx.schemas.text import did_you_mean

CAPABILITIES: dict[str, Any] = {"tools": {}}
# How long clients may cache a list; approvals can change it.
CACHEABLE = {"ttlMs": 60_000, "cacheScope": "private"}
UNKNOWN_TOOL = "Unknown tool: {name}{hint}; call tools/list for the tools that this key can use"

Params = dict[str, Any]


@dataclass(frozen=True)
class Exchange:
    """The context of a method call besides its params."""

    version: ProtocolVersion
    reader: Reader
    admission: Admission


def initialize(exchange: Exchange, params: Params) -> Params:
    """Negotiate the version: the client's if it is a handshake version, else the newest of them."""
    version = params.get("protocolVersion")
    return {
        "protocolVersion": version if version in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1],
        "capabilities": CAPABILITIES,
        "serverInfo": SERVER,
        "instructions": instructions(visible_names(exchange.reader.caller)),
    }


def ping(exchange: Exchange, params: Params) -> Params:  # noqa: ARG001
    """Answer with an empty result."""
    return {}


def discover(exchange: Exchange, params: Params) -> Params:  # noqa: ARG001
    """Describe the server; replaces `initialize` in modern protocol versions."""
    return {
        "supportedVersions": list(MODERN_VERSIONS),
        "capabilities": CAPABILITIES,
        "instructions": instructions(visible_names(exchange.reader.caller)),
        **CACHEABLE,
    }


def list_tools(exchange: Exchange, params: Params) -> Params:
    """List all tools that the key can use, in one page."""
    if params.get("cursor") is not None:
        raise RpcError(INVALID_PARAMS, "tools/list has one page; omit cursor")
    names = visible_names(exchange.reader.caller)
    descriptors = [tools.serialized(TOOLS[name], names) for name in TOOLS if name in names]
    return {"tools": descriptors} | (CACHEABLE if exchange.version.is_modern else {})


def call_tool(exchange: Exchange, params: Params) -> Params:
    """Call one tool. If the operation fails, the result says so; it is not a JSON-RPC error."""
    name, arguments = params.get("name"), params.get("arguments")
    if not isinstance(name, str):
        raise RpcError(INVALID_PARAMS, "name must be the name of a tool")
    if name not in TOOLS:
        hint = did_you_mean(name, sorted(visible_names(exchange.reader.caller)))
        raise RpcError(INVALID_PARAMS, UNKNOWN_TOOL.format(name=name[:100], hint=hint))
    if arguments is not None and not isinstance(arguments, dict):
        raise RpcError(INVALID_PARAMS, "arguments must be an object")
    note_tool(name)
    admission, tool = exchange.admission, TOOLS[name]
    request_id, record = admission.request_id, admission.recorded_reads
    return tools.call(tool, arguments or {}, exchange.reader, request_id, record)


def method(function: Callable[[Exchange, Params], Params]) -> Callable[..., Result]:
    """Wrap a method for jsonrpcserver so that it never raises.

    jsonrpcserver would send the text of an exception to the client.
    """

    def run(exchange: Exchange, /, **params: Any) -> Result:
        try:
            result = function(exchange, params)
        except RpcError as error:
            return Error(error.code, error.message)
        except Exception as error:  # noqa: BLE001
            note_error(error)
            request_id = {"requestId": exchange.admission.request_id}
            return Error(INTERNAL_ERROR, "Internal error", request_id)
        return Success(exchange.version.result(result))

    return run


TOOL_METHODS = {"tools/list": method(list_tools), "tools/call": method(call_tool)}
HANDSHAKE_METHODS = {"initialize": method(initialize), "ping": method(ping), **TOOL_METHODS}
MODERN_METHODS = {"server/discover": method(discover), **TOOL_METHODS}

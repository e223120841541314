"""The JSON-RPC envelope: what may be in a body, checked before anything is dispatched.

jsonrpcserver answers a bad envelope with a null id, on which clients wait for
ever, and refuses a batch for one bad member; so it gets to see checked
requests alone.
"""

from __future__ import annotations

from typing import Any

import orjson

from orgctx.mcp.faults import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, RpcFault

MAX_BATCH = 20


def parse(body: bytes) -> Any:
    """The JSON value of a body: a dict for one message, a list for a batch. Raises RpcFault."""
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise RpcFault(PARSE_ERROR, "The body must be JSON in UTF-8") from None
    if isinstance(document, list) and not 0 < len(document) <= MAX_BATCH:
        raise RpcFault(INVALID_REQUEST, f"A batch must hold 1 to {MAX_BATCH} messages")
    return document


def cost(document: Any) -> int:
    """How many requests of the quota a body is: one, or the calls in a batch."""
    if not isinstance(document, list):
        return 1
    return max(1, sum(not is_unanswered(message) for message in document))


def is_unanswered(message: Any) -> bool:
    """Whether a message is a notification or a client's response, which get no answer."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    if "method" in message:
        return "id" not in message and isinstance(message["method"], str)
    return "result" in message or "error" in message


def request_of(message: Any) -> dict[str, Any]:
    """A request as the dispatcher takes it: params always an object. Raises RpcFault."""
    if not isinstance(message, dict):
        raise RpcFault(INVALID_REQUEST, "A message must be a JSON object")
    message_id = message.get("id")
    if not is_id(message_id):
        raise RpcFault(INVALID_REQUEST, "id must be a string or an integer")
    if message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        raise RpcFault(
            INVALID_REQUEST,
            'A request must hold "jsonrpc": "2.0" and a method',
            message_id=message_id,
        )
    params = message.get("params")
    if params is not None and not isinstance(params, dict):
        raise RpcFault(INVALID_PARAMS, "params must be an object", message_id=message_id)
    return {
        "jsonrpc": "2.0",
        "id": message_id,
        "method": message["method"],
        "params": params or {},
    }


def is_id(value: Any) -> bool:
    """Whether a value may identify a request."""
    return isinstance(value, str) or type(value) is int

"""JSON-RPC: its errors, and the check of each envelope before any message is dispatched.

jsonrpcserver answers a bad envelope with a null id, which leaves clients waiting forever, and
rejects a whole batch for one bad message. It therefore receives only checked requests.
"""

from typing import Any

import orjson

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022


class RpcError(Exception):
    """A JSON-RPC error. message_id: id of the request; None if unknown.

    An error before dispatch has the HTTP status 400. For an error of a method, the protocol version
    maps the code to a status.
    """

    def __init__(
        self, code: int, message: str, *, message_id: str | int | None = None, data: Any = None
    ) -> None:
        self.code = code
        self.message = message
        self.message_id = message_id
        self.data = data
        super().__init__(message)

    def document(self) -> dict[str, Any]:
        """Return the JSON-RPC response."""
        return error_document(self.code, self.message, self.message_id, self.data)


def error_document(
    code: int, message: str, message_id: str | int | None = None, data: Any = None
) -> dict[str, Any]:
    """Return a JSON-RPC error response."""
    error = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return {"jsonrpc": "2.0", "id": message_id, "error": error}


MAX_BATCH = 20
MAX_NESTING = 64
# Arrays and objects in a body, counted by their brackets; 20 calls need a few hundred.
MAX_CONTAINERS = 10_000
CONTAINERS = frozenset({dict, list})
# Maximum length of an id, which is sent back, and of a method name.
MAX_NAME_LENGTH = 1024
MAX_EXACT = 2**53

ID_RULE = f"id must be an integer or a string of at most {MAX_NAME_LENGTH} characters"
METHOD_RULE = f"method must be a string of at most {MAX_NAME_LENGTH} characters"
REQUEST_RULE = 'A request must have "jsonrpc": "2.0" and a method'


def parse(body: bytes) -> Any:
    """Parse the JSON of a body: a dict is one message, a list is a batch. Raises RpcError."""
    brackets = body.count(b"[") + body.count(b"{")
    if brackets > MAX_CONTAINERS:
        raise RpcError(
            PARSE_ERROR, f"A body must contain at most {MAX_CONTAINERS:,} arrays and objects"
        )
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise RpcError(
            PARSE_ERROR, f"The body must be JSON in UTF-8, nested at most {MAX_NESTING} levels deep"
        ) from None
    if brackets > MAX_NESTING and _nesting(document) > MAX_NESTING:
        raise RpcError(PARSE_ERROR, f"The body must be nested at most {MAX_NESTING} levels deep")
    if isinstance(document, list) and not 0 < len(document) <= MAX_BATCH:
        raise RpcError(INVALID_REQUEST, f"A batch must contain 1 to {MAX_BATCH} messages")
    return document


def _nesting(document: Any) -> int:
    """Return the depth of nested arrays and objects; stops counting past MAX_NESTING."""
    depth, level = 0, [document] if type(document) in CONTAINERS else []
    while level and depth <= MAX_NESTING:
        depth += 1
        level = [
            child
            for parent in level
            for child in (parent.values() if isinstance(parent, dict) else parent)
            if type(child) in CONTAINERS
        ]
    return depth


def further_calls(document: Any) -> int:
    """Return how many calls a batch has after the first one, 0 for other bodies."""
    if not isinstance(document, list):
        return 0
    return max(0, sum(not is_unanswered(message) for message in document) - 1)


def is_unanswered(message: Any) -> bool:
    """Return whether a message gets no response: a notification, or a response of the client."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    if "method" in message:
        return "id" not in message and isinstance(message["method"], str)
    return "result" in message or "error" in message


def request_of(message: Any) -> dict[str, Any]:
    """Return a checked request for the dispatcher. Its params are an object. Raises RpcError."""
    if not isinstance(message, dict):
        raise RpcError(INVALID_REQUEST, "A message must be a JSON object")
    message_id, method, params = message.get("id"), message.get("method"), message.get("params")
    if not is_id(message_id):
        raise RpcError(INVALID_REQUEST, ID_RULE)
    if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
        raise RpcError(INVALID_REQUEST, REQUEST_RULE, message_id=message_id)
    if len(method) > MAX_NAME_LENGTH:
        raise RpcError(INVALID_REQUEST, METHOD_RULE, message_id=message_id)
    if params is not None and not isinstance(params, dict):
        raise RpcError(INVALID_PARAMS, "params must be an object", message_id=message_id)
    return {"jsonrpc": "2.0", "id": message_id, "method": method, "params": params or {}}


def is_id(value: Any) -> bool:
    """Return whether a value may identify a request."""
    if isinstance(value, str):
        return len(value) <= MAX_NAME_LENGTH
    # Clients whose numbers are all floating point send 1.0; larger ones are not exact.
    return type(value) is int or (
        type(value) is float and value.is_integer() and abs(value) < MAX_EXACT
    )

"""JSON-RPC errors and their codes."""

from __future__ import annotations

from typing import Any

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

"""A test client that checks every response against the contract, whatever the test asserts.

It checks the response against the OpenAPI document that the service serves, and the headers that
the status requires. tests/snapshots has the schemas of the document.
"""

import re
from typing import Any

from flask.testing import FlaskClient
from jsonschema_rs import Draft202012Validator
from werkzeug.test import TestResponse

from tests.openapi.references import followed
from tests.operations import ROWS

PREFIX = "/api/v1"
DOCUMENT = f"{PREFIX}/openapi.json"
METHODS = "GET, HEAD"
UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
STRONG_ETAG = re.compile(r'"[\x21\x23-\x7e]+"')
LIMITS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")

CODES = {
    400: "invalid_parameter",
    401: "unauthorized",
    403: "insufficient_scope",
    404: "not_found",
    405: "method_not_allowed",
    409: "source_conflict",
    413: "body_not_accepted",
    429: "rate_limited",
    503: "service_unavailable",
    504: "timeout",
}
WITHOUT_LIMITS = (401, 405, 413, 504)
VALIDATORS: dict[tuple[str, str], Draft202012Validator] = {}

PATTERNS = {
    row.path: re.compile(PREFIX + re.sub(r"\{\w+\}", "[^/]+", row.path), re.DOTALL)
    for row in ROWS.values()
}


class CheckedClient(FlaskClient):
    """Flask's test client, which checks every response of a path below /api/v1.

    document: the OpenAPI document that the service serves.
    """

    document: dict[str, Any]

    def open(self, *args: Any, **keywords: Any) -> TestResponse:
        response = super().open(*args, **keywords)
        path = response.request.path
        if path.startswith(f"{PREFIX}/") and path != DOCUMENT:
            check(response, self.document)
        return response


def check(response: TestResponse, document: dict[str, Any]) -> None:
    """Assert that a response follows the contract. document: the served OpenAPI document."""
    method, status = response.request.method, response.status_code
    body: Any = response.json if response.is_json and response.data else None
    template = template_of(response.request.path)
    check_headers(response)
    if method == "HEAD" or status == 304:
        assert response.data == b""
    elif status == 200:
        assert template, f"tests/operations.py: no Row has the path {response.request.path}"
        assert response.content_type == "application/json"
        validate_numbers(body)
    else:
        assert response.content_type == "application/json"
        assert body.keys() == {"error", "requestId"}
        assert len(body["error"]["message"]) >= 10
        assert body["error"]["code"] == CODES[status]
        assert body["requestId"] == response.headers["X-Request-Id"]
    if template and method in ("GET", "HEAD"):
        check_document(response, document, template, body)


def template_of(path: str) -> str | None:
    """Return the path template of an endpoint that a path matches, or None."""
    return next(
        (template for template, pattern in PATTERNS.items() if pattern.fullmatch(path)), None
    )


def check_headers(response: TestResponse) -> None:
    headers, status = response.headers, response.status_code
    assert UUID4.fullmatch(headers["X-Request-Id"])
    assert headers["X-Content-Type-Options"] == "nosniff"
    if status in WITHOUT_LIMITS:
        assert not any(name in headers for name in LIMITS)
    elif status != 503:
        assert all(int(headers[name]) >= 0 for name in LIMITS)
        assert int(headers["RateLimit-Reset"]) <= 60
    if status in (200, 304):
        assert STRONG_ETAG.fullmatch(headers["ETag"])
        assert headers["Cache-Control"] == "private, no-cache"
        assert headers["Vary"] == "Authorization"
    else:
        assert headers["Cache-Control"] == "no-store"
        assert "ETag" not in headers
    assert headers.get("WWW-Authenticate", "").startswith("Bearer ") == (status == 401)
    assert headers.get("Allow") == (METHODS if status == 405 else None)
    assert ("Retry-After" in headers) == (status in (429, 503))


def validate_numbers(body: dict[str, Any]) -> None:
    """Assert that a pagination with page numbers agrees with itself and with the data."""
    pagination = body.get("pagination", {})
    if "totalPages" not in pagination:
        return
    size, total, page = (pagination[name] for name in ("pageSize", "total", "page"))
    assert pagination["totalPages"] == -(-total // size)
    assert pagination["hasNextPage"] == (page * size < total)
    assert len(body["data"]) == max(0, min(size, total - (page - 1) * size))


def check_document(
    response: TestResponse, document: dict[str, Any], template: str, body: Any
) -> None:
    """Assert that the OpenAPI document describes this response: its status, headers and body."""
    operation = document["paths"][template]["get"]
    status = str(response.status_code)
    assert status in operation["responses"], f"{template} does not describe {status}"
    described = followed(document, operation["responses"][status])
    for name, header in described.get("headers", {}).items():
        header = followed(document, header)
        if header.get("required"):
            assert name in response.headers, f"{template} {status} lacks {name}"
        if name in response.headers:
            validate_text(document, header["schema"], response.headers[name])
    assert ("content" in described) == (status != "304"), f"{template} {status} describes no body"
    if body is not None:
        validator = VALIDATORS.get((template, status))
        if not validator:
            whole = described["content"]["application/json"]["schema"]
            validator = Draft202012Validator(whole | {"components": document["components"]})
            VALIDATORS[template, status] = validator
        errors = [f"{error.instance_path}: {error.message[:300]}" for error in
                  validator.iter_errors(body)]  # fmt: skip
        assert not errors, f"{template} {status}: {errors}"


def validate_text(document: dict[str, Any], schema: dict[str, Any], text: str) -> None:
    """Assert that the value of a header is valid by its schema."""
    schema = followed(document, schema)
    value: Any = int(text) if schema.get("type") == "integer" else text
    assert Draft202012Validator(schema).is_valid(value), f"{text} is not {schema}"

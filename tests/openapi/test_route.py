"""GET /api/v1/openapi.json, through the front door."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from werkzeug.test import TestResponse

from tests.openapi.references import followed
from tests.support.deployment import Deployment

PATH = "/api/v1/openapi.json"
# HTTP itself or browsers ask for these headers, so a contract does not describe them.
TRANSPORT = {
    "Content-Type", "Content-Length", "Connection", "Date", "Server",
    "Content-Security-Policy", "Cross-Origin-Resource-Policy", "Referrer-Policy",
}  # fmt: skip


def assert_described(document: dict[str, Any], response: TestResponse) -> None:
    """Assert that the answer has exactly the headers that the contract lists for its status."""
    responses = document["paths"]["/openapi.json"]["get"]["responses"]
    described = followed(document, responses[str(response.status_code)])
    headers = {name: followed(document, header) for name, header in described["headers"].items()}
    required = {name for name, header in headers.items() if header["required"]}
    given = {name for name, _ in response.headers} - TRANSPORT
    assert required <= given <= headers.keys()
    for name in given:
        schema, text = headers[name]["schema"], response.headers[name]
        value = int(text) if schema["type"] == "integer" else text
        Draft202012Validator(schema).validate(value)


def test_it_is_served_to_everybody(client: FlaskClient, document: dict[str, Any]) -> None:
    response = client.get(PATH)
    assert response.status_code == 200
    assert response.json == document
    assert response.headers["Content-Type"] == "application/json"
    assert_described(document, response)


def test_a_key_changes_nothing(client: FlaskClient) -> None:
    keyed = client.get(PATH, headers={"Authorization": "Bearer nonsense"})
    assert (keyed.status_code, keyed.data) == (200, client.get(PATH).data)


@pytest.mark.parametrize("form", ["{}", "W/{}", '"other", {}', "*"])
def test_what_is_held_already_is_304(
    client: FlaskClient, document: dict[str, Any], form: str
) -> None:
    etag = client.get(PATH).headers["ETag"]
    response = client.get(PATH, headers={"If-None-Match": form.format(etag)})
    assert (response.status_code, response.data) == (304, b"")
    assert response.headers["ETag"] == etag
    assert_described(document, response)


def test_another_etag_is_answered_whole(client: FlaskClient) -> None:
    assert client.get(PATH, headers={"If-None-Match": '"other"'}).status_code == 200


def test_head_is_get_without_the_body(client: FlaskClient, document: dict[str, Any]) -> None:
    head, get = client.head(PATH), client.get(PATH)
    assert (head.status_code, head.data) == (200, b"")
    for name in ("Content-Length", "Content-Type", "ETag", "Cache-Control"):
        assert head.headers[name] == get.headers[name]
    assert_described(document, head)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_other_methods_are_405(client: FlaskClient, document: dict[str, Any], method: str) -> None:
    response = client.open(PATH, method=method)
    assert (response.status_code, response.headers["Allow"]) == (405, "GET, HEAD")
    assert_described(document, response)


def test_a_parameter_is_400(client: FlaskClient, document: dict[str, Any]) -> None:
    for query in ("x=1", "page=1", "x"):
        response = client.get(f"{PATH}?{query}")
        assert response.status_code == 400
        assert response.json["error"]["code"] == "invalid_parameter"
        assert_described(document, response)


def test_a_body_is_413(client: FlaskClient, document: dict[str, Any]) -> None:
    response = client.get(PATH, data="body")
    assert response.status_code == 413
    assert_described(document, response)


def test_it_is_limited_by_address(deployment: Deployment, document: dict[str, Any]) -> None:
    with deployment.app(limit_ip=1) as app:
        responses = [app.test_client().get(PATH) for _ in range(2)]
    assert [response.status_code for response in responses] == [200, 429]
    assert "IP address" in responses[1].json["error"]["message"]
    for response in responses:
        assert_described(document, response)


def test_an_uncounted_request_is_503(deployment: Deployment, document: dict[str, Any]) -> None:
    with deployment.app(redis_url="redis://127.0.0.1:1") as app:
        response = app.test_client().get(PATH)
    assert response.status_code == 503
    assert_described(document, response)


def test_it_needs_no_database(deployment: Deployment) -> None:
    with deployment.app(database_url="postgresql://127.0.0.1:1/none") as app:
        assert app.test_client().get(PATH).status_code == 200


def test_a_path_beside_it_needs_a_key(client: FlaskClient) -> None:
    for path in (f"{PATH}/", f"{PATH}.bak", "/api/v1/openapi"):
        assert client.get(path).status_code == 401


def test_servers_name_the_configured_address(deployment: Deployment) -> None:
    with deployment.app(base_url="https://context.example") as app:
        document = app.test_client().get(PATH).json
    assert [server["url"] for server in document["servers"]] == ["https://context.example/api/v1"]


def test_the_document_is_built_when_first_asked_for() -> None:
    code = "import sys, orgctx.app; print('orgctx.openapi.document' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert out.stdout.strip() == "False"

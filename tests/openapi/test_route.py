"""GET /api/v1/openapi.json: every answer is what the document itself describes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from werkzeug.test import TestResponse

from orgctx.config.settings import Config
from orgctx.openapi.document import build
from tests.openapi.references import followed
from tests.support.deployment import Deployment

PATH = "/api/v1/openapi.json"
# HTTP itself or browsers require these headers, so a contract does not describe them.
TRANSPORT = {
    "Content-Type", "Content-Length", "Connection", "Date", "Server",
    "Content-Security-Policy", "Cross-Origin-Resource-Policy", "Referrer-Policy",
}  # fmt: skip
REQUESTS: list[tuple[dict[str, Any], int]] = [
    ({}, 200),
    ({"method": "HEAD"}, 200),
    ({"headers": {"Authorization": "Bearer nonsense"}}, 200),
    ({"headers": {"If-None-Match": '"other"'}}, 200),
    ({"headers": {"If-None-Match": "*"}}, 304),
    ({"query_string": "x=1"}, 400),
    ({"query_string": "x"}, 400),
    ({"data": "body"}, 413),
    *(({"method": method}, 405) for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS")),
]


@pytest.fixture(scope="module")
def client(module_deployment: Deployment) -> Iterator[FlaskClient]:
    with module_deployment.app() as app:
        yield app.test_client()


def check_headers(document: dict[str, Any], response: TestResponse) -> None:
    """Assert that the answer has exactly the headers that the document lists for its status."""
    responses = document["paths"]["/openapi.json"]["get"]["responses"]
    described = followed(document, responses[str(response.status_code)])
    headers = {name: followed(document, header) for name, header in described["headers"].items()}
    required = {name for name, header in headers.items() if header["required"]}
    names = {name for name, _ in response.headers} - TRANSPORT
    assert required <= names <= headers.keys()
    for name in names:
        schema, text = headers[name]["schema"], response.headers[name]
        value = int(text) if schema["type"] == "integer" else text
        Draft202012Validator(schema).validate(value)


@pytest.mark.parametrize(("options", "status"), REQUESTS)
def test_route_answers_as_described(
    client: FlaskClient, document: dict[str, Any], options: dict[str, Any], status: int
) -> None:
    """[4.14.1]"""
    response = client.open(PATH, **options)
    assert response.status_code == status
    check_headers(document, response)
    if status == 200 and options.get("method") != "HEAD":
        assert response.json == document
    else:
        assert status >= 400 or response.data == b""


@pytest.mark.parametrize(
    ("settings", "status"),
    [
        ({"limit_ip": 0}, 429),
        ({"redis_url": "redis://127.0.0.1:1"}, 503),
        ({"database_url": "postgresql://127.0.0.1:1/none"}, 200),
    ],
)
def test_route_needs_redis_only(
    shared_deployment: Deployment, document: dict[str, Any], settings: dict[str, Any], status: int
) -> None:
    with shared_deployment.app(**settings) as app:
        response = app.test_client().get(PATH)
    assert response.status_code == status
    check_headers(document, response)


@pytest.mark.parametrize("base_url", ["https://context.example", ""])
def test_servers_name_the_configured_address(shared_deployment: Deployment, base_url: str) -> None:
    with shared_deployment.app(base_url=base_url) as app:
        document = app.test_client().get(PATH).json
    assert [server["url"] for server in document["servers"]] == [f"{base_url}/api/v1"]
    assert "http://" not in str(document["servers"]) + str(document["info"])


@pytest.mark.thorough
def test_document_is_deterministic() -> None:
    """The hash seed of a process, which orders its sets, does not matter."""
    command = [sys.executable, "-m", "orgctx.openapi"]
    seed = {"PYTHONHASHSEED": "1"}
    other = subprocess.run(command, capture_output=True, check=True, env=os.environ | seed)
    assert other.stdout == build(Config.base_url)

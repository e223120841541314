"""The contract says what the service does: held against the catalog and its own standards."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from orgctx.catalog import OPERATIONS
from orgctx.config import Config
from orgctx.openapi import examples
from orgctx.openapi.document import build
from orgctx.payload import fields_of

SNAPSHOT = Path(__file__).parent.parent / "snapshots" / "openapi.json"
METHOD = "get"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    built: dict[str, Any] = orjson.loads(build(Config.base_url))
    return built


def operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in document["paths"].values():
        assert path.keys() == {METHOD}
        yield path[METHOD]


def test_it_is_valid_openapi_3_1(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1.")
    assert document["info"]["version"] == "1.0.0"
    validate(document)


def test_it_changes_only_on_purpose(document: dict[str, Any]) -> None:
    """Set ORGCTX_UPDATE_SNAPSHOTS=1 to accept a change."""
    text = orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    if os.environ.get("ORGCTX_UPDATE_SNAPSHOTS"):
        SNAPSHOT.write_bytes(text)
    assert orjson.loads(SNAPSHOT.read_bytes()) == document


def test_operation_ids_are_the_operations(document: dict[str, Any]) -> None:
    ids = [operation["operationId"] for operation in operations(document)]
    assert ids == [*(operation.name for operation in OPERATIONS), "get_openapi"]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_an_operation_is_described_whole(document: dict[str, Any], operation: Any) -> None:
    described = document["paths"][operation.path][METHOD]
    assert operation.doc in described["description"]
    assert described["summary"] == operation.title
    fields = fields_of(operation.arguments).values()
    named = {parameter["name"] for parameter in described["parameters"]}
    assert named == {field.path or field.data_key for field in fields}
    for parameter in described["parameters"]:
        assert parameter["description"]
        assert parameter["required"] == (parameter["in"] == "path")
    always = {"200", "304", "400", "401", "403", "405", "413", "429", "500", "503", "504"}
    some = ({"409"} if operation.conflicts else set()) | (
        {"404"} if operation.is_findable else set()
    )
    assert set(described["responses"]) == always | some
    success = described["responses"]["200"]["headers"]
    assert ("Link" in success) == ("page" in fields_of(operation.arguments))
    assert {"ETag", "X-Request-Id", "RateLimit-Limit"} <= set(success)


def test_bounds_and_defaults_are_those_of_parsing(document: dict[str, Any]) -> None:
    parameters = document["paths"]["/knowledge/{id}"][METHOD]["parameters"]
    by_name = {parameter["name"]: parameter["schema"] for parameter in parameters}
    assert by_name["offset"] | {"type": "integer"} == {
        "type": "integer",
        "default": 0,
        "minimum": 0,
        "maximum": 10_000_000,
    }
    assert (by_name["limit"]["default"], by_name["limit"]["maximum"]) == (20_000, 50_000)
    assert "^(?:" in by_name["id"]["pattern"]


def test_the_payloads_are_strict(document: dict[str, Any]) -> None:
    for name, schema in document["components"]["schemas"].items():
        assert schema["additionalProperties"] is False, name
        assert schema["properties"], name
        assert schema["description"], name


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_the_examples_are_valid(document: dict[str, Any], operation: Any) -> None:
    response = document["paths"][operation.path][METHOD]["responses"]["200"]
    content = response["content"]["application/json"]
    assert content["example"] == examples.of(operation.name)
    schema = content["schema"] | {"components": document["components"]}
    Draft202012Validator(schema).validate(content["example"])


def test_errors_have_one_shape_and_an_example(document: dict[str, Any]) -> None:
    for name, response in document["components"]["responses"].items():
        content = response["content"]["application/json"]
        assert content["schema"] == {"$ref": "#/components/schemas/ErrorBody"}, name
        schema = content["schema"] | {"components": document["components"]}
        Draft202012Validator(schema).validate(content["example"])


def test_it_is_served_to_everybody(client: FlaskClient, document: dict[str, Any]) -> None:
    response = client.get("/api/v1/openapi.json")
    assert response.status_code == 200
    assert response.json == document
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["RateLimit-Limit"]
    assert response.headers["X-Request-Id"]
    again = client.get("/api/v1/openapi.json", headers={"If-None-Match": response.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    head = client.head("/api/v1/openapi.json")
    assert (head.status_code, head.data) == (200, b"")
    assert head.headers["Content-Length"] == response.headers["Content-Length"]


def test_its_path_refuses_like_the_others(client: FlaskClient) -> None:
    assert client.get("/api/v1/openapi.json?x=1").status_code == 400
    posted = client.post("/api/v1/openapi.json")
    assert (posted.status_code, posted.headers["Allow"]) == (405, "GET, HEAD")
    assert client.get("/api/v1/openapi.json", data="body").status_code == 413
    assert client.get("/api/v1/openapi.json/").status_code == 401


def test_it_is_limited_by_address(deployment: Any) -> None:
    with deployment.app(limit_ip=1) as app:
        statuses = [app.test_client().get("/api/v1/openapi.json").status_code for _ in range(2)]
    assert statuses == [200, 429]

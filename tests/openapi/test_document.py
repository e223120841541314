"""The contract agrees with the catalog, the standards that it names, and its route."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from inspect import getfile
from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator, FormatChecker
from werkzeug.test import TestResponse

from orgctx.config.settings import Config
from orgctx.openapi.document import Example, build, find_example, rest_name
from orgctx.operations.operation import Sunset
from orgctx.resources.catalog import OPERATIONS
from orgctx.schemas.payload import fields_of
from tests.openapi.references import followed, references, resolve
from tests.support import factories as make
from tests.support.deployment import Deployment

METHOD = "get"
SUCCESS = {
    "X-Request-Id", "X-Content-Type-Options", "RateLimit-Limit", "RateLimit-Remaining",
    "RateLimit-Reset", "ETag", "Cache-Control", "Vary",
}  # fmt: skip
# HTTP itself or browsers require these headers, so a contract does not describe them.
TRANSPORT = {
    "Content-Type", "Content-Length", "Connection", "Date", "Server",
    "Content-Security-Policy", "Cross-Origin-Resource-Policy", "Referrer-Policy",
}  # fmt: skip
every_operation = pytest.mark.parametrize(
    "operation", OPERATIONS, ids=lambda operation: operation.name
)


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The contract as it is built without a base URL."""
    built: dict[str, Any] = orjson.loads(build(Config.base_url))
    return built


def validate(document: dict[str, Any]) -> None:
    # Its import takes as long as all other tests here.
    from openapi_spec_validator import validate

    validate(document)


@pytest.mark.thorough
def test_document_is_valid_openapi(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1.")
    assert document["info"]["version"] == "1.0.0"
    validate(document)


def test_references_resolve_and_components_are_used(document: dict[str, Any]) -> None:
    used = set(references(document))
    for reference in used:
        assert resolve(document, reference)
    components = {
        f"#/components/{kind}/{name}"
        for kind, members in document["components"].items()
        for name in members
        if kind != "securitySchemes"
    }
    assert used == components


@every_operation
def test_operation_is_described(document: dict[str, Any], operation: Any) -> None:
    described = document["paths"][operation.path][METHOD]
    assert operation.doc in described["description"]
    assert all(f"`{scope}`" in described["description"] for scope in operation.scopes)
    assert described["summary"] == operation.title
    assert "security" not in described
    always = {"200", "304", "400", "401", "403", "405", "413", "429", "500", "503", "504"}
    some = ({"409"} if operation.conflicts else set()) | (
        {"404"} if operation.is_findable else set()
    )
    assert set(described["responses"]) == always | some
    link = {"Link"} if "page" in fields_of(operation.arguments) else set()
    for status in ("200", "304"):
        assert set(described["responses"][status]["headers"]) == SUCCESS | link


@every_operation
def test_parameters_are_described(document: dict[str, Any], operation: Any) -> None:
    parameters = document["paths"][operation.path][METHOD]["parameters"]
    fields = {rest_name(field): field for field in fields_of(operation.arguments).values()}
    assert [parameter["name"] for parameter in parameters] == [*fields]
    for parameter in parameters:
        field = fields[parameter["name"]]
        assert parameter["in"] == ("path" if field.path else "query")
        assert parameter["required"] == (parameter["in"] == "path")
        assert parameter["description"]
        default = None if field.required else field.load_default
        assert parameter["schema"].get("default") == default


def test_operation_that_ends_says_so(acme: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    begin, end = datetime(2027, 1, 1, tzinfo=UTC), datetime(2028, 1, 1, tzinfo=UTC)
    ending, lasting = OPERATIONS[0], OPERATIONS[1]
    monkeypatch.setitem(vars(ending), "sunset", Sunset(begin, end))
    paths = orjson.loads(build(Config.base_url))["paths"]
    assert paths[ending.path][METHOD]["deprecated"] is True
    assert "deprecated" not in paths[lasting.path][METHOD]
    with acme.client(acme.issue_key(make.ACME, make.OWNER)) as client:
        response = client.get(f"/api/v1{ending.path}")
        assert response.headers["Deprecation"] == "@1798761600"
        assert response.headers["Sunset"] == "Sat, 01 Jan 2028 00:00:00 GMT"
        assert not {"Deprecation", "Sunset"} & {
            *client.get(f"/api/v1{lasting.path}").headers.keys()
        }


# Every example fits its schema and the request that it shows


# tests/architecture/test_operations.py names the file of an example that is missing.
every_example = pytest.mark.parametrize(
    ("operation", "recorded"),
    [(operation, example) for operation in OPERATIONS if (example := find_example(operation))],
    ids=lambda value: getattr(value, "name", ""),
)


def fit(document: dict[str, Any], schema: dict[str, Any], value: Any) -> None:
    whole = schema | {"components": document["components"]}
    Draft202012Validator(whole, format_checker=FormatChecker()).validate(value)


@every_example
def test_answer_example_matches_its_schema(
    document: dict[str, Any], operation: Any, recorded: Example
) -> None:
    """tests/demo/test_examples.py compares it with the demo's answer."""
    response = document["paths"][operation.path]["get"]["responses"]["200"]
    content = response["content"]["application/json"]
    (example,) = content["examples"].values()
    assert example["value"] == recorded["answer"]
    assert example["value"].get("data"), f"{operation.example} shows no data: run `make examples`"
    assert example["value"]["meta"]["freshness"]["source"] == "local_preview"
    fit(document, content["schema"], example["value"])


@every_example
def test_parameter_has_its_example(
    document: dict[str, Any], operation: Any, recorded: Example
) -> None:
    parameters = document["paths"][operation.path]["get"]["parameters"]
    without = [parameter["name"] for parameter in parameters if "example" not in parameter]
    file = getfile(operation.arguments)
    assert not without, f"{file}: pass example= in {operation.arguments.__name__}: {without}"
    given = {parameter["name"]: parameter["example"] for parameter in parameters}
    # A parameter that excludes others has an example of its own.
    assert given.items() >= recorded["parameters"].items()
    for parameter in parameters:
        fit(document, parameter["schema"], parameter["example"])


def test_error_examples_match_their_schema(document: dict[str, Any]) -> None:
    for name, response in document["components"]["responses"].items():
        content = response["content"]["application/json"]
        assert content["schema"] == {"$ref": "#/components/schemas/ErrorBody"}, name
        fit(document, content["schema"], content["example"])


def test_header_examples_match_their_schema(document: dict[str, Any]) -> None:
    for name, header in document["components"]["headers"].items():
        assert header["description"], name
        fit(document, header["schema"], header["example"])


def test_document_matches_its_own_schema(document: dict[str, Any]) -> None:
    response = followed(document, document["paths"]["/openapi.json"]["get"]["responses"]["200"])
    content = response["content"]["application/json"]
    fit(document, content["schema"], content["example"])
    fit(document, content["schema"], document)


# Every answer of the route is what the document itself describes


PATH = "/api/v1/openapi.json"
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

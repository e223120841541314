"""The contract agrees with the catalog and with the standards that it names."""

from collections.abc import Iterator
from datetime import UTC, datetime
from inspect import getfile
from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator, FormatChecker

from orgctx.config.settings import Config
from orgctx.openapi import examples
from orgctx.openapi.document import build, rest_name
from orgctx.openapi.examples import Example
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
every_operation = pytest.mark.parametrize(
    "operation", OPERATIONS, ids=lambda operation: operation.name
)


def operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in document["paths"].values():
        assert path.keys() == {METHOD}
        yield path[METHOD]


def validate(document: dict[str, Any]) -> None:
    # Its import takes as long as all other tests here.
    from openapi_spec_validator import validate

    validate(document)


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
    [(operation, example) for operation in OPERATIONS if (example := examples.find(operation))],
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

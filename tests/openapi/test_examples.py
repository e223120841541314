"""Every example fits its schema and the request that it shows."""

from __future__ import annotations

from inspect import getfile
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from orgctx.openapi import examples
from orgctx.openapi.examples import Example
from orgctx.resources.catalog import OPERATIONS
from tests.openapi.references import followed

# tests/architecture/test_operations.py names the file of an example that is missing.
every_example = pytest.mark.parametrize(
    ("operation", "recorded"),
    [(operation, example) for operation in OPERATIONS if (example := examples.find(operation))],
    ids=lambda value: getattr(value, "name", ""),
)


def validate(document: dict[str, Any], schema: dict[str, Any], value: Any) -> None:
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
    validate(document, content["schema"], example["value"])


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
        validate(document, parameter["schema"], parameter["example"])


def test_error_examples_match_their_schema(document: dict[str, Any]) -> None:
    for name, response in document["components"]["responses"].items():
        content = response["content"]["application/json"]
        assert content["schema"] == {"$ref": "#/components/schemas/ErrorBody"}, name
        validate(document, content["schema"], content["example"])


def test_header_examples_match_their_schema(document: dict[str, Any]) -> None:
    for name, header in document["components"]["headers"].items():
        assert header["description"], name
        validate(document, header["schema"], header["example"])


def test_document_matches_its_own_schema(document: dict[str, Any]) -> None:
    response = followed(document, document["paths"]["/openapi.json"]["get"]["responses"]["200"])
    content = response["content"]["application/json"]
    validate(document, content["schema"], content["example"])
    validate(document, content["schema"], document)

"""Arguments as models send them mean the same as the types of the published schema."""

import json
from typing import Any

import pytest

from orgctx.mcp.visibility import TOOLS
from orgctx.schemas.fields import Boolean, Integer
from orgctx.schemas.payload import fields_of
from tests.mcp.endpoint import Endpoint
from tests.operations import ROWS


def others(name: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Pairs of arguments of a tool that mean the same, the first with the published types."""
    fields: Any = fields_of(TOOLS[name].tool_arguments).values()
    values: list[tuple[str, Any, tuple[Any, ...]]] = []
    for field in fields:
        if not field.required:
            values.append((field.data_key, field.load_default, (None,)))
        if isinstance(field, Integer):
            key, number = str(field.data_key), field.minimum or 0
            values.append((key, number, (float(number), str(number), f"0{number}")))
        if isinstance(field, Boolean):
            key = str(field.data_key)
            values += [(key, value, (json.dumps(value),)) for value in (True, False)]
    return [({key: value}, {key: one}) for key, value, forms in values for one in forms]


@pytest.mark.parametrize("name", ROWS)
def test_arguments_may_be_what_models_send(endpoint: Endpoint, name: str) -> None:
    """[4.15.28]"""
    paths = {field.data_key for field in fields_of(TOOLS[name].arguments).values() if field.path}
    needed = {key: value for key, value in ROWS[name].asks[0].items() if key in paths}
    for published, sent in others(name):
        expected = endpoint.tool(name, **needed, **published)
        assert endpoint.tool(name, **needed, **sent) == expected, sent


def test_null_limit_is_no_limit(endpoint: Endpoint) -> None:
    """An argument that is null does not say how long an answer may be."""
    document = ROWS["read_knowledge"].asks[0]["id"]
    item = endpoint.tool("read_knowledge", id=document, q="e", limit=None)
    assert item == endpoint.tool("read_knowledge", id=document, q="e")


@pytest.mark.parametrize(
    "page", [0, 10_001, "0", "1.0", "+1", " 1", "x", "", 1.5, 1e300, True, [1], {}, 2**70]
)
def test_other_values_of_an_integer_are_errors(handshake: Endpoint, page: Any) -> None:
    assert "page must be an integer" in handshake.tool_error("list_people", page=page)["message"]


@pytest.mark.parametrize("archived", ["True", "yes", "1", 1, 0, "", [True]])
def test_other_values_of_a_boolean_are_errors(handshake: Endpoint, archived: Any) -> None:
    message = handshake.tool_error("list_knowledge", archived=archived)["message"]
    assert message == "archived must be true or false"


REQUIRED = [
    (name, field.data_key)
    for name, operation in TOOLS.items()
    for field in fields_of(operation.tool_arguments).values()
    if field.required
]


@pytest.mark.parametrize(("name", "argument"), REQUIRED)
def test_null_is_no_identifier(handshake: Endpoint, name: str, argument: str) -> None:
    message = handshake.tool_error(name, **{argument: None})["message"]
    assert f"{argument} must be" in message

"""Path parameters of any type, and several of them, work in every interface."""

from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient

from orgctx.mcp import tools
from orgctx.mcp.visibility import TOOLS
from orgctx.openapi.document import parameters
from orgctx.operations.exposure import Caller
from orgctx.operations.operation import Reader, Resource, Result
from orgctx.operations.source_kinds import KINDS
from orgctx.page.files import describe_operation
from orgctx.rest import blueprint
from orgctx.schemas.arguments import Arguments
from orgctx.schemas.fields import Boolean, Integer
from orgctx.schemas.formats import Uuid
from orgctx.schemas.json_schema import Converter
from orgctx.schemas.payload import Payload
from tests.mcp.endpoint import Endpoint
from tests.operations import request_path
from tests.support import factories as make
from tests.support.deployment import Deployment

ID = make.uuid("document")
PATH = f"/documents/{ID}/lines/7/true"


class ReadLine(Arguments):
    document_id = Uuid(path="id", doc="The document.")
    line = Integer(1, 1000, path="line", doc="The number of the line.")
    is_raw = Boolean(path="raw", doc="Whether to keep its format.")
    width = Integer(1, 80, default=80, doc="Characters to return.")


class Line(Payload):
    """A line of a document."""

    document_id = Uuid()
    line = Integer()
    is_raw = Boolean()
    width = Integer()


RESOURCE = Resource(tag="documents")


@RESOURCE.operation(
    path="/documents/{id}/lines/{line}/{raw}",
    title="Read a line",
    scopes=("context:read",),
    kinds=KINDS,
    arguments=ReadLine,
    payload=Line,
)
def read_line(
    caller: Caller,
    reader: Reader,
    *,
    document_id: UUID,
    line: int,
    is_raw: bool,
    width: int,
) -> Result:
    """Read a line of a document."""
    data = {"document_id": document_id, "line": line, "is_raw": is_raw, "width": width}
    return Result(Line.one(data), caller.exposed())


(OPERATION,) = RESOURCE.operations
ARGUMENTS = {"documentId": ID, "line": 7, "isRaw": True}
ASKED = {"id": ID, "line": 7, "raw": True}
LINE = ARGUMENTS | {"width": 80}


@pytest.fixture
def key(own_acme: Deployment) -> str:
    return own_acme.issue_key(make.ACME, make.OWNER)


@pytest.fixture
def client(own_acme: Deployment) -> Any:
    with own_acme.app() as app:
        add(app)
        yield app.test_client()


def add(app: Flask) -> None:
    """Add the operation to the routes of an app."""
    app.register_blueprint(blueprint(RESOURCE))


def get(client: FlaskClient, key: str, path: str) -> Any:
    return client.get(f"/api/v1{path}", headers={"Authorization": f"Bearer {key}"}).json


def test_rest_converts_path_parameters(client: FlaskClient, key: str) -> None:
    assert get(client, key, PATH)["data"] == LINE
    assert get(client, key, f"{PATH}?width=9")["data"] == LINE | {"width": 9}


def test_rest_names_each_malformed_parameter(client: FlaskClient, key: str) -> None:
    error = get(client, key, f"/documents/x/lines/{'9' * 30}/1?width=x")["error"]
    assert error["message"] == (
        "line must be an integer from 1 to 1000; raw must be true or false; "
        "width must be an integer from 1 to 80; id must be a UUID of 36 characters such as "
        "123e4567-e89b-12d3-a456-426614174000"
    )


def test_tools_take_path_parameters_by_type(
    client: FlaskClient, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TOOLS, OPERATION.name, OPERATION)
    endpoint = Endpoint(client, key)
    assert endpoint.tool("read_line", **ARGUMENTS)["data"] == LINE
    error = endpoint.tool_error("read_line", **ARGUMENTS | {"line": "seven"})
    assert error["message"] == "line must be an integer from 1 to 1000"
    properties = tools.descriptor(OPERATION)["inputSchema"]["properties"]
    assert [properties[name]["type"] for name in ARGUMENTS] == ["string", "integer", "boolean"]


def test_openapi_describes_path_parameters() -> None:
    converter = Converter("3.1.0", lambda _: None, None)  # type: ignore[arg-type]
    described = parameters(converter, OPERATION, ASKED)
    in_path = [parameter for parameter in described if parameter["in"] == "path"]
    assert {parameter["name"]: parameter["example"] for parameter in in_path} == ASKED
    assert [parameter["schema"]["type"] for parameter in in_path] == [
        "string",
        "integer",
        "boolean",
    ]
    assert all(parameter["required"] for parameter in in_path)
    assert request_path(OPERATION, ASKED | {"width": 9}) == f"{PATH}?width=9"


def test_the_page_knows_path_parameters() -> None:
    assert describe_operation(OPERATION)["arguments"] == {
        "documentId": {"path": "id", "type": "string"},
        "line": {"path": "line", "type": "integer"},
        "isRaw": {"path": "raw", "type": "boolean"},
        "width": {"path": None, "type": "integer"},
    }

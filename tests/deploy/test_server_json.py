"""server.json, which the MCP registry lists: its address is a template, and its key a secret."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from orgctx import __version__
from tests.support.processes import ROOT

PLACEHOLDER = re.compile(r"\{(\w+)\}")
# A file with the schema of the registry, whose address is in server.json.
SCHEMA = "ORGCTX_TEST_SERVER_SCHEMA"


@pytest.fixture(scope="module")
def server() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((ROOT / "server.json").read_text("utf-8"))
    return document


def test_server_has_the_version_of_the_package(server: dict[str, Any]) -> None:
    assert server["version"] == __version__
    assert len(server["description"]) <= 100


def test_server_declares_host_and_key(server: dict[str, Any]) -> None:
    (remote,) = server["remotes"]
    (header,) = remote["headers"]
    assert (remote["type"], remote["url"]) == ("streamable-http", "https://{host}/api/mcp")
    for template, owner in ((remote["url"], remote), (header["value"], header)):
        assert set(PLACEHOLDER.findall(template)) == owner["variables"].keys()
        assert all(variable["isRequired"] for variable in owner["variables"].values())
    assert (header["name"], header["isSecret"]) == ("Authorization", True)
    assert header["variables"]["api_key"]["isSecret"] is True


@pytest.mark.skipif(SCHEMA not in os.environ, reason=f"{SCHEMA} names no file with the schema")
def test_server_has_the_form_of_the_registry(server: dict[str, Any]) -> None:
    schema = json.loads(Path(os.environ[SCHEMA]).read_bytes())
    assert schema["$id"] == server["$schema"]
    Draft7Validator(schema).validate(server)

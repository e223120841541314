"""Generate the page of the API from the OpenAPI document of the service."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from orgctx.config.settings import Config
from orgctx.openapi import examples
from orgctx.openapi.document import build
from orgctx.resources import catalog

OPERATIONS = {operation.name: operation for operation in catalog.OPERATIONS}
INTRODUCTION = """\
# API

Every service describes its API at `/api/v1/openapi.json` in OpenAPI 3.1; this page is generated
from that [document](openapi.json). Open `/` of a service to try each operation with your key. Over
MCP, each operation is a tool with the same name and parameters.
"""
PARAMETERS = "\n| parameter of `{path}` | in | value | meaning |\n|---|---|---|---|\n"
RESPONSE = "\nA response of the demo:\n\n"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    text = build(Config.base_url)
    document = json.loads(text)
    page = INTRODUCTION + "".join(
        section
        for path, methods in document["paths"].items()
        for section in _sections(path, methods["get"], document)
    )
    files.append(File.generated(config, "reference/openapi.json", content=text.decode()))
    files.append(File.generated(config, "reference/api.md", content=page))
    return files


def _sections(path: str, operation: dict[str, Any], document: dict[str, Any]) -> Iterator[str]:
    base = urlsplit(document["servers"][0]["url"]).path
    url = base + _example_path(path, operation["operationId"])
    yield f"\n## {operation['summary']} {{ #{operation['operationId']} }}\n"
    yield f"\n```http\nGET {url}\n```\n\n{operation['description']}\n"
    if parameters := operation.get("parameters"):
        yield PARAMETERS.format(path=path) + "".join(map(_parameter, parameters))
    response = operation["responses"]["200"]["content"]["application/json"]
    for example in response.get("examples", {}).values():
        text = json.dumps(example["value"], indent=2, ensure_ascii=False)
        yield f"{RESPONSE}```json\n{text}\n```\n"
    statuses = [status for status in operation["responses"] if status >= "400"]
    yield f"\n[Errors](../errors.md): {', '.join(statuses)}.\n"


def _example_path(path: str, name: str) -> str:
    """Return the path of the example's request, or `path` if there is no example."""
    operation = OPERATIONS.get(name)
    if operation and (example := examples.find(operation)):
        return examples.request_path(operation, example["parameters"])
    return path


def _parameter(parameter: dict[str, Any]) -> str:
    requirement = "required" if parameter.get("required") else "optional"
    cells = [
        f"`{parameter['name']}`",
        parameter["in"],
        requirement + _bounds(parameter["schema"]),
        parameter["description"],
    ]
    return f"| {' | '.join(cells)} |\n"


def _bounds(schema: dict[str, Any]) -> str:
    """Format the constraints of a parameter."""
    constraints = {
        name: schema[name]
        for name in ("minimum", "maximum", "maxLength", "maxItems", "default", "enum")
        if name in schema
    }
    return "".join(
        f"; {name} {json.dumps(value)}".replace("|", r"\|") for name, value in constraints.items()
    )

"""The page of the API, from the contract that the service serves."""

from __future__ import annotations

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

OPERATIONS = {one.name: one for one in catalog.OPERATIONS}
HEAD = """\
# API

This page is generated from the OpenAPI 3.1 document that each service serves at
`/api/v1/openapi.json` ([file](openapi.json)). The page at `/` of a service tries each operation
with your key. Over MCP each operation is a tool of the same name with the same parameters.
"""
PARAMETERS = "\n| of `{path}` | in | | |\n|---|---|---|---|\n"
ANSWER = "\nAn answer of the demo:\n\n"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    contract = build(Config.base_url)
    document = json.loads(contract)
    page = HEAD + "".join(
        part
        for path, methods in document["paths"].items()
        for part in _operation(path, methods["get"], document)
    )
    files.append(File.generated(config, "reference/openapi.json", content=contract.decode()))
    files.append(File.generated(config, "reference/api.md", content=page))
    return files


def _operation(path: str, operation: dict[str, Any], document: dict[str, Any]) -> Iterator[str]:
    base = urlsplit(document["servers"][0]["url"]).path
    asked = base + _asked(path, operation["operationId"])
    yield f"\n## {operation['summary']} {{ #{operation['operationId']} }}\n"
    yield f"\n```http\nGET {asked}\n```\n\n{operation['description']}\n"
    if parameters := operation.get("parameters"):
        yield PARAMETERS.format(path=path) + "".join(map(_parameter, parameters))
    answer = operation["responses"]["200"]["content"]["application/json"]
    for example in answer.get("examples", {}).values():
        shown = json.dumps(example["value"], indent=2, ensure_ascii=False)
        yield f"{ANSWER}```json\n{shown}\n```\n"
    statuses = [status for status in operation["responses"] if status >= "400"]
    yield f"\n[Errors](../errors.md): {', '.join(statuses)}.\n"


def _asked(path: str, name: str) -> str:
    """The request of the example that is shown, or else the path."""
    operation = OPERATIONS.get(name)
    example = examples.find(operation) if operation else None
    if not operation or not example:
        return path
    return examples.request_path(operation, example["parameters"])


def _parameter(parameter: dict[str, Any]) -> str:
    needed = "required" if parameter.get("required") else "optional"
    cells = [
        f"`{parameter['name']}`",
        parameter["in"],
        needed + _bounds(parameter["schema"]),
        parameter["description"],
    ]
    return f"| {' | '.join(cells)} |\n"


def _bounds(schema: dict[str, Any]) -> str:
    """What of the schema a reader has to know before the first request."""
    told = {
        name: schema[name]
        for name in ("minimum", "maximum", "maxLength", "maxItems", "default", "enum")
        if name in schema
    }
    return "".join(
        f"; {name} {json.dumps(value)}".replace("|", r"\|") for name, value in told.items()
    )

"""What clients see changes only on purpose: each operation has a file, and the rest has one.

`make snapshots` rewrites them, so that a reader can review the difference. Where a value follows
from the kinds of sources in docs/contract.md, the files name it instead of repeating it.
"""

from __future__ import annotations

import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner

from orgctx.cli import main
from orgctx.config.settings import Config
from orgctx.mcp import tools
from orgctx.mcp.instructions import INSTRUCTIONS
from orgctx.openapi.document import build
from orgctx.resources.catalog import OPERATIONS, RESOURCES
from tests.contract import json_schemas
from tests.operations import knowledge

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests/snapshots"
NAMES = (*(f"operations/{one.name}" for one in OPERATIONS), "rest")
REFERENCE = re.compile(r'"#/components/schemas/(\w+)"')
WIDTH = 100
FOLLOWS = (
    (list(json_schemas.KINDS), "the kinds"),
    (list(knowledge.KNOWLEDGE_SOURCES), "the prefixes of knowledge, and the sources of notes"),
    (knowledge.KNOWLEDGE_ID, "the prefixes of knowledge, each with its form of id"),
)


@cache
def snapshots() -> dict[str, Any]:
    """By name: each operation in REST and as a tool, and `rest`, which no operation owns."""
    document = orjson.loads(build(Config.base_url))
    schemas = document["components"].pop("schemas")
    tags = {tag["name"]: tag["description"] for tag in document["tags"]}
    shown = {one.tag for one in RESOURCES}
    document["tags"] = [tag for tag in document["tags"] if tag["name"] not in shown]
    found: dict[str, Any] = {}
    for one in OPERATIONS:
        described = document["paths"].pop(one.path)["get"]
        # The example is a file of its own; tests/openapi and tests/demo check it.
        described["responses"]["200"]["content"]["application/json"].pop("examples", None)
        for parameter in described["parameters"]:
            parameter.pop("example", None)
        found[f"operations/{one.name}"] = {
            "path": one.path,
            "tags": {name: tags[name] for name in described["tags"]},
            "rest": described,
            "tool": without_output_schema(tools.descriptor(one)),
            "schemas": {},
        }
    found["rest"] = document | {
        "instructions": INSTRUCTIONS.splitlines(),
        "schemas": {},
    }
    for name, schema in schemas.items():
        found[owner(name, schemas)]["schemas"][name] = schema
    return found


def without_output_schema(descriptor: dict[str, Any]) -> dict[str, Any]:
    """tests/mcp/test_tools.py compares it with the schemas of REST."""
    return {name: value for name, value in descriptor.items() if name != "outputSchema"}


def owner(name: str, schemas: dict[str, Any]) -> str:
    """The snapshot of a schema: of the first operation of the only resource that uses it."""
    users = [
        [one.name for one in each.operations if name in reached(answer_of(one.name), schemas)]
        for each in RESOURCES
    ]
    (first, *others) = [names for names in users if names] or [[], []]
    return "rest" if others or not first else f"operations/{first[0]}"


def answer_of(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_")) + "Answer"


def reached(name: str, schemas: dict[str, Any]) -> set[str]:
    """A schema and all that it refers to."""
    inner = REFERENCE.findall(json.dumps(schemas[name]))
    return {name}.union(*(reached(one, schemas) for one in inner))


def named(value: Any) -> Any:
    """The same value with names for the parts that follow from docs/contract.md."""
    for found, name in FOLLOWS:
        if value == found:
            return f"<{name}>"
    if isinstance(value, dict):
        return {key: named(inner) for key, inner in value.items()}
    return [named(inner) for inner in value] if isinstance(value, list) else value


def laid_out(value: Any, indent: int = 0) -> str:
    """JSON text that puts objects and lists on one line if they fit."""
    text = json.dumps(value, ensure_ascii=False)
    if len(text) + indent <= WIDTH or not isinstance(value, dict | list):
        return text
    pad = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [
            f"{json.dumps(key)}: {laid_out(inner, indent + 2)}" for key, inner in value.items()
        ]
    else:
        parts = [laid_out(inner, indent + 2) for inner in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{pad}" + f",\n{pad}".join(parts) + f"\n{' ' * indent}{closing}"


@pytest.mark.parametrize("name", NAMES)
def test_snapshot_is_current(name: str) -> None:
    hold(FOLDER / f"{name}.json", laid_out(named(snapshots()[name])) + "\n")


def test_bundle_schema_is_current() -> None:
    hold(ROOT / "docs/bundle.schema.json", CliRunner().invoke(main, ["schema", "bundle"]).stdout)


def hold(file: Path, text: str) -> None:
    """Compare, or write where `make snapshots` asks for it."""
    if os.environ.get("ORGCTX_UPDATE_SNAPSHOTS"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    shown = file.relative_to(ROOT)
    assert file.exists(), f"{shown} is missing: run `make snapshots`"
    assert file.read_text("utf-8") == text, f"{shown}: run `make snapshots`, read the difference"


def test_snapshots_have_operations() -> None:
    stale = set(FOLDER.rglob("*.*")) - {FOLDER / f"{name}.json" for name in NAMES}
    if os.environ.get("ORGCTX_UPDATE_SNAPSHOTS"):
        for path in stale:
            path.unlink()
        stale = set()
    assert not stale, "no operation has these: run `make snapshots`"

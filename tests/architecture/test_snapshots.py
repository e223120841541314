"""Tools, schemas of answers, and what docs/ repeats of the code change only on purpose.

`make snapshots` rewrites the files, so that a reader can review the difference. Where a value
follows from the kinds of sources in docs/contract.md, the snapshot names it instead.
"""

import ast
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, cast

import pytest
from click.testing import CliRunner

from orgctx.cli import main
from orgctx.imports import catalog
from orgctx.mcp.tools import descriptor
from orgctx.mcp.visibility import TOOLS, instructions
from orgctx.openapi.document import build
from orgctx.operations.source_kinds import KINDS
from orgctx.resources.catalog import OPERATIONS
from orgctx.resources.knowledge.schemas import KNOWLEDGE_ID, KnowledgeSummary
from orgctx.schemas.payload import fields_of
from orgctx.server.open_files import NEEDED

ROOT = Path(__file__).parents[2]
WIDTH = 100
# The modules that define metrics.
MEASURED = ("orgctx/observability/metrics.py", "orgctx/http/metrics.py")
LIMIT = re.compile(
    r"^(?P<what>\| [^|]+ \| )[0-9.,]+(?P<unit>(?: s| KiB| MiB)?)(?P<names> \| `[^|]+ \|)",
    re.MULTILINE,
)
NAME = re.compile(r"`([^`]+)`")
FOLLOWS = (
    ([*KINDS], "the kinds"),
    (
        [*fields_of(KnowledgeSummary)["source"].choices],
        "the prefixes of knowledge, and the sources of notes",
    ),
    (f"^(?:{KNOWLEDGE_ID})$", "the prefixes of knowledge, each with its form of id"),
)


def tools() -> dict[str, Any]:
    """What an agent reads before its first call."""
    described = {one.name: descriptor(one) for one in OPERATIONS}
    return {"instructions": instructions(frozenset(TOOLS)).splitlines(), "tools": described}


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


def test_snapshot_is_current() -> None:
    hold(ROOT / "tests/snapshots/tools.json", laid_out(named(tools())) + "\n")


def structure(schema: Any) -> Any:
    """The same JSON Schema without texts for readers."""
    if not isinstance(schema, dict):
        return [structure(inner) for inner in schema] if isinstance(schema, list) else schema
    return {
        name: structure(inner)
        for name, inner in schema.items()
        # A member of an object may have the same name.
        if isinstance(inner, dict) or name not in ("description", "examples")
    }


def test_schemas_of_answers_are_current() -> None:
    schemas = structure(json.loads(build(""))["components"]["schemas"])
    hold(ROOT / "tests/snapshots/answers.json", laid_out(named(schemas)) + "\n")


def test_bundle_schema_is_current() -> None:
    hold(ROOT / "docs/bundle.schema.json", CliRunner().invoke(main, ["schema", "bundle"]).stdout)


def importers() -> Iterator[list[str]]:
    for row in catalog.IMPORTERS:
        yield [f"`{row.name}`", row.help.split("\n")[0]]


def metrics() -> Iterator[list[str]]:
    """Name, type, labels and description of each metric."""
    for path in MEASURED:
        for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
            match node:
                case ast.Call(ast.Name(kind), [ast.Constant(str(name)), text, *rest]) if (
                    name.startswith("orgctx_")
                ):
                    named = [word.value for word in node.keywords if word.arg == "labels"]
                    labels = [label for part in [*rest, *named] for label in ast.literal_eval(part)]
                    suffix = "_total" if kind == "Counter" else ""
                    shown = ", ".join(f"`{label}`" for label in labels)
                    yield [f"`{name}{suffix}`", kind.lower(), shown, ast.literal_eval(text)]


# Page, the first heading of its table, and the function of the rows.
TABLES = (
    ("docs/importing.md", "importer", importers),
    ("docs/operations/metrics.md", "metric", metrics),
)


@pytest.mark.parametrize(("page", "heading", "rows"), TABLES, ids=[row[0] for row in TABLES])
def test_table_is_current(page: str, heading: str, rows: Callable[[], Iterator[list[str]]]) -> None:
    table = "".join(f"| {' | '.join(row)} |\n".replace("|  |", "| |") for row in rows())
    above = rf"(^\| {heading} \|.*\n\|[-|]+\|\n)(?:\|.*\n)*"
    text = (ROOT / page).read_text("utf-8")
    current, count = re.subn(above, lambda match: match[1] + table, text, flags=re.MULTILINE)
    assert count == 1, f"{page} needs a table with the heading `{heading}`"
    hold(ROOT / page, current)


def limit(name: str) -> float:
    """The value of a setting's default, or of a dotted name in a module or in a class of one."""
    if name.startswith("ORGCTX_"):
        name = f"orgctx.config.settings.Config.{name.removeprefix('ORGCTX_').lower()}"
    return cast(float, resolve_name(name))


def with_value(row: re.Match[str]) -> str:
    """The row with the value of its settings or constants, in its unit."""
    (value,) = {limit(name) for name in NAME.findall(row["names"])}
    shown = value / {"": 1, " s": 1, " KiB": 1024, " MiB": 1024**2}[row["unit"]]
    number = f"{int(shown) if shown == int(shown) else shown:,}"
    return f"{row['what']}{number}{row['unit']}{row['names']}"


def test_values_of_limits_are_current() -> None:
    page = ROOT / "docs/limits.md"
    text = page.read_text("utf-8")
    names = NAME.findall("".join(row["names"] for row in LIMIT.finditer(text)))
    assert len(names) == len(set(names)), "docs/limits.md lists a limit twice"
    assert len(LIMIT.findall(text)) == len(re.findall(r"^\| (?!what )[^-]", text, re.MULTILINE))
    hold(page, LIMIT.sub(with_value, text))


def test_number_of_open_files_is_current() -> None:
    page = ROOT / "docs/operations/production.md"
    files = f"| open files | {NEEDED:,} for each worker |"
    hold(page, re.sub(r"\| open files \| .+ \|", files, page.read_text("utf-8")))


def hold(file: Path, text: str) -> None:
    """Compare, or write where `make snapshots` asks for it."""
    if os.environ.get("ORGCTX_UPDATE_SNAPSHOTS"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    shown = file.relative_to(ROOT)
    assert file.exists(), f"{shown} is missing: run `make snapshots`"
    assert file.read_text("utf-8") == text, f"{shown}: run `make snapshots`, read the difference"

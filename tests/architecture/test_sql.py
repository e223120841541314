"""Every statement is in sql/, has a header, is used, and fits the schema and its payload."""

import ast
import re
from pathlib import Path
from typing import Any

import psycopg
import pytest
from packaging.version import Version
from pglast import parse_sql

from orgctx import __version__
from orgctx.bundle.records import TYPES
from orgctx.cli.database.migrations import STATEMENT
from orgctx.resources.catalog import OPERATIONS, RESOURCES
from orgctx.resources.search.items import PARTS
from orgctx.resources.search.service import LIMITS, SINCE_SETTING
from orgctx.stores.db import Rows, checksums, migrations, sql, sql_directory, statements
from tests.architecture.modules import MODULES, PACKAGE, nodes, strings
from tests.support import factories as make

STATEMENTS = sorted(name for name in statements() if not name.startswith("schema/"))
RESOURCE_STATEMENTS = [
    name for name in STATEMENTS if name.split("/")[0] in {one.name for one in RESOURCES}
]
# PREPARE takes no statement that defines, grants, truncates or begins.
UTILITIES = (
    "cli/create_migrations", "cli/create_roles", "cli/grant_desk", "cli/grant_role",
    "cli/revoke_temporary", "stores/isolate_transaction", "bundle/create_staging",
    "bundle/create_staged_table", "bundle/create_knowledge_staging",
    "bundle/create_telegram_staging", "bundle/truncate_staging",
)  # fmt: skip
# Statements in a folder citus read catalogs that only Citus has; tests/citus runs them.
CHECKED = [name for name in STATEMENTS if name not in UTILITIES and "/citus/" not in name]
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
TABLE = re.compile(r"\b(?:FROM|JOIN)\s+(?P<table>\w+)(?:\s+AS\s+(?P<alias>\w+))?")
QUERY = re.compile(
    r"\b(SELECT\s.*\bFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|TRUNCATE\s+\w)", re.DOTALL
)
WITH_SOURCE = """
    SELECT relname FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid
    WHERE attname = 'source_id' AND c.relkind = 'r'
"""

# The operation of each statement whose rows are dumped as they are.
RECORDS = {
    "telegram/list_telegram_messages": "list_telegram_messages",
    "telegram/list_telegram_messages_of_sender": "list_telegram_messages",
    "telegram/search_telegram_messages": "list_telegram_messages",
    "telegram/list_telegram_chats": "list_telegram_chats",
    "assets/list_assets": "list_assets",
    "assets/read_asset": "read_asset",
    "knowledge/list_knowledge": "list_knowledge",
    "token/get_token": "get_token",
    "x/list_x_mentions": "list_x_mentions",
}


def texts(name: str) -> list[str]:
    """The texts of a statement: one, or one for each record type of it. A part has none."""
    if name.endswith("_of_type"):
        return []
    all_types = list(TYPES.values())
    types = {
        "imports/list_stored_ids": [one for one in all_types if "id" in one.columns],
        "bundle/count_below": [one for one in all_types if one.parent],
        "bundle/create_staged_table": all_types,
    }.get(name) or [one for one in all_types if name in (one.merged_by, one.deleted_by)]
    return [one.statement(name) for one in types] or [
        sql(name).replace("{tables}", "").replace("{column}", "external")
    ]


def numbered(text: str, *names: str) -> str:
    """A statement with numbered parameters; these names share the first number."""
    numbers = dict.fromkeys(names, 1)
    number = lambda match: f"${numbers.setdefault(match[1], len(numbers) + 1)}"  # noqa: E731
    return PLACEHOLDER.sub(number, text).replace("%%", "%")


def header(name: str) -> str:
    """The comment that a statement opens with."""
    lines = sql(name).splitlines()
    return "\n".join(lines[: next(i for i, line in enumerate(lines) if not line.startswith("--"))])


def test_statement_has_a_header() -> None:
    for name in STATEMENTS:
        comment = header(name)
        assert re.match(r"-- [A-Z]", comment), name
        described = comment.partition("-- Parameters: ")[2]
        for parameter in PLACEHOLDER.findall(sql(name)):
            assert parameter in described or "as list_" in described, (name, parameter)


def test_statement_fits_the_schema(database: psycopg.Connection[Any]) -> None:
    for text in (text for name in CHECKED for text in texts(name)):
        with database.transaction(force_rollback=True):
            database.execute(f"PREPARE fits AS {numbered(text)}")
            database.execute("DEALLOCATE fits")


def test_statement_only_reads() -> None:
    """test_sharding.py finds out which rows it reads."""
    for name in RESOURCE_STATEMENTS:
        text = re.sub("--.*", "", sql(name))
        assert re.match(r"\s*(SELECT|WITH)\b", text), name
        assert not re.search(r"\b(INSERT|UPDATE|DELETE|FOR SHARE)\b", text), name


def test_statement_reads_only_approved_sources(database: psycopg.Connection[Any]) -> None:
    """Tests of mutations remove each of these conditions; one in another form would escape them."""
    tables = {row[0] for row in database.execute(WITH_SOURCE)} | {"sources"}
    for name in RESOURCE_STATEMENTS:
        text = re.sub("--.*", "", sql(name))
        if tables & {match["table"] for match in TABLE.finditer(text)}:
            assert re.search(r"\b(?:source_)?id = ANY\(%\(\w+\)s::text\[\]\)", text), (
                f"sql/{name}.sql: compare as t.source_id = ANY(%(source_ids)s::text[])"
            )


def test_statement_compares_candidates_as_bytes() -> None:
    """Other comparisons are slow on long texts; docs/decisions.md, 8 measures them."""
    for name in RESOURCE_STATEMENTS:
        text = re.sub("--.*", "", sql(name))
        slow = re.findall(r"strpos\(\w+\.(?:\w+_lower|search_text)\b[^>\n]*>|\bI?LIKE\b|~", text)
        assert not slow, (
            f"use position(… IN convert_to(…)), see docs/decisions.md, 8: {name} {slow}"
        )


@pytest.mark.parametrize("name", PARTS)
def test_search_statement_has_the_columns_of_all(
    database: psycopg.Connection[Any], name: str
) -> None:
    some = {"row_limit": 1, "recent_limit": 10, "since_setting": SINCE_SETTING} | LIMITS
    bound = {"source_ids": [], "q": None, "after": None, "before": None} | some
    bound["organization_id"] = make.ACME
    expected, columns = (
        [column.name for column in database.execute(sql(one), bound).description or ()]
        for one in ("search/find_messages", name)
    )
    assert columns == expected, f"sql/{name}.sql: return the columns of search/find_messages"


@pytest.mark.parametrize("name", RECORDS)
def test_statement_columns_fit_the_payload(database: psycopg.Connection[Any], name: str) -> None:
    first = "connected" if name == "token/get_token" else "id"
    (payload,) = {one.payload for one in OPERATIONS if one.name == RECORDS[name]}
    nothing = dict.fromkeys(PLACEHOLDER.findall(sql(name)))
    cursor = database.execute(sql(name), nothing)
    columns = tuple(column.name for column in cursor.description or ())
    assert payload.many(Rows(columns, []).split(first)[1]) == []


def packages() -> dict[str, set[str]]:
    """The packages whose modules name each statement. A package of a resource is its own name."""
    users: dict[str, set[str]] = {name: set() for name in STATEMENTS}
    for path, tree in MODULES.items():
        parts = path.relative_to(PACKAGE).parts
        package = parts[parts[0] == "resources"].removesuffix(".py")
        for text in {text for text in strings(tree) if re.fullmatch(r"\w+(/[\w\\+]+)+", text)}:
            for name in STATEMENTS:
                if re.fullmatch(text.removesuffix("_of_type"), name.removesuffix("_of_type")):
                    users[name].add(package)
    return users


def test_sql_file_is_in_the_folder_of_the_package_that_runs_it() -> None:
    for name, users in packages().items():
        assert users == {name.split("/")[0]}, (
            f"sql/{name}.sql: call it in the package that its folder names, and only there; "
            f"{users or 'no module'} runs it"
        )


def test_statement_has_every_parameter_that_is_passed() -> None:
    """The drivers ignore others."""
    everything = (node for tree in MODULES.values() for node in nodes(tree))
    for function in (node for node in everything if isinstance(node, ast.FunctionDef)):
        names = {*strings(function)} & {*STATEMENTS}
        known = {name for one in names for name in PLACEHOLDER.findall(sql(one))}
        for node in nodes(function) if names else ():
            match node:
                case ast.Call(ast.Attribute(attr="rows" | "page" | "run"), keywords=words):
                    others = {word.arg for word in words} - known - {None, "page", "size", "first"}
                    assert not others, f"{function.name} passes {others}, absent from sql/ {names}"


def test_queries_are_only_in_sql_files() -> None:
    for path, tree in MODULES.items():
        for text in strings(tree):
            assert not QUERY.search(text), f"{path.name}: {text[:60]}"


# A schema file that was released never changes: databases have applied it.

ROOT = Path(__file__).parents[2]


def released() -> dict[str, str]:
    """The checksums of the released migrations by name, from what sha256sum wrote."""
    lines = (sql_directory() / "schema/released.sha256").read_text("utf-8").splitlines()
    return {name.removesuffix(".sql"): checksum for checksum, name in map(str.split, lines)}


def test_released_files_are_unchanged() -> None:
    changed = [name for name, sum_ in released().items() if sum_ != checksums().get(name)]
    assert not changed, f"databases have applied {changed}: restore them, and add a migration"
    if not Version(__version__).is_devrelease:
        assert released() == checksums(), "add `.dev0` to __version__, or run `make freeze`"


def test_each_statement_of_a_migration_ends_a_line_with_a_semicolon() -> None:
    """So `orgctx migrate` can run them one by one."""
    for name in migrations():
        parts = STATEMENT.findall(text := sql(f"schema/{name}"))
        assert [len(parse_sql(part)) for part in parts] == [1] * len(parse_sql(text)), name


def test_version_is_a_pre_release_until_the_changelog_dates_it() -> None:
    version = __version__.removesuffix(".dev0")
    changelog = ROOT.joinpath("CHANGELOG.md").read_text("utf-8")
    when = r"\(unreleased\)" if Version(__version__).is_devrelease else r"\(\d{4}-\d\d-\d\d\)"
    assert re.match(rf"# Changelog\n\n## {re.escape(version)} {when}\n", changelog)

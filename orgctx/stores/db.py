"""The texts of `sql/`: statements by name, their rows, migrations and what these grant.

Contains no query text.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import orjson
import psycopg
from psycopg.rows import dict_row
from psycopg.types.json import set_json_loads

from orgctx.errors import ServiceUnavailable

READER_ROLE = "orgctx_reader"
LIST_MIGRATIONS = "stores/list_migrations"
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
# The line before a statement in a file of several.
NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)
# The kinds of record that searches find, the statements that find them, a slot of these, and what
# begins the value of a slot.
KINDS, TEMPLATE = "search/kinds/", re.compile(r"search/[a-z]+_records")
SLOT, VALUE = re.compile(r"\{(\w+)\}"), re.compile(r"^-- (\w+):\s", re.MULTILINE)

# The name of a statement of `sql/`, and its parameters.
Statement = tuple[str, dict[str, Any]]
# Values by column name.
Row = dict[str, Any]
# A connection of the login that decides, loads or imports.
Connection = psycopg.Connection[Any]

set_json_loads(orjson.loads)


class NotMigrated(ServiceUnavailable):
    """The schema is not that of this version, or the service lacks privileges on it."""


@cache
def sql_directory() -> Path:
    """Return the directory of the SQL files: in a checkout beside the package, else inside it."""
    package = Path(__file__).parents[1]
    checkout = package.parent / "sql"
    return checkout if checkout.is_dir() else package / "sql"


@cache
def statements() -> dict[str, str]:
    """Return all texts of `sql/` by name, such as `decisions/read_key`.

    A file contains one, of its own name, or several that begin with a line `-- name: read_key`.
    All are read at once, because another release may replace the files while this one runs.
    """
    directory = sql_directory()
    texts: dict[str, str] = {}
    for path in sorted(directory.rglob("*.sql")):
        relative = path.relative_to(directory)
        text, *named = NAME.split(path.read_text("utf-8"))
        pairs = zip(named[::2], named[1::2], strict=True) if named else [(path.stem, text)]
        texts |= {relative.with_name(name).as_posix(): text for name, text in pairs}
    return with_kinds(with_parts(texts))


def with_parts(texts: dict[str, str]) -> dict[str, str]:
    """Fill the slots of statements with the values of the file `parts` of their folder."""
    for name in [name for name in texts if name.endswith("/parts")]:
        folder, parts = name.removesuffix("parts"), values_of(texts.pop(name))
        texts |= {n: fill_slots(text, parts) for n, text in texts.items() if n.startswith(folder)}
    return texts


def with_kinds(texts: dict[str, str]) -> dict[str, str]:
    """Replace each statement `search/<verb>_records` by one for each file `search/kinds/<kind>`.

    That is `search/<verb>_<kind>`, unless there is such a file. The values `-- name: value` of a
    file, or of `defaults`, fill the slots `{name}` of statements and values.
    """
    names = [name for name in texts if name.startswith(KINDS)]
    kinds = {name.removeprefix(KINDS): values_of(texts.pop(name)) for name in names}
    defaults = kinds.pop("defaults", {})
    for name in [name for name in texts if TEMPLATE.fullmatch(name)]:
        template = texts.pop(name)
        for kind, values in kinds.items():
            text = fill_slots(template, defaults | values)
            texts.setdefault(name.replace("records", kind), text)
    return texts


def values_of(text: str) -> dict[str, str]:
    _, *parts = VALUE.split(text)
    return dict(zip(parts[::2], map(str.rstrip, parts[1::2]), strict=True))


def fill_slots(text: str, slots: Mapping[str, str]) -> str:
    """Fill the slots of a statement, and those of the values. Other braces stay."""
    while (again := SLOT.sub(lambda slot: slots.get(slot[1], slot[0]), text)) != text:
        text = again
    return text


def sql(name: str) -> str:
    """Return the text of a statement by its name."""
    return statements()[name]


def run(connection: Connection, name: str, /, **parameters: Any) -> list[Row]:
    """Return the rows of a statement by its name, or an empty list if it returns no rows."""
    return execute(connection, sql(name), **parameters)


def execute(connection: Connection, text: str, /, **parameters: Any) -> list[Row]:
    """Return the rows of a statement, or an empty list if it returns no rows."""
    cursor = connection.cursor(row_factory=dict_row)
    cursor.execute(text, parameters or None)
    return cursor.fetchall() if cursor.description else []


@dataclass(slots=True)
class Tenant:
    """An organization on a connection, to which statements are bound."""

    connection: Connection
    organization_id: UUID

    def run(self, name: str, /, **parameters: Any) -> list[Row]:
        """Return the rows of a statement, by its name, for this organization."""
        return self.execute(sql(name), **parameters)

    def execute(self, text: str, /, **parameters: Any) -> list[Row]:
        """Return the rows of a statement for this organization."""
        return execute(self.connection, text, organization_id=self.organization_id, **parameters)

    def lock_organization(self) -> None:
        """Block loads until the transaction ends, and wait for a running one."""
        self.run("stores/lock_organization")

    def set_version(self) -> None:
        """Tell cached callers and replicas that data which keys read change in this transaction."""
        set_versions(self.connection, [self.organization_id])

    def lock_sources(self, ids: Sequence[str] | None) -> list[str]:
        """Lock sources, or all, until the transaction ends. Returns the ids of those that exist."""
        rows = self.run("stores/lock_sources", ids=None if ids is None else list(ids))
        return [row["id"] for row in rows]


def set_versions(connection: Connection, organization_ids: Sequence[UUID]) -> None:
    """Do what Tenant.set_version does for several organizations."""
    # Citus calls no function here.
    run(connection, "stores/set_versions", organization_ids=organization_ids, version=uuid4())


def is_distributed(connection: Connection) -> bool:
    """Return whether Citus can distribute the database."""
    return bool(run(connection, "stores/read_distribution")[0]["is_distributed"])


def distributed_tables(connection: Connection) -> list[Row]:
    """Return the rows of stores/citus/list_tables; only of a database that Citus distributes."""
    return run(connection, "stores/citus/list_tables")


def searches(statement: Statement) -> bool:
    """Return whether a statement searches texts for a term, its parameter `q`."""
    return statement[1].get("q") is not None


@cache
def numbered(text: str) -> tuple[bytes, tuple[str, ...]]:
    """Return a statement with $1, $2, … as placeholders, and the names of these parameters."""
    numbers: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f"${numbers.setdefault(match[1], len(numbers) + 1)}"

    return PLACEHOLDER.sub(number, text).encode(), tuple(numbers)


class Rows(NamedTuple):
    """The result of one statement: column names and row tuples, in order."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    def dicts(self) -> list[Row]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def split(self, first: str) -> tuple[dict[str, Any], "Rows"]:
        """Split off the columns before `first`, which are equal in all rows.

        Returns them by name, {} if there is no row, and the records in the other columns. A row
        whose `first` is null contains no record.
        """
        index = self.columns.index(first)
        common = dict(zip(self.columns[:index], self.rows[0], strict=False)) if self.rows else {}
        records = [row[index:] for row in self.rows if row[index] is not None]
        return common, Rows(self.columns[index:], records)


# A statement that grants to or revokes from the reading role.
STATEMENT = re.compile(r"^(?:GRANT|REVOKE)\b[^;]+;", re.MULTILINE)
TABLES = re.compile(r"GRANT SELECT ON (.+) TO orgctx_reader;", re.DOTALL)
FUNCTION = re.compile(r"GRANT EXECUTE ON FUNCTION (.+) TO orgctx_reader;", re.DOTALL)


@cache
def migrations() -> tuple[str, ...]:
    """Return the names of all migrations, in order."""
    return tuple(
        name.removeprefix("schema/") for name in statements() if name.startswith("schema/")
    )


@cache
def checksums() -> dict[str, str]:
    """Return the SHA-256 of each migration's file by its name, in order."""
    return {name: sha256(sql(f"schema/{name}").encode()).hexdigest() for name in migrations()}


def misfit(applied: Mapping[str, str]) -> str:
    """Return why the applied migrations are not those of this release or a newer one, or "".

    The newest ones may be missing. applied: the stored checksum of each by its name.
    """
    known = checksums()
    last = max(applied, default="")
    for name in sorted({*applied, *known}):
        if name not in known and name < max(known):
            return f"{name} is unknown"
        if name not in applied and name < last:
            return f"{name} is missing"
        if name in known and applied.get(name, known[name]) != known[name]:
            return f"{name} has changed"
    return ""


@cache
def grants() -> tuple[str, ...]:
    """Return the GRANT and REVOKE statements of the migrations, in order."""
    texts = (sql(f"schema/{name}") for name in migrations())
    return tuple(statement for text in texts for statement in STATEMENT.findall(text))


@cache
def granted() -> dict[str, list[str]]:
    """Return the tables and functions that the reading role needs, as parameters of
    http/list_missing_grants."""
    tables = (match[1] for grant in grants() if (match := TABLES.fullmatch(grant)))
    return {
        "tables": [name.strip() for names in tables for name in names.split(",")],
        "functions": [match[1] for grant in grants() if (match := FUNCTION.fullmatch(grant))],
    }

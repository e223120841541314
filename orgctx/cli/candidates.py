"""Names that the shell completes, read from the admin database.

A completion never waits long and never prints an error: without a database there are no names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr
from io import StringIO
from itertools import islice
from typing import Any

from click.shell_completion import CompletionItem

from orgctx.cli.output import printable
from orgctx.operations.source_kinds import KINDS

CONNECT_SECONDS = 2
STATEMENT_MILLISECONDS = 2000
MOST_CANDIDATES = 100
# Other characters would need quotes, and a shell could run what they contain. A command would take
# a name that begins with `-` for an option.
PLAIN = re.compile(r"(?!-)[\w.:@%+-]+", re.ASCII)
# Statement, columns that name a row, and the column that describes it.
LISTS = {
    "organization": ("list_organizations", ("slug", "id"), "display_name"),
    "member": ("list_members", ("display_name", "id"), "role"),
    "source": ("list_sources", ("id",), "label"),
    "key": ("list_keys", ("name", "hint"), "state"),
}
PARAMETERS: dict[str, dict[str, Any]] = {
    "source": {"ids": None, "kinds": list(KINDS)},
    "key": {
        **dict.fromkeys(("id", "state", "expiring_days", "except_ids", "row_limit")),
        "row_offset": 0,
    },
}

Row = dict[str, Any]


def complete(kind: str, organization: str | None, incomplete: str) -> list[CompletionItem]:
    """Return the names of a kind that begin with a text.

    Args:
        kind: a key of LISTS.
        organization: the one whose names are listed; not needed for organizations.
    """
    statement, columns, description = LISTS[kind]
    with redirect_stderr(StringIO()):
        try:
            rows = _rows(kind, statement, organization)
        except Exception:  # noqa: BLE001, a message would garble the command line
            return []
    counts = {column: Counter(row[column] for row in rows) for column in columns}
    items = (
        CompletionItem(name, help=printable(row[description] or ""))
        for row in rows
        if (name := _name(row, counts)) and name.startswith(incomplete)
    )
    return [*islice(items, MOST_CANDIDATES)]


def _rows(kind: str, statement: str, organization: str | None) -> list[Row]:
    from orgctx.cli import admin

    if kind == "organization":
        with _reading() as connection:
            return admin.run(connection, statement)
    if organization is None:
        return []
    with _reading() as connection:
        organization_id = admin.find_organization(connection, organization)
        parameters = {"organization_id": organization_id, **PARAMETERS.get(kind, {})}
        rows = admin.run(connection, statement, **parameters)
    return [row for row in rows if row.get("state", "active") == "active"]


@contextmanager
def _reading() -> Iterator[Any]:
    from orgctx.cli import admin

    with admin.reading(connect_seconds=CONNECT_SECONDS) as connection:
        connection.execute(f"SET LOCAL statement_timeout = {STATEMENT_MILLISECONDS}")
        yield connection


def _name(row: Row, counts: Mapping[str, Counter[Any]]) -> str:
    """Return the first name of a row that is unique and needs no quotes, or an empty text."""
    for column, count in counts.items():
        name = str(row[column] or "")
        if PLAIN.fullmatch(name) and count[row[column]] == 1:
            return name
    return ""

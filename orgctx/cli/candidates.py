"""Names that the shell completes, read from the admin database.

A completion never waits long and never prints an error: without a database there are no names.
"""

import re
from collections import Counter
from collections.abc import Mapping
from contextlib import redirect_stderr
from io import StringIO
from itertools import islice
from typing import Any

from click.shell_completion import CompletionItem

from orgctx.cli.output import printable
from orgctx.stores.db import Row, run

CONNECT_SECONDS = 2
STATEMENT_MILLISECONDS = 2000
MOST_CANDIDATES = 100
# Other characters would need quotes, and a shell could run what they contain. A command would take
# a name that begins with `-` for an option.
PLAIN = re.compile(r"(?!-)[\w.:@%+-]+", re.ASCII)
# Columns that name a row, and the column that describes it.
LISTS = {
    "organization": (("slug", "id"), "display_name"),
    "member": (("display_name", "id"), "role"),
    "source": (("id",), "label"),
    "key": (("name", "hint"), "state"),
}


def complete(kind: str, organization: str | None, incomplete: str) -> list[CompletionItem]:
    """Return the names of a kind that begin with a text.

    Args:
        kind: a key of LISTS.
        organization: the one whose names are listed; not needed for organizations.
    """
    columns, description = LISTS[kind]
    with redirect_stderr(StringIO()):
        try:
            rows = _rows(kind, organization)
        except Exception:  # noqa: BLE001, a message would garble the command line
            return []
    counts = {column: Counter(row[column] for row in rows) for column in columns}
    items = (
        CompletionItem(name, help=printable(row[description] or ""))
        for row in rows
        if (name := _name(row, counts)) and name.startswith(incomplete)
    )
    return [*islice(items, MOST_CANDIDATES)]


def _rows(kind: str, organization: str | None) -> list[Row]:
    from orgctx.cli import admin
    from orgctx.decisions import keys, members, sources

    lists = {"member": members.stored, "source": sources.stored, "key": keys.listed}
    if kind in lists and organization is None:
        return []
    with admin.reading(connect_seconds=CONNECT_SECONDS) as connection:
        connection.execute(f"SET LOCAL statement_timeout = {STATEMENT_MILLISECONDS}")
        if organization is None or kind not in lists:
            return run(connection, "cli/list_organizations")
        rows = lists[kind](admin.find_organization(connection, organization))
    return [row for row in rows if row.get("state", "active") == "active"]


def _name(row: Row, counts: Mapping[str, Counter[Any]]) -> str:
    """Return the first name of a row that is unique and needs no quotes, or an empty text."""
    for column, count in counts.items():
        name = str(row[column] or "")
        if PLAIN.fullmatch(name) and count[row[column]] == 1:
            return name
    return ""

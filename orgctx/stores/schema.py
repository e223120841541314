"""The migrations of this version, and the privileges that they grant to the reading role."""

from __future__ import annotations

import re
from functools import cache

from orgctx.stores.db import sql, sql_directory

# A statement that grants to or revokes from the reading role.
STATEMENT = re.compile(r"^(?:GRANT|REVOKE)\b[^;]+;", re.MULTILINE)
TABLES = re.compile(r"GRANT SELECT ON (.+) TO orgctx_reader;", re.DOTALL)
FUNCTION = re.compile(r"GRANT EXECUTE ON FUNCTION (.+) TO orgctx_reader;", re.DOTALL)


@cache
def migrations() -> tuple[str, ...]:
    """Return the names of all migrations, in order."""
    return tuple(sorted(path.stem for path in sql_directory().joinpath("schema").glob("*.sql")))


@cache
def grants() -> tuple[str, ...]:
    """Return the GRANT and REVOKE statements of the migrations, in order."""
    texts = (sql(f"schema/{name}") for name in migrations())
    return tuple(statement for text in texts for statement in STATEMENT.findall(text))


@cache
def granted() -> dict[str, list[str]]:
    """Return the tables and functions that the reading role needs, as parameters of
    gate/list_missing_grants."""
    tables = (match[1] for grant in grants() if (match := TABLES.fullmatch(grant)))
    return {
        "tables": [name.strip() for names in tables for name in names.split(",")],
        "functions": [match[1] for grant in grants() if (match := FUNCTION.fullmatch(grant))],
    }

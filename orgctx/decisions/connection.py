"""Connect to the database in the role that may only decide."""

from __future__ import annotations

import psycopg
from psycopg.rows import dict_row

from orgctx.decisions.decision import Connection


def connect(url: str) -> Connection:
    """Open an autocommit connection whose rows are dicts."""
    return psycopg.connect(url, autocommit=True, row_factory=dict_row)

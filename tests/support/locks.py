"""Tables that are locked, on a cluster in all their shards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from orgctx.stores.db import sql
from tests.support.deployment import Deployment


@contextmanager
def locked(deployment: Deployment, *, gate: bool = False) -> Iterator[None]:
    """Lock the tables of the gate, or else all others, while the block runs."""
    with psycopg.connect(deployment.admin_url) as connection:
        # Citus hides its shards from the catalog, and they are read by themselves.
        connection.execute("SET citus.override_table_visibility = off")
        connection.execute("SET citus.enable_manual_changes_to_shards = on")
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        gates = sql("gate/find_key")
        wanted = [name for (name,) in tables if (re.sub(r"_\d+$", "", name) in gates) == gate]
        connection.execute(f"LOCK TABLE {', '.join(wanted)} IN ACCESS EXCLUSIVE MODE")
        yield
        connection.rollback()

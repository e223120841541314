"""Lock tables, and on Citus all of their shards, so that statements wait."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from orgctx.stores.db import sql
from tests.support.deployment import Deployment


@contextmanager
def locked(deployment: Deployment, *, gate: bool = False) -> Iterator[None]:
    """Lock all tables that gate/find_key does not read, while the block runs.

    gate: lock the tables that gate/find_key reads instead.
    """
    with psycopg.connect(deployment.admin_url) as connection:
        # By default, Citus hides shards from pg_tables and forbids locking them.
        connection.execute("SET citus.override_table_visibility = off")
        connection.execute("SET citus.enable_manual_changes_to_shards = on")
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        text = sql("gate/find_key")
        names = [name for (name,) in tables if (re.sub(r"_\d+$", "", name) in text) == gate]
        connection.execute(f"LOCK TABLE {', '.join(names)} IN ACCESS EXCLUSIVE MODE")
        yield
        connection.rollback()

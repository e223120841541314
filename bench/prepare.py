"""The loaded set, its approval and its keys, by the service's own commands.

The data directory is kept: a second run finds what the first has loaded.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import orjson
import psycopg

from bench.dataset import SCALES, identity, records, user
from orgctx.bundle import load_records
from orgctx.cli.database.migrations import migrate
from orgctx.embedded import Servers, servers
from orgctx.operations.exposure import SCOPES

NO_LIMIT = "1000000000"
LIMITS = ("KEY", "ORGANIZATION", "IP", "KEY_TOP", "ORGANIZATION_TOP")


@dataclass(frozen=True)
class Prepared:
    """Running servers with the set in them. environment: of every server that is measured."""

    database_url: str
    redis_url: str
    key: str
    environment: dict[str, str]


@contextmanager
def prepared(data_dir: Path, scale: str) -> Iterator[Prepared]:
    """The set of a scale on servers that run while the block runs."""
    folder = data_dir / scale
    loaded = folder / "key"
    if not loaded.exists():
        with servers(folder) as running:
            loaded.write_text(_load(running, scale))
    with servers(folder) as running:
        variables = environment(running.database_url, running.redis_url)
        yield Prepared(running.database_url, running.redis_url, loaded.read_text(), variables)


def environment(database_url: str, redis_url: str) -> dict[str, str]:
    """The environment of every measured server, in which none meets a limit or logs a request."""
    return os.environ | {
        "ORGCTX_DATABASE_URL": database_url,
        "ORGCTX_REDIS_URL": redis_url,
        "ORGCTX_LOG_LEVEL": "WARNING",
        "GUNICORN_CMD_ARGS": "--log-level warning",
        **{f"ORGCTX_LIMIT_{name}": NO_LIMIT for name in LIMITS},
    }


def _load(running: Servers, scale: str) -> str:
    """Load all records and approve all sources. Returns a key to the large organization."""
    database_url = running.database_url
    variables = environment(database_url, running.redis_url)
    migrate(database_url, database_url)
    load_records(database_url, records(scale))
    with psycopg.connect(database_url, autocommit=True) as connection:
        # autovacuum would do this within minutes, and runs would differ.
        connection.execute("VACUUM (ANALYZE)")
        # All contenders run at once and need the connections. It holds from the next start.
        connection.execute("ALTER SYSTEM SET max_connections = 300")
    for number in range(1, SCALES[scale][0] + 1):
        command(variables, "sources", "approve", "--all", *by(number))
    scopes = ["--scope", ",".join(SCOPES), "--access", "both", "--expires-in-days", "90"]
    issued = command(variables, "keys", "issue", "--json", *scopes, *by(1))
    return str(orjson.loads(issued)["key"])


def by(organization: int) -> list[str]:
    """Options that name an organization and its owner."""
    return ["--organization", str(identity(organization)), "--by", str(user(organization))]


def command(environment: dict[str, str], *arguments: str) -> bytes:
    """What `orgctx` prints."""
    words = [sys.executable, "-m", "orgctx.cli", *arguments]
    return subprocess.run(words, env=environment, check=True, stdout=subprocess.PIPE).stdout

"""Load the data set, approve its sources and issue a key, with the service's own commands.

The databases stay in DATA_DIR, so a second run with the same schema reuses what the first loaded.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import orjson
import psycopg

from bench.dataset import SCALES, identity, records, user
from orgctx.bundle.loader import load_records
from orgctx.cli.database.migrations import migrate
from orgctx.embedded import Servers, servers
from orgctx.operations.source_kinds import SCOPES
from orgctx.stores.db import checksums

# Differs for each schema, because a database of another one answers with 503.
SCHEMA = sha256("".join(checksums().values()).encode()).hexdigest()[:12]
DATA_DIR = Path(".orgctx/bench") / SCHEMA
NO_LIMIT = "1000000000"
LIMITS = ("KEY", "ORGANIZATION", "IP", "KEY_TOP", "ORGANIZATION_TOP")


@dataclass(frozen=True)
class Prepared:
    """Running PostgreSQL and Redis with the data set."""

    database_url: str
    redis_url: str
    key: str  # reads everything of the large organization
    environment: dict[str, str]  # of every measured server


@contextmanager
def prepared(scale: str) -> Iterator[Prepared]:
    """Run PostgreSQL and Redis with the data set of a scale until the block ends."""
    folder = DATA_DIR / scale
    key = folder / "key"
    if not key.exists():
        with servers(folder) as running:
            key.write_text(_load(running, scale))
    with servers(folder) as running:
        variables = environment(running.database_url, running.redis_url)
        yield Prepared(running.database_url, running.redis_url, key.read_text(), variables)


def environment(database_url: str, redis_url: str) -> dict[str, str]:
    """Return the environment of a measured server: no limits, and only warnings in the log."""
    return os.environ | {
        "ORGCTX_DATABASE_URL": database_url,
        "ORGCTX_REDIS_URL": redis_url,
        "ORGCTX_LOG_LEVEL": "WARNING",
        "GUNICORN_CMD_ARGS": "--log-level warning",
        **{f"ORGCTX_LIMIT_{name}": NO_LIMIT for name in LIMITS},
    }


def _load(running: Servers, scale: str) -> str:
    """Load all records and approve all sources. Returns a key of the large organization."""
    database_url = running.database_url
    variables = environment(database_url, running.redis_url)
    migrate(database_url, database_url)
    load_records(database_url, records(scale))
    with psycopg.connect(database_url, autocommit=True) as connection:
        # autovacuum would do this within minutes, in the middle of a run.
        connection.execute("VACUUM (ANALYZE)")
        # All servers run at the same time. The setting applies from the next start.
        connection.execute("ALTER SYSTEM SET max_connections = 300")
    for number in range(1, SCALES[scale][0] + 1):
        command(variables, "sources", "approve", "--all", *by(number))
    return issue_key(variables, by(1))


def issue_key(environment: dict[str, str], who: list[str]) -> str:
    """Issue a key that reads everything of an organization. who: the options of `by`."""
    options = ["--scope", ",".join(SCOPES), "--access", "both", "--expires-in-days", "90"]
    issued = command(environment, "keys", "issue", "--json", *options, *who)
    return str(orjson.loads(issued)["key"])


def by(organization: int) -> list[str]:
    """Return the options that name an organization and its owner."""
    return ["--organization", str(identity(organization)), "--by", str(user(organization))]


def command(environment: dict[str, str], *arguments: str, checkout: Path = Path()) -> bytes:
    """Run `orgctx` of a checkout and return its output."""
    words = [sys.executable, "-m", "orgctx.cli", *arguments]
    # `-m` finds the package in the working directory first.
    # Without a terminal, no command asks.
    return subprocess.run(
        words,
        env=environment,
        cwd=checkout,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    ).stdout

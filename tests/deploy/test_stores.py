"""The example files of PgBouncer, Valkey and systemd, each with its own program."""

import os
import subprocess
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.pooler import Pooler
from tests.support.processes import ROOT, free_port, need
from tests.support.proxies import run
from tests.support.proxy import Proxy, database_address
from tests.support.redis_servers import Node
from tests.support.waiting import until

DEPLOY = ROOT / "deploy"


def compose_valkey(folder: Path) -> Node:
    """Valkey with the command of compose.yaml, whose arguments are lines of a configuration."""
    _, *arguments = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["valkey"][
        "command"
    ]
    settings = dict(zip(arguments[::2], arguments[1::2], strict=True))
    assert settings.pop("--dir") == "/data"
    return Node(folder, {name.removeprefix("--"): value for name, value in settings.items()})


def usage(deployment: Deployment) -> list[int]:
    rows = deployment.cli("usage", "--organization", "acme", "--json").json()
    return [row["requests"] for row in rows]


def test_compose_keeps_usage_when_valkey_restarts(own_acme: Deployment, tmp_path: Path) -> None:
    node = compose_valkey(tmp_path / "valkey")
    node.start()
    try:
        counted = replace(own_acme, redis_url=node.url)
        with counted.client(counted.issue_key(make.ACME, make.OWNER)) as client:
            for _ in range(3):
                assert client.get("/api/v1/sources").status_code == 200
        assert node.process
        node.process.terminate()
        assert node.process.wait(60) == 0
        node.process = None
        node.start()
        assert usage(counted) == [3]
        (row,) = counted.cli("keys", "list", "--organization", "acme", "--json").json()
        assert row["lastUsedAt"]
    finally:
        node.die()


def test_compose_counts_requests_while_valkey_cannot_save(
    own_acme: Deployment, tmp_path: Path
) -> None:
    node = compose_valkey(tmp_path / "valkey")
    node.start()
    try:
        # A folder with the name of the snapshot makes the save fail, even for root.
        (node.folder / "dump.rdb/full").mkdir(parents=True)
        node.ask("BGSAVE")
        until(lambda: b"rdb_last_bgsave_status:err" in node.ask("INFO", "persistence"))
        with replace(own_acme, redis_url=node.url).app() as app:
            assert app.test_client().get("/readyz").status_code == 200
    finally:
        node.die()


@pytest.mark.system
def test_pgbouncer_of_debian_reads_the_example(own_acme: Deployment, tmp_path: Path) -> None:
    need("pgbouncer")
    # PgBouncer runs as another user.
    for directory in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        directory.chmod(0o755)
    port, login = free_port(), f"pooled_{os.getpid()}"
    own_acme.execute(f"CREATE ROLE {login} LOGIN PASSWORD 'right'")
    try:
        [[secret]] = own_acme.execute(
            f"SELECT rolpassword FROM pg_authid WHERE rolname = '{login}'"
        )
        with ExitStack() as stack:
            proxy = stack.enter_context(Proxy(database_address(own_acme.database_url)))
            (tmp_path / "userlist.txt").write_text(f'"{login}" "{secret}"\n')
            name = conninfo_to_dict(own_acme.database_url)["dbname"]
            text = (DEPLOY / "proxies/pgbouncer.ini").read_text()
            for old, new in (
                ("orgctx = host=10.0.0.11 port=5432 dbname=orgctx",
                 f"orgctx = host=127.0.0.1 port={proxy.port} dbname={name}"),
                ("listen_port = 6432", f"listen_port = {port}\nunix_socket_dir ="),
                ("/etc/pgbouncer/userlist.txt", f"{tmp_path}/userlist.txt"),
            ):  # fmt: skip
                assert old in text
                text = text.replace(old, new)
            path = tmp_path / "pgbouncer.ini"
            path.write_text(text)
            parts: dict[str, Any] = {
                "host": "127.0.0.1",
                "port": port,
                "dbname": "orgctx",
                "user": login,
            }
            pooler = Pooler("pgbouncer", path, port, make_conninfo("", **parts))
            stack.callback(pooler.die)
            pooler.start()
            with psycopg.connect(pooler.url, password="right") as connection:
                assert connection.execute("SELECT current_user").fetchone() == (login,)
            with pytest.raises(psycopg.OperationalError, match="authentication failed"):
                psycopg.connect(pooler.url, password="wrong")
    finally:
        own_acme.execute(f"DROP ROLE {login}")


@pytest.mark.system
def test_systemd_run_knows_the_options_of_the_wrapper() -> None:
    """Where systemd does not run, only the connection to it fails."""
    need("systemd-run")
    done = run(DEPLOY / "systemd/orgctx", "--version")
    assert "option" not in done.stderr


def test_wrapper_lets_systemd_expand_no_argument(tmp_path: Path) -> None:
    """systemd puts settings into arguments: $$ is a dollar sign to it (systemd.service)."""
    shim = tmp_path / "systemd-run"
    shim.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    shim.chmod(0o755)
    given = ["notes", "two words", "", "$ORGCTX_REDIS_URL ${A} $$", "*", 'it\'s "so"', "-n", "%h"]
    done = subprocess.run(
        [DEPLOY / "systemd/orgctx", *given], env={"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    arguments = done.stdout.partition("/opt/orgctx/bin/orgctx\n")[2].splitlines()
    assert [argument.replace("$$", "$") for argument in arguments] == given
    assert arguments[3] == "$$ORGCTX_REDIS_URL $${A} $$$$"

"""orgctx demo: serve the preview organization of orgctx.demo from embedded servers.

It approves sources and issues a key with the same commands that an operator runs.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from time import sleep
from types import FrameType
from typing import Any

import click
from psycopg.errors import UndefinedTable

from orgctx.cli import desk, serve
from orgctx.cli.desk import HOST, free_port
from orgctx.cli.errors import CommandError
from orgctx.cli.output import run_json, say
from orgctx.config.settings import Config, variable
from orgctx.demo import identities, state
from orgctx.demo.state import State

KEY_NAME = "demo"
WORKERS = 2
END_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ORGANIZATION = ("--organization", identities.SLUG)
BY = ("--by", str(identities.DEMO_ADMIN_ID))
# The port of the desk is that of the service plus this number, if it is free.
DESK_OFFSET = 10


@click.command(epilog="Example: orgctx demo --port 8001")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8000,
    show_default=True,
    help="The port of the service; the desk prefers the one 10 higher.",
)
@click.option(
    "--data-dir",
    type=click.Path(file_okay=False, path_type=Path),
    default=state.DATA_DIR,
    show_default=True,
    help="Where the embedded database stores its data.",
)
def demo(port: int, data_dir: Path) -> None:
    """Serve a preview organization, and its desk, until Ctrl-C.

    Starts PostgreSQL and Valkey, unless ORGCTX_DATABASE_URL or ORGCTX_REDIS_URL is set.
    It refuses a database that contains other organizations. The key stays the same until it
    expires.
    """
    serve.check_free([f"{HOST}:{port}"])
    base_url, desk_port = f"http://{HOST}:{port}", free_port(port + DESK_OFFSET)
    with _environment(data_dir, base_url, f"http://localhost:{desk_port}") as environment:
        _prepare(data_dir if "ORGCTX_DATABASE_URL" in environment else None)
        # Only problems of the desk: the terminal shows the requests to the service.
        settings = {"ORGCTX_DESK_BIND": f"{HOST}:{desk_port}", "ORGCTX_LOG_LEVEL": "WARNING"}
        with _child(desk.COMMAND, settings, stdout=subprocess.DEVNULL):
            current = _issue_key(base_url, data_dir, environment)
            from orgctx.demo.lines import greeting

            # The link signs the owner in to the desk, once.
            invitation = run_json(
                "desk", "invite", *ORGANIZATION, "--for", str(identities.OWNER_ID)
            )
            _serve(port, f"\n{greeting(current, invitation['link'])}\n")


def _serve(port: int, greeting: str) -> None:
    """Serve until a signal or the end of the service. Print the greeting when it is ready."""
    options = (f"--bind={HOST}:{port}", f"--workers={WORKERS}", "--log-level=warning")
    with _child((*serve.COMMAND, *options), {"GUNICORN_CMD_ARGS": ""}) as process:
        for number in END_SIGNALS:
            signal.signal(number, _exit)
        while process.poll() is None and not state.answers(HOST, port):
            sleep(0.05)
        if process.poll() is None:
            click.echo(greeting)
        process.wait()
    raise CommandError("The service has ended. Its messages are above.")


def _exit(_: int, __: FrameType | None) -> None:
    for number in END_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    sys.exit()


@contextmanager
def _child(
    command: Sequence[str], settings: dict[str, str], **options: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process that ends with the block, or with the thread that entered it.

    Ctrl-C does not reach it.

    Args:
        settings: added to the environment.
        options: of Popen.
    """
    from orgctx.embedded.process import die_with_parent, stop

    process = subprocess.Popen(  # noqa: S603
        command,
        env=os.environ | settings,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=die_with_parent(signal.SIGTERM),
        **options,
    )
    try:
        yield process
    finally:
        stop(process, signal.SIGTERM)


@contextmanager
def _environment(data_dir: Path, base_url: str, desk_url: str) -> Iterator[dict[str, str]]:
    """Start the servers that have no URL in the environment, and set the demo's variables.

    Yields those that point commands to these servers.
    """
    from orgctx.embedded import EmbeddedError, servers

    database_url, redis_url = variable("DATABASE_URL"), variable("REDIS_URL")
    os.environ |= {"ORGCTX_BASE_URL": base_url, "ORGCTX_DESK_URL": desk_url}
    os.environ["ORGCTX_LOG_FORMAT"] = variable("LOG_FORMAT") or "text"
    if database_url and redis_url:
        yield {}
        return
    say(f"Starting servers in {data_dir} ...")
    try:
        with servers(data_dir, database_url=database_url, redis_url=redis_url) as running:
            urls = {"ORGCTX_DESK_URL": desk_url}
            if not database_url:
                # The desk then uses ORGCTX_ADMIN_DATABASE_URL.
                os.environ.pop("ORGCTX_DESK_DATABASE_URL", None)
                names = ("DATABASE_URL", "ADMIN_DATABASE_URL", "DATABASE_READ_URL")
                urls |= {f"ORGCTX_{name}": running.database_url for name in names}
            if not redis_url:
                urls["ORGCTX_REDIS_URL"] = running.redis_url
            os.environ.update(urls)
            # The desk then shows who read what.
            os.environ.setdefault("ORGCTX_AUDIT_READS", str(data_dir.absolute() / "reads.jsonl"))
            yield urls
    except EmbeddedError as error:
        raise CommandError(str(error)) from None


def _prepare(data_dir: Path | None) -> None:
    """Migrate, load and approve. data_dir: of the embedded database, which has nothing else."""
    from orgctx.bundle.loader import load_records
    from orgctx.cli.admin import current_command
    from orgctx.cli.database import migrations
    from orgctx.decisions.audit_log import record_load
    from orgctx.demo import organization

    config = Config.from_environment()
    if not data_dir:
        _check_no_others(config.admin_database_url)
    try:
        migrations.migrate(config.admin_database_url, config.database_url)
    except CommandError as error:
        advice = f" Or delete {data_dir}; the demo loads its data again." if data_dir else ""
        raise CommandError(f"{error}{advice}") from None
    say("Loading Harbor Lights Cooperative ...")
    files = [organization.DATA.parent.name]
    finish = partial(record_load, command=current_command(), files=files)
    load_records(config.admin_database_url, organization.records(), finish=finish)
    run_json("sources", "approve", *ORGANIZATION, *BY, *organization.APPROVED)


def _check_no_others(url: str) -> None:
    """Raise CommandError if the database has other organizations."""
    from orgctx.cli import admin
    from orgctx.decisions import organizations

    with admin.connect(url) as connection, suppress(UndefinedTable):
        stored = [row["slug"] for row in organizations.listed(connection)]
        if slugs := [slug for slug in stored if slug != identities.SLUG]:
            raise CommandError(
                "The database of ORGCTX_ADMIN_DATABASE_URL contains other organizations "
                f"({', '.join(slugs[:3])}), and nothing was loaded. Unset ORGCTX_DATABASE_URL and "
                "ORGCTX_ADMIN_DATABASE_URL."
            )


def _issue_key(base_url: str, data_dir: Path, environment: dict[str, str]) -> State:
    """Return the state with the key of the last start if that is still active, else a new one."""
    from orgctx.operations.source_kinds import SCOPES

    last_state = state.read(data_dir) if environment else None
    active = [key for key in run_json("keys", "list", *ORGANIZATION) if key["state"] == "active"]
    if last_state and last_state.key_id in {key["id"] for key in active}:
        issued = {"id": last_state.key_id, "key": last_state.key}
    else:
        for key in active:
            if key["name"] == KEY_NAME:
                run_json("keys", "revoke", key["id"], *BY)
        rights = ("--access", "both", "--scope", ",".join(SCOPES), "--expires-in-days", "7")
        issued = run_json("keys", "issue", *ORGANIZATION, *BY, "--name", KEY_NAME, *rights)
    current = State(base_url, issued["id"], issued["key"], environment)
    if environment:
        state.write(data_dir, current)
    return current

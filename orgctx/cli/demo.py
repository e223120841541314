"""orgctx demo: serve the demo organization from embedded servers, prepared with the same commands
that an operator runs. Its data and its server are in orgctx.demo."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import click
import orjson
from psycopg.errors import UndefinedTable

from orgctx.cli.errors import CommandError
from orgctx.cli.output import say
from orgctx.config.settings import Config, variable
from orgctx.demo import identities, kept
from orgctx.demo.kept import Kept

BOTH_URLS = ("DATABASE_URL", "REDIS_URL")
KEY_NAME = "demo"


@click.command(epilog="Example: orgctx demo --port 8001")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option(
    "--data-dir",
    type=click.Path(file_okay=False, path_type=Path),
    default=".orgctx",
    show_default=True,
    help="Where the embedded database stays for the next run.",
)
@click.option("--yes", is_flag=True, help="Load into the database of ORGCTX_* without asking.")
@click.option(
    "--lines",
    "only_lines",
    is_flag=True,
    help="Print a request for every operation of the demo that runs, and serve nothing.",
)
def demo(port: int, data_dir: Path, yes: bool, only_lines: bool) -> None:
    """Serve a preview organization until Ctrl-C.

    PostgreSQL and Valkey are started for it, unless ORGCTX_DATABASE_URL or
    ORGCTX_REDIS_URL name others. Into a database that is named it loads only once
    you agree, and never into one that holds other organizations. The key stays the same
    until it expires.
    """
    if only_lines:
        _print_lines(data_dir)
        return
    from gevent import monkey

    # Must run before another module imports the class of TLS contexts, or gevent would warn.
    monkey.patch_ssl()
    from orgctx.demo.server import PortTaken, listen, serve

    try:
        listener = listen(port)
    except PortTaken:
        raise CommandError(
            f"port {port} is taken: end what listens there, or choose another with --port"
        ) from None
    except OSError as error:
        raise CommandError(f"cannot listen on port {port}: {error.strerror}") from None
    base_url = f"http://127.0.0.1:{port}"
    with listener, _environment(data_dir, base_url) as started:
        is_foreign = "ORGCTX_DATABASE_URL" not in started
        _prepare(is_foreign=is_foreign, yes=yes)
        last = _key(base_url, data_dir, started)
        from orgctx.demo.lines import greeting

        shown = greeting(last)
        serve(listener, lambda: click.echo(f"\n{shown}\n"))


def _print_lines(data_dir: Path) -> None:
    from orgctx.demo.lines import every_line

    last = kept.read(data_dir)
    if last is None:
        raise CommandError(f"no demo has run in {data_dir}: start one with `orgctx demo`")
    click.echo(every_line(last))


@contextmanager
def _environment(data_dir: Path, base_url: str) -> Iterator[dict[str, str]]:
    """Run the servers that the environment does not name, and name them there.

    Yields the variables that it set for them.
    """
    from orgctx.embedded import EmbeddedError, servers

    database_url, redis_url = (variable(name) for name in BOTH_URLS)
    os.environ["ORGCTX_BASE_URL"] = base_url
    os.environ["ORGCTX_LOG_FORMAT"] = variable("LOG_FORMAT") or "text"
    if database_url and redis_url:
        yield {}
        return
    say(f"Starting servers in {data_dir} ...")
    try:
        with servers(data_dir, database_url=database_url, redis_url=redis_url) as running:
            urls: dict[str, str] = {}
            if not database_url:
                names = ("DATABASE_URL", "ADMIN_DATABASE_URL", "DATABASE_READ_URL")
                urls |= {f"ORGCTX_{name}": running.database_url for name in names}
            if not redis_url:
                urls["ORGCTX_REDIS_URL"] = running.redis_url
            os.environ.update(urls)
            yield urls
    except EmbeddedError as error:
        raise CommandError(str(error)) from None


def _prepare(*, is_foreign: bool, yes: bool) -> None:
    """Migrate, load and approve. is_foreign: whether the environment names the database."""
    from orgctx.bundle import load_records
    from orgctx.cli.database import migrations
    from orgctx.cli.recording import of_load
    from orgctx.demo import organization

    config = Config.from_environment()
    if is_foreign:
        _ask(config.admin_database_url, yes=yes)
    migrations.migrate(config.admin_database_url, config.database_url)
    say("Loading Harbor Lights Cooperative ...")
    recorded = of_load([organization.DATA.parent.name])
    load_records(config.admin_database_url, organization.records(), finish=recorded)
    _run("sources", "approve", *_who(), *identities.APPROVED)


def _ask(url: str, *, yes: bool) -> None:
    """Raise CommandError unless the database has no other organization and the user agrees."""
    from orgctx.cli import admin

    with admin.connect(url) as connection:
        name, server = connection.info.dbname, connection.info.host
        try:
            stored = [row["slug"] for row in admin.run(connection, "list_organizations")]
        except UndefinedTable:
            stored = []
    where = f"the database {name!r} of ORGCTX_ADMIN_DATABASE_URL on {server}"
    if others := [slug for slug in stored if slug != identities.SLUG]:
        raise CommandError(
            f"{where} holds other organizations ({', '.join(others[:3])}), so the preview does "
            "not go there: unset ORGCTX_DATABASE_URL and ORGCTX_ADMIN_DATABASE_URL"
        )
    if not yes and not (
        sys.stdin.isatty()
        and click.confirm(f"Load the preview organization into {where}?", err=True)
    ):
        raise CommandError(f"nothing was loaded into {where}: --yes agrees to it")


def _key(base_url: str, data_dir: Path, started: dict[str, str]) -> Kept:
    """The key of the last start if it is still active, else a new one."""
    from orgctx.operations.exposure import SCOPES

    last = kept.read(data_dir) if started else None
    active = [key for key in _run("keys", "list", *_who()[:2]) if key["state"] == "active"]
    if last and last.key_id in {key["id"] for key in active}:
        issued = {"id": last.key_id, "key": last.key}
    else:
        for key in active:
            if key["name"] == KEY_NAME:
                _run("keys", "revoke", key["id"], *_who()[2:])
        what = ("--access", "both", "--scope", ",".join(SCOPES), "--expires-in-days", "7")
        issued = _run("keys", "issue", *_who(), "--name", KEY_NAME, *what)
    found = Kept(base_url, issued["id"], issued["key"], started)
    if started:
        kept.write(data_dir, found)
    return found


def _who() -> tuple[str, ...]:
    """The options that name the organization and who decides."""
    return ("--organization", identities.SLUG, "--by", str(identities.DEMO_ADMIN_ID))


def _run(*arguments: str) -> Any:
    """The output of `orgctx ARGUMENTS --json`."""
    from orgctx.cli import main

    output = BytesIO()
    with redirect_stdout(TextIOWrapper(output, "utf-8", write_through=True)):
        main([*arguments, "--json"], prog_name="orgctx", standalone_mode=False)
    return orjson.loads(output.getvalue())

"""orgctx serve."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from argparse import SUPPRESS, ArgumentParser

import click

from orgctx.cli.addresses import check_free
from orgctx.cli.doctor.machine import count_workers
from orgctx.cli.errors import CommandError
from orgctx.config.settings import ADDRESS, Config


@click.command(epilog="Example: orgctx serve --bind 0.0.0.0:8000")
@click.option("--bind", metavar="ADDRESS", help="HOST:PORT or unix:PATH; also ORGCTX_BIND.")
def serve(bind: str | None) -> None:
    """Serve the API with gunicorn and the shipped settings.

    The same as `gunicorn -c python:orgctx.gunicorn wsgi:app`; GUNICORN_CMD_ARGS and
    WEB_CONCURRENCY are honoured.
    """
    if bind:
        os.environ["ORGCTX_BIND"] = bind
    config = Config.from_environment()
    count_workers()
    given = _bound_by_gunicorn(os.environ.get("GUNICORN_CMD_ARGS", ""))
    served = given if given and not bind else [*config.addresses, config.metrics_bind]
    check_free([one for one in served if one])
    command = [sys.executable, "-m", "orgctx.server", "-c", "python:orgctx.gunicorn"]
    sys.stdout.flush()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    # Replaces this process, so that signals reach gunicorn.
    places = [*config.addresses, config.metrics_bind] if bind else []
    os.execv(sys.executable, [*command, *(f"--bind={one}" for one in places if one)])  # noqa: S606


def _bound_by_gunicorn(arguments: str) -> list[str]:
    """The addresses in gunicorn's own arguments, which replace those of the settings."""
    parser = ArgumentParser("GUNICORN_CMD_ARGS", usage=SUPPRESS, add_help=False)
    parser.add_argument("-b", "--bind", action="append", default=[])
    try:
        given: list[str] = parser.parse_known_args(shlex.split(arguments))[0].bind
    except ValueError as error:
        raise CommandError(f"GUNICORN_CMD_ARGS cannot be read: {error}") from None
    return [address for address in given if ADDRESS.fullmatch(address)]

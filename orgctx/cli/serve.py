"""orgctx serve: replace this process with gunicorn."""

import logging
import os
import shlex
import signal
import sys
from argparse import SUPPRESS, ArgumentParser

import click

from orgctx.cli.addresses import check_free
from orgctx.cli.errors import CommandError
from orgctx.config.settings import Config
from orgctx.config.validators import ADDRESS
from orgctx.observability import logs

NO_BASE_URL = "not set, so links are relative (see ORGCTX_BASE_URL)"
COMMAND = (sys.executable, "-m", "orgctx.server", "-c", "python:orgctx.gunicorn")


@click.command(epilog="Example: orgctx serve --bind 0.0.0.0:8000")
@click.option("--bind", metavar="ADDRESS", help="HOST:PORT or unix:PATH; also ORGCTX_BIND.")
def serve(bind: str | None) -> None:
    """Serve the API with gunicorn and the settings of orgctx.gunicorn.

    Equals `gunicorn -c python:orgctx.gunicorn wsgi:app`. Reads GUNICORN_CMD_ARGS and
    WEB_CONCURRENCY.
    """
    if bind:
        os.environ["ORGCTX_BIND"] = bind
    config = Config.from_environment()
    if (workers := os.environ.get("WEB_CONCURRENCY", "1")) == "0" or not workers.isdecimal():
        raise CommandError("WEB_CONCURRENCY must be an integer of at least 1.")
    addresses = [address for address in (*config.addresses, config.metrics_bind) if address]
    other_addresses = _gunicorn_addresses(os.environ.get("GUNICORN_CMD_ARGS", ""))
    check_free(other_addresses if other_addresses and not bind else addresses)
    options = [f"--bind={address}" for address in addresses] if bind else []
    logs.configure(config.log_level, config.log_format)
    logs.log_server(logging.INFO, f"Base URL: {config.base_url or NO_BASE_URL}")
    sys.stdout.flush()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    # exec, so that signals reach gunicorn.
    os.execv(sys.executable, [*COMMAND, *options])  # noqa: S606


def _gunicorn_addresses(arguments: str) -> list[str]:
    """Return the addresses in GUNICORN_CMD_ARGS, which replace those of the settings."""
    parser = ArgumentParser("GUNICORN_CMD_ARGS", usage=SUPPRESS, add_help=False)
    parser.add_argument("-b", "--bind", action="append", default=[])
    try:
        addresses: list[str] = parser.parse_known_args(shlex.split(arguments))[0].bind
    except ValueError as error:
        raise CommandError(
            f"GUNICORN_CMD_ARGS cannot be parsed: {error}. Quote it as for a shell."
        ) from None
    return [address for address in addresses if ADDRESS.fullmatch(address)]

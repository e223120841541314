"""orgctx serve: replace this process with gunicorn."""

import logging
import os
import signal
import sys
from collections.abc import Iterable
from socket import AF_INET, AF_INET6, create_server

import click

from orgctx.cli.errors import CommandError
from orgctx.config.settings import Config, split_address
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
    if bind or not os.environ.get("GUNICORN_CMD_ARGS"):  # which may name other addresses
        check_free(addresses)
    options = [f"--bind={address}" for address in addresses] if bind else []
    logs.configure(config.log_level, config.log_format)
    logs.log_server(logging.INFO, f"Base URL: {config.base_url or NO_BASE_URL}")
    sys.stdout.flush()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    # exec, so that signals reach gunicorn.
    os.execv(sys.executable, [*COMMAND, *options])  # noqa: S606


def check_free(addresses: Iterable[str]) -> None:
    """Raise CommandError if the server cannot listen, because gunicorn would retry many times.

    Args:
        addresses: each is HOST:PORT, unix:PATH or fd://NUMBER. Only the first are checked.
    """
    for address in addresses:
        if address.startswith(("unix:", "fd://")):
            continue
        host, port = split_address(address)
        try:
            create_server((host, port), family=AF_INET6 if ":" in host else AF_INET).close()
        except OSError as error:
            reason = (error.strerror or str(error)).rstrip(".")
            raise CommandError(f"Cannot listen on {address}: {reason}. Use another one.") from None

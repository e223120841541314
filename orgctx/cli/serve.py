"""orgctx serve."""

from __future__ import annotations

import os
import shlex
import signal
import sys

import click

from orgctx.cli.faults import CommandError
from orgctx.cli.listening import check_free


@click.command(epilog="Example: orgctx serve --bind 0.0.0.0:8000")
@click.option("--bind", metavar="ADDRESS", help="HOST:PORT or unix:PATH; also ORGCTX_BIND.")
def serve(bind: str | None) -> None:
    """Serve the API with gunicorn and the shipped settings.

    The same as `gunicorn -c python:orgctx.gunicorn wsgi:app`; GUNICORN_CMD_ARGS and
    WEB_CONCURRENCY are honoured.
    """
    from orgctx.config import Config

    if bind:
        os.environ["ORGCTX_BIND"] = bind
    config = Config.from_environment()
    _check_workers(os.environ.get("WEB_CONCURRENCY"))
    arguments = shlex.split(os.environ.get("GUNICORN_CMD_ARGS", ""))
    if bind or not any(word.startswith(("-b", "--bind")) for word in arguments):
        for address in config.addresses:
            check_free(address)
    if config.metrics_bind:
        check_free(config.metrics_bind)
    command = [sys.executable, "-m", "orgctx.server", "-c", "python:orgctx.gunicorn"]
    sys.stdout.flush()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    # Replaces this process, so that signals reach gunicorn.
    places = [*config.addresses, config.metrics_bind] if bind else []
    os.execv(sys.executable, [*command, *(f"--bind={one}" for one in places if one)])  # noqa: S606


def _check_workers(given: str | None) -> None:
    """Check WEB_CONCURRENCY, which gunicorn reads on import, accepting 0 workers."""
    if given is not None and not (given.isdecimal() and int(given) > 0):
        raise CommandError("WEB_CONCURRENCY must be an integer of at least 1: the worker processes")

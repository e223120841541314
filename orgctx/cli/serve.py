"""orgctx serve."""

from __future__ import annotations

import os
import sys

import click


@click.command()
@click.option("--bind", metavar="ADDRESS", help="HOST:PORT or unix:PATH; also ORGCTX_BIND.")
def serve(bind: str | None) -> None:
    """Serve the API with gunicorn and the shipped settings.

    The same as `gunicorn -c python:orgctx.gunicorn wsgi:app`; GUNICORN_CMD_ARGS and
    WEB_CONCURRENCY are honoured.
    """
    from orgctx.config import Config

    Config.from_environment()
    command = [sys.executable, "-m", "gunicorn", "-c", "python:orgctx.gunicorn"]
    sys.stdout.flush()
    # In place of this process, so that signals reach gunicorn.
    os.execv(sys.executable, [*command, *(["--bind", bind] if bind else [])])  # noqa: S606

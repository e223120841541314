"""Check this machine: environment variables, compiled libraries, and the TLS certificate."""

from __future__ import annotations

import os
import socket
import ssl
from collections.abc import Iterable
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from urllib.parse import urlsplit

import psycopg

from orgctx.cli.doctor import Warned
from orgctx.cli.errors import CommandError
from orgctx.config.settings import Config, default_workers

PREFIX = "ORGCTX_"
# Variables of the tests, and the one that `connect` asks clients to set.
FOREIGN = ("ORGCTX_TEST_", "ORGCTX_API_KEY")
RENEWED_DAYS = 14
CONNECT_SECONDS = 5


def check_names(environment: Iterable[str] = os.environ) -> str:
    """No variable has the prefix of settings without being one."""
    known = [PREFIX + field.name.upper() for field in fields(Config)]
    unknown = [
        f"{name} is no setting" + _hint(name, known)
        for name in sorted(environment)
        if name.startswith(PREFIX) and name not in known and not name.startswith(FOREIGN)
    ]
    if unknown:
        raise Warned("; ".join(unknown))
    return "complete"


def _hint(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, 1)
    return f"; did you mean {near[0]}?" if near else ""


def count_workers() -> int:
    """WEB_CONCURRENCY, which gunicorn reads on import, accepting 0 workers, or the default."""
    given = os.environ.get("WEB_CONCURRENCY")
    if given is None:
        return default_workers()
    if not given.isdecimal() or int(given) < 1:
        raise CommandError("WEB_CONCURRENCY must be an integer of at least 1: the worker processes")
    return int(given)


def check_libraries() -> str:
    """The C extensions that matter under load are installed."""
    from redis.utils import HIREDIS_AVAILABLE

    has = {"psycopg[binary]": psycopg.pq.__impl__ != "python", "hiredis": HIREDIS_AVAILABLE}
    if missing := [name for name, is_there in has.items() if not is_there]:
        raise Warned(f"answers are slower without {' and '.join(missing)}: install it with pip")
    return f"psycopg ({psycopg.pq.__impl__}) and hiredis are compiled"


def check_certificate(base_url: str) -> str:
    """The certificate at the base URL is trusted and valid for two more weeks."""
    parts = urlsplit(base_url)
    place = (parts.hostname or "", parts.port or 443)
    context = ssl.create_default_context()
    try:
        with (
            socket.create_connection(place, CONNECT_SECONDS) as plain,
            context.wrap_socket(plain, server_hostname=place[0]) as secure,
        ):
            found = secure.getpeercert() or {}
    except ssl.SSLCertVerificationError as error:
        raise Warned(f"the certificate of ORGCTX_BASE_URL: {error.verify_message}") from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Warned(f"ORGCTX_BASE_URL cannot be reached from here ({reason})") from None
    expires_at = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(found["notAfter"])), UTC)
    if expires_at < datetime.now(UTC) + timedelta(days=RENEWED_DAYS):
        raise Warned(f"the certificate of ORGCTX_BASE_URL expires {expires_at:%Y-%m-%d}: renew it")
    return f"the certificate of ORGCTX_BASE_URL is good until {expires_at:%Y-%m-%d}"

"""Check this machine: environment variables, C extensions and the TLS certificate."""

import json
import os
import resource
import socket
import ssl
from collections.abc import Iterable
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from urllib.parse import urlsplit
from urllib.request import urlopen

import psycopg

from orgctx.cli.doctor import CheckWarning, NotChecked
from orgctx.cli.errors import CommandError
from orgctx.config.settings import DEFAULT_BASE_URL, Config, ConfigError, default_workers
from orgctx.desk.settings import check, is_local
from orgctx.server import open_files

PREFIX = "ORGCTX_"
# Prefixes of variables that are not settings: tests and clients use them.
OTHER_VARIABLES = ("ORGCTX_TEST_", "ORGCTX_API_KEY")
RENEWAL_DAYS = 14
CONNECT_SECONDS = 5
NO_DESK = "ORGCTX_DESK_DATABASE_URL is not set here. Run doctor where the desk runs"


def check_names(environment: Iterable[str] = os.environ) -> str:
    """Check that every variable that begins with ORGCTX_ is a setting."""
    known = [PREFIX + field.name.upper() for field in fields(Config)]
    unknown = [
        f"Unknown setting {name}{_hint(name, known)}"
        for name in sorted(environment)
        if name.startswith(PREFIX) and name not in known and not name.startswith(OTHER_VARIABLES)
    ]
    if unknown:
        raise CheckWarning(" ".join(unknown))
    return "complete"


def describe_base_url(config: Config) -> str:
    """Say which base URL clients get."""
    if config.base_url:
        return f"configurations, links and the OpenAPI document name {config.base_url}"
    return (
        "ORGCTX_BASE_URL is not set: links and the OpenAPI document are relative, the page shows "
        f"the address in the browser, and `orgctx connect` prints {DEFAULT_BASE_URL}"
    )


def _hint(name: str, known: list[str]) -> str:
    matches = get_close_matches(name, known, 1)
    return f"; did you mean {matches[0]}?" if matches else "."


def count_workers() -> int:
    """Return WEB_CONCURRENCY, or the default number of workers.

    Raises CommandError if it is not positive; gunicorn would accept 0.
    """
    text = os.environ.get("WEB_CONCURRENCY")
    if text is None:
        return default_workers()
    if not text.isdecimal() or int(text) < 1:
        raise CommandError("WEB_CONCURRENCY must be an integer of at least 1.")
    return int(text)


def check_open_files(config: Config) -> str:
    """Check that a worker that starts here may open enough files for all its connections."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    count = open_files.needed(config)
    allowed_count = count if hard == resource.RLIM_INFINITY else hard
    if warning := open_files.warning(config, allowed_count):
        raise CheckWarning(f"{warning} A service manager may set another limit.")
    return f"a worker needs {count}, and may open as many"


def check_libraries() -> str:
    """Check that the C extensions that speed up the service are installed."""
    from redis.utils import HIREDIS_AVAILABLE

    installed = {"psycopg[binary]": psycopg.pq.__impl__ != "python", "hiredis": HIREDIS_AVAILABLE}
    if missing := [name for name, is_installed in installed.items() if not is_installed]:
        raise CheckWarning(
            f"Requests are slower without C extensions. Run `pip install {' '.join(missing)}`."
        )
    return f"psycopg ({psycopg.pq.__impl__}) and hiredis have C extensions"


def check_certificate(url: str, setting: str) -> str:
    """Check that the certificate of a URL is trusted and not expiring in RENEWAL_DAYS."""
    parts = urlsplit(url)
    address = (parts.hostname or "", parts.port or 443)
    context = ssl.create_default_context()
    try:
        with (
            socket.create_connection(address, CONNECT_SECONDS) as connection,
            context.wrap_socket(connection, server_hostname=address[0]) as tls_connection,
        ):
            certificate = tls_connection.getpeercert() or {}
    except ssl.SSLCertVerificationError as error:
        raise CheckWarning(
            f"The certificate of {setting} is not trusted: {error.verify_message}."
        ) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CheckWarning(f"{setting} is unreachable from this machine ({reason}).") from None
    expires_at = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(certificate["notAfter"])), UTC)
    if expires_at < datetime.now(UTC) + timedelta(days=RENEWAL_DAYS):
        raise CheckWarning(
            f"The certificate of {setting} expires on {expires_at:%Y-%m-%d}. Renew it."
        )
    return f"the certificate of {setting} is valid until {expires_at:%Y-%m-%d}"


def check_reads(config: Config) -> str:
    """Ask the desk whether it can read the record of reads, which only its own user can tell."""
    try:
        with urlopen(f"{config.desk_url}/healthz", timeout=CONNECT_SECONDS) as response:  # noqa: S310
            health = json.load(response)
    except (OSError, ValueError):
        raise NotChecked(f"no desk answers at {config.desk_url}/healthz") from None
    if health.get("reads"):
        raise CheckWarning(
            "The desk cannot read the record of reads. Let it read the file of ORGCTX_AUDIT_READS: "
            "docs/operations/reads.md."
        )
    return "the desk can show who read what, where the record of reads is on"


def has_desk(config: Config) -> bool:
    """Return whether a setting says that a desk runs."""
    return bool(config.desk_database_url or config.desk_bind or config.desk_url != Config.desk_url)


def check_desk_url(config: Config) -> str:
    """Say where and how members sign in."""
    url, has_tls = config.desk_url, config.desk_url.startswith("https:")
    if not config.desk_database_url and has_tls:
        raise NotChecked(NO_DESK)
    try:
        check(config)
    except ConfigError as error:
        raise CommandError("; ".join(error.errors)) from None
    if has_tls and not config.trusted_proxy_hops:
        raise CheckWarning(
            "ORGCTX_TRUSTED_PROXY_HOPS is 0, so the clients of the proxy that terminates TLS share "
            "one limit of attempts to sign in. Set the number of your proxies."
        )
    if not has_tls and not is_local(config):
        raise CheckWarning(
            f"The desk listens on {', '.join(config.desk_addresses)}, but answers only browsers on "
            f"this machine, at {url}. Set ORGCTX_DESK_URL to its https:// address."
        )
    how = f" and {config.desk_oidc_issuer}" if config.desk_oidc_issuer else ""
    return f"members sign in at {url}, with links{how}"

"""Validators of settings. Their messages never quote a value, because it may be a secret."""

import re
from collections.abc import Callable
from ipaddress import ip_address
from urllib.parse import urlsplit

from marshmallow import ValidationError, validate

from orgctx.config import urls
from orgctx.config.urls import each_host

# IPv6 addresses are in brackets.
ADDRESS = re.compile(
    r"unix:.+|fd://\d+|(?P<host>\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]*):(?P<port>\d{1,5})"
)
MAX_PORT = 65535
UNREADABLE_URL = (
    "cannot be read as a URL: percent-encode the characters of its password (/ as %2F, @ as %40, "
    ": as %3A), and give the port as a number"
)


def seconds(minimum: float, maximum: float) -> validate.Range:
    """Return a validator of durations in seconds, bounds included."""
    error = f"must be {minimum:g} to {maximum:g} seconds"
    return validate.Range(min=minimum, max=maximum, error=error)


def integer(minimum: int, maximum: int | None = None) -> validate.Range:
    """Return a validator of integers, bounds included. maximum: None for no bound."""
    bounds = f"of at least {minimum}" if maximum is None else f"from {minimum} to {maximum}"
    return validate.Range(min=minimum, max=maximum, error=f"must be an integer {bounds}")


def one_of(*choices: str) -> validate.OneOf:
    """Return a validator that accepts only these texts."""
    return validate.OneOf(choices, error=f"must be {' or '.join(choices)}")


def url(*schemes: str) -> Callable[[str], None]:
    """Return a validator of URLs with one of these schemes."""

    def check(value: str) -> None:
        try:
            parts = urlsplit(value)
            # Read the port now, because an error on a later read would quote the value.
            scheme, _ = parts.scheme, parts.port
        except ValueError:
            raise ValidationError(UNREADABLE_URL) from None
        if scheme not in schemes:
            allowed = ", ".join(f"{scheme}://" for scheme in schemes)
            raise ValidationError(f"must be a URL that starts with one of {allowed}")

    return check


def optional(check: Callable[[str], None]) -> Callable[[str], None]:
    """Return a validator that also accepts an empty string."""
    return lambda value: check(value) if value else None


base_url = optional(url("http", "https"))


def desk_url(value: str) -> None:
    """Accept an https origin, an http origin on loopback, or an empty string."""
    if value:
        url("http", "https")(value)
        parts = urlsplit(value)
        if not parts.hostname or parts.path.strip("/") or set("?#@") & set(value):
            raise ValidationError("must be an origin such as https://desk.example.com")
        _need_tls(value)


def issuer(value: str) -> None:
    """Accept the issuer of an OpenID Connect provider, or an empty string."""
    if value:
        url("http", "https")(value)
        if not urlsplit(value).hostname or set("?#@") & set(value):
            raise ValidationError("must be an issuer such as https://login.example.com")
        _need_tls(value)


def _need_tls(value: str) -> None:
    parts = urlsplit(value)
    if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
        raise ValidationError("must start with https://; http:// is only for loopback")


def is_loopback(host: str) -> bool:
    """Return whether an address or a host name belongs to this machine only."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def origins(values: list[str]) -> None:
    """Accept origins of web pages. Raises ValidationError, like all validators below."""
    for value in values:
        url("http", "https")(value.strip())


def redis(value: str) -> None:
    """Accept a Redis URL in one of the formats of `urls`."""
    from redis.connection import parse_url

    scheme = value.partition("://")[0]
    if scheme not in urls.SCHEMES:
        url(*urls.SCHEMES)(value)
    try:
        redis_address = urls.parse_redis_url(value)
        url(*urls.SCHEMES)(redis_address.url)
        parse_url(redis_address.url)  # type: ignore[no-untyped-call]
    except urls.UnusableUrl as error:
        raise ValidationError(str(error)) from None
    except ValueError:
        raise ValidationError(UNREADABLE_URL) from None


def postgresql(value: str) -> None:
    """Accept a postgresql:// URL or a libpq connection string."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    if not value.strip():
        raise ValidationError("is empty; it must be a postgresql:// URL or a libpq string")
    try:
        parts = conninfo_to_dict(value)
    except ProgrammingError:
        raise ValidationError("must be a postgresql:// URL or a libpq connection string") from None
    # If libpq parsed part of a password as one of these, its error messages would quote it.
    ports = str(parts.get("port") or "").split(",")
    hosts = str(parts.get("host") or "").split(",")
    # The host may be the directory or the abstract name (@name) of a socket.
    names = [host[1:] for host in hosts if not host.startswith("/")] + [str(parts.get("dbname"))]
    if not all(port.isdigit() for port in ports if port) or (
        "://" in value and any("@" in name for name in names)
    ):
        raise ValidationError(UNREADABLE_URL)


def replicas(value: str) -> None:
    """Accept what `postgresql` accepts, with any number of hosts."""
    postgresql(value)
    try:
        each_host(value)
    except ValueError:
        raise ValidationError("must have one port for all hosts, or one for each") from None


def addresses(value: str) -> None:
    """Accept HOST:PORT, unix:PATH or fd://NUMBER, separated by commas."""
    for item in filter(None, value.split(",")):
        match = ADDRESS.fullmatch(item.strip())
        if not match or int(match["port"] or 0) > MAX_PORT:
            raise ValidationError("must be HOST:PORT, such as 127.0.0.1:8000, or unix:PATH")


def address(value: str) -> None:
    """Accept one HOST:PORT, or an empty string."""
    addresses(value)
    match = ADDRESS.fullmatch(value)
    if value and not (match and match["port"]):
        raise ValidationError("must be one HOST:PORT, such as 127.0.0.1:9100")


# An absolute path, or an empty string.
absolute_path = validate.Regexp(
    r"/|\Z", error="must be an absolute path, such as /var/log/orgctx/reads.jsonl"
)


def log_level(value: str) -> None:
    """Accept the name of a log level, in any case."""
    if value.upper() not in ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"):
        raise ValidationError("must be DEBUG, INFO, WARNING, ERROR or CRITICAL")

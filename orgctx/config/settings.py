"""Configuration: one frozen Config, read only from the environment.

Every setting is a variable with the prefix ORGCTX_; `.env` in the working
directory is read for local use. All faults are reported at once, by name and
never by value, because a value may be a secret.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import urlsplit

import environs
from marshmallow import ValidationError, validate

from orgctx.config import redis_url
from orgctx.config.database_url import each_host

# IPv6 addresses are in brackets.
ADDRESS = re.compile(
    r"unix:.+|fd://\d+|(?P<host>\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]*):(?P<port>\d{1,5})"
)
LAST_PORT = 65535
DEFAULT_PORT = 8000
MOST_WORKERS = 9
TRACES_NEED = "opentelemetry-exporter-otlp-proto-http"
UNREADABLE_URL = (
    "cannot be read as a URL: percent-encode the characters of its password (/ as %2F, @ as %40, "
    ": as %3A), and give the port as a number"
)


class ConfigError(Exception):
    """The environment cannot be used; `errors` holds one sentence for each variable."""

    def __init__(self, errors: list[str]) -> None:
        self.errors = errors
        super().__init__("; ".join(errors))


@dataclass(frozen=True, kw_only=True)
class Config:
    """All settings. Limits are requests in a window of 60 seconds.

    bind: what gunicorn listens on; empty for the loopback address and the port of base_url.
    database_prepare: auto, or off to prepare nothing and to take a pooler for granted.
    metrics_bind: HOST:PORT at which Prometheus reads metrics; empty to disable them.
    traces: whether requests are traced, as the variables OTEL_* say.
    log_client_address: whether a request's log line includes the client's address.
    """

    database_url: str
    admin_database_url: str
    database_read_url: str
    redis_url: str
    base_url: str = "http://127.0.0.1:8000"
    request_timeout_seconds: float = 10.0
    trusted_proxy_hops: int = 0
    ipv6_prefix: int = 64
    connections_per_address: int = 512
    head_timeout_seconds: float = 10.0
    limit_key: int = 120
    limit_organization: int = 600
    limit_ip: int = 300
    limit_key_top: int = 360
    limit_organization_top: int = 1800
    top_holding_units: int = 25_000
    log_level: str = "INFO"
    log_format: str = "json"
    mcp_allowed_origins: tuple[str, ...] = ()
    database_pool_size: int = 4
    database_prepare: str = "auto"
    replica_max_lag_seconds: float = 10.0
    bind: str = ""
    log_client_address: bool = True
    metrics_bind: str = ""
    traces: bool = False

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses in `bind`, else loopback with the base URL's port."""
        if given := tuple(address.strip() for address in self.bind.split(",") if address.strip()):
            return given
        return (f"127.0.0.1:{urlsplit(self.base_url).port or DEFAULT_PORT}",)

    @property
    def prepares(self) -> bool:
        """Whether statements may be prepared."""
        return self.database_prepare == "auto"

    @classmethod
    def from_environment(cls) -> Config:
        """Read ORGCTX_* (and `.env`). Raises ConfigError naming every unusable variable."""
        env = environs.Env(eager=False, prefix="ORGCTX_")
        env.read_env(".env", recurse=False)
        database_url = env.str("DATABASE_URL", validate=_postgresql)
        at_least_one = validate.Range(min=1, error="must be an integer of at least 1")
        values: dict[str, Any] = {
            "database_url": database_url,
            "admin_database_url": env.str("ADMIN_DATABASE_URL", None, validate=_postgresql)
            or database_url,
            "database_read_url": env.str("DATABASE_READ_URL", None, validate=_replicas)
            or database_url,
            "replica_max_lag_seconds": env.float(
                "REPLICA_MAX_LAG_SECONDS",
                cls.replica_max_lag_seconds,
                validate=validate.Range(min=0.1, max=600, error="must be 0.1 to 600 seconds"),
            ),
            "redis_url": env.str("REDIS_URL", validate=_redis),
            "base_url": (
                env.str("BASE_URL", cls.base_url, validate=_url("http", "https")) or ""
            ).rstrip("/"),
            "request_timeout_seconds": env.float(
                "REQUEST_TIMEOUT_SECONDS",
                cls.request_timeout_seconds,
                validate=validate.Range(min=0.1, max=300, error="must be 0.1 to 300 seconds"),
            ),
            "head_timeout_seconds": env.float(
                "HEAD_TIMEOUT_SECONDS",
                cls.head_timeout_seconds,
                validate=validate.Range(min=0.1, max=300, error="must be 0.1 to 300 seconds"),
            ),
            "ipv6_prefix": env.int(
                "IPV6_PREFIX",
                cls.ipv6_prefix,
                validate=validate.Range(min=32, max=128, error="must be an integer from 32 to 128"),
            ),
            "trusted_proxy_hops": env.int(
                "TRUSTED_PROXY_HOPS",
                cls.trusted_proxy_hops,
                validate=validate.Range(min=0, max=20, error="must be an integer from 0 to 20"),
            ),
            "log_level": (env.str("LOG_LEVEL", cls.log_level, validate=_log_level) or "").upper(),
            "database_prepare": env.str(
                "DATABASE_PREPARE",
                cls.database_prepare,
                validate=validate.OneOf(("auto", "off"), error="must be auto or off"),
            ),
            "log_format": env.str(
                "LOG_FORMAT",
                cls.log_format,
                validate=validate.OneOf(("json", "text"), error="must be json or text"),
            ),
            "mcp_allowed_origins": tuple(
                env.list("MCP_ALLOWED_ORIGINS", [], validate=_origins) or ()
            ),
            "bind": env.str("BIND", cls.bind, validate=_addresses),
            "metrics_bind": env.str("METRICS_BIND", cls.metrics_bind, validate=_address),
            "traces": env.bool("TRACES", cls.traces, validate=_traceable),
            "log_client_address": env.bool("LOG_CLIENT_ADDRESS", cls.log_client_address),
        }
        for name in (
            "limit_key",
            "limit_organization",
            "limit_ip",
            "limit_key_top",
            "limit_organization_top",
            "connections_per_address",
            "top_holding_units",
            "database_pool_size",
        ):
            values[name] = env.int(name.upper(), getattr(cls, name), validate=at_least_one)
        try:
            env.seal()
        except environs.EnvValidationError as error:
            raise ConfigError(_messages(error)) from None
        return cls(**values)


def split_address(address: str) -> tuple[str, int]:
    """Host, without brackets, and port of HOST:PORT."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


def default_workers() -> int:
    """Number of worker processes: one per core, at least two."""
    return max(2, min(os.cpu_count() or 1, MOST_WORKERS))


def variable(name: str) -> str:
    """ORGCTX_<name> from the environment or `.env`; empty if not set."""
    env = environs.Env(prefix="ORGCTX_")
    env.read_env(".env", recurse=False)
    return env.str(name, "") or ""


def _messages(error: environs.EnvValidationError) -> list[str]:
    """One sentence for each variable, in the order they were read."""
    messages = dict(error.error_messages)  # type: ignore[arg-type]
    return [f"{name}: {' '.join(map(str, texts))}" for name, texts in messages.items()]


def _url(*schemes: str) -> Callable[[str], None]:
    def check(value: str) -> None:
        try:
            parts = urlsplit(value)
            # Read now, because an error on a later read would quote the value.
            scheme, _ = parts.scheme, parts.port
        except ValueError:
            raise ValidationError(UNREADABLE_URL) from None
        if scheme not in schemes:
            allowed = ", ".join(f"{scheme}://" for scheme in schemes)
            raise ValidationError(f"must be a URL that starts with one of {allowed}")

    return check


def _origins(values: list[str]) -> None:
    for value in values:
        _url("http", "https")(value.strip())


def _redis(value: str) -> None:
    from redis.connection import parse_url

    scheme = value.partition("://")[0]
    if scheme not in redis_url.SCHEMES:
        _url(*redis_url.SCHEMES)(value)
    try:
        place = redis_url.parse(value)
        _url(*redis_url.SCHEMES)(place.url)
        parse_url(place.url)  # type: ignore[no-untyped-call]
    except redis_url.Fault as fault:
        raise ValidationError(str(fault)) from None
    except ValueError:
        raise ValidationError(UNREADABLE_URL) from None


def _postgresql(value: str) -> None:
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
    if not all(port.isdigit() for port in ports if port) or (
        "://" in value and "@" in str(parts.get("dbname"))
    ):
        raise ValidationError(UNREADABLE_URL)


def _replicas(value: str) -> None:
    _postgresql(value)
    try:
        each_host(value)
    except ValueError:
        raise ValidationError("needs one port for all hosts, or one for each") from None


def _addresses(value: str) -> None:
    """HOST:PORT, unix:PATH or fd://NUMBER, separated by commas."""
    for address in filter(None, value.split(",")):
        found = ADDRESS.fullmatch(address.strip())
        if not found or int(found["port"] or 0) > LAST_PORT:
            raise ValidationError("must be HOST:PORT, such as 127.0.0.1:8000, or unix:PATH")


def _address(value: str) -> None:
    """HOST:PORT, or nothing."""
    _addresses(value)
    found = ADDRESS.fullmatch(value)
    if value and not (found and found["port"]):
        raise ValidationError("must be one HOST:PORT, such as 127.0.0.1:9100")


def _traceable(is_on: bool) -> None:
    if not is_on:
        return
    try:
        version(TRACES_NEED)
    except PackageNotFoundError:
        raise ValidationError("needs OpenTelemetry: pip install 'orgctx[otel]'") from None


def _log_level(value: str) -> None:
    if value.upper() not in ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"):
        raise ValidationError("must be DEBUG, INFO, WARNING, ERROR or CRITICAL")

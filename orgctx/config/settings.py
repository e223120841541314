"""Configuration: one frozen Config, read only from the environment.

Every setting is a variable with the prefix ORGCTX_; `.env` in the working directory is read for
local use. All errors are reported at once, by name and never by value, because a value may be a
secret.
"""

import os
from contextlib import suppress
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environs

from orgctx.config import validators

# Validators of settings by name.
SECONDS = {
    "request_timeout_seconds": validators.seconds(0.1, 300),
    "search_timeout_seconds": validators.seconds(0.1, 300),
    "head_timeout_seconds": validators.seconds(0.1, 300),
}
# Numbers of at least 1.
COUNTS = (
    *("limit_key", "limit_organization", "limit_ip", "limit_page", "limit_key_top"),
    *("limit_organization_top", "connections_per_address", "top_holding_units"),
    "database_pool_size",
)
INTEGERS = {
    "trusted_proxy_hops": validators.integer(0, 20),
    **dict.fromkeys(COUNTS, validators.integer(1)),
}
TEXTS = {
    "log_format": validators.one_of("json", "text"),
    "bind": validators.addresses,
    "desk_bind": validators.addresses,
    "metrics_bind": validators.address,
    "desk_metrics_bind": validators.address,
    "audit_reads": validators.absolute_path,
    "desk_oidc_issuer": validators.issuer,
    "desk_oidc_client_id": None,
    "desk_oidc_client_secret": None,
}
SWITCHES = {"log_client_address": None}
# Settings that must be set together, and the error if only some are.
OF_PROVIDER = ("desk_oidc_issuer", "desk_oidc_client_id", "desk_oidc_client_secret")
INCOMPLETE_PROVIDER = (
    "ORGCTX_DESK_OIDC_ISSUER: needs ORGCTX_DESK_OIDC_CLIENT_ID and "
    "ORGCTX_DESK_OIDC_CLIENT_SECRET; set all three or none"
)
# Where the service listens, and what commands assume, unless settings say otherwise.
DEFAULT_PORT, DEFAULT_DESK_PORT = 8000, 8010
# The message of environs about a missing variable, which names no accepted value.
NOT_SET = "Environment variable not set."
EXAMPLES = {
    "ORGCTX_DATABASE_URL": "postgresql://orgctx:PASSWORD@127.0.0.1/orgctx",
    "ORGCTX_REDIS_URL": "redis://127.0.0.1:6379/0",
}
DEFAULT_BASE_URL = f"http://127.0.0.1:{DEFAULT_PORT}"
MAX_WORKERS = 9


class ConfigError(Exception):
    """The settings are invalid; `errors` contains one sentence for each variable."""

    def __init__(self, errors: list[str]) -> None:
        self.errors = errors
        super().__init__("; ".join(errors))


@dataclass(frozen=True, kw_only=True)
class Config:
    """All settings. Limits are numbers of requests in a window of 60 seconds."""

    database_url: str
    admin_database_url: str
    database_read_url: str
    # The URL with a login that may SET ROLE orgctx_desk; empty if the setting is missing.
    desk_database_url: str
    redis_url: str
    # Where clients reach the service; empty if unknown. Then links are relative.
    base_url: str = ""
    request_timeout_seconds: float = 10.0
    search_timeout_seconds: float = 3.0
    trusted_proxy_hops: int = 0
    connections_per_address: int = 512
    head_timeout_seconds: float = 10.0
    limit_key: int = 120
    limit_organization: int = 600
    limit_ip: int = 300
    limit_page: int = 600
    limit_key_top: int = 360
    limit_organization_top: int = 1800
    top_holding_units: int = 25_000
    log_level: str = "INFO"
    log_format: str = "json"
    mcp_allowed_origins: tuple[str, ...] = ()
    database_pool_size: int = 4
    # The addresses that gunicorn listens on; empty for loopback and the port of base_url.
    bind: str = ""
    # Whether the log line of a request includes the client's address.
    log_client_address: bool = True
    # The file to which each read of records is written; empty to record none.
    audit_reads: str = ""
    # HOST:PORT at which Prometheus reads metrics; empty to disable metrics.
    metrics_bind: str = ""
    # Where owners reach the desk, and the addresses that it listens on; empty for loopback.
    desk_url: str = f"http://localhost:{DEFAULT_DESK_PORT}"
    desk_bind: str = ""
    desk_metrics_bind: str = ""
    # The OpenID Connect provider that authenticates members of the desk; empty for none.
    desk_oidc_issuer: str = ""
    desk_oidc_client_id: str = ""
    desk_oidc_client_secret: str = ""

    @property
    def desk_addresses(self) -> tuple[str, ...]:
        """The addresses in `desk_bind`, or loopback with the port of `desk_url`."""
        return _split(self.desk_bind) or (
            f"127.0.0.1:{urlsplit(self.desk_url).port or DEFAULT_DESK_PORT}",
        )

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses in `bind`, or loopback with the port of the base URL."""
        return _split(self.bind) or (f"127.0.0.1:{urlsplit(self.base_url).port or DEFAULT_PORT}",)

    @classmethod
    def from_environment(cls) -> "Config":
        """Read ORGCTX_* (and `.env`). Raises ConfigError, which names every invalid variable."""
        env = environs.Env(eager=False, prefix="ORGCTX_")
        env.read_env(".env", recurse=False)
        database_url = env.str("DATABASE_URL", validate=validators.postgresql)
        admin_url = env.str("ADMIN_DATABASE_URL", None, validate=validators.postgresql)
        read_url = env.str("DATABASE_READ_URL", None, validate=validators.replicas)
        desk_validator = validators.optional(validators.postgresql)
        desk_login = env.str("DESK_DATABASE_URL", "", validate=desk_validator)
        base_url = env.str("BASE_URL", cls.base_url, validate=validators.base_url)
        desk_url = env.str("DESK_URL", cls.desk_url, validate=validators.desk_url)
        log_level = env.str("LOG_LEVEL", cls.log_level, validate=validators.log_level)
        values: dict[str, Any] = {
            "database_url": database_url,
            "admin_database_url": admin_url or database_url,
            "database_read_url": read_url or database_url,
            "desk_database_url": desk_login or "",
            "redis_url": env.str("REDIS_URL", validate=validators.redis),
            "base_url": (base_url or "").rstrip("/"),
            "desk_url": origin(desk_url) if desk_url else cls.desk_url,
            "log_level": (log_level or "").upper(),
            "mcp_allowed_origins": tuple(
                env.list("MCP_ALLOWED_ORIGINS", [], validate=validators.origins) or ()
            ),
        }
        readers: tuple[tuple[Any, dict[str, Any]], ...] = (
            (env.float, SECONDS), (env.int, INTEGERS), (env.str, TEXTS), (env.bool, SWITCHES),
        )  # fmt: skip
        for read, validators_by_name in readers:
            for name, validator in validators_by_name.items():
                default = getattr(cls, name)
                values[name] = read(name.upper(), default, validate=validator)
        try:
            env.seal()
        except environs.EnvValidationError as error:
            raise ConfigError(_messages(error)) from None
        if len({bool(values[name]) for name in OF_PROVIDER}) > 1:
            raise ConfigError([INCOMPLETE_PROVIDER])
        return cls(**values)


def _split(addresses: str) -> tuple[str, ...]:
    return tuple(address.strip() for address in addresses.split(",") if address.strip())


def origin(url: str) -> str:
    """Return the origin of an http or https URL as browsers send it."""
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    default = {"http": 80, "https": 443}[parts.scheme]
    port = "" if parts.port in (None, default) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


def split_address(address: str) -> tuple[str, int]:
    """Return the host, without brackets, and the port of HOST:PORT."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


def default_workers(cgroups: Path = Path("/sys/fs/cgroup")) -> int:
    """Return the number of worker processes: one per core that this process may use, at least two.

    Args:
        cgroups: where cgroup v2 is mounted.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    # Without cgroup v2 there is no such file, and without a quota it says `max`.
    with suppress(OSError, ValueError):
        group = Path("/proc/self/cgroup").read_text().rpartition("::/")[2].strip()
        quota, period = map(int, (cgroups / group / "cpu.max").read_text().split())
        cores = min(cores or 1, ceil(quota / period))
    return max(2, min(cores or 1, MAX_WORKERS))


def variable(name: str) -> str:
    """ORGCTX_<name> from the environment or `.env`; empty if not set."""
    env = environs.Env(prefix="ORGCTX_")
    env.read_env(".env", recurse=False)
    return env.str(name, "") or ""


def _messages(error: environs.EnvValidationError) -> list[str]:
    """Return one sentence for each variable, in the order in which they are read."""
    messages = dict(error.error_messages)  # type: ignore[arg-type]
    return [
        f"{name}: is not set; set it to a URL such as {EXAMPLES[name]}, or run the command in the "
        "directory of a running demo"
        if NOT_SET in texts
        else f"{name}: {' '.join(map(str, texts))}"
        for name, texts in messages.items()
    ]

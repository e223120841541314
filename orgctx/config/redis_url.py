"""The formats of ORGCTX_REDIS_URL: one server, a cluster by any of its nodes, or Sentinels.

redis://…, rediss://…, unix://…                                    as redis-py reads them
redis+cluster://[USER:PASSWORD@]HOST:PORT[,HOST:PORT…]             rediss+cluster:// with TLS
redis+sentinel://[USER:PASSWORD@]HOST:PORT[,HOST:PORT…]/NAME[/DB]  rediss+sentinel:// with TLS

`?sentinel_username=…&sentinel_password=…` are for the Sentinels themselves. Error messages contain
no part of the URL, because it contains secrets.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

SCHEMES = (
    "redis", "rediss", "unix", "redis+cluster", "rediss+cluster", "redis+sentinel",
    "rediss+sentinel",
)  # fmt: skip
DEFAULT_PORTS = {"cluster": 6379, "sentinel": 26379}
SENTINEL_PREFIX = "sentinel_"
PARTS = re.compile(
    r"(?P<user>[^/?#]*@)?(?P<hosts>[^/?#@]*)(?P<path>/[^?#]*)?(\?(?P<query>[^#]*))?(?P<rest>#.*)?"
)


class UnusableUrl(ValueError):
    """Why a URL cannot be used, without any part of it."""


class RedisAddress(NamedTuple):
    """A parsed URL."""

    # server, cluster or sentinel.
    kind: str
    # The server or the first node, in redis-py's format; a placeholder host for Sentinels.
    url: str
    # Names and ports of the nodes or Sentinels.
    hosts: tuple[tuple[str, int], ...] = ()
    # The name of the master that the Sentinels watch.
    service: str = ""
    # Credentials for the Sentinels.
    sentinel: dict[str, str] = {}  # noqa: RUF012, never changed

    @property
    def is_encrypted(self) -> bool:
        return self.url.startswith("rediss://")


def parse(url: str) -> RedisAddress:
    """Parse a URL. Raises UnusableUrl, or another ValueError if it is not a URL."""
    scheme, _, location = url.partition("://")
    base, _, kind = scheme.partition("+")
    if not kind:
        return RedisAddress("server", url)
    match = PARTS.fullmatch(location)
    if match is None or match["rest"]:
        raise ValueError("not a URL")
    hosts = tuple(_host(text, DEFAULT_PORTS[kind]) for text in match["hosts"].split(","))
    options = dict(parse_qsl(match["query"] or "", keep_blank_values=True))
    sentinel = {
        name.removeprefix(SENTINEL_PREFIX): options.pop(name)
        for name in [*options]
        if name.startswith(SENTINEL_PREFIX)
    }
    path = (match["path"] or "").strip("/").split("/")
    service = unquote(path.pop(0)) if kind == "sentinel" else ""
    database = path.pop(0) if path else ""
    if kind == "sentinel" and not service:
        raise UnusableUrl(
            "lacks the name of the master. Add it after the Sentinels, such as HOST:26379/mymaster"
        )
    if path or not (database or "0").isdigit():
        raise ValueError("not a URL")
    if kind == "cluster" and int(database or 0):
        raise UnusableUrl("names a database, but a cluster has only database 0. Remove the path")
    host, port = hosts[0]
    name = f"[{host}]" if ":" in host else host
    query = f"?{urlencode(options)}" if options else ""
    first_url = f"{base}://{match['user'] or ''}{name}:{port}/{database or 0}{query}"
    return RedisAddress(kind, first_url, hosts, service, sentinel)


def _host(text: str, default_port: int) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    # Reading the port raises ValueError if it is not a number.
    host, port = parts.hostname, parts.port
    if not host or parts.path or parts.username is not None:
        raise ValueError("not a host")
    return host, port or default_port

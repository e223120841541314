"""Split the URLs of the database and of Redis. The only module with a private name of psycopg.

libpq spends its whole timeout on an unreachable host, so each host is tried separately with a share
of the time. psycopg can split a URL into attempts (lists of hosts and ports, names with several
addresses, standbys first, random order), but only in a private function.

ORGCTX_REDIS_URL names one server, a cluster by any of its nodes, or Sentinels:

redis://…, rediss://…, unix://…                                    as redis-py reads them
redis+cluster://[USER:PASSWORD@]HOST:PORT[,HOST:PORT…]             rediss+cluster:// with TLS
redis+sentinel://[USER:PASSWORD@]HOST:PORT[,HOST:PORT…]/NAME[/DB]  rediss+sentinel:// with TLS

`?sentinel_username=…&sentinel_password=…` are for the Sentinels themselves. Error messages contain
no part of the URL, because it contains secrets.
"""

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from psycopg._conninfo_attempts import conninfo_attempts
from psycopg.conninfo import conninfo_to_dict, make_conninfo

DEFAULT_PORT = "5432"


def hosts(url: str) -> list[bytes]:
    """Return a connection string for each address, in the order to try them.

    Raises psycopg.OperationalError if no name can be resolved.
    """
    return [
        make_conninfo("", **attempt).encode()
        for attempt in conninfo_attempts(conninfo_to_dict(url))
    ]


def each_host(url: str) -> dict[str, str]:
    """Return a connection string for each host in a URL, by its host and port.

    A host name may resolve to several addresses. Raises ValueError unless each host has a port, or
    all have the same one.
    """
    parts = conninfo_to_dict(url)
    lists = {
        name: str(parts[name]).split(",")
        for name in ("host", "hostaddr", "port")
        if parts.get(name)
    }
    count = max(map(len, lists.values()), default=1)
    if any(len(values) not in (1, count) for values in lists.values()):
        raise ValueError("one port for all hosts, or one for each")
    urls = {}
    for number in range(count):
        server = {name: values[number % len(values)] for name, values in lists.items()}
        host = server.get("host") or server.get("hostaddr") or "localhost"
        port = server.get("port") or DEFAULT_PORT
        urls[f"{host}:{port}"] = make_conninfo("", **{**parts, **server})
    return urls


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


def parse_redis_url(url: str) -> RedisAddress:
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

"""Split the URLs of the database and of Redis. The only module with a private name of psycopg.

libpq spends its whole timeout on an unreachable host, so each host is tried separately with a share
of the time. psycopg can split a URL into attempts (lists of hosts and ports, names with several
addresses, standbys first, random order), but only in a private function.

ORGCTX_REDIS_URL names one server, or a cluster by any of its nodes:

redis://…, rediss://…, unix://…                         as redis-py reads them
redis+cluster://[USER:PASSWORD@]HOST:PORT[,HOST:PORT…]  rediss+cluster:// with TLS

Error messages contain no part of the URL, because it contains secrets.
"""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

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


SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster")
DEFAULT_REDIS_PORT = 6379
PARTS = re.compile(r"(?P<user>[^/?#]*@)?(?P<nodes>[^/?#@]*)(?P<path>/[^?#]*)?(?P<query>\?[^#]*)?")


class UnusableUrl(ValueError):
    """Why a URL cannot be used, without any part of it."""


class RedisAddress(NamedTuple):
    """A parsed URL."""

    url: str  # the server or the first node, in redis-py's format
    nodes: tuple[tuple[str, int], ...] = ()  # names and ports of the nodes of a cluster


def parse_redis_url(url: str) -> RedisAddress:
    """Parse a URL. Raises UnusableUrl, or another ValueError if it is not a URL."""
    scheme, _, location = url.partition("://")
    base, _, kind = scheme.partition("+")
    if not kind:
        return RedisAddress(url)
    match = PARTS.fullmatch(location)
    if match is None:
        raise ValueError("not a URL")
    nodes = tuple(map(_node, match["nodes"].split(",")))
    database = (match["path"] or "").strip("/")
    if not (database or "0").isdigit():
        raise ValueError("not a URL")
    if int(database or 0):
        raise UnusableUrl("names a database, but a cluster has only database 0. Remove the path")
    host, port = nodes[0]
    name = f"[{host}]" if ":" in host else host
    first = f"{base}://{match['user'] or ''}{name}:{port}/0{match['query'] or ''}"
    return RedisAddress(first, nodes)


def _node(text: str) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    # Reading the port raises ValueError if it is not a number.
    host, port = parts.hostname, parts.port
    if not host or parts.path or parts.username is not None:
        raise ValueError("not a host")
    return host, port or DEFAULT_REDIS_PORT

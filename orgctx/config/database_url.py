"""Split a database URL into its hosts. The only module that uses a private name of psycopg.

libpq spends its whole timeout on an unreachable host, so each host is tried separately with a share
of the time. psycopg can split a URL into attempts (lists of hosts and ports, names with several
addresses, standbys first, random order), but only in a private function.
"""

from __future__ import annotations

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

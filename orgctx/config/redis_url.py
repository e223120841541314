"""The forms of ORGCTX_REDIS_URL: one server, a cluster by any of its nodes, or Sentinels.

redis://…, rediss://…, unix://…                                    as redis-py reads them
redis+cluster://[USER:PASSWORD@]HOST:PORT[,HOST:PORT…]             rediss+cluster:// with TLS
redis+sentinel://[USER:PASSWORD@]HOST:PORT[,HOST:PORT…]/NAME[/DB]  rediss+sentinel:// with TLS

`?sentinel_username=…&sentinel_password=…` are for the Sentinels themselves. Messages never quote.
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
OF_SENTINELS = "sentinel_"
PARTS = re.compile(
    r"(?P<user>[^/?#]*@)?(?P<hosts>[^/?#@]*)(?P<path>/[^?#]*)?(\?(?P<query>[^#]*))?(?P<rest>#.*)?"
)


class Fault(ValueError):
    """Why a URL cannot be used, without any part of it."""


class Place(NamedTuple):
    """Where the counters are.

    kind: server, cluster or sentinel. url: of the server, or of the first node, as redis-py reads
    it; for Sentinels, of the master but for its address. hosts: of a cluster or Sentinels, by name
    and port. service: the master's name; sentinel: what the Sentinels ask for.
    """

    kind: str
    url: str
    hosts: tuple[tuple[str, int], ...] = ()
    service: str = ""
    sentinel: dict[str, str] = {}  # noqa: RUF012, never changed

    @property
    def is_encrypted(self) -> bool:
        return self.url.startswith("rediss://")


def parse(url: str) -> Place:
    """Read a URL. Raises Fault, or ValueError if it cannot be read at all."""
    scheme, _, whole = url.partition("://")
    base, _, kind = scheme.partition("+")
    if not kind:
        return Place("server", url)
    found = PARTS.fullmatch(whole)
    if found is None or found["rest"]:
        raise ValueError("no URL")
    hosts = tuple(_host(one, DEFAULT_PORTS[kind]) for one in found["hosts"].split(","))
    given = dict(parse_qsl(found["query"] or "", keep_blank_values=True))
    own = {name: value for name, value in given.items() if not name.startswith(OF_SENTINELS)}
    sentinel = {name.removeprefix(OF_SENTINELS): value for name, value in given.items()
                if name.startswith(OF_SENTINELS)}  # fmt: skip
    path = (found["path"] or "").strip("/").split("/")
    service = unquote(path.pop(0)) if kind == "sentinel" else ""
    database = path.pop(0) if path else ""
    if kind == "sentinel" and not service:
        raise Fault("lacks the master's name after the Sentinels, such as HOST:26379/mymaster")
    if path or not (database or "0").isdigit():
        raise ValueError("no URL")
    if kind == "cluster" and int(database or 0):
        raise Fault("names a database, but a cluster has only the database 0")
    host, port = hosts[0]
    name = f"[{host}]" if ":" in host else host
    query = f"?{urlencode(own)}" if own else ""
    first = f"{base}://{found['user'] or ''}{name}:{port}/{database or 0}{query}"
    return Place(kind, first, hosts, service, sentinel)


def _host(text: str, default_port: int) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    # Reading the port raises ValueError if it is no number.
    host, port = parts.hostname, parts.port
    if not host or parts.path or parts.username is not None:
        raise ValueError("no host")
    return host, port or default_port

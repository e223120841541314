"""The hosts of a database URL, one by one. The only module that uses a private name of psycopg.

libpq waits for a host that says nothing as long as it may wait at all, so each is asked with a
share of the time. psycopg knows how to take a URL apart (lists of hosts and ports, names with
several addresses, standbys first, random order) and offers that to itself only.
"""

from __future__ import annotations

from psycopg._conninfo_attempts import conninfo_attempts
from psycopg.conninfo import conninfo_to_dict, make_conninfo


def hosts(url: str) -> list[bytes]:
    """A connection string for each address, in the order of trying.

    Raises psycopg.OperationalError if no name can be resolved.
    """
    return [make_conninfo("", **one).encode() for one in conninfo_attempts(conninfo_to_dict(url))]

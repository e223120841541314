"""The hosts of a database URL, one by one. The only module that uses a private name of psycopg.

libpq spends its whole timeout on a silent host, so each host is tried separately with a share of
the time. psycopg can split a URL into attempts (lists of hosts and ports, names with several
addresses, standbys first, random order), but only in a private function.
"""

from __future__ import annotations

from psycopg._conninfo_attempts import conninfo_attempts
from psycopg.conninfo import conninfo_to_dict, make_conninfo


def hosts(url: str) -> list[bytes]:
    """A connection string for each address, in the order to try them.

    Raises psycopg.OperationalError if no name can be resolved.
    """
    return [make_conninfo("", **one).encode() for one in conninfo_attempts(conninfo_to_dict(url))]

"""How many sockets the process may open."""

from __future__ import annotations

import resource


def raise_open_files(count: int) -> None:
    """Allow so many, or as many as the system lets this user have; never fewer than now.

    The usual soft limit of 1,024 is meant for programs that know no better.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and wanted > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))

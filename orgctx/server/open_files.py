"""Raise the number of files, and so sockets, that the process may open."""

from __future__ import annotations

import resource


def raise_open_files(count: int) -> None:
    """Allow `count` open files, or the hard limit if that is lower; never fewer than now.

    The usual soft limit of 1,024 exists for programs that use `select`.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and limit > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))

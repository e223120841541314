"""How many files, and so sockets, a worker may open, and how many of them are for clients."""

import resource

# A connection costs about 12 KiB of memory.
MAX_CONNECTIONS = 4096
# Of the files of a worker, three eighths are for clients and as many for the connections to Redis
# that their requests may need. The others are for PostgreSQL, listeners, logs and modules, and for
# clients that wait to be rejected or closed, an eighth of those that are served.
CLIENT_SHARE, WAITING_SHARE = 3 / 8, 1 / 8
NEEDED = round(MAX_CONNECTIONS / CLIENT_SHARE)


def raise_limit() -> int:
    """Raise the limit to what a worker needs, or to the hard limit. Returns the limit.

    The usual soft limit of 1,024 exists for programs that use `select`.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = NEEDED if hard == resource.RLIM_INFINITY else min(NEEDED, hard)
    if soft != resource.RLIM_INFINITY and wanted > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return limit()


def limit() -> int:
    """Return how many files this process may open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 2**31 if soft == resource.RLIM_INFINITY else soft


def clients(files: int) -> int:
    """Return how many client connections a worker serves at once with this many open files."""
    return min(MAX_CONNECTIONS, int(files * CLIENT_SHARE))


def waiting(files: int) -> int:
    """Return how many more connections a worker accepts in order to reject or close some."""
    return int(clients(files) * WAITING_SHARE)


def warning(files: int) -> str:
    """Return what an operator should change, or an empty text."""
    if files >= NEEDED:
        return ""
    return (
        f"A worker may open only {files} files, so it serves {clients(files)} connections instead "
        f"of {MAX_CONNECTIONS}. Raise the hard limit to {NEEDED} (LimitNOFILE of systemd, ulimits "
        "of Compose, `ulimit -Hn`)."
    )

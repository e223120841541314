"""How many files, and so sockets, a worker needs, may open, and keeps for clients."""

import resource

from orgctx.config.settings import Config
from orgctx.config.urls import each_host

# A connection costs about 12 KiB of memory.
MAX_CONNECTIONS = 4096
# Listeners, event loop, logs, metrics, modules that are loaded late.
RESERVED = 64
# Connections that wait to be rejected or closed: at most 512, and at most an eighth of the files.
MAX_WAITING, WAITING_SHARE = 512, 8


def needed(config: Config) -> int:
    """Return how many files a worker with all its connections opens.

    A request may need a connection to Redis in addition to that of its client.
    """
    return 2 * MAX_CONNECTIONS + MAX_WAITING + _fixed(config)


def raise_limit(config: Config) -> int:
    """Raise the limit to what a worker needs, or to the hard limit. Returns the limit.

    The usual soft limit of 1,024 exists for programs that use `select`.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = needed(config) if hard == resource.RLIM_INFINITY else min(needed(config), hard)
    if soft != resource.RLIM_INFINITY and wanted > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return limit()


def limit() -> int:
    """Return how many files this process may open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 2**31 if soft == resource.RLIM_INFINITY else soft


def clients(config: Config, files: int) -> int:
    """Return how many client connections a worker serves at once with this many open files."""
    return max(1, min(MAX_CONNECTIONS, (files - _fixed(config) - waiting(files)) // 2))


def waiting(files: int) -> int:
    """Return how many more connections a worker accepts in order to reject or close some."""
    return min(MAX_WAITING, files // WAITING_SHARE)


def warning(config: Config, files: int) -> str:
    """Return what an operator should change, or an empty text."""
    count = needed(config)
    if files >= count:
        return ""
    return (
        f"A worker may open only {files} files, so it serves {clients(config, files)} connections "
        f"instead of {MAX_CONNECTIONS}. Raise the hard limit to {count} (LimitNOFILE of systemd, "
        "ulimits of Compose, `ulimit -Hn`)."
    )


def _fixed(config: Config) -> int:
    """Return how many files a worker needs besides the connections of its requests."""
    replicas = each_host(config.database_read_url)
    count = len(replicas) if config.database_read_url != config.database_url else 0
    return RESERVED + config.database_pool_size * (1 + count)

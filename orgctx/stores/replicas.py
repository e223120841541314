"""Read replicas beside the primary.

A replica answers only if its data have the version of the primary's, so no lag is measured
(docs/decisions.md, 14). One that does not respond is left out for a while.
"""

import logging
from itertools import count
from time import monotonic

from orgctx.config.settings import Config
from orgctx.config.urls import each_host
from orgctx.errors import ApiError
from orgctx.observability.logs import log_server
from orgctx.stores.db import LIST_MIGRATIONS
from orgctx.stores.deadline import Deadline
from orgctx.stores.pool import Pool

OK, UNREACHABLE = "ok", "unreachable"
# How long a replica that failed is left out, and how long it may take to respond afterwards.
RETRY_SECONDS, ASK_SECONDS = 5.0, 0.5


class Replica:
    """One replica. name: its host and port. pool: its connections."""

    def __init__(self, name: str, url: str, config: Config) -> None:
        self.name = name
        self.pool = Pool.configured(url, config)
        self.state = OK
        self._retry_at = 0.0

    def is_usable(self) -> bool:
        """Return whether it may be asked now. Asks one that was left out for long enough."""
        if self.state == UNREACHABLE and monotonic() >= self._retry_at:
            self.check()
        return self.state == OK

    def check(self) -> None:
        """Set the state to what a short query shows."""
        # Others do not wait for it meanwhile.
        self._retry_at = monotonic() + RETRY_SECONDS
        try:
            self.pool.query(LIST_MIGRATIONS, {}, Deadline(ASK_SECONDS))
            self._set(OK)
        except ApiError:
            self._set(UNREACHABLE)

    def leave_out(self) -> None:
        """Do not use it for a while, because a request failed."""
        self._retry_at = monotonic() + RETRY_SECONDS
        self._set(UNREACHABLE)

    def _set(self, state: str) -> None:
        if state != self.state:
            self.state = state
            level = logging.INFO if state == OK else logging.WARNING
            log_server(level, f"read replica {self.name}: {state}")


class Replicas:
    """The servers of ORGCTX_DATABASE_READ_URL; none if that is ORGCTX_DATABASE_URL."""

    def __init__(self, config: Config) -> None:
        has_replicas = config.database_read_url != config.database_url
        urls = each_host(config.database_read_url) if has_replicas else {}
        self.all = [Replica(name, url, config) for name, url in urls.items()]
        self._turns = count()

    def in_turn(self) -> list[Replica]:
        """Return the replicas that may be asked now. Each call starts with another one."""
        usable = [replica for replica in self.all if replica.is_usable()]
        start = next(self._turns) % max(1, len(usable))
        return usable[start:] + usable[:start]

    def check(self) -> None:
        """Check each of them."""
        for replica in self.all:
            replica.check()

    def close(self) -> None:
        for replica in self.all:
            replica.pool.close()

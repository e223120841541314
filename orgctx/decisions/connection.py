"""The desk's connection: a role that may decide and read, and nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import errors
from psycopg.pq import TransactionStatus
from psycopg.rows import dict_row

from orgctx.decisions.decision import DecisionRejected
from orgctx.errors import ServiceUnavailable
from orgctx.stores.db import run
from orgctx.stores.pool import NOT_MIGRATED, reason_of

DESK_ROLE = "orgctx_desk"
CONNECT_SECONDS = 5
# A preview scans texts between two statements, for some seconds.
LIMITS = {"statement_timeout": "30s", "lock_timeout": "5s", "idle_timeout": "60s"}
NESTED = (TransactionStatus.ACTIVE, TransactionStatus.INTRANS, TransactionStatus.INERROR)
# Another transaction is deciding or loading.
BUSY = (errors.LockNotAvailable, errors.DeadlockDetected)


class DeskUnavailable(ServiceUnavailable):
    """The desk cannot use its database. The message tells operators why and what to do."""


class MissingPrivilege(DeskUnavailable):
    """The login of the desk must not become DESK_ROLE, or the role lacks a privilege."""


class DeskConnection(psycopg.Connection[dict[str, Any]]):
    """Runs statements only within `transaction`, which sets the role and the limits.

    They are set in each transaction, because behind a pooler no setting lasts longer.
    """

    def cursor(self, *args: Any, **options: Any) -> Any:
        if self.info.transaction_status == TransactionStatus.IDLE:
            raise psycopg.ProgrammingError("Run statements of the desk within transaction().")
        return super().cursor(*args, **options)

    @contextmanager
    def transaction(
        self, savepoint_name: str | None = None, force_rollback: bool = False
    ) -> Iterator[psycopg.Transaction]:
        """Begin a transaction as DESK_ROLE, or a savepoint within one.

        Raises:
            DecisionRejected: another transaction locks the same rows, or it took too long.
            DeskUnavailable: the database is unreachable or lacks the role or its privileges.
        """
        is_first = self.info.transaction_status not in NESTED
        try:
            with super().transaction(savepoint_name, force_rollback) as transaction:
                if is_first:
                    run(self, "decisions/become_desk", role=DESK_ROLE, **LIMITS)
                yield transaction
        except psycopg.Error as error:
            if is_first and (explained := _explained(error)):
                raise explained from error
            raise


def connect(url: str) -> DeskConnection:
    """Open an autocommit connection for decisions, whose rows are dicts.

    Args:
        url: ORGCTX_DESK_DATABASE_URL.

    Raises:
        DeskUnavailable: the database is unreachable.
    """
    try:
        return DeskConnection.connect(
            url,
            autocommit=True,
            row_factory=dict_row,
            connect_timeout=CONNECT_SECONDS,
            client_encoding="UTF8",
            application_name="orgctx desk",
            prepare_threshold=None,
        )
    except psycopg.Error as error:
        if explained := _explained(error):
            raise explained from error
        raise


def _explained(error: psycopg.Error) -> Exception | None:
    """Return the error for a caller, without anything of the connection string; None for a bug."""
    if isinstance(error, BUSY):
        return DecisionRejected(
            "Another decision or a load is changing the same records. Nothing was changed. "
            "Try again."
        )
    if isinstance(error, errors.QueryCanceled):
        return DecisionRejected("The database took too long. Nothing was changed. Try again.")
    if isinstance(error, errors.InsufficientPrivilege):
        return MissingPrivilege(
            f"The desk's login lacks a privilege ({error.diag.message_primary}). Run `orgctx "
            "migrate` where ORGCTX_DESK_DATABASE_URL is set. In a trial without it, a superuser "
            f"must run: GRANT {DESK_ROLE} TO the login of ORGCTX_ADMIN_DATABASE_URL;"
        )
    if isinstance(error, NOT_MIGRATED):
        return DeskUnavailable(
            "The database lacks tables or roles of this version. Run `orgctx migrate`."
        )
    if isinstance(error, psycopg.OperationalError):
        reason = reason_of(error) or "see that it runs"
        return DeskUnavailable(
            f"The database of ORGCTX_DESK_DATABASE_URL is unavailable ({reason}). Try again later."
        )
    return None

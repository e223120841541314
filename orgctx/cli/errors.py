"""Messages for failed commands: what failed and what to do, without tracebacks, connection strings
or keys."""

from __future__ import annotations

import errno
import sys
from contextlib import suppress

import psycopg
from click import ClickException
from psycopg import errors

from orgctx.cli.output import printable
from orgctx.config.settings import ConfigError
from orgctx.errors import ApiError
from orgctx.importers.extra import MissingExtraError

# No space left, quota exceeded, file too large.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class CommandError(ClickException):
    """A command that was refused or failed: one line on standard error, exit status 1.

    A message may quote names from outside; no line of it commands the terminal.
    """

    def __init__(self, message: str) -> None:
        super().__init__("\n".join(map(printable, message.split("\n"))))


def explain(error: Exception) -> ClickException:
    """The error of a command as its operator should see it."""
    if isinstance(error, ConfigError):
        lines = "".join(f"\n  {fault}" for fault in error.faults)
        return CommandError(f"the environment cannot be used; correct these variables:{lines}")
    if isinstance(error, psycopg.Error):
        return CommandError(_database(error))
    if isinstance(error, ApiError):
        return CommandError(error.message)
    if isinstance(error, MissingExtraError):
        return CommandError(str(error))
    if isinstance(error, OSError) and error.strerror:
        name = f"{error.filename}: " if error.filename else ""
        if error.errno in FULL:
            # Otherwise the process would try to write the rest once more at its end.
            with suppress(OSError):
                sys.stdout.close()
            return CommandError(f"{name}{error.strerror}; free some space and run it again")
        return CommandError(f"{name}{error.strerror}; check the path and its permissions")
    return CommandError(
        f"a fault in orgctx itself ({_place(error)}): report it with the command that you ran"
    )


def reason(error: psycopg.Error) -> str:
    """The message of the server or libpq, on one line."""
    return error.diag.message_primary or " ".join(str(error).split()) or type(error).__name__


def _database(error: psycopg.Error) -> str:
    if isinstance(error, errors.UndefinedTable | errors.UndefinedColumn):
        return "the database lacks tables of this version: run `orgctx migrate`"
    if isinstance(error, errors.InsufficientPrivilege):
        return (
            f"the login of ORGCTX_ADMIN_DATABASE_URL may not do this ({reason(error)}): "
            "name one that owns the tables"
        )
    if _is_full(error):
        return (
            f"the database server has no space left ({reason(error)}), so nothing was changed: "
            "free some there, or raise its limit, and run it again"
        )
    if isinstance(error, errors.DeadlockDetected):
        return "another command was changing the same rows, so nothing was changed: run it again"
    if isinstance(error, psycopg.OperationalError):
        return f"the database did not answer ({reason(error)}): check ORGCTX_ADMIN_DATABASE_URL"
    return f"the database refused the command ({reason(error)})"


def _is_full(error: psycopg.Error) -> bool:
    """Whether the server had no space to write. It has an error code only for a full disk; a quota
    and a limit on file size are general errors with a hint."""
    if isinstance(error, errors.DiskFull | errors.ConfigurationLimitExceeded):
        return True
    return isinstance(error, errors.InternalError_) and "disk space" in str(error.diag.message_hint)


def _place(error: Exception) -> str:
    """The class and place of an unexpected error, without its text, which may hold a secret."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    where = f" at {trace.tb_frame.f_code.co_name}:{trace.tb_lineno}" if trace else ""
    return f"{type(error).__name__}{where}"

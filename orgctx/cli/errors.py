"""Messages of failed commands."""

import errno
import sys
from contextlib import suppress
from pathlib import Path
from traceback import extract_tb

import psycopg
from click import ClickException
from click import confirm as click_confirm
from psycopg import errors

import orgctx
from orgctx.cli.output import printable_lines
from orgctx.config.settings import ConfigError
from orgctx.decisions import DecisionRejected
from orgctx.errors import ApiError, ServiceUnavailable
from orgctx.imports import ImportFailed
from orgctx.stores.pool import TOO_MANY_CONNECTIONS, reason_of

PACKAGE = Path(orgctx.__file__).parent
FULL_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class CommandError(ClickException):
    """A command failed. Prints one message on standard error and exits with status 1."""

    def __init__(self, message: str) -> None:
        # Escape control characters: messages may quote untrusted names.
        super().__init__(printable_lines(message))


def confirm(question: str, message: str) -> None:
    """Ask on a terminal. Raises CommandError with `message` without one."""
    if not sys.stdin.isatty():
        raise CommandError(message)
    click_confirm(question, abort=True, err=True)


def explain(error: Exception) -> ClickException:
    """Return the error of a command itself, or what another one means for it."""
    if isinstance(error, ClickException):
        return error
    if isinstance(error, ConfigError):
        lines = "".join(f"\n  {message}" for message in error.errors)
        return CommandError(f"The configuration is not valid. Correct these variables:{lines}")
    if isinstance(error, psycopg.Error):
        return CommandError(_database_message(error))
    if isinstance(error, ServiceUnavailable):
        # In a command, only Redis raises it.
        return CommandError(
            "Redis is unavailable. Check ORGCTX_REDIS_URL and that it runs. `orgctx doctor` says "
            "more."
        )
    if isinstance(error, ApiError):
        return CommandError(error.message)
    if isinstance(error, ImportFailed | DecisionRejected):
        return CommandError(str(error))
    if isinstance(error, OSError) and error.strerror:
        return CommandError(_file_message(error))
    return CommandError(
        f"Internal error: {_location(error)}. Run the command again with `orgctx --debug` and "
        "report the traceback."
    )


def reason(error: psycopg.Error) -> str:
    """Return the message of the server or libpq, on one line."""
    return error.diag.message_primary or " ".join(str(error).split()) or type(error).__name__


def connection_advice(error: psycopg.Error, setting: str) -> str:
    """Say what to do if the database of a setting cannot be reached."""
    if reason_of(error) == TOO_MANY_CONNECTIONS:
        return "Close connections of other programs, or raise max_connections of the server."
    return f"Check {setting} and that the server runs."


ADMIN = "ORGCTX_ADMIN_DATABASE_URL"
# What the error of a statement means, and what to do. The first class that fits counts.
STATEMENT_ERRORS: dict[type[psycopg.Error], str] = {
    **dict.fromkeys(
        (errors.UndefinedTable, errors.UndefinedColumn, errors.UndefinedFunction),
        "The database lacks tables or functions of this version. Run `orgctx migrate`.",
    ),
    errors.InsufficientPrivilege: f"The login of {ADMIN} lacks a privilege ({{reason}}). Use a "
    "login that owns the tables and may create roles: docs/operations/install.md.",
    errors.DeadlockDetected: "Another command changed the same rows, and nothing was changed by "
    "this one. Run it again.",
    errors.ConnectionFailure: "A server of the Citus cluster is unavailable ({reason}), and "
    "nothing was changed. See `orgctx doctor`; keys can still be issued, changed and revoked.",
    errors.OperationalError: "The database is unavailable ({reason}). {advice}",
    psycopg.Error: "The database rejected the command ({reason}).",
}
DISK_FULL = (
    "The database server is out of disk space ({reason}), and nothing was changed. Free some space "
    "there or raise its limit, then run the command again."
)


def _database_message(error: psycopg.Error) -> str:
    # Only a full disk has a code; an exceeded quota is a general error with a hint.
    is_full = isinstance(error, errors.DiskFull) or "disk space" in str(error.diag.message_hint)
    fitting = (text for class_, text in STATEMENT_ERRORS.items() if isinstance(error, class_))
    text = DISK_FULL if is_full else next(fitting)
    return text.format(reason=reason(error), advice=connection_advice(error, ADMIN))


def _file_message(error: OSError) -> str:
    name = f"{error.filename}: " if error.filename else ""
    if error.errno not in FULL_DISK:
        return f"{name}{error.strerror}. Check the path and its permissions."
    # Otherwise the process would try to write the rest again when it exits.
    with suppress(OSError):
        sys.stdout.close()
    return f"{name}{error.strerror}. Free some disk space and run the command again."


def _location(error: Exception) -> str:
    """Return the class and the last frame in orgctx, without the message, which may be secret."""
    frames = [
        f" at orgctx/{Path(frame.filename).relative_to(PACKAGE)}:{frame.lineno} in {frame.name}"
        for frame in extract_tb(error.__traceback__)
        if PACKAGE in Path(frame.filename).parents
    ]
    return type(error).__name__ + "".join(frames[-1:])

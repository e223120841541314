"""Messages of failed commands: what failed and what to do, without connection strings and keys."""

from __future__ import annotations

import errno
import sys
from contextlib import suppress
from pathlib import Path
from traceback import extract_tb

import psycopg
from click import ClickException
from psycopg import errors

import orgctx
from orgctx.cli.output import printable_lines
from orgctx.config.settings import ConfigError
from orgctx.decisions import DecisionRejected
from orgctx.errors import ApiError
from orgctx.importers.extra import MissingExtraError

PACKAGE = Path(orgctx.__file__).parent
# The advice by a part of libpq's message, which has no code.
CERTIFICATE_ADVICE = {
    "certificate verify failed": (
        "The server's certificate is not signed by the authority in sslrootcert. Set sslrootcert "
        "in {setting} to the certificate of the authority that signed it."
    ),
    "root certificate file": (
        "Set sslrootcert in {setting} to the certificate of the authority that signed the "
        "server's certificate."
    ),
    "does not match host name": (
        "The server's certificate is for another host. Use a host of the certificate in {setting}."
    ),
}
FULL_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class CommandError(ClickException):
    """A command failed. Prints one message on standard error and exits with status 1."""

    def __init__(self, message: str) -> None:
        # Escape control characters: messages may quote untrusted names.
        super().__init__(printable_lines(message))


def explain(error: Exception) -> ClickException:
    """Return the message for an error that a command did not expect."""
    if isinstance(error, ConfigError):
        lines = "".join(f"\n  {message}" for message in error.errors)
        return CommandError(f"The configuration is not valid. Correct these variables:{lines}")
    if isinstance(error, psycopg.Error):
        return CommandError(_database_message(error))
    if isinstance(error, ApiError):
        return CommandError(error.message)
    if isinstance(error, MissingExtraError | DecisionRejected):
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
    """Say what to do if the database of a setting cannot be reached, by the message of libpq."""
    text = str(error)
    matching = (advice for part, advice in CERTIFICATE_ADVICE.items() if part in text)
    return next(matching, "Check {setting} and that the server runs.").format(setting=setting)


def _database_message(error: psycopg.Error) -> str:
    if isinstance(error, errors.UndefinedTable | errors.UndefinedColumn):
        return "The database lacks tables of this version. Run `orgctx migrate`."
    if isinstance(error, errors.InsufficientPrivilege):
        return (
            f"The login of ORGCTX_ADMIN_DATABASE_URL lacks a privilege ({reason(error)}). "
            "Use a login that owns the tables."
        )
    if _is_disk_full(error):
        return (
            f"The database server is out of disk space ({reason(error)}), and nothing was changed. "
            "Free some space there or raise its limit, then run the command again."
        )
    if isinstance(error, errors.DeadlockDetected):
        return (
            "Another command changed the same rows, and nothing was changed by this one. "
            "Run it again."
        )
    if error.sqlstate == errors.ConnectionFailure.sqlstate:
        return (
            f"A server of the Citus cluster is unavailable ({reason(error)}), and nothing was "
            "changed. See `orgctx doctor`; keys can still be issued, changed and revoked."
        )
    if isinstance(error, psycopg.OperationalError):
        advice = connection_advice(error, "ORGCTX_ADMIN_DATABASE_URL")
        return f"The database is unavailable ({reason(error)}). {advice}"
    return f"The database rejected the command ({reason(error)})."


def _is_disk_full(error: psycopg.Error) -> bool:
    """Return whether the server could not write.

    Only a full disk has an error code; an exceeded quota or file size limit is a general error
    with a hint.
    """
    if isinstance(error, errors.DiskFull | errors.ConfigurationLimitExceeded):
        return True
    return isinstance(error, errors.InternalError_) and "disk space" in str(error.diag.message_hint)


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

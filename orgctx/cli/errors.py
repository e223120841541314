"""Messages of failed commands, and tracebacks without the configured URLs, passwords and keys."""

import errno
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from traceback import TracebackException, extract_tb
from urllib.parse import unquote

import psycopg
from click import ClickException
from psycopg import errors

import orgctx
from orgctx.cli.output import printable_lines
from orgctx.config.settings import ConfigError, variable
from orgctx.decisions import DecisionRejected
from orgctx.errors import ApiError, ServiceUnavailable
from orgctx.imports import ImportFailed
from orgctx.key_format import PREFIX
from orgctx.stores.causes import TOO_MANY_CONNECTIONS, reason_of

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
    if isinstance(error, ServiceUnavailable):
        # In a command, only Redis raises it. redis-py is slow to import.
        from orgctx.stores.redis_errors import UNREACHABLE

        return CommandError(f"{UNREACHABLE.message} `orgctx doctor` says more.")
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
    """Say what to do if the database of a setting cannot be reached, by the message of libpq."""
    if reason_of(error) == TOO_MANY_CONNECTIONS:
        return "Close connections of other programs, or raise max_connections of the server."
    text = str(error)
    matching = (advice for part, advice in CERTIFICATE_ADVICE.items() if part in text)
    return next(matching, "Check {setting} and that the server runs.").format(setting=setting)


def _database_message(error: psycopg.Error) -> str:
    if isinstance(error, errors.UndefinedTable | errors.UndefinedColumn | errors.UndefinedFunction):
        return "The database lacks tables or functions of this version. Run `orgctx migrate`."
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


# What tracebacks must not contain.
SECRETS = (
    "DATABASE_URL", "ADMIN_DATABASE_URL", "DATABASE_READ_URL", "DESK_DATABASE_URL", "REDIS_URL",
    "API_KEY", "DESK_OIDC_CLIENT_SECRET",
)  # fmt: skip
PLACEHOLDER = "***"
# Up to the last `@`, because a password may contain another one. Without an `@`, the second
# alternative consumes the text, which then is not searched again.
USER_PASSWORD = re.compile(r"(?<=://)[^:/@]*+:(?:(.+)(?=@)|.*+)", re.DOTALL)
PARAMETER = re.compile(r"password\s*=\s*('(?:\\.|[^'\\])*'|[^\s&]+)")
# Parsers split a URL at these characters, and their errors quote the parts.
DELIMITERS = re.compile(r"[^\w.!*+~-]")
MIN_PART_LENGTH = 4
# Secrets that no setting contains.
CREDENTIALS = re.compile(r"(?<=://)[^\s:/@]*+:(?:\S+(?=@)|(?P<rest>\S*+))")
FORMS = re.compile(rf"(?<=password=)[^\s&]+|{PREFIX}\w+")


def format_traceback(error: BaseException) -> str:
    """Format an exception and its causes without secrets and control characters."""
    chunks = TracebackException.from_exception(error).format()
    # A frame quotes source code, which contains no values.
    text = "".join(chunk if chunk.startswith('  File "') else redact(chunk) for chunk in chunks)
    return printable_lines(text)


def redact(text: str) -> str:
    """Replace the secrets in a text."""
    for secret in sorted(set(_secrets()), key=len, reverse=True):
        text = text.replace(secret, PLACEHOLDER)
    text = CREDENTIALS.sub(lambda m: m[0] if m["rest"] is not None else PLACEHOLDER, text)
    return FORMS.sub(PLACEHOLDER, text)


def _secrets() -> Iterator[str]:
    """The secrets in the settings, as they are written and as messages quote them."""
    for value in filter(None, map(variable, SECRETS)):
        candidates = (*USER_PASSWORD.findall(value), *PARAMETER.findall(value))
        passwords = [password for password in candidates if password]
        parts = [part for password in passwords for part in DELIMITERS.split(password)]
        long_parts = [part for part in parts if len(part) >= MIN_PART_LENGTH]
        for secret in (value, *passwords, *map(unquote, passwords), *long_parts):
            yield secret
            yield repr(secret)[1:-1]

"""Remove secrets from tracebacks: the configured URLs, their passwords, and API keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from traceback import TracebackException
from urllib.parse import unquote

from orgctx.cli.output import printable_lines
from orgctx.config.settings import variable
from orgctx.keys import PREFIX

SETTINGS = (
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
    for value in filter(None, map(variable, SETTINGS)):
        candidates = (*USER_PASSWORD.findall(value), *PARAMETER.findall(value))
        passwords = [password for password in candidates if password]
        parts = [part for password in passwords for part in DELIMITERS.split(password)]
        long_parts = [part for part in parts if len(part) >= MIN_PART_LENGTH]
        for secret in (value, *passwords, *map(unquote, passwords), *long_parts):
            yield secret
            yield repr(secret)[1:-1]

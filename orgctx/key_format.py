"""The format of API keys: `octx_`, 34 random base62 characters and a checksum of 6."""

import re
import secrets
import string
import zlib
from hashlib import sha256

PREFIX = "octx_"
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
RANDOM_LENGTH = 34
CHECKSUM_LENGTH = 6
LENGTH = len(PREFIX) + RANDOM_LENGTH + CHECKSUM_LENGTH
HINT_LENGTH = 9
# `${ORGCTX_API_KEY}`, `${env:…}`, `$ORGCTX_API_KEY`, `%ORGCTX_API_KEY%`.
UNEXPANDED = re.compile(r"\$\{.*\}|\$\w+|%\w+%", re.ASCII)
KEY_PATTERN = re.compile(rf"{PREFIX}[0-9A-Za-z]{{{RANDOM_LENGTH + CHECKSUM_LENGTH}}}", re.ASCII)


def generate() -> str:
    """Return a new secret with about 202 random bits."""
    body = PREFIX + "".join(secrets.choice(BASE62) for _ in range(RANDOM_LENGTH))
    return body + checksum(body)


def checksum(body: str) -> str:
    """Return the CRC-32 of `octx_` and the random characters, as 6 characters in base62."""
    number, digits = zlib.crc32(body.encode("ascii")), ""
    while number:
        number, digit = divmod(number, len(BASE62))
        digits = BASE62[digit] + digits
    return digits.rjust(CHECKSUM_LENGTH, BASE62[0])


def is_well_formed(key: str) -> bool:
    """Return whether a string has the format of a key; other strings need no look-up."""
    return (
        bool(KEY_PATTERN.fullmatch(key))
        and checksum(key[:-CHECKSUM_LENGTH]) == key[-CHECKSUM_LENGTH:]
    )


def defect(key: str) -> str | None:
    """Return what is wrong with a malformed key and what to do, without quoting it; else None."""
    if is_well_formed(key):
        return None
    if not key:
        return "it is empty. Set it where the client starts."
    if not key.startswith(PREFIX):
        return (
            f"a key begins with {PREFIX}. Use the key itself, not its name or id; `orgctx keys "
            "issue` printed it once."
        )
    if not KEY_PATTERN.fullmatch(key) and len(key) != LENGTH:
        return f"it has {len(key)} characters instead of {LENGTH}. Copy the whole key again."
    return "its checksum does not match, so a character is wrong. Copy the whole key again."


def is_unexpanded(key: str) -> bool:
    """Return whether a string is a variable that the client should have expanded."""
    return bool(UNEXPANDED.fullmatch(key))


def digest(key: str) -> bytes:
    """Return the stored hash of a key: SHA-256 of the whole key."""
    return sha256(key.encode("ascii")).digest()


def hint(key: str) -> str:
    """Return the first characters of a key, so that people can recognize it."""
    return key[:HINT_LENGTH]

"""Fields for strings with a format: links, ids and date-times."""

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from marshmallow import ValidationError, fields

from orgctx.schemas.fields import MAX_URL, Strict, Text

# No white space, and no control characters, which take six times as long in JSON.
VISIBLE = r"[^\s\x00-\x1f\x7f-\x9f]"
UUID_TEXT = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
UUID_PATTERN = re.compile(UUID_TEXT, re.ASCII)
INSTANT = re.compile(
    r"\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?"
    r"([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)",
    re.ASCII,
)
BROKEN_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
UNENCODED_PLUS = re.compile(r"\d{4}-\d\d-\d\d[Tt][\d:.]+ \d\d:\d\d", re.ASCII)


class Url(Text):
    """An absolute http or https URL."""

    def __init__(self, **keywords: Any) -> None:
        rule = f"an http or https URL of at most {MAX_URL} characters"
        super().__init__(MAX_URL, pattern=rf"https?://{VISIBLE}+", rule=rule, **keywords)


class Link(Text):
    """A link that is safe to follow: no other scheme, which could run or open something."""

    character = VISIBLE

    def __init__(self, **keywords: Any) -> None:
        super().__init__(
            MAX_URL,
            pattern=rf"(https?://|mailto:|/api/v1/){self.character}+",
            rule=f"an http, https or mailto URL or a path of this API (/api/v1/…) of at most"
            f" {MAX_URL} characters",
            **keywords,
        )


class StoredLink(Link):
    """A link to store, in which each % begins an escape, because clients decode it."""

    character = r"([^\s\x00-\x1f\x7f-\x9f%]|%[0-9A-Fa-f]{2})"

    def _parse(self, value: Any) -> str:
        try:
            return super()._parse(value)
        except ValidationError:
            if isinstance(value, str) and BROKEN_ESCAPE.search(value):
                raise self.error("; encode a % that begins no escape such as %20 as %25") from None
            raise


class Uri(Text):
    """An absolute http or https URI, so only ASCII (RFC 3986)."""

    def __init__(self, **keywords: Any) -> None:
        characters = r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]"
        super().__init__(
            MAX_URL,
            pattern=rf"https?://{characters}+",
            rule=f"an http or https URI of at most {MAX_URL} ASCII characters",
            **keywords,
        )


class Identity(Text):
    """A platform's id of a person, usable as a path segment."""

    def __init__(self, **keywords: Any) -> None:
        super().__init__(
            200,
            minimum=1,
            pattern=r"[^/\x00-\x1f\x7f-\x9f]{1,200}",
            rule="a string of 1 to 200 characters without / and control characters",
            **keywords,
        )


# The messages of a chat repeat the ids of their chat and organization.
_uuid = lru_cache(maxsize=1024)(UUID)


class Uuid(Strict, fields.UUID):
    """A UUID in its 36-character form, in either case."""

    rule = "a UUID of 36 characters such as 123e4567-e89b-12d3-a456-426614174000"

    def _parse(self, value: Any) -> UUID:
        if not isinstance(value, str) or not UUID_PATTERN.fullmatch(value):
            raise self.error()
        return _uuid(value)


class DateTime(Strict, fields.DateTime):
    """An RFC 3339 date-time with an offset; a datetime in UTC."""

    rule = "an RFC 3339 date-time with Z or an offset such as 2026-01-31T08:00:00Z"

    def _parse(self, value: Any) -> datetime:
        if not isinstance(value, str) or not INSTANT.fullmatch(value):
            plus = isinstance(value, str) and UNENCODED_PLUS.fullmatch(value)
            raise self.error("; encode the + of an offset as %2B" if plus else "")
        try:
            return datetime.fromisoformat(value.upper()).astimezone(UTC)
        except (ValueError, OverflowError):
            raise self.error() from None


DATE_TIME = DateTime()


def instant_text(value: datetime) -> str:
    """Return a time in UTC with Z, and microseconds only if present, as orjson writes it."""
    return value.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"


def parsed_instant(value: Any) -> datetime | None:
    """Parse an RFC 3339 date-time with an offset; None if the value is not one."""
    try:
        return DATE_TIME.parse(value)  # type: ignore[no-any-return]
    except ValidationError:
        return None

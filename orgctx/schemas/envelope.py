"""The envelope of successful responses: data, freshness and pagination."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from orgctx.errors import InvalidParameter
from orgctx.schemas.fields import Boolean, Enum, Integer, Nested, Text
from orgctx.schemas.formats import DateTime, Uuid
from orgctx.schemas.payload import Payload

MAX_ANSWER_BYTES = 8 * 1024 * 1024
STATUSES = ("current", "stale", "unavailable", "synthetic")


def to_json(envelope: Mapping[str, Any]) -> bytes:
    """Serialize an envelope; equal data gives equal bytes in REST and MCP."""
    return orjson.dumps(envelope, option=orjson.OPT_UTC_Z)


class Freshness(Payload):
    """How fresh the stored data in an answer is."""

    source = Enum("database", "collector", "provider", "local_preview")
    updated_at = DateTime(nullable=True, doc="Update time of the newest source; null without data.")
    status = Enum(*STATUSES)
    note = Text(optional=True, doc="Explains sources that are not current and empty lists.")


class Meta(Payload):
    """The organization of an answer, and its freshness."""

    organization_id = Uuid()
    freshness = Nested(Freshness)


class NumberedPagination(Payload):
    """The position of a numbered page in its list."""

    page = Integer(1)
    page_size = Integer(1)
    total = Integer(0)
    total_pages = Integer(0)
    has_next_page = Boolean()


class PeoplePagination(NumberedPagination):
    """The position of a page of people in its list."""

    search_limited = Boolean(doc="true if q searched only the most recently active people.")


class AssetPagination(NumberedPagination):
    """The position of a page in its folder."""

    folder_id = Uuid(nullable=True, doc="null at the root.")
    folder_name = Text(nullable=True)


class MessagePagination(Payload):
    """The position of a page of messages in its chat."""

    limit = Integer(1, 100)
    has_more = Boolean()
    next_before = Integer(nullable=True, doc="Pass it as `before` to read older messages.")
    search_limited = Boolean(doc="true if q skipped messages older than the newest 10,000.")


def numbered(page: int, page_size: int, total: int) -> dict[str, Any]:
    """Return the members of NumberedPagination, by attribute name."""
    total_pages = -(-total // page_size)
    return {
        "page": page,
        "page_size": page_size,
        "total": total,
        "total_pages": total_pages,
        "has_next_page": page < total_pages,
    }


def check_size(size: int) -> None:
    """Raise InvalidParameter if a response exceeds the size limit."""
    if size > MAX_ANSWER_BYTES:
        raise InvalidParameter(
            f"this answer would take {size / 1024**2:.1f} MiB, and one may take at most "
            f"{MAX_ANSWER_BYTES // 1024**2} MiB; ask for less with a lower limit"
        )

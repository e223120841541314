"""The schemas of records, and the rules between their fields."""

from typing import Any

from orgctx.bundle.content import Content
from orgctx.operations.source_kinds import KINDS
from orgctx.resources.knowledge.schemas import NOTE_SOURCES, KnowledgeSummary
from orgctx.resources.telegram.schemas import LAST_MESSAGE_ID, TelegramChat, TelegramMessage
from orgctx.resources.token import TokenSummary
from orgctx.resources.x import XMention
from orgctx.schemas.fields import (
    MAX_DESCRIPTION,
    MAX_NAME,
    Boolean,
    Enum,
    Integer,
    Number,
    Strict,
    Text,
)
from orgctx.schemas.formats import DateTime, StoredLink, Uuid
from orgctx.schemas.payload import StrictSchema

# The largest integer of PostgreSQL.
MAX_INTEGER = 2**31 - 1
# Characters of a username; two usernames must fit into an index entry.
MAX_ACCOUNT = 100


class OrganizationRecord(StrictSchema):
    display_name = Text(MAX_NAME)
    slug = Text(200, minimum=1)
    created_at = DateTime()
    updated_at = DateTime()
    plan = Enum("standard", "pro", default="standard")
    verified_holding = Number(default=0)
    preview = Boolean(default=False)


class MemberRecord(StrictSchema):
    id = Uuid()
    display_name = Text(MAX_NAME, nullable=True)
    role = Enum("owner", "admin", "member", "removed")


class SourceRecord(StrictSchema):
    kind = Enum(*KINDS)
    label = Text(MAX_NAME, minimum=1)
    description = Text(MAX_DESCRIPTION)
    href = StoredLink(nullable=True, default=None)
    status = Enum(
        "current", "stale", "unavailable", "synthetic", "not_connected", "available", "error"
    )
    updated_at = DateTime(nullable=True)
    stale_after_seconds = Integer(0, MAX_INTEGER, nullable=True, default=None)
    account = Text(MAX_ACCOUNT, nullable=True, default=None)


class KnowledgeRecord(KnowledgeSummary):
    class Meta:
        exclude = ("kind", "preview")

    content = Content()
    source_href = StoredLink(nullable=True)
    content_format = Enum("markdown", "plain_text")


class ChatRecord(TelegramChat):
    class Meta:
        exclude = ("tracked_message_count", "last_message_at")


class MessageRecord(TelegramMessage):
    chat_id = Uuid()


class MentionRecord(XMention):
    account = Text(MAX_ACCOUNT, minimum=1)


class TokenRecord(TokenSummary):
    class Meta:
        exclude = ("connected",)


class MessageId(Integer):
    """The id of a message in a deletion."""

    def __init__(self) -> None:
        super().__init__(1, LAST_MESSAGE_ID)

    def _parse(self, value: Any) -> int:
        return super()._parse(self.from_text(value))


class DeleteId(Strict):
    """An id of any record type: a string, or an integer for a message."""

    rule = "the id of a record"

    def _parse(self, value: Any) -> str:
        if isinstance(value, bool) or not isinstance(value, str | int) or "\0" in str(value):
            raise self.error()
        return str(value)


def check_knowledge(v: dict[str, Any]) -> dict[str, str]:
    """Return errors by field name: the source must fit the prefix of the id."""
    prefix = v["id"].partition(":")[0]
    allowed = NOTE_SOURCES if prefix == "note" else (prefix,)
    if v["source"] in allowed:
        return {}
    return {"source": f"must be {' or '.join(allowed)} where id begins with {prefix}:"}


def check_asset(v: dict[str, Any]) -> dict[str, str]:
    """Return errors by field name."""
    errors = {}
    if v["public_url"] is not None and not v["public"]:
        errors["publicUrl"] = "must be null unless public is true"
    if v["parent_id"] == v["id"]:
        errors["parentId"] = "must not be the asset itself"
    return errors

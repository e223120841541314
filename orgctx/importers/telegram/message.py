"""Convert one message of a Telegram Desktop export to the load format. No I/O."""

from __future__ import annotations

import re
from datetime import tzinfo
from typing import Any

from orgctx.importers.telegram.media import detail, file, kind_of, list_text
from orgctx.importers.telegram.origin import NOBODY, origin
from orgctx.importers.telegram.text import (
    LONGEST_NAME,
    InvalidMessage,
    OnCut,
    checked_text,
    cut,
    linked_text,
)
from orgctx.importers.telegram.time import instant
from orgctx.schemas.formats import instant_text

LAST_ID = 2**31 - 1
# The exporter subtracts this from the ids of messages that a supergroup had as a group.
MIGRATION_SHIFT = 1_000_000_000
# Exports before 2021 write a user as 2^32 + its number, any other peer as 2^33 + its number.
USER_SHIFT, CHAT_SHIFT = 2**32, 2**33
SENDER_ID = re.compile(r"[^/\x00-\x1f\x7f-\x9f]{1,200}")
# Service messages that are kept, because they name the topics of a forum.
TOPICS = {"topic_created": ("title", "Topic"), "topic_edit": ("new_title", "Topic renamed")}


def message(
    exported: dict[str, Any], chat_id: str, zone: tzinfo, on_cut: OnCut = lambda _: None
) -> dict[str, Any]:
    """Return the `data` of a telegram.message. Raises InvalidMessage naming the invalid member.

    Id, time, sender and text must be valid. Impossible measures of a file, such as a negative
    width, become null. The detail has a line for the medium and one for each fact about the origin.

    Args:
        on_cut: called with a description of each text that is cut or loses its addresses.
    """
    media_kind, topic = kind_of(exported), _topic(exported)
    sender = "actor" if topic else "from"
    return {
        "chatId": chat_id,
        "id": message_id(exported),
        "sender": _sender(exported, sender, on_cut),
        "kind": "other" if topic else media_kind,
        "text": topic or _text(exported, on_cut),
        "detail": TOPICS[exported["action"]][1] if topic else _detail(exported, media_kind, on_cut),
        "file": None if topic else file(exported, media_kind, on_cut),
        "replyToMessageId": _reply_to(exported),
        "sentAt": _sent_at(exported, zone),
        "editedAt": _edited_at(exported, zone),
    }


def message_id(exported: dict[str, Any]) -> int:
    """Return the id of a message, which is negative before a migration."""
    value = exported.get("id")
    if type(value) is not int or not -MIGRATION_SHIFT < value <= LAST_ID or value == 0:
        raise InvalidMessage("id", f"must be an integer from 1 to {LAST_ID}")
    return value


def before_migration(exported: dict[str, Any]) -> dict[str, Any]:
    """Convert a message with a negative id to the ids of its former group."""
    moved = {**exported, "id": exported["id"] + MIGRATION_SHIFT}
    reply = exported.get("reply_to_message_id")
    if type(reply) is int and -MIGRATION_SHIFT < reply < 0:
        moved["reply_to_message_id"] = reply + MIGRATION_SHIFT
    return moved


def is_kept(exported: dict[str, Any]) -> bool:
    """Return whether a person sent the message, or it names a topic."""
    return exported.get("type", "message") == "message" or _topic(exported) is not None


def _topic(exported: dict[str, Any]) -> str | None:
    action = exported.get("action")
    if exported.get("type") != "service" or not isinstance(action, str) or action not in TOPICS:
        return None
    name = exported.get(TOPICS[action][0])
    name = name.replace("\0", "").strip() if isinstance(name, str) else ""
    return name[:LONGEST_NAME] or None


def _text(exported: dict[str, Any], on_cut: OnCut) -> str | None:
    """Return the text, followed by the poll or to-do list, so that searches find both."""
    texts = (linked_text(exported.get("text"), "text", on_cut), list_text(exported, on_cut))
    return checked_text("\n\n".join(filter(None, texts)), "text") or None


def _detail(exported: dict[str, Any], media_kind: str, on_cut: OnCut) -> str | None:
    lines = filter(None, (detail(exported, media_kind), *origin(exported)))
    return cut("\n".join(lines), "detail", on_cut) or None


def _sender(exported: dict[str, Any], label: str, on_cut: OnCut) -> dict[str, Any]:
    name = exported.get(label)
    if name is not None and not isinstance(name, str):
        raise InvalidMessage(label, "must be a string or null")
    name = cut((name or "").replace("\0", "").strip(), "name of a sender", on_cut)
    id_ = sender_id(exported.get(f"{label}_id"))
    return {"id": id_, "name": name or NOBODY, "username": None}


def sender_id(value: Any) -> str | None:
    """Return an id such as `user123`; exports before 2021 have numbers."""
    if value is None or value == "":
        return None
    if type(value) is int and value > 0:
        if CHAT_SHIFT <= value < CHAT_SHIFT + USER_SHIFT:
            return f"channel{value - CHAT_SHIFT}"
        return f"user{value - USER_SHIFT if USER_SHIFT < value < CHAT_SHIFT else value}"
    if isinstance(value, str) and SENDER_ID.fullmatch(value):
        return value
    raise InvalidMessage("from_id", "must be an id such as user123 or channel123, or a number")


def _reply_to(exported: dict[str, Any]) -> int | None:
    """Return the id of the replied message, or None if it is in another chat; see `origin`."""
    value = exported.get("reply_to_message_id")
    if value is None or exported.get("reply_to_peer_id") is not None:
        return None
    if type(value) is not int or not -(2**63) <= value < 2**63:
        raise InvalidMessage("reply_to_message_id", "must be an integer")
    return value if value > 0 else None


def _sent_at(exported: dict[str, Any], zone: tzinfo) -> str:
    time = instant(exported, "date", zone)
    if time is None:
        raise InvalidMessage("date_unixtime", "or date is required")
    return instant_text(time)


def _edited_at(exported: dict[str, Any], zone: tzinfo) -> str | None:
    """Return the edit time; exports before 2021 write the year 1970 if there was no edit."""
    time = instant(exported, "edited", zone)
    return None if time is None or time.year <= 1970 else instant_text(time)

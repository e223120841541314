"""Describe where a message comes from, and name what no field of the load format holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from orgctx.importers.telegram.text import line

NOBODY = "Deleted account"
PEER_ID = re.compile(r"(?:user|chat|channel)[0-9]{1,20}", re.ASCII)
# Members whose content is stored, or that repeat what another one says. All others are reported,
# including those that a later version of Telegram Desktop adds.
STORED = frozenset(
    {
        "id", "type", "date", "date_unixtime", "edited", "edited_unixtime", "text", "text_entities",
        "from", "from_id", "actor", "actor_id", "action", "title", "new_title", "author",
        "forwarded_from", "forwarded_from_id", "via_bot", "reply_to_message_id", "reply_to_peer_id",
        "photo", "photo_file_size", "file", "file_name", "file_size", "thumbnail",
        "thumbnail_file_size", "media_type", "mime_type", "width", "height", "duration_seconds",
        "sticker_emoji", "performer", "poll", "todo_list", "contact_information",
        "location_information", "place_name", "address", "game_title", "invoice_information",
    }
)  # fmt: skip
LONGEST_MEMBER = 60


def origin(exported: dict[str, Any]) -> Iterator[str]:
    """Yield a line each for the first author, the signature, the bot and the replied message.

    The replied message is named here only if it is in another chat.
    """
    if "forwarded_from" in exported:
        name = line(exported["forwarded_from"]) or NOBODY
        id_ = _peer(exported.get("forwarded_from_id"))
        yield f"Forwarded from {name} ({id_})" if id_ else f"Forwarded from {name}"
    for member, label in (("author", "Signed by"), ("via_bot", "Via")):
        if text := line(exported.get(member)):
            yield f"{label} {text}"
    chat, reply = _peer(exported.get("reply_to_peer_id")), exported.get("reply_to_message_id")
    if chat and type(reply) is int:
        yield f"Reply to message {reply} of {chat}"


def left_out(exported: dict[str, Any]) -> Iterator[str]:
    """Yield a reason for each part of a message that is not stored."""
    for member in sorted(name for name in exported if name not in STORED):
        repeats = member == "saved_from" and exported[member] == exported.get("forwarded_from")
        if exported[member] and not repeats:
            yield f"{member[:LONGEST_MEMBER]} of a message"
    contact = exported.get("contact_information")
    if isinstance(contact, dict) and contact.get("phone_number"):
        yield "telephone number of a contact"
    if exported.get("reply_to_peer_id") and not _peer(exported["reply_to_peer_id"]):
        yield "reply to a message of an unknown chat"
    parts = exported.get("text")
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, dict) and part.get("type") == "custom_emoji":
            yield "custom emoji, stored as a plain one"


def _peer(value: Any) -> str | None:
    """Return an id such as `channel123`, or None."""
    return value if isinstance(value, str) and PEER_ID.fullmatch(value) else None

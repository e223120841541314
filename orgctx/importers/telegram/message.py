"""Convert one message of a Telegram Desktop export to the load format. No I/O."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

import orjson

from orgctx.importers.telegram.text import InvalidMessage, text_of
from orgctx.resources.telegram.schemas import LAST_MESSAGE_ID, MAX_TEXT_BYTES
from orgctx.schemas.fields import MAX_NAME
from orgctx.schemas.formats import instant_text

# The exporter subtracts this from the ids of messages that a supergroup had as a group.
MIGRATION_SHIFT = 1_000_000_000
SENDER_ID = re.compile(r"[^/\x00-\x1f\x7f-\x9f]{1,200}")
PEER_ID = re.compile(r"(?:user|chat|channel)[0-9]{1,20}", re.ASCII)
NOBODY = "Deleted account"
# Service messages that are kept, because they name the topics of a forum.
TOPICS = {"topic_created": ("title", "Topic"), "topic_edit": ("new_title", "Topic renamed")}
# Members whose content is stored, or that repeat what another one says. All others are reported,
# including those that a later version of Telegram Desktop adds.
STORED = frozenset(
    {
        "id", "type", "date", "date_unixtime", "edited", "edited_unixtime", "text", "text_entities",
        "from", "from_id", "actor", "actor_id", "action", "title", "new_title", "author",
        "forwarded_from", "forwarded_from_id", "via_bot", "reply_to_message_id", "reply_to_peer_id",
        "photo", "photo_file_size", "file", "file_name", "file_size", "thumbnail",
        "thumbnail_file_size", "media_type", "mime_type", "width", "height", "duration_seconds",
        "sticker_emoji", "performer", "poll", "todo_list", "contact_information", "rich_message",
        "location_information", "place_name", "address", "game_title",
    }
)  # fmt: skip
LONGEST_MEMBER = 60
UNIXTIME = re.compile(r"-?[0-9]{1,12}", re.ASCII)
# Kinds by the first word of the `media_type`, such as `video_message`.
KINDS = {"sticker", "video", "voice", "audio", "animation"}
# Members of messages whose content is neither text nor a file.
OTHERS = {
    "contact_information", "location_information", "place_name", "game_title",
    "invoice_information", "todo_list", "giveaway_information", "giveaway_results",
    "paid_stars_amount",
}  # fmt: skip
STICKERS = {".webp": "static", ".tgs": "animated", ".webm": "video"}
MAX_INTEGER = 2**63 - 1
TOO_LONG = f"text must have at most {MAX_TEXT_BYTES >> 10} KiB"
NO_ADDRESSES = f"addresses of links left out: {TOO_LONG}"
OnCut = Callable[[str], object]


def message(exported: dict[str, Any], chat_id: str, on_cut: OnCut) -> dict[str, Any]:
    """Return the `data` of a telegram.message. Raises InvalidMessage naming the invalid member.

    Time, sender and text must be valid. Impossible measures of a file, such as a negative width,
    become null. The detail has a line for the medium and one for each fact about the origin.
    """
    topic, kind = _topic(exported), _kind_of(exported)
    if topic:
        kind, text, detail, attached = "other", topic, TOPICS[exported["action"]][1], None
    else:
        text, attached = _text(exported, on_cut), _file(exported, kind, on_cut)
        lines = filter(None, (_detail(exported, kind), *_origin(exported)))
        detail = cut("\n".join(lines), "detail", on_cut)
    if (sent_at := _instant(exported, "date_unixtime")) is None:
        raise InvalidMessage("date_unixtime is required; export again with Telegram Desktop")
    edited_at = _instant(exported, "edited_unixtime")
    return {
        "chatId": chat_id,
        "id": exported["id"],
        "sender": _sender(exported, "actor" if topic else "from", on_cut),
        "kind": kind,
        "text": text or None,
        "detail": detail or None,
        "file": attached,
        "replyToMessageId": _reply_to(exported),
        "sentAt": instant_text(sent_at),
        "editedAt": instant_text(edited_at) if edited_at else None,
    }


def check_id(exported: dict[str, Any]) -> None:
    """Raise InvalidMessage unless the id is valid; it is negative before a migration."""
    value = exported.get("id")
    if type(value) is not int or not -MIGRATION_SHIFT < value <= LAST_MESSAGE_ID or value == 0:
        raise InvalidMessage(f"id must be an integer from 1 to {LAST_MESSAGE_ID}")


def before_migration(exported: dict[str, Any]) -> dict[str, Any]:
    """Convert a message with a negative id to the ids of its former group."""
    reply = exported.get("reply_to_message_id")
    if type(reply) is int and -MIGRATION_SHIFT < reply < 0:
        exported["reply_to_message_id"] = reply + MIGRATION_SHIFT
    return exported | {"id": exported["id"] + MIGRATION_SHIFT}


def is_kept(exported: dict[str, Any]) -> bool:
    """Return whether a person sent the message, or it names a topic."""
    return exported.get("type", "message") == "message" or _topic(exported) is not None


def left_out(exported: dict[str, Any]) -> Iterator[str]:
    """Yield a reason for each part of a message that is not stored."""
    for member in sorted(exported.keys() - STORED):
        repeats = member == "saved_from" and exported[member] == exported.get("forwarded_from")
        if exported[member] and not repeats:
            yield f"{member[:LONGEST_MEMBER]} of a message"
    contact = exported.get("contact_information")
    if isinstance(contact, dict) and contact.get("phone_number"):
        yield "telephone number of a contact"


def cut(name: str, label: str, on_cut: OnCut) -> str:
    """Cut a name to the length that the load format allows, and report that with `on_cut`."""
    if len(name) > MAX_NAME:
        on_cut(f"{label} cut to {MAX_NAME} characters")
    return name[:MAX_NAME]


def _text(exported: dict[str, Any], on_cut: OnCut) -> str:
    """Return the text, within the load format's limit, which counts bytes of JSON."""
    for with_links in (True, False):
        text = text_of(exported, with_links=with_links)
        if len(orjson.dumps(text)) - 2 <= MAX_TEXT_BYTES:
            if not with_links:
                on_cut(NO_ADDRESSES)
            return text
    raise InvalidMessage(TOO_LONG)


def _topic(exported: dict[str, Any]) -> str | None:
    if exported.get("type") != "service" or str(exported.get("action")) not in TOPICS:
        return None
    return string(exported.get(TOPICS[exported["action"]][0]))[:MAX_NAME] or None


def string(value: Any) -> str:
    """Return a string without NUL and white space at its ends; an empty one for other values."""
    return value.replace("\0", "").strip() if isinstance(value, str) else ""


def _line(value: Any) -> str:
    return " ".join(string(value).split())


def _sender(exported: dict[str, Any], label: str, on_cut: OnCut) -> dict[str, Any]:
    name, id_ = exported.get(label), exported.get(f"{label}_id")
    if not isinstance(name, str | None):
        raise InvalidMessage(f"{label} must be a string or null")
    name = cut(string(name), "name of a sender", on_cut) or NOBODY
    if id_ not in (None, "") and not (isinstance(id_, str) and SENDER_ID.fullmatch(id_)):
        raise InvalidMessage("from_id must be an id such as user123 or channel123")
    return {"id": id_ or None, "name": name, "username": None}


def _reply_to(exported: dict[str, Any]) -> int | None:
    """Return the id of the replied message, or None if it is in another chat; see `_origin`."""
    value = exported.get("reply_to_message_id")
    if value is None or exported.get("reply_to_peer_id") is not None:
        return None
    if type(value) is not int or not -(2**63) <= value < 2**63:
        raise InvalidMessage("reply_to_message_id must be an integer")
    return value if value > 0 else None


def _origin(exported: dict[str, Any]) -> Iterator[str]:
    """Yield a line each for the first author, the signature, the bot and the replied message.

    The replied message is named here only if it is in another chat.
    """
    if "forwarded_from" in exported:
        name, id_ = _line(exported["forwarded_from"]), _peer(exported.get("forwarded_from_id"))
        yield f"Forwarded from {name or NOBODY}{f' ({id_})' if id_ else ''}"
    for member, label in (("author", "Signed by"), ("via_bot", "Via")):
        if text := _line(exported.get(member)):
            yield f"{label} {text}"
    chat, reply = _peer(exported.get("reply_to_peer_id")), exported.get("reply_to_message_id")
    if chat and type(reply) is int:
        # An erasure could not find the id of a person here.
        yield f"Reply to message {reply} of {'a person' if chat.startswith('user') else chat}"


def _peer(value: Any) -> str | None:
    return value if isinstance(value, str) and PEER_ID.fullmatch(value) else None


def _instant(exported: dict[str, Any], member: str) -> datetime | None:
    """Parse a time of a message to the second. Raises InvalidMessage."""
    seconds = exported.get(member)
    if seconds is None:
        return None
    if not isinstance(seconds, str | int) or not UNIXTIME.fullmatch(str(seconds)):
        raise InvalidMessage(f"{member} must be Unix seconds as a string")
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        raise InvalidMessage(f"{member} must be in the years 1 to 9999") from None


def _kind_of(exported: dict[str, Any]) -> str:
    """Return the kind in the load format; `other` for unknown media without a file."""
    if (media_type := exported.get("media_type")) is not None:
        kind = str(media_type).partition("_")[0]
        return kind if kind in KINDS else "document" if "file" in exported else "other"
    for member, name in (("photo", "photo"), ("poll", "poll"), ("file", "document")):
        if exported.get(member) is not None:
            return name
    return "text" if exported.keys().isdisjoint(OTHERS) else "other"


def _detail(exported: dict[str, Any], kind: str) -> str:
    """Return the emoji of a sticker, the title of a piece of music, or a name or place.

    The telephone number of a contact is left out.
    """

    def joined(members: dict[str, Any], *names: str, between: str = " ") -> str:
        return between.join(filter(None, (string(members.get(name)) for name in names)))

    if kind == "sticker":
        return joined(exported, "sticker_emoji")
    if kind == "audio":
        return joined(exported, "performer", "title", between=" – ")
    if kind != "other":
        return ""
    contact, location = exported.get("contact_information"), exported.get("location_information")
    if isinstance(contact, dict):
        return joined(contact, "first_name", "last_name")
    place = joined(exported, "place_name", "address", between=", ")
    if not place and isinstance(location, dict):
        axes = (location.get("latitude"), location.get("longitude"))
        return ", ".join(str(axis) for axis in axes if isinstance(axis, int | float))
    return place or joined(exported, "game_title", "title")


def _file(exported: dict[str, Any], kind: str, on_cut: OnCut) -> dict[str, Any] | None:
    """Return name, type, size and so on of the file, which the export may not include."""
    if kind in ("text", "poll", "other"):
        return None
    member, size = ("photo", "photo_file_size") if kind == "photo" else ("file", "file_size")
    name, location = string(exported.get("file_name")), string(exported.get(member))
    # A file that is not included is `(File not included. Change data exporting settings ...)`.
    path = PurePosixPath(name if not location or location.startswith("(") else location)
    return {
        "width": _measure(exported.get("width")),
        "height": _measure(exported.get("height")),
        "duration": _measure(exported.get("duration_seconds")),
        "mimeType": cut(string(exported.get("mime_type")), "type of a file", on_cut) or None,
        "fileName": cut(name or path.name, "name of a file", on_cut) or None,
        "fileSize": _measure(exported.get(size)),
        "sticker": STICKERS.get(path.suffix.lower()) if kind == "sticker" else None,
    }


def _measure(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value <= MAX_INTEGER else None

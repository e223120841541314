"""Convert one message of a Telegram Desktop export to the load format. No I/O."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any

import orjson

from orgctx.resources.telegram.schemas import LAST_MESSAGE_ID, MAX_TEXT_BYTES
from orgctx.schemas.fields import LONGEST_CHARACTER, MAX_NAME
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
        "sticker_emoji", "performer", "poll", "todo_list", "contact_information",
        "location_information", "place_name", "address", "game_title", "invoice_information",
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
# Members that hold a list, with the name of its question or title.
LISTS = {"poll": "question", "todo_list": "title"}
MAX_INTEGER = 2**63 - 1
OnCut = Callable[[str], object]


class InvalidMessage(Exception):
    """A member of a message has an invalid value."""


def message(exported: dict[str, Any], chat_id: str, on_cut: OnCut) -> dict[str, Any]:
    """Return the `data` of a telegram.message. Raises InvalidMessage naming the invalid member.

    Time, sender and text must be valid. Impossible measures of a file, such as a negative width,
    become null. The detail has a line for the medium and one for each fact about the origin.
    """
    topic, kind = _topic(exported), _kind_of(exported)
    sender = _sender(exported, "actor" if topic else "from", on_cut)
    if topic:
        kind, text, about, attached = "other", topic, TOPICS[exported["action"]][1], None
    else:
        # The poll or to-do list follows the text, so that searches find both.
        texts = (_linked_text(exported.get("text"), "text", on_cut), _list_text(exported, on_cut))
        text = _checked_text("\n\n".join(filter(None, texts)), "text")
        lines = filter(None, (_detail(exported, kind), *_origin(exported)))
        about = cut("\n".join(lines), "detail", on_cut)
        attached = _file(exported, kind, on_cut)
    reply_to = _reply_to(exported)
    if (sent_at := instant(exported, "date_unixtime")) is None:
        raise InvalidMessage("date_unixtime is required; export again with Telegram Desktop")
    edited_at = instant(exported, "edited_unixtime")
    return {
        "chatId": chat_id,
        "id": exported["id"],
        "sender": sender,
        "kind": kind,
        "text": text or None,
        "detail": about or None,
        "file": attached,
        "replyToMessageId": reply_to,
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
    moved = {**exported, "id": exported["id"] + MIGRATION_SHIFT}
    reply = exported.get("reply_to_message_id")
    if type(reply) is int and -MIGRATION_SHIFT < reply < 0:
        moved["reply_to_message_id"] = reply + MIGRATION_SHIFT
    return moved


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
    if exported.get("location_information") and exported.get("place_name"):
        yield "coordinates of a place with a name"
    if (invoice := _invoice_of(exported)) and invoice.keys() - {"title"}:
        yield "description and price of an invoice"
    if exported.get("reply_to_peer_id") and not _peer(exported["reply_to_peer_id"]):
        yield "reply to a message of an unknown chat"
    parts = exported.get("text")
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, dict) and part.get("type") == "custom_emoji":
            yield "custom emoji, stored as a plain one"


def _topic(exported: dict[str, Any]) -> str | None:
    if exported.get("type") != "service" or str(exported.get("action")) not in TOPICS:
        return None
    name = exported.get(TOPICS[exported["action"]][0])
    return _name(name)[:MAX_NAME] or None


def _name(value: Any) -> str:
    return value.replace("\0", "").strip() if isinstance(value, str) else ""


def _sender(exported: dict[str, Any], label: str, on_cut: OnCut) -> dict[str, Any]:
    name, id_ = exported.get(label), exported.get(f"{label}_id")
    if not isinstance(name, str | None):
        raise InvalidMessage(f"{label} must be a string or null")
    name = cut(_name(name), "name of a sender", on_cut) or NOBODY
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
        name = _line(exported["forwarded_from"]) or NOBODY
        id_ = _peer(exported.get("forwarded_from_id"))
        yield f"Forwarded from {name} ({id_})" if id_ else f"Forwarded from {name}"
    for member, label in (("author", "Signed by"), ("via_bot", "Via")):
        if member in exported and (text := _line(exported[member])):
            yield f"{label} {text}"
    chat, reply = _peer(exported.get("reply_to_peer_id")), exported.get("reply_to_message_id")
    if chat and type(reply) is int:
        # An erasure could not find the id of a person here.
        yield f"Reply to message {reply} of {'a person' if chat.startswith('user') else chat}"


def _peer(value: Any) -> str | None:
    return value if isinstance(value, str) and PEER_ID.fullmatch(value) else None


def _line(value: Any) -> str:
    return " ".join(_name(value).split())


def _linked_text(value: Any, member: str, on_cut: OnCut) -> str:
    """Return a text without formatting or NUL, which PostgreSQL cannot store.

    A link is followed by its address, `text (https://example.com)`, and a mention of a person
    without username by the person's id, `Ada (user7)`, unless the text would be too long.
    """
    if not isinstance(value, str | list | None):
        raise InvalidMessage(f"{member} must be a string or an array")
    if not isinstance(value, list):
        return _checked_text((value or "").replace("\0", ""), member)
    parts = [_part(part, member) for part in value]
    text = "".join(words for words, _ in parts).replace("\0", "")
    linked = []
    for (words, address), (_, next_address) in pairwise([*parts, ("", None)]):
        if address and address != next_address and address not in words:
            end = len(words.rstrip())
            linked += [words[:end], f" ({address})", words[end:]]
        else:
            linked.append(words)
    try:
        return _checked_text("".join(linked).replace("\0", ""), member)
    except InvalidMessage:
        _checked_text(text, member)
    limit = f"{MAX_TEXT_BYTES >> 10} KiB"
    on_cut(f"addresses of links left out, because the text would exceed {limit}")
    return text


def _part(part: Any, member: str) -> tuple[str, str | None]:
    """Return a text, and the address of its link or the id of its person as in `from_id`."""
    if isinstance(part, str):
        return part, None
    text = part.get("text") if isinstance(part, dict) else None
    if not isinstance(text, str):
        raise InvalidMessage(f"{member} must contain strings and objects with a text")
    address, number = part.get("href"), part.get("user_id")
    if part.get("type") == "text_link" and isinstance(address, str):
        return text, address
    if part.get("type") == "mention_name" and type(number) is int and number > 0:
        return text, f"user{number}"
    return text, None


def _checked_text(text: str, member: str) -> str:
    """Return the text. Raises InvalidMessage if it exceeds the load format's limit."""
    is_short = len(text) * LONGEST_CHARACTER <= MAX_TEXT_BYTES
    if not is_short and len(orjson.dumps(text)) - 2 > MAX_TEXT_BYTES:
        raise InvalidMessage(f"{member} must have at most {MAX_TEXT_BYTES >> 10} KiB")
    return text


def cut(name: str, label: str, on_cut: OnCut) -> str:
    """Cut a name to the length that the load format allows, and report that with `on_cut`."""
    if len(name) > MAX_NAME:
        on_cut(f"{label} cut to {MAX_NAME} characters")
    return name[:MAX_NAME]


def instant(exported: dict[str, Any], member: str) -> datetime | None:
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


def _detail(exported: dict[str, Any], media_kind: str) -> str | None:
    """Return the emoji of a sticker, the title of a piece of music, or a name or place.

    The telephone number of a contact is left out.
    """
    if media_kind == "sticker":
        return _joined(exported.get("sticker_emoji"))
    if media_kind == "audio":
        return _joined(exported.get("performer"), exported.get("title"), between=" – ")
    if media_kind != "other":
        return None
    contact, location = exported.get("contact_information"), exported.get("location_information")
    if isinstance(contact, dict):
        return _joined(contact.get("first_name"), contact.get("last_name"))
    if named := _joined(exported.get("place_name"), exported.get("address"), between=", "):
        return named
    if isinstance(location, dict) and {type(v) for v in location.values()} <= {int, float}:
        axes = ("latitude", "longitude")
        return ", ".join(str(location[axis]) for axis in axes if axis in location)
    if invoice := _invoice_of(exported):
        return _joined(invoice.get("title"))
    return _joined(exported.get("game_title"), exported.get("title"))


def _invoice_of(exported: dict[str, Any]) -> dict[str, Any] | None:
    """Parse an invoice, which Telegram Desktop writes as a string of JSON."""
    value = exported.get("invoice_information")
    if isinstance(value, str):
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError:
            return {"title": value}
    return value if isinstance(value, dict) else None


def _list_text(exported: dict[str, Any], on_cut: OnCut) -> str | None:
    """Return the question or title of a poll or to-do list, then a line for each item."""
    name = next((name for name in LISTS if exported.get(name) is not None), None)
    if name is None:
        return None
    if not isinstance(value := exported[name], dict):
        raise InvalidMessage(f"{name} must be an object")
    lines = [_linked_text(value.get(LISTS[name]), f"{name}.{LISTS[name]}", on_cut)]
    total, answers = value.get("total_voters"), value.get("answers")
    if not isinstance(answers, list | None):
        raise InvalidMessage(f"{name}.answers must be an array")
    for answer in answers or []:
        item = answer if isinstance(answer, dict) else {"text": answer}
        count = item.get("voters")
        has_votes = type(total) is int and total > 0 and type(count) is int
        votes = f" ({count} vote{'s' * (count != 1)})" if has_votes else ""
        lines.append(f"- {_linked_text(item.get('text'), f'{name}.answers', on_cut)}{votes}")
    return _checked_text("\n".join(lines), name)


def _file(exported: dict[str, Any], media_kind: str, on_cut: OnCut) -> dict[str, Any] | None:
    """Return name, type, size and so on of the file, which the export may not include."""
    if media_kind in ("text", "poll", "other"):
        return None
    member, size = ("photo", "photo_file_size") if media_kind == "photo" else ("file", "file_size")
    mime_type, name = _joined(exported.get("mime_type")), _joined(exported.get("file_name"))
    path = PurePosixPath(name or "")
    # A file that is not included is `(File not included. Change data exporting settings ...)`.
    if (location := _joined(exported.get(member))) and not location.startswith("("):
        path = PurePosixPath(location)
        name = name or path.name
    return {
        "width": _measure(exported.get("width")),
        "height": _measure(exported.get("height")),
        "duration": _measure(exported.get("duration_seconds")),
        "mimeType": cut(mime_type, "type of a file", on_cut) if mime_type else None,
        "fileName": cut(name, "name of a file", on_cut) if name else None,
        "fileSize": _measure(exported.get(size)),
        "sticker": STICKERS.get(path.suffix.lower()) if media_kind == "sticker" else None,
    }


def _measure(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value <= MAX_INTEGER else None


def _joined(*values: Any, between: str = " ") -> str | None:
    """Join the values that are strings, without NUL; None if there are none."""
    texts = (value.replace("\0", "") for value in values if isinstance(value, str))
    return between.join(text for text in texts if text) or None

"""Convert one message of a Telegram Desktop export to the load format. No I/O."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain, groupby
from pathlib import PurePosixPath
from typing import Any

import orjson

from orgctx.resources.telegram.schemas import LAST_MESSAGE_ID, MAX_TEXT_BYTES
from orgctx.schemas.fields import MAX_NAME
from orgctx.schemas.formats import instant_text

# The exporter subtracts this from the ids of messages that a supergroup had as a group. Those are
# of another chat, whose ids are counted from 1, too, so they are left out.
MIGRATION_SHIFT = 1_000_000_000
PEER_ID = re.compile(r"(?:user|chat|channel)[0-9]{1,20}", re.ASCII)
NOBODY = "Deleted account"
# Service messages that are kept, because they name the topics of a forum.
TOPICS = {"topic_created": ("title", "Topic"), "topic_edit": ("new_title", "Topic renamed")}
# Kinds by the first word of the `media_type`, such as `video_message`.
KINDS = {"sticker", "video", "voice", "audio", "animation"}
STICKERS = {".webp": "static", ".tgs": "animated", ".webm": "video"}
MAX_INTEGER = 2**63 - 1
# Members that hold words, in the order in which they are read.
WORDS = ("title", "question", "text", "caption", "credit", "alt", "expression")
# Members that hold a list, with the name of its question or title.
LISTS = {"poll": "question", "todo_list": "title"}


class InvalidMessage(Exception):
    """A member of a message has an invalid value."""


def message(exported: dict[str, Any], chat_id: str) -> dict[str, Any]:
    """Return the `data` of a telegram.message. Raises InvalidMessage naming the invalid member.

    Time, sender and text must be valid. Impossible measures of a file, such as a negative width,
    become null. The detail has a line for the medium and one for each fact about the origin.
    """
    topic = _topic(exported)
    if topic:
        kind, text, detail, attached = "other", topic, TOPICS[exported["action"]][1], None
    else:
        text, subject = _text(exported), _subject(exported)
        kind = _kind_of(exported) or ("other" if subject or not text else "text")
        lines = {"sticker": _joined(exported, "sticker_emoji"), "other": subject}
        lines["audio"] = _joined(exported, "performer", "title", between=" – ")
        origin = "\n".join(_origin(exported))
        # Not cut: an erasure finds forwards by the id in it.
        about = (lines.get(kind) or "")[: max(0, MAX_NAME - len(origin) - 1)]
        detail = "\n".join(filter(None, (about, origin)))
        attached = _file(exported, kind)
    if (sent_at := _instant(exported, "date_unixtime")) is None:
        raise InvalidMessage("date_unixtime is required; export again with Telegram Desktop")
    edited_at = _instant(exported, "edited_unixtime")
    return {
        "chatId": chat_id,
        "id": exported["id"],
        "sender": _sender(exported, "actor" if topic else "from"),
        "kind": kind,
        "text": text or None,
        "detail": detail[:MAX_NAME] or None,
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


def is_kept(exported: dict[str, Any]) -> bool:
    """Return whether a person sent the message, or it names a topic."""
    return exported.get("type", "message") == "message" or bool(_topic(exported))


def _topic(exported: dict[str, Any]) -> str:
    member, _ = TOPICS.get(str(exported.get("action")), ("", ""))
    return name(exported.get(member)) if exported.get("type") == "service" else ""


def name(value: Any) -> str:
    """Return a string without NUL and white space at its ends, cut to what the load format takes.

    Other values are empty.
    """
    return value.replace("\0", "").strip()[:MAX_NAME] if isinstance(value, str) else ""


def _text(exported: dict[str, Any]) -> str:
    """Return the text, within the load format's limit, which counts bytes of JSON."""
    try:
        text = text_of(exported)
    except RecursionError:
        raise InvalidMessage("text is nested too deeply") from None
    if len(orjson.dumps(text)) - 2 > MAX_TEXT_BYTES:
        raise InvalidMessage(f"text must have at most {MAX_TEXT_BYTES >> 10} KiB")
    return text


def _sender(exported: dict[str, Any], member: str) -> dict[str, Any]:
    id_ = exported.get(f"{member}_id")
    if id_ not in (None, "") and not (isinstance(id_, str) and PEER_ID.fullmatch(id_)):
        raise InvalidMessage(f"{member}_id must be an id such as user123 or channel123")
    return {"id": id_ or None, "name": name(exported.get(member)) or NOBODY, "username": None}


def _reply_to(exported: dict[str, Any]) -> int | None:
    """Return the id of the replied message, or None if it is in another chat."""
    value = exported.get("reply_to_message_id")
    if type(value) is not int or exported.get("reply_to_peer_id") is not None:
        return None
    return value if 0 < value <= MAX_INTEGER else None


def _origin(exported: dict[str, Any]) -> Iterator[str]:
    """Yield a line each for the first author, the signature and the bot."""
    if "forwarded_from" in exported:
        id_ = exported.get("forwarded_from_id")
        peer = f" ({id_})" if isinstance(id_, str) and PEER_ID.fullmatch(id_) else ""
        yield f"Forwarded from {_line(exported['forwarded_from']) or NOBODY}{peer}"
    for member, label in (("author", "Signed by"), ("via_bot", "Via")):
        if text := _line(exported.get(member)):
            yield f"{label} {text}"


def _line(value: Any) -> str:
    return " ".join(name(value).split())


def _instant(exported: dict[str, Any], member: str) -> datetime | None:
    """Parse a time of a message to the second. Raises InvalidMessage."""
    seconds = exported.get(member)
    try:
        return None if seconds is None else datetime.fromtimestamp(int(seconds), UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        reason = f"{member} must be Unix seconds as a string, in the years 1 to 9999"
        raise InvalidMessage(reason) from None


def _kind_of(exported: dict[str, Any]) -> str | None:
    """Return the kind of a medium in the load format; None if there is none."""
    if (media_type := exported.get("media_type")) is not None:
        kind = str(media_type).partition("_")[0]
        return kind if kind in KINDS else "document" if "file" in exported else "other"
    media = (("photo", "photo"), ("poll", "poll"), ("file", "document"))
    return next((kind for member, kind in media if exported.get(member) is not None), None)


def _subject(exported: dict[str, Any]) -> str:
    """Return the name of a contact without the telephone number, of a place or of a game."""
    contact, location = exported.get("contact_information"), exported.get("location_information")
    person = _joined(contact, "first_name", "last_name")
    place = _joined(exported, "place_name", "address", between=", ")
    if isinstance(location, dict):
        axes = (location.get("latitude"), location.get("longitude"))
        place = place or ", ".join(str(axis) for axis in axes if isinstance(axis, int | float))
    return person or place or _joined(exported, "game_title")


def _joined(members: Any, *names: str, between: str = " ") -> str:
    values = members if isinstance(members, dict) else {}
    return between.join(filter(None, (name(values.get(each)) for each in names)))


def _file(exported: dict[str, Any], kind: str) -> dict[str, Any] | None:
    """Return name, type, size and so on of the file, which the export may not include."""
    if kind in ("text", "poll", "other"):
        return None
    member, size = ("photo", "photo_file_size") if kind == "photo" else ("file", "file_size")
    stated, location = name(exported.get("file_name")), name(exported.get(member))
    # A file that is not included is `(File not included. Change data exporting settings ...)`.
    path = PurePosixPath(stated if not location or location.startswith("(") else location)
    return {
        "width": _measure(exported.get("width")),
        "height": _measure(exported.get("height")),
        "duration": _measure(exported.get("duration_seconds")),
        "mimeType": name(exported.get("mime_type")) or None,
        "fileName": stated or path.name or None,
        "fileSize": _measure(exported.get(size)),
        "sticker": STICKERS.get(path.suffix.lower()) if kind == "sticker" else None,
    }


def _measure(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value <= MAX_INTEGER else None


def text_of(exported: dict[str, Any]) -> str:
    """Return all text of a message: what searches find. Raises InvalidMessage, RecursionError."""
    parts = [plain(exported.get("text"), "text")]
    for name, title in LISTS.items():
        if exported.get(name) is not None:
            parts.append("\n".join(_answers(exported[name], name, title)))
    return "\n\n".join(filter(None, parts + _blocks(exported.get("rich_message"))))


def plain(value: Any, member: str) -> str:
    """Return a text without formatting. Raises InvalidMessage naming the member.

    A link is followed by its address: `the docs (https://example.com)`.
    """
    if value is None or isinstance(value, str):
        return (value or "").replace("\0", "")
    if isinstance(value, dict):
        return " ".join(filter(None, (plain(value.get(name), member) for name in WORDS)))
    if not isinstance(value, list):
        raise InvalidMessage(f"{member} must be a string or an array")
    texts = []
    for address, parts in groupby(value, _address):
        words = "".join(plain(part, member) for part in parts)
        if address and address not in words:
            end = len(words.rstrip())
            words = f"{words[:end]} ({address}){words[end:]}"
        texts.append(words)
    return "".join(texts)


def _address(part: Any) -> str | None:
    """Return the address of a link."""
    if not isinstance(part, dict) or part.get("type") not in ("text_link", "url", "email"):
        return None
    address = part.get("href") or part.get("url")
    return address if isinstance(address, str) else None


def _answers(value: Any, name: str, title: str) -> Iterator[str]:
    """Yield the question or title of a poll or to-do list, then a line for each item."""
    answers = value.get("answers") or [] if isinstance(value, dict) else None
    if not isinstance(answers, list):
        raise InvalidMessage(f"{name} must be an object with an array of answers")
    yield plain(value.get(title), f"{name}.{title}")
    for answer in answers:
        item = answer if isinstance(answer, dict) else {"text": answer}
        yield f"- {plain(item.get('text'), f'{name}.answers')}"


def _blocks(value: Any) -> list[str]:
    """Return the words of each block of a rich message, also of those inside it, as paragraphs."""
    blocks = value if isinstance(value, list) else [value]
    return [text for block in blocks if isinstance(block, dict) for text in _paragraphs(block)]


def _paragraphs(block: dict[str, Any]) -> list[str]:
    words = (plain(block.get(name), "rich_message") for name in WORDS)
    inner = (_blocks(value) for name, value in block.items() if name not in WORDS)
    return [*filter(None, words), *chain.from_iterable(inner)]

"""What a message carries besides text: kind, detail and file of the load format. Pure."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from orgctx.importers.telegram_text import Unfit, flat_text

KINDS = {
    "sticker": "sticker",
    "video_file": "video",
    "video_message": "video",
    "voice_message": "voice",
    "audio_file": "audio",
    "animation": "animation",
}
# Members that a message has for something that is neither text nor a file.
OTHERS = (
    "contact_information",
    "location_information",
    "place_name",
    "game_title",
    "invoice_information",
    "todo_list",
    "giveaway_information",
    "giveaway_results",
    "paid_stars_amount",
)
STICKERS = {
    "image/webp": "static",
    "application/x-tgsticker": "animated",
    "video/webm": "video",
    ".webp": "static",
    ".tgs": "animated",
    ".webm": "video",
}
MOST = 2**63 - 1


def kind(exported: dict[str, Any]) -> str:
    """Of the load format. Unknown media without a file are `other`."""
    media_type = exported.get("media_type")
    if media_type is not None:
        known = KINDS.get(media_type) if isinstance(media_type, str) else None
        return known or ("document" if "file" in exported else "other")
    for member, name in (("photo", "photo"), ("poll", "poll"), ("file", "document")):
        if exported.get(member) is not None:
            return name
    return "other" if any(exported.get(member) is not None for member in OTHERS) else "text"


def detail(exported: dict[str, Any], what: str) -> str | None:
    """What a reader would see of it: emoji, question and answers, title, place, name."""
    if what == "text":
        return None
    if what == "poll":
        return _poll(exported["poll"])
    if what == "sticker":
        return _line(exported.get("sticker_emoji"))
    if what == "audio":
        return _line(exported.get("performer"), exported.get("title"), between=" – ")
    return _other(exported) if what == "other" else None


def file(exported: dict[str, Any], what: str) -> dict[str, Any] | None:
    """What is known of the file, whether or not the export included it."""
    if what in ("text", "poll", "other"):
        return None
    size = "photo_file_size" if what == "photo" else "file_size"
    path = _path(exported.get("photo" if what == "photo" else "file"))
    mime_type = _line(exported.get("mime_type"))
    name = _line(exported.get("file_name")) or (path.name if path else None)
    return {
        "width": _measure(exported.get("width")),
        "height": _measure(exported.get("height")),
        "duration": _measure(exported.get("duration_seconds")),
        "mimeType": mime_type,
        "fileName": name,
        "fileSize": _measure(exported.get(size)),
        "sticker": _sticker(mime_type, path, name) if what == "sticker" else None,
    }


def _path(value: Any) -> PurePosixPath | None:
    """None for `(File not included. Change data exporting settings to download.)`."""
    if not isinstance(value, str) or not value or value.startswith("("):
        return None
    return PurePosixPath(value.replace("\0", ""))


def _sticker(mime_type: str | None, path: PurePosixPath | None, name: str | None) -> str | None:
    suffix = path.suffix if path else PurePosixPath(name or "").suffix
    return STICKERS.get(mime_type or "") or STICKERS.get(suffix.lower())


def _measure(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value <= MOST else None


def _line(*values: Any, between: str = " ") -> str | None:
    """Strings on one line, what is absent left out; null if nothing is there."""
    texts = (value.replace("\0", "") for value in values if isinstance(value, str))
    return between.join(text for text in texts if text) or None


def _poll(poll: Any) -> str | None:
    """The question, then a line for each answer."""
    if not isinstance(poll, dict):
        raise Unfit("poll", "must be an object")
    answers = poll.get("answers")
    if not isinstance(answers, list | None):
        raise Unfit("poll.answers", "must be an array")
    lines = [flat_text(poll.get("question"), "poll.question")]
    for answer in answers or []:
        text = answer.get("text") if isinstance(answer, dict) else answer
        lines.append(f"- {flat_text(text, 'poll.answers')}")
    return "\n".join(lines) or None


def _other(exported: dict[str, Any]) -> str | None:
    """Names and places; a contact's telephone number is left out."""
    contact, invoice = exported.get("contact_information"), exported.get("invoice_information")
    where = exported.get("location_information")
    if isinstance(contact, dict):
        return _line(contact.get("first_name"), contact.get("last_name"))
    if named := _line(exported.get("place_name"), exported.get("address"), between=", "):
        return named
    if isinstance(where, dict) and {type(v) for v in where.values()} <= {int, float}:
        return ", ".join(str(where[axis]) for axis in ("latitude", "longitude") if axis in where)
    if isinstance(invoice, dict):
        return _line(invoice.get("title"))
    return _line(exported.get("game_title"), exported.get("title"))

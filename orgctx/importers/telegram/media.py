"""Convert the attachment of a message to the load format: kind, detail and file. No I/O."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

import orjson

from orgctx.importers.telegram.text import InvalidMessage, checked_text, cut, flat_text

KINDS = {
    "sticker": "sticker",
    "video_file": "video",
    "video_message": "video",
    "voice_message": "voice",
    "audio_file": "audio",
    "animation": "animation",
}
# Members of messages whose content is neither text nor a file.
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
ITEMS = ("answers", "items", "tasks", "list")
MAX_INTEGER = 2**63 - 1

OnCut = Callable[[str], object]


def kind_of(exported: dict[str, Any]) -> str:
    """Return the kind in the load format; `other` for unknown media without a file."""
    media_type = exported.get("media_type")
    if media_type is not None:
        kind = KINDS.get(media_type) if isinstance(media_type, str) else None
        return kind or ("document" if "file" in exported else "other")
    for member, name in (("photo", "photo"), ("poll", "poll"), ("file", "document")):
        if exported.get(member) is not None:
            return name
    return "other" if any(member in exported for member in OTHERS) else "text"


def detail(exported: dict[str, Any], media_kind: str, on_cut: OnCut) -> str | None:
    """Return the visible text: emoji, question and answers, title, place or name."""
    if media_kind == "poll":
        return checked_text(_list(exported["poll"], "poll", "question"), "poll")
    if media_kind == "other" and exported.get("todo_list") is not None:
        return checked_text(_list(exported["todo_list"], "todo_list", "title"), "todo_list")
    if media_kind == "sticker":
        text = _line(exported.get("sticker_emoji"))
    elif media_kind == "audio":
        text = _line(exported.get("performer"), exported.get("title"), between=" – ")
    else:
        text = _other(exported) if media_kind == "other" else None
    return cut(text, "detail", on_cut) if text else None


def file(exported: dict[str, Any], media_kind: str, on_cut: OnCut) -> dict[str, Any] | None:
    """Return name, type, size and so on of the file, which the export may not include."""
    if media_kind in ("text", "poll", "other"):
        return None
    size = "photo_file_size" if media_kind == "photo" else "file_size"
    path = _path(exported.get("photo" if media_kind == "photo" else "file"))
    mime_type = _line(exported.get("mime_type"))
    name = _line(exported.get("file_name")) or (path.name if path else None)
    return {
        "width": _measure(exported.get("width")),
        "height": _measure(exported.get("height")),
        "duration": _measure(exported.get("duration_seconds")),
        "mimeType": cut(mime_type, "type of a file", on_cut) if mime_type else None,
        "fileName": cut(name, "name of a file", on_cut) if name else None,
        "fileSize": _measure(exported.get(size)),
        "sticker": _sticker(mime_type, path, name) if media_kind == "sticker" else None,
    }


def _path(value: Any) -> PurePosixPath | None:
    """Parse a path; None for `(File not included. Change data exporting settings ...)`."""
    if not isinstance(value, str) or not value or value.startswith("("):
        return None
    return PurePosixPath(value.replace("\0", ""))


def _sticker(mime_type: str | None, path: PurePosixPath | None, name: str | None) -> str | None:
    suffix = path.suffix if path else PurePosixPath(name or "").suffix
    return STICKERS.get(mime_type or "") or STICKERS.get(suffix.lower())


def _measure(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value <= MAX_INTEGER else None


def _line(*values: Any, between: str = " ") -> str | None:
    """Join the values that are strings on one line; None if there are none."""
    texts = (value.replace("\0", "") for value in values if isinstance(value, str))
    return between.join(text for text in texts if text) or None


def _list(value: Any, name: str, head: str) -> str:
    """Format a poll or to-do list: the question or title, then a line per answer or task."""
    if not isinstance(value, dict):
        raise InvalidMessage(name, "must be an object")
    lines = [flat_text(value.get(head), f"{name}.{head}")]
    for member in ITEMS:
        items = value.get(member)
        if not isinstance(items, list | None):
            raise InvalidMessage(f"{name}.{member}", "must be an array")
        for item in items or []:
            text = item.get("text", item.get("title")) if isinstance(item, dict) else item
            lines.append(f"- {flat_text(text, f'{name}.{member}')}")
    return "\n".join(lines)


def _other(exported: dict[str, Any]) -> str | None:
    """Return a name or place, without the telephone number of a contact."""
    contact, invoice = exported.get("contact_information"), _invoice(exported)
    location = exported.get("location_information")
    if isinstance(contact, dict):
        return _line(contact.get("first_name"), contact.get("last_name"))
    if named := _line(exported.get("place_name"), exported.get("address"), between=", "):
        return named
    if isinstance(location, dict) and {type(v) for v in location.values()} <= {int, float}:
        return ", ".join(
            str(location[axis]) for axis in ("latitude", "longitude") if axis in location
        )
    if invoice:
        return _line(invoice.get("title"))
    return _line(exported.get("game_title"), exported.get("title"))


def _invoice(exported: dict[str, Any]) -> dict[str, Any] | None:
    """Parse an invoice, which Telegram Desktop writes as a string of JSON."""
    value = exported.get("invoice_information")
    if isinstance(value, str):
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError:
            return {"title": value}
    return value if isinstance(value, dict) else None

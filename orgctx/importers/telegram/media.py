"""Convert the attachment of a message to the load format: kind, detail, list and file. No I/O."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

import orjson

from orgctx.importers.telegram.text import (
    InvalidMessage,
    OnCut,
    checked_text,
    cut,
    linked_text,
)

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
# Members that hold a list, with the name of its question or title.
LISTS = {"poll": "question", "todo_list": "title"}
MAX_INTEGER = 2**63 - 1


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


def detail(exported: dict[str, Any], media_kind: str) -> str | None:
    """Return the emoji of a sticker, the title of a piece of music, or the name of something."""
    if media_kind == "sticker":
        return _line(exported.get("sticker_emoji"))
    if media_kind == "audio":
        return _line(exported.get("performer"), exported.get("title"), between=" – ")
    return _other(exported) if media_kind == "other" else None


def list_text(exported: dict[str, Any], on_cut: OnCut) -> str | None:
    """Return the question or title of a poll or to-do list, then a line for each item."""
    for name, head in LISTS.items():
        if exported.get(name) is not None:
            return checked_text(_list(exported[name], name, head, on_cut), name)
    return None


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


def _list(value: Any, name: str, head: str, on_cut: OnCut) -> str:
    if not isinstance(value, dict):
        raise InvalidMessage(name, "must be an object")
    has_votes = type(value.get("total_voters")) is int and value["total_voters"] > 0
    lines = [linked_text(value.get(head), f"{name}.{head}", on_cut)]
    for member in ITEMS:
        items = value.get(member)
        if not isinstance(items, list | None):
            raise InvalidMessage(f"{name}.{member}", "must be an array")
        for item in items or []:
            text = item.get("text", item.get("title")) if isinstance(item, dict) else item
            words = linked_text(text, f"{name}.{member}", on_cut)
            lines.append(f"- {words}{_votes(item) if has_votes else ''}")
    return "\n".join(lines)


def _votes(item: Any) -> str:
    count = item.get("voters") if isinstance(item, dict) else None
    return f" ({count} vote{'s' * (count != 1)})" if type(count) is int else ""


def _other(exported: dict[str, Any]) -> str | None:
    """Return a name or place, without the telephone number of a contact."""
    contact, invoice = exported.get("contact_information"), invoice_of(exported)
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


def invoice_of(exported: dict[str, Any]) -> dict[str, Any] | None:
    """Parse an invoice, which Telegram Desktop writes as a string of JSON."""
    value = exported.get("invoice_information")
    if isinstance(value, str):
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError:
            return {"title": value}
    return value if isinstance(value, dict) else None

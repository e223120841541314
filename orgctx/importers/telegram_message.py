"""One message of a Telegram Desktop export as one of the load format. Pure; no files."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from orgctx.importers.telegram_media import detail, file, kind
from orgctx.importers.telegram_text import Unfit, flat_text

LAST_ID = 2**31 - 1
SENDER_ID = re.compile(r"[^/\x00-\x1f\x7f-\x9f]{1,200}")
UNIXTIME = re.compile(r"-?[0-9]{1,12}", re.ASCII)
LOCAL_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", re.ASCII)
NOBODY = "Deleted account"


def message(exported: dict[str, Any], chat_id: str) -> dict[str, Any]:
    """The `data` of a telegram.message. Raises Unfit naming the member that is wrong.

    What makes a message, its id, time, sender and text, must be right; measures of a
    file that cannot be (a negative width) are null.
    """
    what = kind(exported)
    return {
        "chatId": chat_id,
        "id": message_id(exported),
        "sender": _sender(exported),
        "kind": what,
        "text": flat_text(exported.get("text"), "text") or None,
        "detail": detail(exported, what),
        "file": file(exported, what),
        "replyToMessageId": _reply_to(exported),
        "sentAt": _sent_at(exported),
        "editedAt": _edited_at(exported),
    }


def message_id(exported: dict[str, Any]) -> int:
    """Negative ids are those of the group that a supergroup grew from."""
    value = exported.get("id")
    if type(value) is not int or value > LAST_ID or value == 0:
        raise Unfit("id", f"must be an integer from 1 to {LAST_ID}")
    return value


def _sender(exported: dict[str, Any]) -> dict[str, Any]:
    name = exported.get("from")
    if name is not None and not isinstance(name, str):
        raise Unfit("from", "must be a string or null")
    name = (name or "").replace("\0", "").strip()
    return {"id": _sender_id(exported.get("from_id")), "name": name or NOBODY, "username": None}


def _sender_id(value: Any) -> str | None:
    """`user123`; exports before 2021 have the bare number of a user."""
    if value is None or value == "":
        return None
    if type(value) is int and value > 0:
        return f"user{value}"
    if isinstance(value, str) and SENDER_ID.fullmatch(value):
        return value
    raise Unfit("from_id", "must be such as user123, channel123 or a number")


def _reply_to(exported: dict[str, Any]) -> int | None:
    """Null for a reply to a message of another chat, whose ids mean nothing in this one."""
    value = exported.get("reply_to_message_id")
    if value is None or exported.get("reply_to_peer_id") is not None:
        return None
    if type(value) is not int or not -(2**63) <= value < 2**63:
        raise Unfit("reply_to_message_id", "must be an integer")
    return value


def _sent_at(exported: dict[str, Any]) -> str:
    at = _at(exported, "date")
    if at is None:
        raise Unfit("date_unixtime", "is missing, and so is date")
    return at


def _edited_at(exported: dict[str, Any]) -> str | None:
    """Exports before 2021 have the year 1970 for what was never edited."""
    at = _at(exported, "edited")
    return None if at is None or at.startswith("1970-01-01") else at


def _at(exported: dict[str, Any], name: str) -> str | None:
    """`<name>_unixtime`, else `<name>`, which is local time without a zone: taken as UTC."""
    value = exported.get(f"{name}_unixtime")
    if value is None:
        return _local(exported.get(name), name)
    text = str(value) if type(value) is int else value
    if not isinstance(text, str) or not UNIXTIME.fullmatch(text):
        raise Unfit(f"{name}_unixtime", "must be the seconds since 1970, as a string")
    try:
        return datetime.fromtimestamp(int(text), UTC).isoformat()[:-6] + "Z"
    except (ValueError, OverflowError, OSError):
        raise Unfit(f"{name}_unixtime", "must be within the years 1 to 9999") from None


def _local(value: Any, name: str) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not LOCAL_TIME.fullmatch(value):
        raise Unfit(name, "must be a time such as 2026-01-31T08:00:00")
    try:
        return datetime.fromisoformat(value).isoformat() + "Z"
    except ValueError:
        raise Unfit(name, "must be a time such as 2026-01-31T08:00:00") from None

"""Parse times of an export: Unix seconds or, in old exports, local times without a zone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

from orgctx.bundle import packed
from orgctx.importers.telegram.text import InvalidMessage

UNIXTIME = re.compile(r"-?[0-9]{1,12}", re.ASCII)
LOCAL_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", re.ASCII)
STATED = re.compile(rb'"(?:date|edited|last_active)_unixtime" ?: ?"?([0-9]{1,11})\b')
STATED_LOCAL = re.compile(
    rb'"(?:date|edited|last_active)" ?: ?"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8})"'
)
CHUNK = 1024 * 1024
LONGEST_STATED = 64


def instant(exported: dict[str, Any], name: str, zone: tzinfo) -> datetime | None:
    """Parse `<name>_unixtime`, else `<name>` in `zone`, to the second. Raises InvalidMessage."""
    value = exported.get(f"{name}_unixtime")
    if value is None:
        return _local(exported.get(name), name, zone)
    text = str(value) if type(value) is int else value
    if not isinstance(text, str) or not UNIXTIME.fullmatch(text):
        raise InvalidMessage(f"{name}_unixtime", "must be Unix seconds as a string")
    try:
        return datetime.fromtimestamp(int(text), UTC)
    except (ValueError, OverflowError, OSError):
        raise InvalidMessage(f"{name}_unixtime", "must be in the years 1 to 9999") from None


def collected_at(path: Path, zone: tzinfo) -> datetime | None:
    """Return when the export was made: its newest time, at most now.

    None if it has no times, or if the path is a pipe, which can be read only once.
    """
    if not path.is_file():
        return None
    newest, newest_local, overlap = 0, b"", b""
    with packed.opened(path) as file:
        while chunk := file.read(CHUNK):
            text = overlap + chunk
            newest = max(newest, max(map(int, STATED.findall(text)), default=0))
            newest_local = max(newest_local, max(STATED_LOCAL.findall(text), default=b""))
            overlap = text[-LONGEST_STATED:]
    now = datetime.now(UTC).replace(microsecond=0)
    if newest:
        return datetime.fromtimestamp(min(newest, int(now.timestamp())), UTC)
    try:
        local = _local(newest_local.decode() or None, "date", zone)
    except InvalidMessage:
        return None
    return min(local, now) if local else None


def _local(value: Any, name: str, zone: tzinfo) -> datetime | None:
    if value is None:
        return None
    if not isinstance(value, str) or not LOCAL_TIME.fullmatch(value):
        raise InvalidMessage(name, "must be a time such as 2026-01-31T08:00:00")
    try:
        return datetime.fromisoformat(value).replace(tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidMessage(name, "must be a time such as 2026-01-31T08:00:00") from None

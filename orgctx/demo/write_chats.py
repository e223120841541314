"""Write two chats as Telegram Desktop exports them, from readable scripts.

A line of `scripts/dockside.txt` is `HH:MM Name | text`. After the name, `^2` replies to the
message two before and `~5` means edited five minutes later; the text may begin with an
attachment in brackets. `== DATE` starts a day, `--` is a service message. A line of
`scripts/beacon.txt` is a date and a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from orgctx.demo.identities import BEACON_NUMBER, DOCKSIDE_NUMBER
from orgctx.demo.write_attachments import attachment_fields
from orgctx.demo.write_documents import height

Message = dict[str, Any]

SCRIPTS = Path(__file__).parent / "scripts"
DOCKSIDE_CHAT = {
    "name": "Harbor Lights · Dockside",
    "type": "public_supergroup",
    "id": DOCKSIDE_NUMBER,
}
BEACON_CHAT = {"name": "Harbor Lights Beacon 🗼", "type": "public_channel", "id": BEACON_NUMBER}

# Name and id of each sender in the export; the name of a deleted account is None.
PEOPLE: dict[str, tuple[str | None, int]] = {
    "Ines": ("Ines Marrow", 501_000_001), "Mira": ("Mira Oduya", 501_000_002),
    "Jonas": ("Jonas Lind", 501_000_003), "Eleni": ("Ελένη Μαύρου", 501_000_004),
    "Sam": ("Sam", 501_000_005), "Daryna": ("Дарина Коваль", 501_000_006),
    "Lukasz": ("Łukasz Żak", 501_000_007), "Zoe": ("Zoë Vermeulen", 501_000_008),
    "Noor": ("Noor al-Amin", 501_000_009), "Asa": ("Åsa Sjöberg", 501_000_010),
    "Tomasz": ("Tomasz", 501_000_011), "Hana": ("Hana Dvořáková", 501_000_012),
    "Theo": ("Théo Lefèvre", 501_000_013), "Beatriz": ("Beatriz Conceição", 501_000_014),
    "Kofi": ("Kofi Mensah", 501_000_015), "Oleksiy": ("Олексій ⚓", 501_000_016),
    "Giorgos": ("Γιώργος", 501_000_017), "MariaJose": ("María José Núñez", 501_000_018),
    "Wanjiru": ("Wanjiru", 501_000_019), "Misaki": ("美咲", 501_000_020),
    "Priya": ("Priya R.", 501_000_021), "Bjorn": ("Bjørn på brygga", 501_000_022),
    "Sian": ("Siân Llewellyn", 501_000_023), "Otto": ("Otto the baker 🥐", 501_000_024),
    "Fatima": ("Fatıma Çelik", 501_000_025), "Bot": ("Tide Bot 🌊", 501_000_026),
    "Gone": (None, 501_000_027),
}  # fmt: skip

LINE = re.compile(r"(\d\d:\d\d) (\w+)(?: \^(\d+))?(?: ~(\d+))? \| (?:\[([^\]]+)\] )?(.*)")
ENTITY = re.compile(r"\*(?P<bold>[^*]+)\*|(?P<link>https://\S+)|(?P<hashtag>#\w+)")


def dockside() -> Message:
    """Return the export of the crew's chat, a supergroup."""
    messages: list[Message] = []
    date = ""
    for line in (SCRIPTS / "dockside.txt").read_text("utf-8").splitlines():
        if line.startswith("== "):
            date = line.removeprefix("== ")
            continue
        match = LINE.fullmatch(line)
        if not match:
            raise ValueError(f"dockside.txt has an invalid line: {line}")
        clock, name, reply_distance, edit_minutes, attachment, text = match.groups()
        sent_at = datetime.fromisoformat(f"{date}T{clock}:{len(messages) * 7 % 60:02}+00:00")
        number = 1001 + len(messages)
        if text.startswith("-- "):
            messages.append(_service(number, sent_at, name, text.removeprefix("-- ")))
            continue
        message = _message(number, sent_at, text, attachment, *_sender(name))
        if reply_distance:
            message["reply_to_message_id"] = number - int(reply_distance)
        if edit_minutes:
            message |= _edit_times(sent_at + timedelta(minutes=int(edit_minutes)))
        messages.append(message)
    return {**DOCKSIDE_CHAT, "messages": messages}


def beacon() -> Message:
    """Return the export of the announcement channel: news, and the tides of every weekend."""
    script = (SCRIPTS / "beacon.txt").read_text("utf-8").splitlines()
    days = (line.split(" ", 1) for line in script)
    posts = [(datetime.fromisoformat(f"{day}T10:00:00+00:00"), text) for day, text in days]
    posts += _weekend_posts()
    messages = []
    for number, (sent_at, text) in enumerate(sorted(posts), 1):
        attachment = None
        if text.startswith("["):
            attachment, _, text = text[1:].partition("] ")
        sender = (str(BEACON_CHAT["name"]), f"channel{BEACON_NUMBER}")
        message = _message(number, sent_at, text, attachment, *sender)
        if number % 9 == 4:
            message |= _edit_times(sent_at + timedelta(minutes=2))
        messages.append(message)
    return {**BEACON_CHAT, "messages": messages}


def _weekend_posts() -> Iterator[tuple[datetime, str]]:
    first_friday = datetime(2026, 5, 1, 16, 0, tzinfo=UTC)
    for week in range(29):
        sent_at = first_friday + timedelta(weeks=week)
        lines = []
        for days in (1, 2):
            day = (sent_at + timedelta(days=days)).replace(hour=0)
            times = [day + timedelta(minutes=6 * step) for step in range(240)]
            low = min((time for time in times if 7 <= time.hour < 19), key=height)
            lines.append(f"{low:%A}: low water {low:%H:%M}, {height(low):.1f} m")
        yield sent_at, "*Weekend tides* 🌊\n" + "\n".join(lines) + "\n#tides"


def _sender(name: str) -> tuple[str | None, str]:
    full_name, number = PEOPLE[name]
    return full_name, f"user{number}"


def _times(time: datetime) -> Message:
    return {"date": f"{time:%Y-%m-%dT%H:%M:%S}", "date_unixtime": str(int(time.timestamp()))}


def _edit_times(time: datetime) -> Message:
    return {"edited": f"{time:%Y-%m-%dT%H:%M:%S}", "edited_unixtime": str(int(time.timestamp()))}


def _service(number: int, sent_at: datetime, name: str, action: str) -> Message:
    full_name, actor_id = _sender(name)
    actions: dict[str, Message] = {
        "pinned": {"action": "pin_message", "message_id": number + 1},
        "invited": {"action": "invite_members", "members": ["Fatıma Çelik"]},
    }
    actor = {"actor": full_name, "actor_id": actor_id}
    common = {"id": number, "type": "service", **_times(sent_at)}
    return {**common, **actor, **actions[action], "text": "", "text_entities": []}


def _message(
    number: int,
    sent_at: datetime,
    text: str,
    attachment: str | None,
    name: str | None,
    from_id: str,
) -> Message:
    entities = list(_entities(text))
    has_format = any(entity["type"] != "plain" for entity in entities)
    parts = [entity["text"] if entity["type"] == "plain" else entity for entity in entities]
    return {
        "id": number,
        "type": "message",
        **_times(sent_at),
        "from": name,
        "from_id": from_id,
        **(attachment_fields(attachment) if attachment else {}),
        "text": parts if has_format else text,
        "text_entities": entities,
    }


def _entities(text: str) -> Iterator[Message]:
    end = 0
    for match in ENTITY.finditer(text):
        if match.start() > end:
            yield {"type": "plain", "text": text[end : match.start()]}
        yield {"type": match.lastgroup, "text": match[match.lastgroup or 0]}
        end = match.end()
    if text[end:]:
        yield {"type": "plain", "text": text[end:]}

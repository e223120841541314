"""Write two chats as Telegram Desktop exports them, from readable scripts.

A line of `scripts/dockside.txt` is `HH:MM Name | text`. After the name, `^2` replies to the
message two before and `~5` means edited five minutes later; the text may begin with an
attachment in brackets. `== DATE` begins a day, `--` is a service message. A line of
`scripts/beacon.txt` is a date and a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from orgctx.demo.identities import BEACON_NUMBER, DOCKSIDE_NUMBER
from orgctx.demo.write_documents import height

Message = dict[str, Any]

SCRIPTS = Path(__file__).parent / "scripts"
NOT_INCLUDED = "(File not included. Change data exporting settings to download.)"
DOCKSIDE_CHAT = {
    "name": "Harbor Lights · Dockside",
    "type": "public_supergroup",
    "id": DOCKSIDE_NUMBER,
}
BEACON_CHAT = {"name": "Harbor Lights Beacon 🗼", "type": "public_channel", "id": BEACON_NUMBER}

# The export refers to people by number; None is a deleted account.
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
MIMES = {"voice": "audio/ogg", "video": "video/mp4", "gif": "video/mp4", "audio": "audio/mpeg"}
MEDIA = {
    "voice": "voice_message", "video": "video_file", "gif": "animation", "audio": "audio_file",
}  # fmt: skip


def dockside() -> Message:
    """The crew's chat, a supergroup."""
    messages: list[Message] = []
    date = ""
    for line in (SCRIPTS / "dockside.txt").read_text("utf-8").splitlines():
        if line.startswith("== "):
            date = line.removeprefix("== ")
            continue
        match = LINE.fullmatch(line)
        if not match:
            raise ValueError(f"not a line of the script: {line}")
        clock, who, back, edited, attached, text = match.groups()
        at = datetime.fromisoformat(f"{date}T{clock}:{len(messages) * 7 % 60:02}+00:00")
        number = 1001 + len(messages)
        if text.startswith("-- "):
            messages.append(_service(number, at, who, text.removeprefix("-- ")))
            continue
        message = _message(number, at, text, attached, *_sender(who))
        if back:
            message["reply_to_message_id"] = number - int(back)
        if edited:
            message |= _edited(at + timedelta(minutes=int(edited)))
        messages.append(message)
    return {**DOCKSIDE_CHAT, "messages": messages}


def beacon() -> Message:
    """The announcement channel: news, and the tides of every weekend."""
    script = (SCRIPTS / "beacon.txt").read_text("utf-8").splitlines()
    days = (line.split(" ", 1) for line in script)
    posts = [(f"{day}T10:00:00+00:00", text) for day, text in days]
    posts += list(_weekends())
    messages = []
    for number, (at, text) in enumerate(sorted(posts), 1):
        attached = None
        if text.startswith("["):
            attached, _, text = text[1:].partition("] ")
        sender = (str(BEACON_CHAT["name"]), f"channel{BEACON_NUMBER}")
        message = _message(number, datetime.fromisoformat(at), text, attached, *sender)
        if number % 9 == 4:
            message |= _edited(datetime.fromisoformat(at) + timedelta(minutes=2))
        messages.append(message)
    return {**BEACON_CHAT, "messages": messages}


def _weekends() -> Iterator[tuple[str, str]]:
    friday = datetime(2026, 5, 1, 16, 0, tzinfo=UTC)
    for week in range(29):
        at = friday + timedelta(weeks=week)
        lines = []
        for days in (1, 2):
            day = (at + timedelta(days=days)).replace(hour=0)
            hours = [day + timedelta(minutes=6 * step) for step in range(240)]
            low = min((hour for hour in hours if 7 <= hour.hour < 19), key=height)
            lines.append(f"{low:%A}: low water {low:%H:%M}, {height(low):.1f} m")
        yield (
            f"{at:%Y-%m-%dT%H:%M:%S}+00:00",
            "*Weekend tides* 🌊\n" + "\n".join(lines) + "\n#tides",
        )


def _sender(who: str) -> tuple[str | None, str]:
    name, number = PEOPLE[who]
    return name, f"user{number}"


def _times(at: datetime) -> Message:
    return {"date": f"{at:%Y-%m-%dT%H:%M:%S}", "date_unixtime": str(int(at.timestamp()))}


def _edited(at: datetime) -> Message:
    return {"edited": f"{at:%Y-%m-%dT%H:%M:%S}", "edited_unixtime": str(int(at.timestamp()))}


def _service(number: int, at: datetime, who: str, action: str) -> Message:
    name, actor_id = _sender(who)
    acts: dict[str, Message] = {
        "pinned": {"action": "pin_message", "message_id": number + 1},
        "invited": {"action": "invite_members", "members": ["Fatıma Çelik"]},
    }
    actor = {"actor": name, "actor_id": actor_id}
    head = {"id": number, "type": "service", **_times(at)}
    return {**head, **actor, **acts[action], "text": "", "text_entities": []}


def _message(
    number: int, at: datetime, text: str, attached: str | None, name: str | None, from_id: str
) -> Message:
    entities = list(_entities(text))
    has_format = any(entity["type"] != "plain" for entity in entities)
    parts = [entity["text"] if entity["type"] == "plain" else entity for entity in entities]
    return {
        "id": number,
        "type": "message",
        **_times(at),
        "from": name,
        "from_id": from_id,
        **(_attachment(attached) if attached else {}),
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


def _attachment(script: str) -> Message:
    kind, _, rest = script.partition(" ")
    size = len(rest) * 7919 + 20_000
    if kind == "photo":
        width, _, height_px = rest.partition("x")
        return {
            "photo": NOT_INCLUDED,
            "photo_file_size": size,
            "width": int(width),
            "height": int(height_px),
        }
    if kind == "sticker":
        file = {"file": NOT_INCLUDED, "file_name": "sticker.webp", "file_size": 18_712}
        media = {"media_type": "sticker", "sticker_emoji": rest, "width": 512, "height": 512}
        return file | media
    if kind == "poll":
        return {"poll": _poll(*rest.split("|"))}
    if kind == "file":
        name, mime, size_text = rest.rsplit(" ", 2)
        document = {"file": NOT_INCLUDED, "file_name": name, "file_size": int(size_text)}
        return document | {"mime_type": mime}
    return _recording(kind, rest, size)


def _poll(question: str, *answers: str) -> Message:
    votes = [answer.rsplit(":", 1) for answer in answers]
    return {
        "question": question,
        "closed": False,
        "total_voters": sum(int(count) for _, count in votes),
        "answers": [{"text": text, "voters": int(n), "chosen": False} for text, n in votes],
    }


def _recording(kind: str, rest: str, size: int) -> Message:
    media: Message = {
        "file": NOT_INCLUDED,
        "file_size": size * 10,
        "media_type": MEDIA[kind],
        "mime_type": MIMES[kind],
    }
    if kind == "audio":
        title, performer, seconds = rest.split("|")
        names = {"file_name": f"{title}.mp3", "performer": performer, "title": title}
        return media | names | {"duration_seconds": int(seconds)}
    if "x" not in rest:
        return media | {"duration_seconds": int(rest)}
    seconds, _, pixels = f"3 {rest}".rpartition(" ")
    width, _, height_px = pixels.partition("x")
    shape = {"width": int(width), "height": int(height_px)}
    name = {"file_name": f"{kind}_{width}.mp4"}
    return media | name | {"duration_seconds": int(seconds.split()[-1])} | shape

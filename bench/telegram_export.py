"""A synthetic Telegram Desktop export: python -m bench.telegram_export --messages N FILE.

Laid out as the exporter does, with what its exports hold: entities,
photos, files, polls, stickers, invalid escapes, unquoted document ids.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import IO, Any

from bench.bundle import SENDERS, WORDS

BEGIN = datetime(2020, 1, 1, tzinfo=UTC)
ABSENT = "(File not included. Change data exporting settings to download.)"
HEAD = '{\n "name": "Bench",\n "type": "private_supergroup",\n "id": 1234567,\n "messages": [\n'
# What json.dumps writes for these is replaced by what the exporter writes.
ESCAPED, UNQUOTED = "\\u0007", '"stickers/AnimatedSticker.tgs"'


def write(file: IO[str], messages: int, seed: int = 1) -> None:
    """An export of so many messages, the same for the same seed."""
    file.write(HEAD)
    for number, exported in enumerate(_messages(messages, Random(seed))):
        text = json.dumps(exported, ensure_ascii=False, indent=1)
        text = text.replace(ESCAPED, "\\x07").replace(UNQUOTED, UNQUOTED.strip('"'))
        file.write(",\n" * bool(number) + text.replace("\n", "\n  "))
    file.write("\n ]\n}")


def _messages(count: int, random: Random) -> Iterator[dict[str, Any]]:
    for number in range(1, count + 1):
        at = BEGIN + timedelta(seconds=30 * number)
        sender = random.randrange(SENDERS)
        head = {
            "id": number,
            "type": "message",
            "date": at.strftime("%Y-%m-%dT%H:%M:%S"),
            "date_unixtime": str(int(at.timestamp())),
            "from": f"Person {sender}",
            "from_id": f"user{sender}",
        }
        yield head | _content(random, number)


def _content(random: Random, number: int) -> dict[str, Any]:
    text = " ".join(random.choices(WORDS, k=random.randint(3, 25)))
    plain = {"text": text, "text_entities": [{"type": "plain", "text": text}] if text else []}
    kind = random.randrange(100)
    if kind < 70:
        reply = {"reply_to_message_id": random.randint(1, number)} if kind < 20 else {}
        return reply | plain
    if kind < 85:
        parts = [text, {"type": "link", "text": "https://example.com/"}, " end"]
        entities = [{"type": "plain", "text": text}, parts[1], {"type": "plain", "text": " end"}]
        return {"text": parts, "text_entities": entities}
    if kind < 98:
        return _media(random, kind) | plain
    if kind == 98:
        return {"text": text + "\x07", "text_entities": []}
    emoji = {"type": "custom_emoji", "text": "🔥", "document_id": "stickers/AnimatedSticker.tgs"}
    return {"text": [emoji, text], "text_entities": []}


def _media(random: Random, kind: int) -> dict[str, Any]:
    size = {"width": 1280, "height": 720}
    if kind < 92:
        return {"photo": ABSENT, "photo_file_size": random.randrange(10**6), **size}
    if kind < 96:
        video = {"file_name": f"{random.randrange(99)}.mp4", "file_size": random.randrange(10**9)}
        kinds = {"media_type": "video_file", "mime_type": "video/mp4", "duration_seconds": 60}
        return {"file": ABSENT, **video, **kinds, **size}
    answers = [{"text": word, "voters": 1, "chosen": False} for word in random.choices(WORDS, k=3)]
    return {"poll": {"question": "Which?", "closed": True, "total_voters": 3, "answers": answers}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("file", type=Path)
    arguments = parser.parse_args()
    with arguments.file.open("w", encoding="utf-8") as file:
        write(file, arguments.messages, arguments.seed)


if __name__ == "__main__":
    main()

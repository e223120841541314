"""Write a generated Telegram Desktop export.

The layout and the contents are those of real exports: entities, photos, files, polls, stickers and
invalid escapes. Equal seeds give equal files.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import IO, Any

from bench.dataset import WORDS

BEGIN = datetime(2020, 1, 1, tzinfo=UTC)
SENDER_COUNT = 5_000
NOT_INCLUDED = "(File not included. Change data exporting settings to download.)"
HEADER = '{\n "name": "Bench",\n "type": "private_supergroup",\n "id": 1234567,\n "messages": [\n'
# json.dumps writes this; the exporter writes an invalid escape.
ESCAPED = "\\u0007"


def write(file: IO[str], messages: int, seed: int = 1) -> None:
    """Write an export of this many messages."""
    file.write(HEADER)
    for number, message in enumerate(_messages(messages, Random(seed))):
        text = json.dumps(message, ensure_ascii=False, indent=1)
        text = text.replace(ESCAPED, "\\x07")
        file.write(",\n" * bool(number) + text.replace("\n", "\n  "))
    file.write("\n ]\n}")


def _messages(count: int, random: Random) -> Iterator[dict[str, Any]]:
    for number in range(1, count + 1):
        sent_at = BEGIN + timedelta(seconds=30 * number)
        sender = random.randrange(SENDER_COUNT)
        base = {
            "id": number,
            "type": "message",
            "date": sent_at.strftime("%Y-%m-%dT%H:%M:%S"),
            "date_unixtime": str(int(sent_at.timestamp())),
            "from": f"Person {sender}",
            "from_id": f"user{sender}",
        }
        yield base | _content(random, number)


def _content(random: Random, number: int) -> dict[str, Any]:
    text = " ".join(random.choices(WORDS, k=random.randint(3, 25)))
    plain = {"text": text, "text_entities": [{"type": "plain", "text": text}] if text else []}
    percent = random.randrange(100)
    if percent < 70:
        reply = {"reply_to_message_id": random.randint(1, number)} if percent < 20 else {}
        return reply | plain
    if percent < 85:
        parts = [text, {"type": "link", "text": "https://example.com/"}, " end"]
        entities = [{"type": "plain", "text": text}, parts[1], {"type": "plain", "text": " end"}]
        return {"text": parts, "text_entities": entities}
    if percent < 98:
        return _media(random, percent) | plain
    if percent == 98:
        return {"text": text + "\x07", "text_entities": []}
    emoji = {"type": "custom_emoji", "text": "🔥", "document_id": "stickers/AnimatedSticker.tgs"}
    return {"text": [emoji, text], "text_entities": []}


def _media(random: Random, percent: int) -> dict[str, Any]:
    size = {"width": 1280, "height": 720}
    if percent < 92:
        return {"photo": NOT_INCLUDED, "photo_file_size": random.randrange(10**6), **size}
    if percent < 96:
        video = {"file_name": f"{random.randrange(99)}.mp4", "file_size": random.randrange(10**9)}
        types = {"media_type": "video_file", "mime_type": "video/mp4", "duration_seconds": 60}
        return {"file": NOT_INCLUDED, **video, **types, **size}
    answers = [{"text": word, "voters": 1, "chosen": False} for word in random.choices(WORDS, k=3)]
    return {"poll": {"question": "Which?", "closed": True, "total_voters": 3, "answers": answers}}

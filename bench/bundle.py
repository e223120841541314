"""A synthetic bundle of one chat: python -m bench.bundle --messages N > FILE."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import orjson

ORGANIZATION = "0bec0000-0000-4000-8000-000000000001"
CHAT = "0bec0000-0000-4000-8000-000000000002"
SOURCE = "telegram:bench"
AT = "2026-01-01T00:00:00Z"
BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
WORDS = [
    "the",
    "tide",
    "turns",
    "late",
    "today",
    "and",
    "nobody",
    "has",
    "read",
    "chapter",
    "four",
    "of",
    "harbor",
    "notes",
    "yet",
    "привет",
    "мир",
    "καλημέρα",
    "release",
    "quota",
    "search",
    "context",
    "🚢",
    "⚓",
]
SENDERS = 5_000


def records(messages: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """An organization with one chat of so many messages, the same for the same seed."""
    random = Random(seed)
    yield _record(
        "organization", {"displayName": "Bench", "slug": "bench", "createdAt": AT, "updatedAt": AT}
    )
    source = {"kind": "telegram", "label": "Bench", "description": "", "status": "current"}
    yield _record("source", source | {"updatedAt": AT}, SOURCE)
    chat = {"id": CHAT, "type": "supergroup", "title": "Bench", "username": None}
    yield _record(
        "telegram.chat", chat | {"memberCount": SENDERS, "linkedAt": AT, "updatedAt": AT}, SOURCE
    )
    for number in range(1, messages + 1):
        yield _record("telegram.message", _message(number, random), SOURCE)


def _message(number: int, random: Random) -> dict[str, Any]:
    sender = random.randrange(SENDERS)
    return {
        "chatId": CHAT,
        "id": number,
        "sender": {"id": f"user{sender}", "name": f"Person {sender}", "username": None},
        "kind": "text",
        "text": " ".join(random.choices(WORDS, k=random.randint(3, 25))),
        "detail": None,
        "file": None,
        "replyToMessageId": None,
        "sentAt": BEGIN + timedelta(seconds=30 * number),
        "editedAt": None,
    }


def _record(name: str, data: dict[str, Any], source_id: str | None = None) -> dict[str, Any]:
    record = {"type": name, "organizationId": ORGANIZATION, "data": data}
    return record if source_id is None else record | {"sourceId": source_id}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, required=True)
    for record in records(parser.parse_args().messages):
        sys.stdout.buffer.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))


if __name__ == "__main__":
    main()

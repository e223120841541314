"""A synthetic bundle of one chat or of documents: python -m bench.bundle --messages N > FILE,
or --documents MEGABYTES."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

import orjson

ORGANIZATION = "0bec0000-0000-4000-8000-000000000001"
CHAT = "0bec0000-0000-4000-8000-000000000002"
SOURCE = "telegram:bench"
DOCS = "docs:bench"
DOCUMENT_LENGTH = 8_000
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


def documents(megabytes: float, seed: int = 1) -> Iterator[dict[str, Any]]:
    """An organization with so much Markdown in documents of about 8 KB."""
    random = Random(seed)
    letters, often = "etaoinshrdlucmfwypvbgkjqxz", [1 / (place + 2) for place in range(26)]
    words = ["".join(random.choices(letters, often, k=random.randint(2, 11))) for _ in range(8_000)]
    common = [1 / (place + 3) for place in range(len(words))]
    yield _record(
        "organization", {"displayName": "Bench", "slug": "bench", "createdAt": AT, "updatedAt": AT}
    )
    source = {"kind": "docs", "label": "Bench", "description": "", "status": "current"}
    yield _record("source", source | {"updatedAt": AT}, DOCS)
    for number in range(round(megabytes * 1_000_000 / DOCUMENT_LENGTH)):
        lines: list[str] = []
        while sum(map(len, lines)) < DOCUMENT_LENGTH:
            text = " ".join(random.choices(words, common, k=12))
            lines.append(random.choice(("", "", "", "# ", "- ")) + text.capitalize() + ".\n")
        yield _record("knowledge", _document(number, "\n".join(lines)[:DOCUMENT_LENGTH]), DOCS)


def _document(number: int, content: str) -> dict[str, Any]:
    return {
        "id": f"docs:{UUID(int=number)}",
        "source": "docs",
        "title": f"Document {number}",
        "content": content,
        "contentFormat": "markdown",
        "visibility": "public",
        "archived": False,
        "sourceStatus": "current",
        "sourceLabel": "Bench",
        "sourceHref": None,
        "createdAt": AT,
        "updatedAt": AT,
    }


def _record(name: str, data: dict[str, Any], source_id: str | None = None) -> dict[str, Any]:
    record = {"type": name, "organizationId": ORGANIZATION, "data": data}
    return record if source_id is None else record | {"sourceId": source_id}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int)
    parser.add_argument("--documents", type=float, metavar="MEGABYTES")
    given = parser.parse_args()
    for record in documents(given.documents) if given.documents else records(given.messages):
        sys.stdout.buffer.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))


if __name__ == "__main__":
    main()

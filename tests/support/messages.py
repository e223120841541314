"""Build one chat with many messages, for tests with large data."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random

from tests.support import factories as make
from tests.support.factories import Record

BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
SENDERS = 5_000
WORDS = "tide turns late today and nobody has read the notes yet мир καλημέρα 🚢".split()


def records(messages: int, seed: int = 1) -> Iterator[Record]:
    """Build an organization with one chat and this many messages; depends only on the arguments."""
    random = Random(seed)
    yield make.organization()
    yield make.source("telegram")
    yield make.chat()
    for number in range(1, messages + 1):
        sender = random.randrange(SENDERS)
        yield make.message(
            number,
            sender={"id": f"user{sender}", "name": f"Person {sender}", "username": None},
            text=" ".join(random.choices(WORDS, k=random.randint(3, 25))),
            sentAt=BEGIN + timedelta(seconds=30 * number),
        )

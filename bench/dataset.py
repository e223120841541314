"""The generated data set of the benches. Equal seeds give equal records.

The first organization is large and is measured; the others make sure that every table and index
also holds records of other organizations.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

Record = dict[str, Any]

AT = "2026-01-01T00:00:00Z"
BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
ACCOUNT, ADDRESS = "bench", "0x" + "be" * 20
COMMON, RARE, ABSENT = "harbor", "quokkafjord", "zyxwvutq"
WORDS = [
    "the", "tide", "turns", "late", "today", "and", "nobody", "has", "read", "chapter", "four",
    "of", "harbor", "notes", "yet", "привет", "мир", "καλημέρα", "release", "quota", "search",
    "context", "🚢", "⚓",
]  # fmt: skip
RARE_EVERY = 20_000
LONGEST_EVERY = 1_000


@dataclass(frozen=True)
class Size:
    """How many records one organization has."""

    messages: int
    chats: int
    knowledge: int
    longest: int  # characters of the longest document
    assets: int
    mentions: int
    people: int


FULL = Size(1_000_000, 20, 5_000, 2_000_000, 20_000, 10_000, 50_000)
PART = Size(30_000, 3, 300, 300_000, 1_000, 500, 3_000)
# By scale: the number of organizations, the size of the large one, the size of each other.
SCALES = {
    "full": (20, FULL, Size(5_000, 2, 50, 50_000, 200, 100, 500)),
    "small": (3, PART, Size(500, 1, 20, 9_000, 50, 50, 50)),
    "neighbor": (3, PART, Size(500, 1, 20, 9_000, 50, 50, 50)),
}


def identity(organization: int, kind: int = 0, number: int = 0) -> UUID:
    """Return a UUID that encodes organization, kind of record and number."""
    return UUID(int=(0x0BE0 << 112) | (organization << 80) | (0x4 << 76) | (kind << 48) | number)


def user(organization: int) -> UUID:
    """Return the owner, who approves sources and issues keys."""
    return identity(organization, 1, 1)


def chat(organization: int, number: int) -> UUID:
    """Return the id of a linked chat; numbers start at 1."""
    return identity(organization, 2, number)


def document(organization: int, number: int) -> str:
    """Return the id of a document; numbers start at 1, and LONGEST_EVERY is the longest."""
    return f"docs:{identity(organization, 3, number)}"


def records(scale: str, seed: int = 1) -> Iterator[Record]:
    """Yield all records of a scale, parents first."""
    count, large, small = SCALES[scale]
    return of_sizes([large, *[small] * (count - 1)], seed)


def of_sizes(
    sizes: Sequence[Size], seed: int = 1, rare_words: Sequence[str] = ()
) -> Iterator[Record]:
    """Yield all records of organizations of these sizes, numbered from 1.

    rare_words: further words of the vocabulary; one in 30 documents has such a word.
    """
    for organization, size in enumerate(sizes, 1):
        random = Random(seed * 1_000 + organization)
        yield from _organization(organization, size, random, rare_words)


def _organization(
    number: int, size: Size, random: Random, rare_words: Sequence[str]
) -> Iterator[Record]:
    def record(type_: str, data: Record, source: str | None = None) -> Record:
        base = {"type": type_, "organizationId": identity(number), "data": data}
        return base | ({"sourceId": source} if source else {})

    name = f"Bench {number}"
    times = {"createdAt": AT, "updatedAt": AT}
    yield record("organization", {"displayName": name, "slug": f"bench-{number}", **times})
    yield record("member", {"id": user(number), "displayName": "Owner", "role": "owner"})
    for source, members in _sources(size).items():
        about = {"label": source, "description": f"{source} of {name}"}
        yield record("source", about | {"status": "current", "updatedAt": AT} | members, source)
    words = _words(random)
    words += rare_words
    for data in _knowledge(number, size, random, words):
        yield record("knowledge", data, "docs:main" if data["source"] == "docs" else "notes:main")
    for data in _assets(number, size, random):
        yield record("asset", data, "assets:main")
    for index in range(1, size.chats + 1):
        yield record("telegram.chat", _chat(number, index, size), f"telegram:{index}")
    for index, data in _messages(number, size, random, words):
        yield record("telegram.message", data, f"telegram:{index}")
    for data in _mentions(size, random, words):
        yield record("x.mention", data, "x:main")
    yield record("token", _token(), "token:main")


def _sources(size: Size) -> dict[str, Record]:
    kinds = ("docs", "notes", "assets", "profile")
    sources: dict[str, Record] = {f"{kind}:main": {"kind": kind} for kind in kinds}
    sources["token:main"] = {"kind": "token", "account": ADDRESS}
    sources["x:main"] = {"kind": "x", "account": ACCOUNT}
    return sources | {f"telegram:{n}": {"kind": "telegram"} for n in range(1, size.chats + 1)}


def _words(random: Random) -> list[str]:
    """Return a vocabulary whose first words make up much of every text."""
    letters = "aeioulnrstdmpkgbvfhcwj"
    generated = ("".join(random.choices(letters, k=random.randint(3, 11))) for _ in range(5_000))
    return WORDS + list(generated)


def _text(random: Random, words: list[str], count: int) -> str:
    last = len(words)
    return " ".join([words[int(last * random.random() ** 4)] for _ in range(count)])


def _instant(seconds: float) -> datetime:
    return BEGIN + timedelta(seconds=int(seconds))


def _knowledge(organization: int, size: Size, random: Random, words: list[str]) -> Iterator[Record]:
    """Yield items of a few thousand characters; one in LONGEST_EVERY is as long as a book."""
    pool = _text(random, words, min(60_000, 200 * size.knowledge))
    for number in range(1, size.knowledge + 1):
        is_note = number % 10 == 3
        length = int(min(2_000 * random.paretovariate(1.3), 60_000))
        if number == min(LONGEST_EVERY, size.knowledge):
            length = size.longest
        elif number % LONGEST_EVERY == 0:
            length = size.longest // 8
        content = f"# Item {number}\n\n"
        while len(content) < length:
            start = random.randrange(len(pool) - 100)
            content += pool[start : start + length - len(content)] + "\n\n"
        if number % 500 == 7:
            content += RARE
        note = {"id": f"note:{identity(organization, 3, number)}", "source": "team"}
        at = _instant(60 * number)
        yield {
            **(note if is_note else {"id": document(organization, number), "source": "docs"}),
            "title": f"Item {number} {_text(random, words, 4)}",
            "content": content,
            "visibility": "team" if is_note else "public",
            "archived": number % 50 == 1,
            "contentFormat": "markdown", "sourceStatus": "current", "sourceLabel": "Bench",
            "sourceHref": None, "createdAt": at, "updatedAt": at,
        }  # fmt: skip


def _assets(organization: int, size: Size, random: Random) -> Iterator[Record]:
    """Yield folders in the root (1 %) and files, a quarter of them in the first folder."""
    folders = max(1, size.assets // 100)
    for number in range(1, size.assets + 1):
        is_folder = number <= folders
        parent = 1 if number % 4 == 0 else random.randint(1, folders)
        at = _instant(90 * number)
        yield {
            "id": identity(organization, 4, number),
            "parentId": None if is_folder else identity(organization, 4, parent),
            "kind": "folder" if is_folder else "file",
            "name": f"{random.choice(WORDS)} {number}" + ("" if is_folder else ".png"),
            "mime": None if is_folder else "image/png",
            "bytes": 0 if is_folder else random.randrange(10**7),
            "uploadedBy": {"id": user(organization), "displayName": "Owner"},
            "public": False, "publicUrl": None, "createdAt": at, "updatedAt": at,
        }  # fmt: skip


def _chat(organization: int, index: int, size: Size) -> Record:
    members = {"type": "supergroup", "title": f"Chat {index}", "username": None}
    times = {"linkedAt": AT, "updatedAt": AT}
    return {"id": chat(organization, index), "memberCount": size.people, **members, **times}


def _messages(
    organization: int, size: Size, random: Random, words: list[str]
) -> Iterator[tuple[int, Record]]:
    """Yield the messages of all chats in turn. 90 % of the people write, each in two chats."""
    senders = max(1, size.people * 9 // 10)
    for number in range(size.messages):
        index, id_ = number % size.chats, number // size.chats + 1
        members = max(1, 2 * senders // size.chats)
        member = id_ - 1 if id_ <= members else int(members * random.random() ** 2)
        sender = (member * size.chats // 2 + index // 2) % senders
        text = _text(random, words, random.randint(3, 25))
        username = f"person{sender}" if sender % 2 else None
        yield index + 1, {
            "chatId": chat(organization, index + 1),
            "id": id_,
            "sender": {"id": f"user{sender}", "name": f"Person {sender}", "username": username},
            "kind": "photo" if number % 15 == 0 else "text",
            "text": f"{text} {RARE}" if number % RARE_EVERY == RARE_EVERY - 1 else text,
            "file": _file(number) if number % 15 == 0 else None,
            "replyToMessageId": id_ - 1 if number % 5 == 0 and id_ > 1 else None,
            "sentAt": _instant(60 * number * (1_000_000 / size.messages)),
            "detail": None, "editedAt": None,
        }  # fmt: skip


def _file(number: int) -> Record:
    size = {"width": 1280, "height": 720, "duration": None, "fileSize": 1_000 + number}
    return {**size, "mimeType": "image/jpeg", "fileName": f"photo{number}.jpg", "sticker": None}


def _mentions(size: Size, random: Random, words: list[str]) -> Iterator[Record]:
    authors = max(1, size.people // 10)
    for number in range(size.mentions):
        author = number if number < authors else random.randrange(authors)
        name = f"author{author}"
        members = {"username": name, "name": f"Author {author}", "verified": author % 20 == 0}
        counts = {what: random.randrange(1_000) for what in ("likes", "reposts", "replies")}
        yield {
            "account": ACCOUNT,
            "id": f"{10**17 + number}",
            "url": f"https://x.com/{name}/status/{10**17 + number}",
            "text": f"@{ACCOUNT} {_text(random, words, 20)}",
            "createdAt": _instant(600 * number),
            "metrics": counts | {"quotes": 0, "views": random.randrange(10**6)},
            "author": {"id": f"{author + 1}", **members},
            "isReply": number % 3 == 0, "isRepost": False, "media": [], "quoted": None,
        }  # fmt: skip


def _token() -> Record:
    zero = "0x" + "0" * 40
    fees = {"priceUsd": 0.5, "ethUsd": 3000.5, "unclaimedEth": 0.25, "unclaimedToken": 12.5}
    names = {"name": "Bench", "symbol": "BNCH", "poolId": None, "pairedToken": None}
    fresh = {"updatedAt": AT, "status": "current"}
    contract = {"address": ADDRESS, "chainId": 1, "protocol": "pons", "pool": zero}
    return {
        "token": {**contract, "deployer": zero, "logoUrl": None, **names},
        "index": {"indexedTo": 1, "indexedAt": AT, "nextSyncAt": AT, "state": "ready"},
        "holders": {"count": 10, "trackedBalanceRaw": "1" + "0" * 24},
        "latestFees": {"takenAt": AT, **fees},
        "latestTradeAt": AT,
        "sources": {"transfers": fresh, "fees": fresh},
    }

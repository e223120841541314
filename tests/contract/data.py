"""The organization that contract tests read; tests/support/organizations.py has what is hidden."""

from collections.abc import Iterator
from typing import Any

from tests.support import factories as make
from tests.support.factories import Record

FOREIGN = "22222222-2222-4222-8222-222222222222"
SECOND_CHAT = make.uuid("second chat")
SILENT_CHAT_COUNT = 51
OLD = "2025-01-01T00:00:00Z"

LONG_TEXT = "Ahoy 🚢 " * 8_000
LONG = make.knowledge_id("long")

SOURCES = (
    *make.KIND_SOURCES.values(),
    "docs:stale",
    "notes:synthetic",
    "assets:unavailable",
    "telegram:second",
    *(f"telegram:silent-{number}" for number in range(SILENT_CHAT_COUNT)),
)
# Those that have records, or more than one source of their kind.
SEARCHED = tuple(source_id for source_id in SOURCES if "silent" not in source_id)


def records() -> Iterator[Record]:
    yield make.organization(verifiedHolding=0)
    yield from make.staff()
    yield from sources()
    built = [*library(), *files(), *chats(), *mentions(), make.token()]
    yield from built
    types = {"source", *(record["type"] for record in built)}
    others = [record for record in make.everything() if "sourceId" in record]
    yield from (record for record in others if record["type"] not in types)
    yield make.organization(FOREIGN, slug="foreign", displayName="Foreign")
    yield from make.staff(FOREIGN)


def sources() -> Iterator[Record]:
    for kind in make.KIND_SOURCES:
        yield make.source(kind)
    yield make.source("docs", "docs:stale", updatedAt=OLD, staleAfterSeconds=3600)
    yield make.source("notes", "notes:synthetic", status="synthetic", href="https://acme.example/n")
    yield make.source("assets", "assets:unavailable", status="unavailable", updatedAt=None)
    yield make.source("telegram", "telegram:second", label="Second chat")
    for number in range(SILENT_CHAT_COUNT):
        source_id = f"telegram:silent-{number}"
        yield make.source("telegram", source_id, label=f"Silent {number:02}")


def library() -> Iterator[Record]:
    for number in range(45):
        yield make.knowledge(
            number,
            visibility=("public", "team")[number % 2],
            updatedAt=f"2026-01-{1 + number % 20:02}T10:00:00Z",
            sourceStatus=("current", "draft", "removed", "unavailable", "reference")[number % 5],
            sourceHref="https://acme.example/handbook" if number % 3 else None,
        )
    for prefix in ("note", "assets", "profile", "chain"):
        yield make.knowledge(prefix=prefix, title=f"From {prefix}", contentFormat="plain_text")
    yield make.knowledge("answer", prefix="note", source="answer", source_id="notes:synthetic")
    yield make.knowledge("stale", source_id="docs:stale")
    yield make.knowledge("long", content=LONG_TEXT, updatedAt="2026-02-01T00:00:00.250Z")
    yield make.knowledge("empty", content="")
    yield make.knowledge("archived", archived=True, title="Archived", content="Archived")


def files() -> Iterator[Record]:
    yield make.folder("Brand", uploadedBy={"id": make.OWNER, "displayName": "Ada"})
    yield make.folder("archive", uploadedBy={"id": make.OWNER, "displayName": None})
    yield make.asset("Zebra.png", parentId=make.uuid("Brand"))
    yield make.asset(
        "apple.png",
        parentId=make.uuid("Brand"),
        public=True,
        publicUrl="https://cdn.acme.example/apple.png",
    )
    yield make.folder("Inner", parentId=make.uuid("Brand"))
    for number in range(58):
        yield make.asset(f"file-{number:02}.bin", mime=None, bytes=number)


def chats() -> Iterator[Record]:
    yield make.chat(title="Acme main")
    yield make.chat(SECOND_CHAT, source_id="telegram:second", title="Acme 2nd", username=None)
    for number in range(SILENT_CHAT_COUNT):
        yield make.chat(
            make.uuid(f"silent {number}"),
            source_id=f"telegram:silent-{number}",
            title=f"Silent {number:02}",
            type=("group", "supergroup", "channel")[number % 3],
        )
    for number in range(1, 121):
        yield make.message(number, **_message(number))
    for number in (1, 2):
        yield make.message(
            number,
            source_id="telegram:second",
            chatId=SECOND_CHAT,
            sender={"id": "user1", "name": "Ada L.", "username": "ada"},
            sentAt="2026-01-30T00:00:00Z",
        )


MESSAGE_KINDS = "text, photo, video, animation, sticker, document, voice, audio, poll, other".split(
    ", "
)


def _message(number: int) -> dict[str, Any]:
    kind = MESSAGE_KINDS[number % 10]
    sender_id = None if number % 20 == 0 else f"user{number % 60}"
    sticker = ("static", "animated", "video")[number % 3]
    return {
        "kind": kind,
        "text": f"Message {number}" if kind == "text" else None,
        "detail": "A poll" if kind == "poll" else None,
        "file": {
            "sticker": make.file(sticker=sticker, width=512, height=512),
            "document": make.file(fileName=f"Plan {number}.pdf", mimeType="application/pdf"),
            "video": make.file(duration=12, fileSize=2**33, width=1920, height=1080),
        }.get(kind),
        "sender": {"id": sender_id, "name": f"User {number % 60}", "username": None},
        "replyToMessageId": number - 1 if number % 4 == 0 else None,
        "sentAt": f"2026-01-31T08:{number % 60:02}:00Z",
        "editedAt": "2026-01-31T10:00:00Z" if number % 7 == 0 else None,
    }


def mentions() -> Iterator[Record]:
    quoted = {"author": make.author(8), "text": "Quoted", "url": "https://x.com/eve/status/1"}
    media = [
        {"type": kind, "url": f"https://img.example/{kind}", "previewUrl": "https://img.example/p"}
        for kind in ("photo", "video", "gif")
    ]
    for number in range(45):
        yield make.mention(
            1000 + number,
            createdAt=f"2026-01-{1 + number % 28:02}T12:00:00Z",
            author=make.author(number % 7, username=f"user{number % 7}", name=f"Eve {number % 7}"),
            isReply=number % 2 == 0,
            isRepost=number % 3 == 0,
            media=media if number % 5 == 0 else [],
            quoted=quoted if number % 6 == 0 else None,
        )

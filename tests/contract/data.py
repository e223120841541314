"""The organization that contract tests read, with records that must never be visible."""

from collections.abc import Iterator
from typing import Any

from orgctx.operations.source_kinds import KINDS, SINGLE_KINDS
from tests.support import factories as make
from tests.support.factories import Record
from tests.support.marked import hidden, marked

FOREIGN = "22222222-2222-4222-8222-222222222222"
SECOND_CHAT = make.uuid("second chat")
HIDDEN_CHAT = make.uuid("hidden chat")
SILENT_CHAT_COUNT = 51
OLD = "2025-01-01T00:00:00Z"
# A word in every record that no key may see.
SECRET = "sEcReT"

LONG_TEXT = "Ahoy 🚢 " * 8_000
ARCHIVED = make.knowledge_id("archived")
SUPPRESSED = make.knowledge_id("suppressed")
LONG = make.knowledge_id("long")
HIDDEN = make.knowledge_id("hidden")

# These are approved and included; every other source lacks one of both.
APPROVED = (
    *make.KIND_SOURCES.values(),
    "docs:stale",
    "notes:synthetic",
    "assets:unavailable",
    "telegram:second",
    *(f"telegram:silent-{number}" for number in range(SILENT_CHAT_COUNT)),
)
# Those that have records, or more than one source of their kind.
SEARCHED = tuple(source_id for source_id in APPROVED if "silent" not in source_id)
HIDDEN_SOURCES = (
    *(f"{kind}:hidden" for kind in KINDS if kind != "notes" and kind not in SINGLE_KINDS),
    "notes:excluded",
)


def records() -> Iterator[Record]:
    yield make.organization(verifiedHolding=0)
    yield from make.staff()
    yield from sources()
    built = [*library(), *files(), *chats(), *mentions(), make.token()]
    yield from built
    yield from foreign()
    yield from others({record["type"] for record in built})


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
    for source_id in HIDDEN_SOURCES:
        kind = source_id.partition(":")[0]
        yield make.source(kind, source_id, label=SECRET, description=SECRET)


def others(types: set[str]) -> Iterator[Record]:
    """Records of all further types: an approved one, a hidden one and a foreign one of each."""
    for record in make.everything():
        if "sourceId" not in record or record["type"] in {"source", *types}:
            continue
        yield record
        yield marked(record, SECRET) | {"organizationId": FOREIGN}
        source_id = f"{record['sourceId'].partition(':')[0]}:hidden"
        if source_id in HIDDEN_SOURCES:
            yield from hidden([record], source_id, SECRET)


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
    yield make.knowledge("suppressed", title=SECRET, content=SECRET)
    yield make.knowledge("hidden", source_id="docs:hidden", title=SECRET, content=SECRET)
    yield make.knowledge(
        "excluded", prefix="note", source_id="notes:excluded", title=SECRET, content=SECRET
    )


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
    yield make.folder(SECRET, source_id="assets:hidden")
    yield make.asset(f"{SECRET}.png", source_id="assets:hidden", parentId=make.uuid("Brand"))
    yield make.asset("orphan.png", parentId=make.uuid(SECRET))


def chats() -> Iterator[Record]:
    yield make.chat(title="Acme main")
    yield make.chat(SECOND_CHAT, source_id="telegram:second", title="Acme second", username=None)
    yield make.chat(HIDDEN_CHAT, source_id="telegram:hidden", title=SECRET)
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
    yield make.message(
        1,
        source_id="telegram:hidden",
        chatId=HIDDEN_CHAT,
        text=SECRET,
        sender={"id": "user1", "name": SECRET, "username": SECRET},
        sentAt="2026-03-01T00:00:00Z",
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
    yield make.mention(1, account="before", text=SECRET, author=make.author(99, name=SECRET))


def foreign() -> Iterator[Record]:
    """Another organization with the same ids."""
    yield make.organization(FOREIGN, slug="foreign", displayName=SECRET)
    yield from make.staff(FOREIGN)
    for kind in make.KIND_SOURCES:
        yield make.source(kind, organization_id=FOREIGN, label=SECRET, description=SECRET)
    yield make.knowledge(0, organization_id=FOREIGN, title=SECRET, content=SECRET)
    yield make.knowledge("foreign", organization_id=FOREIGN, title=SECRET, content=SECRET)
    yield make.folder("Brand", organization_id=FOREIGN)
    yield make.asset("foreign.png", organization_id=FOREIGN, parentId=make.uuid("Brand"))
    yield make.chat(organization_id=FOREIGN, title=SECRET)
    yield make.message(1, organization_id=FOREIGN, text=SECRET)
    yield make.message(500, organization_id=FOREIGN, text=SECRET)
    yield make.mention(1000, organization_id=FOREIGN, text=SECRET)

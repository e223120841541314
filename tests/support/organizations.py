"""Six organizations whose records have the same ids and different texts.

Each free text contains the marker of its organization. Free texts of sources that are not approved
also contain HIDDEN. Every source kind and record type is covered. `Organization.only` returns ids
that only one organization has.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from orgctx.bundle.content import CHUNK_LENGTH
from orgctx.operations.source_kinds import KINDS, SINGLE_KINDS
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.factories import Record
from tests.support.marked import marked

HIDDEN = "sealedwell"
ACCOUNT = "shared"
# A source that is not approved, for each kind that allows an organization several sources.
# For the other kinds, FLINT has sources that are not approved.
HIDDEN_SOURCES = tuple(f"{kind}:hidden" for kind in KINDS if kind not in SINGLE_KINDS)
# All organizations have this document; only BASALT suppresses it.
SUPPRESSED = make.knowledge_id("suppressed")
LONG = make.knowledge_id("long")
HIDDEN_CHAT = make.uuid("hidden chat")
# A folder in another one, and a folder in one of a source that is not approved.
INNER, STRAY = make.uuid("inner"), make.uuid("stray")
# A word of SUPPRESSED, and of a document that only AMBER archived.
WITHHELD = "withheld"
# The last word before a chunk boundary in a long document, and a word shortly after it.
NEEDLES = ("needleleft", "needleright")


@dataclass(frozen=True)
class Organization:
    """One organization.

    marker: a word in all of its texts, and in no text of the others. approved: the kinds of its
    approved sources.
    """

    number: int
    marker: str
    approved: tuple[str, ...] = KINDS

    @property
    def id(self) -> str:
        return f"{self.number}" * 8 + "-0000-4000-8000-000000000000"

    def only(self, name: str) -> str:
        """Return the UUID of a record that no other organization has."""
        return make.uuid(f"{name} of {self.marker} alone")


# Two organizations that have records of all types and approved all sources.
AMBER, BASALT = Organization(1, "amberfox"), Organization(2, "basaltelk")
# Has records of all types, but its X account and token are not those that its sources name now.
COBALT = Organization(3, "cobaltyak")
# Approved its sources, but they have no records.
DUSK = Organization(4, "duskheron")
# Has records of all types and approved no source.
EMBER = Organization(5, "embernewt", approved=())
# Has records of all types and approved only the kinds that allow several sources.
FLINT = Organization(
    6, "flintcrow", approved=tuple(kind for kind in KINDS if kind not in SINGLE_KINDS)
)
ALL = (AMBER, BASALT, COBALT, DUSK, EMBER, FLINT)
TERMS = (AMBER.marker, BASALT.marker, HIDDEN, "content", "needle", *NEEDLES)
# Several words that no text contains together. Tools repeat them, so no marker is among them.
PARTS = tuple(word[:-1] for word in (AMBER.marker, BASALT.marker, COBALT.marker, HIDDEN))
WORDS = (" ".join(PARTS), f"{WITHHELD} {PARTS[1]}")
# Words of an asset, a person and a post of each organization, and one that occurs nowhere.
SHARED = "stray bob mention nowhere"
# Words of one document of each organization, and one that occurs nowhere.
TOGETHER = "quartz vane lintel nowhere"
# Words of every message, after which the next messages are shown, and one that occurs nowhere.
FOLLOWED = "message txt nowhere"


def load(deployment: Deployment) -> None:
    """Load all organizations, approve their sources and suppress SUPPRESSED in BASALT."""
    deployment.load(record for tenant in ALL for record in records(tenant))
    for tenant in ALL:
        if tenant.approved:
            source_ids = [make.KIND_SOURCES[kind] for kind in tenant.approved]
            deployment.approve(tenant.id, make.OWNER, *source_ids)
    who = ("--organization", BASALT.id, "--by", make.OWNER)
    deployment.cli("knowledge", "suppress", *who, SUPPRESSED).done()
    # These counts say that more records are stored than a search examines.
    deployment.execute(
        "UPDATE telegram_chats SET tracked_message_count = 10001"
        " WHERE organization_id = %s OR id = %s",
        [BASALT.id, HIDDEN_CHAT],
    )
    deployment.execute(
        "UPDATE people_counts SET people_count = 10001"
        " WHERE organization_id = %s OR source_id = ANY(%s)",
        [BASALT.id, list(HIDDEN_SOURCES)],
    )


def records(tenant: Organization) -> Iterator[Record]:
    """Build the records of one organization."""
    for record in _records(tenant):
        kind = "profile" if record["type"] == "organization" else _kind(record.get("sourceId"))
        seen = record if kind in (None, *tenant.approved) else marked(record, HIDDEN)
        yield seen | {"organizationId": tenant.id}


def _records(tenant: Organization) -> Iterator[Record]:
    mark = tenant.marker
    yield make.organization(displayName=f"Org {mark}", slug=mark)
    for member in make.staff():
        member["data"]["displayName"] += f" {mark}"
        yield member
    for kind in make.KIND_SOURCES:
        yield make.source(kind, **_source(tenant, kind))
    for source_id in HIDDEN_SOURCES:
        text = f"{HIDDEN} {mark}"
        yield make.source(_kind(source_id) or "", source_id, label=text, description=text)
    if tenant is not DUSK:
        yield from _exposed(tenant)
        yield from _hidden(tenant)


def _kind(source_id: str | None) -> str | None:
    return source_id and source_id.partition(":")[0]


def _source(tenant: Organization, kind: str) -> dict[str, Any]:
    members = {
        "label": f"{kind} {tenant.marker}",
        "description": f"About {tenant.marker}",
        "href": f"https://{tenant.marker}.example/{kind}" if kind == "docs" else None,
    }
    if kind in ("x", "token"):
        shared = ACCOUNT if kind == "x" else make.ADDRESS
        moved = f"moved{tenant.marker}" if kind == "x" else "0x" + "99" * 20
        members["account"] = moved if tenant is COBALT else shared
    return {name: value for name, value in members.items() if value is not None}


def _exposed(tenant: Organization) -> Iterator[Record]:
    mark = tenant.marker
    texts = {"title": f"Title {mark}", "sourceLabel": f"Label {mark}"}
    for prefix in make.KNOWLEDGE:
        yield make.knowledge(prefix=prefix, content=f"Content {mark}", **texts)
    for number in range(2, 24):
        yield make.knowledge(number, content=f"Content {mark} {number}", **texts)
    yield make.knowledge(f"{'only'} of {mark} alone", content=mark, **texts)
    withheld = f"Content {mark}, {WITHHELD}"
    yield make.knowledge("suppressed", content=withheld, **texts)
    yield make.knowledge("withheld", content=withheld, archived=tenant is AMBER, **texts)
    # In BASALT this document contains "Content", like most others; elsewhere it does not.
    yield make.knowledge(
        "elsewhere", content=f"Content {mark}" if tenant is BASALT else mark, **texts
    )
    yield make.knowledge("archived", content=f"Content {mark}", archived=True, **texts)
    yield make.knowledge("shared", content=_shared(tenant), **texts)
    yield make.knowledge("long", content=_long(tenant), **texts)
    yield make.folder(id=make.uuid("folder"), name=f"Folder {mark}")
    yield _file("file", tenant, parentId=make.uuid("folder"))
    yield make.folder(id=INNER, name=f"Inner {mark}", parentId=make.uuid("folder"))
    yield _file("inner file", tenant, parentId=INNER)
    yield _file(f"only of {mark} alone", tenant)
    yield make.chat(title=f"Chat {mark}", username=mark)
    for number in range(1, 8):
        yield make.message(number, text=f"Message {mark}", **_message(tenant))
    # In AMBER, whose number is 1, this is the person who wrote the other messages.
    reply = _message(tenant)
    reply["sender"] |= {"id": f"user{tenant.number}"}
    yield make.message(8, text=f"Message {mark}, a reply", replyToMessageId=2, **reply)
    for number in range(1, 23):
        yield _mention(number, tenant)
    if tenant is BASALT:
        # A mention of a former account, which COBALT has now.
        yield make.mention("former", account=f"moved{COBALT.marker}", text="Former")
    snapshot = make.token()
    snapshot["data"]["token"] |= {
        "name": f"Token {mark}",
        "symbol": mark,
        "logoUrl": f"https://{mark}.example/logo",
    }
    snapshot["data"]["sources"]["fees"] |= {"note": f"Note {mark}"}
    yield snapshot


def _hidden(tenant: Organization) -> Iterator[Record]:
    text = f"{HIDDEN} {tenant.marker}"
    texts = {"title": text, "content": text, "sourceLabel": text}
    yield make.knowledge("hidden", source_id="docs:hidden", **texts)
    yield make.knowledge("hidden", prefix="note", source_id="notes:hidden", **texts)
    yield make.knowledge("hidden", prefix="assets", source_id="assets:hidden", **texts)
    yield make.folder(text, id=make.uuid("hidden folder"), source_id="assets:hidden")
    yield make.asset(text, id=make.uuid("hidden file"), source_id="assets:hidden")
    yield make.folder(id=STRAY, name=f"Stray {tenant.marker}", parentId=make.uuid("hidden folder"))
    yield _file("stray file", tenant, parentId=STRAY)
    chat = {"source_id": "telegram:hidden", "title": text, "username": HIDDEN}
    yield make.chat(HIDDEN_CHAT, **chat)
    sender = {"id": "hidden1", "name": text, "username": HIDDEN}
    for author in (sender, {"id": "user1", "name": text, "username": HIDDEN}):
        number = 1 if author is sender else 2
        yield make.message(
            number, chatId=HIDDEN_CHAT, source_id="telegram:hidden", sender=author, text=text
        )


def _file(name: str, tenant: Organization, **data: Any) -> Record:
    mark = tenant.marker
    uploader = {"id": make.OWNER, "displayName": f"Uploader {mark}"}
    return make.asset(
        f"File {mark} {name}",
        id=make.uuid(name),
        public=True,
        publicUrl=f"https://{mark}.example/f",
        uploadedBy=uploader,
        **data,
    )


def _message(tenant: Organization) -> dict[str, Any]:
    mark = tenant.marker
    return {
        "sender": {"id": "user1", "name": f"Ada {mark}", "username": mark},
        "kind": "document",
        "detail": f"Detail {mark}",
        "file": make.file(fileName=f"{mark}.txt", mimeType=f"text/{mark}"),
        # In EMBER it is newer, so it would replace the other names if organizations were mixed up.
        "sentAt": "2026-02-01T08:00:00Z" if tenant is EMBER else make.AT,
    }


def _mention(number: int, tenant: Organization) -> Record:
    mark = tenant.marker
    author = make.author(username=mark, name=f"Bob {mark}")
    url = f"https://x.com/{mark}/status/{number}"
    return make.mention(
        number,
        account=ACCOUNT,
        url=url,
        text=f"Mention {mark}",
        author=author,
        # Sorted by views, the mentions of each organization have another order.
        metrics=dict.fromkeys(("likes", "reposts", "replies", "quotes"), 0)
        | {"views": number * tenant.number % 23},
        media=[{"type": "photo", "url": f"https://{mark}.example/p", "previewUrl": url}],
        quoted={"author": author, "text": f"Quoted {mark}", "url": url},
    )


def _long(tenant: Organization) -> str:
    """Build a text of several chunks; AMBER's later chunks begin one UTF-16 code unit later."""
    first = "\N{SHIP}" if tenant is AMBER else "s"
    # Spaces, so that an excerpt around the second word reaches back into the first chunk. The word
    # is not the first one of its chunk, because that one is found in the first chunk.
    left = f" {NEEDLES[0]} {tenant.marker}"
    right = f"{' ' * 300}{tenant.marker} {NEEDLES[1]} {tenant.marker} "
    filler = f"{tenant.marker} " * CHUNK_LENGTH
    head = (first + filler)[: CHUNK_LENGTH - len(left)] + left
    return (head + right + filler)[: 3 * CHUNK_LENGTH]


def _shared(tenant: Organization) -> str:
    """Build a text of two chunks with words of TOGETHER, in the first one.

    AMBER has them in the second one, far from the first, which has the trigrams of `lintel` there.
    """
    filler = f"{tenant.marker} " * CHUNK_LENGTH
    if tenant is AMBER:
        first = f"lint intel {filler}"[:CHUNK_LENGTH]
        return first + f"{filler[:1_000]} quartz vane {filler}"[:CHUNK_LENGTH]
    return f"quartz vane lintel {filler}"[: 2 * CHUNK_LENGTH]

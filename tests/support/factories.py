"""Build valid bundle records, with one function for each record type.

Keyword arguments replace members of `data`, under their names in the bundle format. A nested object
is replaced as a whole. `organization_id` and `source_id` replace the defaults: Acme, and Acme's
source of the record's kind.
"""

from typing import Any
from uuid import NAMESPACE_URL, uuid5

from orgctx.operations.source_kinds import KINDS, PREFIX_KINDS

Record = dict[str, Any]

AT = "2026-01-31T08:00:00Z"
ACME = "11111111-1111-4111-8111-111111111111"
OWNER = "aaaaaaaa-0000-4000-8000-000000000001"
ADMIN = "aaaaaaaa-0000-4000-8000-000000000002"
MEMBER = "aaaaaaaa-0000-4000-8000-000000000003"
CHAT = "cccccccc-0000-4000-8000-000000000001"
ADDRESS = "0x" + "ab" * 20
# The options of a command with which the owner of Acme decides.
WHO = ("--organization", "acme", "--by", OWNER)
# In two parts, so that no scanner of this repository finds it.
AWS = "AKIA" + "IOSFODNN7EXAMPLE"

KIND_SOURCES = {
    kind: f"{kind}:{ {'docs': 'handbook', 'notes': 'team'}.get(kind, 'main') }" for kind in KINDS
}
KNOWLEDGE = tuple(PREFIX_KINDS)


def uuid(name: object) -> str:
    """Return a UUID that depends only on the name."""
    return str(uuid5(NAMESPACE_URL, str(name)))


def record(
    type_: str, data: Record, *, organization_id: str = ACME, source_id: str | None = None
) -> Record:
    """Build a record without checking it."""
    whole: Record = {"type": type_, "organizationId": organization_id, "data": data}
    return whole if source_id is None else whole | {"sourceId": source_id}


def _of(kind: str, type_: str, data: Record) -> Record:
    """Build a record. `data` may contain organization_id and source_id, which have defaults."""
    organization_id = data.pop("organization_id", ACME)
    source_id = data.pop("source_id", KIND_SOURCES[kind])
    return record(type_, data, organization_id=organization_id, source_id=source_id)


def organization(organization_id: str = ACME, **data: Any) -> Record:
    slug = "acme" if organization_id == ACME else organization_id
    defaults = {"displayName": "Acme", "slug": slug, "createdAt": AT, "updatedAt": AT}
    return record("organization", defaults | data, organization_id=organization_id)


def member(
    user_id: str = OWNER, role: str = "owner", *, organization_id: str = ACME, **data: Any
) -> Record:
    defaults = {"id": user_id, "displayName": role.title(), "role": role}
    return record("member", defaults | data, organization_id=organization_id)


def source(
    kind: str = "docs", source_id: str | None = None, *, organization_id: str = ACME, **data: Any
) -> Record:
    defaults: Record = {
        "kind": kind,
        "label": f"Acme {kind}",
        "description": f"The {kind} of Acme.",
        "status": "current",
        "updatedAt": AT,
    }
    if kind == "x":
        defaults["account"] = "acme"
    if kind == "token":
        defaults["account"] = ADDRESS
    source_id = source_id or KIND_SOURCES[kind]
    return record("source", defaults | data, organization_id=organization_id, source_id=source_id)


def knowledge(name: object = 1, *, prefix: str = "docs", **data: Any) -> Record:
    """Build a document, or a note if prefix is `note`. Its id consists of prefix and `name`."""
    defaults = {
        "id": knowledge_id(name, prefix),
        "source": "team" if prefix == "note" else prefix,
        "title": f"Document {name}",
        "content": f"Content of document {name}.",
        "contentFormat": "markdown",
        "visibility": "public",
        "archived": False,
        "sourceStatus": "current",
        "sourceLabel": "Handbook",
        "sourceHref": None,
        "createdAt": AT,
        "updatedAt": AT,
    }
    return _of(PREFIX_KINDS[prefix], "knowledge", defaults | data)


def knowledge_id(name: object = 1, prefix: str = "docs") -> str:
    return f"{prefix}:{ADDRESS if prefix == 'chain' else uuid(name)}"


def asset(name: str = "logo.png", **data: Any) -> Record:
    """Build a file at the root. Its id is derived from its name."""
    defaults = {
        "id": uuid(name),
        "parentId": None,
        "kind": "file",
        "name": name,
        "mime": "image/png",
        "bytes": 1024,
        "public": False,
        "publicUrl": None,
        "uploadedBy": None,
        "createdAt": AT,
        "updatedAt": AT,
    }
    return _of("assets", "asset", defaults | data)


def folder(name: str = "Brand", **data: Any) -> Record:
    return asset(name, **{"kind": "folder", "mime": None, "bytes": 0, **data})


def chat(chat_id: str = CHAT, **data: Any) -> Record:
    defaults = {
        "id": chat_id,
        "type": "supergroup",
        "title": "Acme chat",
        "username": "acmechat",
        "memberCount": 12,
        "linkedAt": AT,
        "updatedAt": AT,
    }
    return _of("telegram", "telegram.chat", defaults | data)


def message(message_id: int = 1, **data: Any) -> Record:
    defaults = {
        "chatId": CHAT,
        "id": message_id,
        "sender": {"id": "user1", "name": "Ada", "username": "ada"},
        "kind": "text",
        "text": f"Message {message_id}",
        "detail": None,
        "file": None,
        "replyToMessageId": None,
        "sentAt": AT,
        "editedAt": None,
    }
    return _of("telegram", "telegram.message", defaults | data)


def file(**members: Any) -> Record:
    """Build the `file` of a message; members that are not given are null."""
    names = ("width", "height", "duration", "mimeType", "fileName", "fileSize", "sticker")
    return dict.fromkeys(names) | members


def mention(mention_id: object = 1, **data: Any) -> Record:
    defaults = {
        "account": "acme",
        "id": str(mention_id),
        "url": f"https://x.com/bob/status/{mention_id}",
        "text": f"Mention {mention_id} of @acme",
        "createdAt": AT,
        "metrics": {"likes": 3, "reposts": 1, "replies": 0, "quotes": 0, "views": 100},
        "isReply": False,
        "isRepost": False,
        "author": author(),
        "media": [],
        "quoted": None,
    }
    return _of("x", "x.mention", defaults | data)


def author(author_id: object = 7, **members: Any) -> Record:
    """Build the `author` of a mention."""
    return {"id": str(author_id), "username": "bob", "name": "Bob", "verified": True} | members


def token(**data: Any) -> Record:
    fresh = {"updatedAt": AT, "status": "current"}
    defaults = {
        "token": {
            "address": ADDRESS,
            "chainId": 4663,
            "protocol": "pons",
            "name": "Acme Token",
            "symbol": "ACME",
            "pool": "0x" + "cd" * 20,
            "poolId": None,
            "pairedToken": None,
            "deployer": "0x" + "ef" * 20,
            "logoUrl": None,
        },
        "index": {"indexedTo": 100, "indexedAt": AT, "nextSyncAt": AT, "state": "ready"},
        "holders": {"count": 42, "trackedBalanceRaw": "1000000000000000000000"},
        "latestFees": {
            "takenAt": AT,
            "priceUsd": 0.5,
            "ethUsd": 3000.0,
            "unclaimedEth": 0.25,
            "unclaimedToken": 10.0,
        },
        "latestTradeAt": AT,
        "sources": {"transfers": fresh, "fees": fresh},
    }
    return _of("token", "token", defaults | data)


def delete(type_: str, id_: object, *, organization_id: str = ACME, **data: Any) -> Record:
    return record("delete", {"type": type_, "id": id_, **data}, organization_id=organization_id)


def staff(organization_id: str = ACME) -> list[Record]:
    """Build an owner, an admin and a member."""
    return [
        member(OWNER, "owner", organization_id=organization_id),
        member(ADMIN, "admin", organization_id=organization_id),
        member(MEMBER, "member", organization_id=organization_id),
    ]


def everything(organization_id: str = ACME) -> list[Record]:
    """Build one organization with a source of every kind, and a record of every type in them."""
    return [
        organization(organization_id),
        *staff(organization_id),
        *(source(kind, organization_id=organization_id) for kind in KIND_SOURCES),
        *(knowledge(prefix=prefix, organization_id=organization_id) for prefix in KNOWLEDGE),
        folder(organization_id=organization_id),
        asset(parentId=uuid("Brand"), organization_id=organization_id),
        chat(organization_id=organization_id),
        message(organization_id=organization_id),
        mention(organization_id=organization_id),
        token(organization_id=organization_id),
    ]

"""The answers as plain dicts written by hand, for the two peers that do without models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from orgctx.operations.exposure import (
    SCOPES,
    Caller,
    Organization,
    Source,
    aggregate_status,
    by_id,
    connection_state,
    freshness_note,
    in_order,
    newest,
)
from orgctx.operations.source_kinds import KNOWLEDGE_KINDS, PEOPLE_KINDS
from orgctx.resources.knowledge.segment import cut
from orgctx.resources.people.service import PROFILES
from orgctx.resources.search.service import HREFS, _preview
from orgctx.schemas.envelope import numbered

Row = Sequence[Any]
Json = dict[str, Any]


def caller(rows: Sequence[Row]) -> Caller:
    """The rows of the key's look-up."""
    (found,) = (row for row in rows if row[0])
    approved = in_order(Source(*row[11:]) for row in rows if row is not found)
    return Caller(found[0], Organization(*found[5:11]), frozenset(found[2]), approved)


def envelope(who: Caller, data: Any, sources: Sequence[Source], origin: str) -> Json:
    """data and meta."""
    fresh: Json = {
        "source": "local_preview" if who.organization.is_preview else origin,
        "updatedAt": newest(sources),
        "status": aggregate_status(sources),
    }
    if note := freshness_note(sources, empty=data == []):
        fresh["note"] = note
    return {"data": data, "meta": {"organizationId": who.organization.id, "freshness": fresh}}


def pages(page: int, size: int, total: int) -> Json:
    """NumberedPagination."""
    found = numbered(page, size, total)
    return {
        "page": page,
        "pageSize": size,
        "total": total,
        "totalPages": found["total_pages"],
        "hasNextPage": found["has_next_page"],
    }


def messages(who: Caller, rows: Sequence[Row], q: str | None, limit: int) -> Json:
    source_id, tracked_count = rows[0][0], rows[0][1]
    found = [row for row in rows if row[2] is not None]
    data = [
        {
            "id": row[2],
            "sender": {"id": row[3], "name": row[4], "username": row[5]},
            "kind": row[6],
            "text": row[7],
            "detail": row[8],
            "file": row[9],
            "replyToMessageId": row[10],
            "sentAt": row[11],
            "editedAt": row[12],
        }
        for row in found[:limit]
    ]
    has_more = len(found) > limit
    answer = envelope(who, data, by_id(who.exposed("telegram"), source_id), "collector")
    answer["pagination"] = {
        "limit": limit,
        "hasMore": has_more,
        "nextBefore": data[-1]["id"] if has_more else None,
        "searchLimited": bool(q) and tracked_count > 10_000,
    }
    return answer


def asset(who: Caller, rows: Sequence[Row]) -> Json:
    row = rows[0]
    data = {
        "id": row[1],
        "parentId": row[2],
        "kind": row[3],
        "name": row[4],
        "mime": row[5],
        "bytes": row[6],
        "public": row[7],
        "publicUrl": row[8],
        "uploadedBy": None if row[9] is None else {"id": row[9], "displayName": row[10]},
        "createdAt": row[11],
        "updatedAt": row[12],
    }
    return envelope(who, data, by_id(who.exposed("assets"), row[0]), "database")


def source(one: Source) -> Json:
    members = {
        "id": one.id,
        "label": one.label,
        "kind": one.kind,
        "included": True,
        "external": True,
        "status": one.status,
        "updatedAt": one.updated_at,
        "description": one.description,
        "href": one.href,
    }
    if one.kind not in ("profile", "token"):
        members["count"] = one.record_count
    return members


def _state(sources: Sequence[Source]) -> Json:
    state = connection_state(sources)
    members = ("connected", "status")
    return {name: state[name] for name in members} | {"updatedAt": state["updated_at"]}


def connections(who: Caller, symbols: Sequence[Row]) -> Json:
    """The blocks of /context."""
    blocks: Json = {}
    docs = who.exposed("docs")
    if knowledge := who.exposed("docs", "notes"):
        available = aggregate_status(knowledge) != "unavailable"
        blocks["knowledge"] = {"available": available, "docs": _state(docs) if docs else None}
    if assets := who.exposed("assets"):
        blocks["assets"] = {
            "available": aggregate_status(assets) != "unavailable",
            "itemCount": sum(one.record_count for one in assets),
            "updatedAt": newest(assets),
        }
    if telegram := who.exposed("telegram"):
        count = sum(one.chat_id is not None for one in telegram)
        blocks["telegram"] = _state(telegram) | {"chatCount": count}
    if x := who.exposed("x"):
        blocks["x"] = _state(x) | {"username": x[0].account}
    if token := who.exposed("token"):
        symbol = symbols[0][0] if symbols else None
        blocks["token"] = _state(token) | {"address": token[0].account, "symbol": symbol}
    return blocks


def context(who: Caller, symbols: Sequence[Row]) -> Json:
    sources, organization = who.exposed(), who.organization
    identity: Json = {"id": organization.id}
    if who.exposed("profile"):
        identity["displayName"] = organization.display_name
        identity["slug"] = organization.slug
        identity["createdAt"] = organization.created_at
        identity["updatedAt"] = organization.updated_at
    data = {
        "organization": identity,
        "grantedScopes": [scope for scope in SCOPES if scope in who.scopes],
        "sources": [source(one) for one in sources],
        "connections": connections(who, symbols),
    }
    return envelope(who, data, sources, "database")


def knowledge(who: Caller, rows: Sequence[Row], offset: int, limit: int) -> Json:
    row = rows[0]
    chunks = [(each[15], each[16]) for each in rows] if row[15] is not None else []
    content, found = cut(chunks, row[14], offset, limit)
    data = {
        "id": row[0],
        "title": row[1],
        "kind": row[2],
        "source": row[3],
        "preview": row[4],
        "visibility": row[5],
        "archived": row[6],
        "sourceStatus": row[7],
        "sourceLabel": row[8],
        "sourceHref": row[9],
        "createdAt": row[10],
        "updatedAt": row[11],
        "contentFormat": row[12],
        "content": content,
        "contentRange": {
            "offset": found["offset"],
            "length": found["length"],
            "total": found["total"],
            "nextOffset": found["next_offset"],
        },
    }
    return envelope(who, data, by_id(who.approved_of(*KNOWLEDGE_KINDS), row[13]), "database")


def people(who: Caller, rows: Sequence[Row], page: int) -> Json:
    sources = who.exposed(*PEOPLE_KINDS)
    labels = {one.id: one.label for one in sources}
    data = [_person(row, labels) for row in rows if row[2] is not None]
    answer = envelope(who, data, sources, "collector")
    answer["pagination"] = pages(page, 50, rows[0][0]) | {"searchLimited": rows[0][1]}
    return answer


def _person(row: Row, labels: dict[str, str]) -> Json:
    platform, username = row[2], row[5]
    return {
        "key": f"{platform}:{row[3]}",
        "platform": platform,
        "id": row[3],
        "displayName": row[4],
        "username": username,
        "profileUrl": PROFILES[platform] + quote(username, safe="") if username else None,
        "verified": row[6],
        "firstActiveAt": row[7],
        "lastActiveAt": row[8],
        "activityCount": row[9],
        "sources": [
            {"sourceId": id, "label": labels[id], "activityCount": count, "lastActiveAt": at}
            for id, count, at in zip(row[10], row[11], row[12], strict=True)
        ],
    }


SEARCH_COLUMNS = (
    "pool_cut", "kind", "id", "source_id", "title", "at", "href",
    "excerpt", "match_at", "starts", "ends",
)  # fmt: skip


def search(who: Caller, rows: Sequence[Row], q: str | None, limit: int) -> Json:
    sources = who.exposed()
    labels = {one.id: one.label for one in sources}
    found = [row for row in rows if row[1] is not None]
    data = {
        "items": [item(row, q or "", labels) for row in found[:limit]],
        "sources": [source(one) for one in sources],
        "hasMore": len(found) > limit or any(row[0] for row in rows),
    }
    return envelope(who, data, sources, "database")


def item(row: Row, q: str, labels: dict[str, str]) -> Json:
    """One result of a search."""
    return {
        "id": row[2],
        "kind": row[1],
        "title": row[4],
        "preview": _preview(dict(zip(SEARCH_COLUMNS, row, strict=True)), q),
        "sourceLabel": labels[row[3]],
        "sourceId": row[3],
        "href": row[6] or HREFS[row[1]].format(quote(row[2], safe="")),
        "updatedAt": row[5],
    }

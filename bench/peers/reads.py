"""The measured reads: each names its statement, its parameters and the JSON of its rows."""

from collections.abc import Callable, Sequence
from time import time
from typing import Any, NamedTuple
from urllib.parse import quote

from bench.peers.statements import SEARCH
from orgctx.operations.exposure import (
    Caller,
    Organization,
    Source,
    aggregate_status,
    by_id,
    connection_state,
    freshness,
    ids,
    in_order,
    newest,
)
from orgctx.operations.source_kinds import KNOWLEDGE_KINDS, PEOPLE_KINDS, SCOPES
from orgctx.resources.knowledge.segment import MAX_CHUNK_UNITS, cut
from orgctx.resources.people import PROFILES
from orgctx.resources.search.items import PARTS, href_of, preview_of
from orgctx.resources.search.service import LIMITS, RECENT, SINCE_SETTING
from orgctx.schemas.payload import numbered

NO_MESSAGE_ID = 2**31
PEOPLE_PAGE_SIZE = 50
SEARCH_COLUMNS = (
    "search_limited", "kind", "id", "source_id", "title", "at", "href",
    "excerpt", "match_at", "starts", "ends",
)  # fmt: skip

Row = Sequence[Any]
Json = dict[str, Any]


class Read(NamedTuple):
    """One read: `answer` turns the rows of `statement` into the JSON document."""

    statement: str
    parameters: Json
    answer: Callable[[Sequence[Row]], Json]


class Described(Source):
    """A source with its description."""

    description = ""


def caller_of(rows: Sequence[Row]) -> Caller:
    """Return the caller that the key look-up found."""
    (key,) = (row for row in rows if row[4])
    approved = in_order(_described(row) for row in rows if row is not key)
    return Caller(key[0], Organization(*key[4:10]), frozenset(key[1]), approved)


def _described(row: Row) -> Described:
    source = Described(*row[10:20])
    source = Described(*source[:-1], is_overdue=time() > source.overdue_at)
    source.description = row[20]
    return source


def _envelope(caller: Caller, data: Any, sources: Sequence[Source], origin: str) -> Json:
    is_preview = caller.organization.is_preview
    members = freshness(sources, origin=origin, is_preview=is_preview, empty=data == [])
    renamed = {"updatedAt" if name == "updated_at" else name: members[name] for name in members}
    return {
        "data": data,
        "meta": {"organizationId": caller.organization.id, "freshness": renamed},
    }


def asset(caller: Caller, id: Any) -> Read:
    """Read one asset."""
    sources = caller.exposed("assets")

    def answer(rows: Sequence[Row]) -> Json:
        row = rows[0]
        data = {
            "id": row[1], "parentId": row[2], "kind": row[3], "name": row[4], "mime": row[5],
            "bytes": row[6], "public": row[7], "publicUrl": row[8],
            "uploadedBy": None if row[9] is None else {"id": row[9], "displayName": row[10]},
            "createdAt": row[11], "updatedAt": row[12],
        }  # fmt: skip
        return _envelope(caller, data, by_id(sources, row[0]), "database")

    return Read("assets/read_asset", _bound(caller, id=id, source_ids=ids(sources)), answer)


def messages(caller: Caller, chat_id: Any, before: int | None, limit: int) -> Read:
    """List messages of a chat, the newest first."""
    sources = caller.exposed("telegram")

    def answer(rows: Sequence[Row]) -> Json:
        present = [row for row in rows if row[2] is not None]
        data, has_more = [_message(row) for row in present[:limit]], len(present) > limit
        document = _envelope(caller, data, by_id(sources, rows[0][0]), "collector")
        next_before = data[-1]["id"] if has_more else None
        document["pagination"] = {
            "limit": limit, "hasMore": has_more, "nextBefore": next_before, "searchLimited": False,
        }  # fmt: skip
        return document

    parameters = _bound(
        caller, chat_id=chat_id, source_ids=ids(sources), before=before or NO_MESSAGE_ID,
        row_limit=limit + 1,
    )  # fmt: skip
    return Read("telegram/list_telegram_messages", parameters, answer)


def _message(row: Row) -> Json:
    return {
        "id": row[2], "sender": {"id": row[3], "name": row[4], "username": row[5]},
        "kind": row[6], "text": row[7], "detail": row[8], "file": row[9],
        "replyToMessageId": row[10], "sentAt": row[11], "editedAt": row[12],
    }  # fmt: skip


def context(caller: Caller) -> Read:
    """Read the organization, its sources and its connections."""

    def answer(rows: Sequence[Row]) -> Json:
        organization = caller.organization
        identity: Json = {"id": organization.id}
        if caller.exposed("profile"):
            identity["displayName"] = organization.display_name
            identity["slug"] = organization.slug
            identity["createdAt"] = organization.created_at
            identity["updatedAt"] = organization.updated_at
        data = {
            "organization": identity,
            "grantedScopes": [scope for scope in SCOPES if scope in caller.scopes],
            "sources": [_source(source) for source in caller.exposed()],
            "connections": _connections(caller, rows),
        }
        return _envelope(caller, data, caller.exposed(), "database")

    source_ids = ids(caller.exposed("token"))
    return Read("context/get_context", _bound(caller, source_ids=source_ids), answer)


def _connections(caller: Caller, symbols: Sequence[Row]) -> Json:
    blocks: Json = {}
    docs = caller.exposed("docs")
    if knowledge := caller.exposed("docs", "notes"):
        available = aggregate_status(knowledge) != "unavailable"
        blocks["knowledge"] = {"available": available, "docs": _state(docs) if docs else None}
    if assets := caller.exposed("assets"):
        blocks["assets"] = {
            "available": aggregate_status(assets) != "unavailable",
            "itemCount": sum(source.record_count for source in assets),
            "updatedAt": newest(assets),
        }
    if telegram := caller.exposed("telegram"):
        count = sum(source.chat_id is not None for source in telegram)
        blocks["telegram"] = _state(telegram) | {"chatCount": count}
    if x := caller.exposed("x"):
        blocks["x"] = _state(x) | {"username": x[0].account}
    if token := caller.exposed("token"):
        symbol = symbols[0][0] if symbols else None
        blocks["token"] = _state(token) | {"address": token[0].account, "symbol": symbol}
    return blocks


def _state(sources: Sequence[Source]) -> Json:
    state = connection_state(sources)
    members = ("connected", "status")
    return {name: state[name] for name in members} | {"updatedAt": state["updated_at"]}


def _source(source: Any) -> Json:
    members = {
        "id": source.id, "label": source.label, "kind": source.kind, "included": True,
        "external": True, "status": source.status, "updatedAt": source.updated_at,
        "description": source.description, "href": source.href,
    }  # fmt: skip
    if source.kind not in ("profile", "token"):
        members["count"] = source.record_count
    return members


def knowledge(caller: Caller, id: str, offset: int, limit: int) -> Read:
    """Read one document and a segment of its text."""
    sources = caller.approved_of(*KNOWLEDGE_KINDS)

    def answer(rows: Sequence[Row]) -> Json:
        row = rows[0]
        chunks = [(each[15], each[16]) for each in rows] if row[15] is not None else []
        content, segment = cut(chunks, row[14], offset, limit)
        data = {
            "id": row[0], "title": row[1], "kind": row[2], "source": row[3], "preview": row[4],
            "visibility": row[5], "archived": row[6], "sourceStatus": row[7],
            "sourceLabel": row[8], "sourceHref": row[9], "createdAt": row[10],
            "updatedAt": row[11], "contentFormat": row[12], "content": content,
            "contentRange": {
                "offset": segment["offset"], "length": segment["length"],
                "total": segment["total"], "nextOffset": segment["next_offset"],
            },
        }  # fmt: skip
        return _envelope(caller, data, by_id(sources, row[13]), "database")

    parameters = _bound(
        caller, id=id, source_ids=ids(sources), segment_start=offset - 1,
        segment_end=offset + limit + 2, first_chunk=offset - 1 - MAX_CHUNK_UNITS,
    )  # fmt: skip
    return Read("knowledge/read_knowledge", parameters, answer)


def people(caller: Caller, page: int) -> Read:
    """List a page of people."""
    sources = caller.exposed(*PEOPLE_KINDS)

    def answer(rows: Sequence[Row]) -> Json:
        labels = {source.id: source.label for source in sources}
        data = [_person(row, labels) for row in rows if row[2] is not None]
        pages = numbered(page, PEOPLE_PAGE_SIZE, rows[0][0])
        document = _envelope(caller, data, sources, "collector")
        document["pagination"] = {
            "page": page, "pageSize": PEOPLE_PAGE_SIZE, "total": rows[0][0],
            "totalPages": pages["total_pages"], "hasNextPage": pages["has_next_page"],
            "searchLimited": rows[0][1],
        }  # fmt: skip
        return document

    parameters = _bound(
        caller, source_ids=ids(sources), page_size=PEOPLE_PAGE_SIZE,
        page_offset=(page - 1) * PEOPLE_PAGE_SIZE,
    )  # fmt: skip
    return Read("people/list_people", parameters, answer)


def _person(row: Row, labels: dict[str, str]) -> Json:
    platform, username = row[2], row[5]
    return {
        "key": f"{platform}:{row[3]}", "platform": platform, "id": row[3],
        "displayName": row[4], "username": username,
        "profileUrl": PROFILES[platform] + quote(username, safe="") if username else None,
        "verified": row[6], "firstActiveAt": row[7], "lastActiveAt": row[8],
        "activityCount": row[9],
        "sources": [
            {"sourceId": id, "label": labels[id], "activityCount": count, "lastActiveAt": at}
            for id, count, at in zip(row[10], row[11], row[12], strict=True)
        ],
    }  # fmt: skip


def search(caller: Caller, q: str | None, limit: int) -> Read:
    """Search all kinds of records."""
    sources = caller.exposed()

    def answer(rows: Sequence[Row]) -> Json:
        labels = {source.id: source.label for source in sources}
        present = [row for row in rows if row[1] is not None]
        data = {
            "items": [_item(row, q or "", labels) for row in present[:limit]],
            "sources": [_source(source) for source in sources],
            "hasMore": len(present) > limit or any(row[0] for row in rows),
        }
        return _envelope(caller, data, sources, "database")

    parts = {name.rpartition("/")[2]: ids(caller.exposed(*kinds)) for name, kinds in PARTS.items()}
    parameters = _bound(
        caller, **parts, q=q or None, after=None, before=None, row_limit=limit + 1,
        recent_limit=RECENT if q else 10 * (limit + 1), since_setting=SINCE_SETTING,
        **LIMITS,
    )  # fmt: skip
    return Read(SEARCH, parameters, answer)


def _item(row: Row, q: str, labels: dict[str, str]) -> Json:
    return {
        "id": row[2],
        "kind": row[1],
        "title": row[4],
        "preview": preview_of(dict(zip(SEARCH_COLUMNS, row, strict=True)), q),
        "sourceLabel": labels[row[3]],
        "sourceId": row[3],
        "href": row[6] or href_of(row[1], row[2]),
        "updatedAt": row[5],
    }


def _bound(caller: Caller, **parameters: Any) -> Json:
    return {"organization_id": caller.organization.id, **parameters}

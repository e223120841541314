"""The shapes of sections 2 and 7 as JSON Schema, written by hand from the contract.

Nothing here is derived from the service's own declarations: this is the second
opinion that they are held against.
"""

from __future__ import annotations

from typing import Any

Shape = dict[str, Any]

STRING: Shape = {"type": "string"}
BOOLEAN: Shape = {"type": "boolean"}
INTEGER: Shape = {"type": "integer"}
COUNT: Shape = {"type": "integer", "minimum": 0}
POSITIVE: Shape = {"type": "integer", "minimum": 1}
NUMBER: Shape = {"type": "number"}
DIGITS: Shape = {"type": "string", "pattern": "^[0-9]+$"}
UUID: Shape = {"type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}
URI: Shape = {"type": "string", "pattern": r"^https?://\S+$"}
# ISO 8601 in UTC; microseconds only where present.
DATE_TIME: Shape = {
    "type": "string",
    "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$",
}


def nullable(shape: Shape) -> Shape:
    return {"anyOf": [shape, {"type": "null"}]}


def one_of(values: str) -> Shape:
    """An enumeration as the contract writes it: `a, b, c`."""
    return {"enum": values.split(", ")}


def array(items: Shape, **more: Any) -> Shape:
    return {"type": "array", "items": items, **more}


def members(required: dict[str, Shape], **optional: Shape) -> Shape:
    """An object without other members."""
    return open_members(required, **optional) | {"additionalProperties": False}


def open_members(required: dict[str, Shape], **optional: Shape) -> Shape:
    """An object that may have more members."""
    return {
        "type": "object",
        "required": list(required),
        "properties": required | optional,
    }


STATUS = one_of("current, stale, unavailable, synthetic")
FRESHNESS = members(
    {
        "source": one_of("database, collector, provider, local_preview"),
        "updatedAt": nullable(DATE_TIME),
        "status": STATUS,
    },
    note=STRING,
)
META = members({"organizationId": UUID, "freshness": FRESHNESS})

NUMBERED = {
    "page": POSITIVE,
    "pageSize": POSITIVE,
    "total": COUNT,
    "totalPages": COUNT,
    "hasNextPage": BOOLEAN,
}
NUMBERED_PAGINATION = members(NUMBERED)
PEOPLE_PAGINATION = members(NUMBERED | {"searchLimited": BOOLEAN})
ASSET_PAGINATION = members(NUMBERED | {"folderId": nullable(UUID), "folderName": nullable(STRING)})
MESSAGE_PAGINATION = members(
    {
        "limit": {"type": "integer", "minimum": 1, "maximum": 100},
        "hasMore": BOOLEAN,
        "nextBefore": nullable(INTEGER),
        "searchLimited": BOOLEAN,
    }
)

SCOPE = one_of("context:read, knowledge:read, assets:read, telegram:read, x:read, token:read")
CONTEXT_SOURCE = members(
    {
        "id": STRING,
        "label": STRING,
        "kind": one_of("docs, notes, assets, profile, token, x, telegram"),
        "included": BOOLEAN,
        "external": BOOLEAN,
        "status": one_of("current, stale, unavailable, synthetic, not_connected"),
        "updatedAt": nullable(DATE_TIME),
        "description": STRING,
        "href": STRING,
    },
    count=COUNT,
)

CONNECTION = {
    "connected": BOOLEAN,
    "status": one_of("available, current, stale, unavailable, synthetic, error"),
    "updatedAt": nullable(DATE_TIME),
}
CONTEXT = members(
    {
        "organization": members(
            {"id": UUID},
            displayName=STRING,
            slug=STRING,
            createdAt=DATE_TIME,
            updatedAt=DATE_TIME,
        ),
        "grantedScopes": array(SCOPE, uniqueItems=True),
        "sources": array(CONTEXT_SOURCE),
        "connections": members(
            {},
            knowledge=members({"available": BOOLEAN, "docs": nullable(members(CONNECTION))}),
            assets=members(
                {"available": BOOLEAN, "itemCount": COUNT, "updatedAt": nullable(DATE_TIME)}
            ),
            telegram=members(CONNECTION | {"chatCount": COUNT}),
            x=members(CONNECTION | {"username": nullable(STRING)}),
            token=members(CONNECTION | {"address": nullable(STRING), "symbol": nullable(STRING)}),
        ),
    }
)

SEARCH_ITEM = members(
    {
        "id": STRING,
        "kind": one_of("document, note, message, post, person, asset, profile, token"),
        "title": STRING,
        "preview": {"type": "string", "maxLength": 240},
        "sourceLabel": STRING,
        "sourceId": STRING,
        "href": nullable(STRING),
        "updatedAt": nullable(DATE_TIME),
    }
)
SEARCH_RESULT = members(
    {"items": array(SEARCH_ITEM), "sources": array(CONTEXT_SOURCE), "hasMore": BOOLEAN}
)

PERSON_SOURCE = members(
    {"sourceId": STRING, "label": STRING, "activityCount": POSITIVE, "lastActiveAt": DATE_TIME}
)
PERSON = {
    "key": {"type": "string", "maxLength": 250},
    "platform": one_of("telegram, x"),
    "id": STRING,
    "displayName": STRING,
    "username": nullable(STRING),
    "profileUrl": nullable(STRING),
    "verified": nullable(BOOLEAN),
    "firstActiveAt": DATE_TIME,
    "lastActiveAt": DATE_TIME,
    "activityCount": POSITIVE,
    "sources": array(PERSON_SOURCE, minItems=1),
}
ACTIVITY = members(
    {
        "kind": one_of("message, post"),
        "id": STRING,
        "sourceId": STRING,
        "preview": {"type": "string", "maxLength": 240},
        "at": DATE_TIME,
        "href": STRING,
    }
)
PERSON_IN_LIST = open_members(PERSON)
PERSON_DETAIL = open_members(PERSON | {"recentActivity": array(ACTIVITY, maxItems=20)})

KNOWLEDGE_SUMMARY_MEMBERS = {
    "id": {
        "type": "string",
        "pattern": "^((docs|assets|profile|note):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
        "|chain:0x[0-9a-f]{40})$",
    },
    "title": STRING,
    "kind": one_of("source, note"),
    "source": one_of("docs, assets, chain, profile, team, answer"),
    "preview": {"type": "string", "maxLength": 240},
    "visibility": one_of("public, team"),
    "archived": BOOLEAN,
    "sourceStatus": one_of("current, draft, removed, unavailable, reference"),
    "sourceLabel": STRING,
    "sourceHref": nullable(STRING),
    "createdAt": DATE_TIME,
    "updatedAt": DATE_TIME,
}
KNOWLEDGE_SUMMARY = members(KNOWLEDGE_SUMMARY_MEMBERS)
KNOWLEDGE_ITEM = members(
    KNOWLEDGE_SUMMARY_MEMBERS
    | {
        "content": STRING,
        "contentFormat": one_of("markdown, plain_text"),
        "contentRange": members(
            {"offset": COUNT, "length": COUNT, "total": COUNT, "nextOffset": nullable(COUNT)}
        ),
    }
)

ASSET = members(
    {
        "id": UUID,
        "parentId": nullable(UUID),
        "kind": one_of("folder, file"),
        "name": STRING,
        "mime": nullable(STRING),
        "bytes": COUNT,
        "public": BOOLEAN,
        "publicUrl": nullable(STRING),
        "uploadedBy": nullable(members({"id": UUID, "displayName": nullable(STRING)})),
        "createdAt": DATE_TIME,
        "updatedAt": DATE_TIME,
    }
)

TELEGRAM_CHAT = members(
    {
        "id": UUID,
        "type": one_of("group, supergroup, channel"),
        "title": STRING,
        "username": nullable(STRING),
        "memberCount": COUNT,
        "trackedMessageCount": COUNT,
        "lastMessageAt": nullable(DATE_TIME),
        "linkedAt": DATE_TIME,
        "updatedAt": DATE_TIME,
    }
)
TELEGRAM_MESSAGE = members(
    {
        "id": POSITIVE,
        "sender": members({"id": nullable(STRING), "name": STRING, "username": nullable(STRING)}),
        "kind": one_of(
            "text, photo, video, animation, sticker, document, voice, audio, poll, other"
        ),
        "text": nullable(STRING),
        "detail": nullable(STRING),
        "file": nullable(
            members(
                {
                    "width": nullable(INTEGER),
                    "height": nullable(INTEGER),
                    "duration": nullable(INTEGER),
                    "mimeType": nullable(STRING),
                    "fileName": nullable(STRING),
                    "fileSize": nullable(INTEGER),
                    "sticker": nullable(one_of("static, animated, video")),
                }
            )
        ),
        "replyToMessageId": nullable(INTEGER),
        "sentAt": DATE_TIME,
        "editedAt": nullable(DATE_TIME),
    }
)

X_AUTHOR = members({"id": STRING, "username": STRING, "name": STRING, "verified": BOOLEAN})
X_MENTION = members(
    {
        "id": STRING,
        "url": URI,
        "text": STRING,
        "createdAt": DATE_TIME,
        "metrics": members(
            dict.fromkeys(("likes", "reposts", "replies", "quotes", "views"), INTEGER)
        ),
        "isReply": BOOLEAN,
        "isRepost": BOOLEAN,
        "author": X_AUTHOR,
        "media": array(
            members({"type": one_of("photo, video, gif"), "url": STRING, "previewUrl": STRING})
        ),
        "quoted": nullable(members({"author": X_AUTHOR, "text": STRING, "url": URI})),
    }
)

TOKEN_SOURCE = members({"updatedAt": nullable(DATE_TIME), "status": STATUS}, note=STRING)
TOKEN_SUMMARY = members(
    {
        "connected": BOOLEAN,
        "token": nullable(
            members(
                {
                    "address": STRING,
                    "chainId": {"enum": [4663, 1, 31337, 31338]},
                    "protocol": one_of("pons, stockereum, programmable"),
                    "name": STRING,
                    "symbol": STRING,
                    "pool": STRING,
                    "poolId": nullable(STRING),
                    "pairedToken": nullable(STRING),
                    "deployer": STRING,
                    "logoUrl": nullable(STRING),
                }
            )
        ),
        "index": nullable(
            members(
                {
                    "indexedTo": INTEGER,
                    "indexedAt": DATE_TIME,
                    "nextSyncAt": DATE_TIME,
                    "state": one_of("ready, collecting, error"),
                }
            )
        ),
        "holders": nullable(members({"count": COUNT, "trackedBalanceRaw": DIGITS})),
        "latestFees": nullable(
            members(
                {
                    "takenAt": DATE_TIME,
                    "priceUsd": NUMBER,
                    "ethUsd": NUMBER,
                    "unclaimedEth": NUMBER,
                    "unclaimedToken": NUMBER,
                }
            )
        ),
        "latestTradeAt": nullable(DATE_TIME),
        "sources": members({"transfers": TOKEN_SOURCE, "fees": TOKEN_SOURCE}),
    }
)

ERROR = members(
    {
        "error": members({"code": STRING, "message": {"type": "string", "minLength": 10}}),
        "requestId": UUID,
    }
)


def envelope(data: Shape, pagination: Shape | None = None) -> Shape:
    """A whole successful answer."""
    whole = {"data": data, "meta": META}
    return members(whole | ({"pagination": pagination} if pagination else {}))


# By operation: what a 200 of it holds.
ANSWERS: dict[str, Shape] = {
    "get_context": envelope(CONTEXT),
    "list_sources": envelope(array(CONTEXT_SOURCE)),
    "search_context": envelope(SEARCH_RESULT),
    "list_people": envelope(array(PERSON_IN_LIST, maxItems=50), PEOPLE_PAGINATION),
    "read_person": envelope(PERSON_DETAIL),
    "list_knowledge": envelope(array(KNOWLEDGE_SUMMARY, maxItems=20), NUMBERED_PAGINATION),
    "read_knowledge": envelope(KNOWLEDGE_ITEM),
    "list_assets": envelope(array(ASSET, maxItems=50), ASSET_PAGINATION),
    "read_asset": envelope(ASSET),
    "list_telegram_chats": envelope(array(TELEGRAM_CHAT, maxItems=50), NUMBERED_PAGINATION),
    "list_telegram_messages": envelope(array(TELEGRAM_MESSAGE, maxItems=100), MESSAGE_PAGINATION),
    "list_x_mentions": envelope(array(X_MENTION, maxItems=20), NUMBERED_PAGINATION),
    "get_token": envelope(TOKEN_SUMMARY),
}

# Section 2 by resource, for the tests that hold its tables against them.
RESOURCES: dict[str, Shape] = {
    "Freshness": FRESHNESS,
    "ContextSource": CONTEXT_SOURCE,
    "Context": CONTEXT,
    "ContextSearchResult": SEARCH_RESULT,
    "KnowledgeSummary": KNOWLEDGE_SUMMARY,
    "Asset": ASSET,
    "TelegramMessage": TELEGRAM_MESSAGE,
    "TokenSummary": TOKEN_SUMMARY,
}

PAGINATED = tuple(name for name, answer in ANSWERS.items() if "pagination" in answer["properties"])

# Where our answers promise more than the table's type.
NARROWER = (
    ("KnowledgeSummary", "id"),
    ("KnowledgeSummary", "preview"),
)

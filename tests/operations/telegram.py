"""Telegram chats."""

from tests.contract.json_schemas import (
    BOOLEAN,
    COUNT,
    DATE_TIME,
    INTEGER,
    NUMBERED_PAGINATION,
    POSITIVE,
    STRING,
    UUID,
    array,
    envelope,
    members,
    nullable,
    one_of,
)
from tests.operations.row import Arguments, Row
from tests.support import factories as make
from tests.support import organizations as orgs

MESSAGE_PAGINATION = members(
    {
        "limit": {"type": "integer", "minimum": 1, "maximum": 100},
        "hasMore": BOOLEAN,
        "nextBefore": nullable(INTEGER),
        "searchLimited": BOOLEAN,
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

CHATS = (make.CHAT, orgs.HIDDEN_CHAT, make.uuid("none"))

MORE: tuple[Arguments, ...] = (
    {"before": 5, "limit": 2},
    {},
    *({"q": term} for term in orgs.TERMS),
    # If the first two messages contain enough matches, the search treats the term as common.
    {"q": "message", "limit": 5},
    {"around": 3, "limit": 4},
    {"sender": "telegram:user1"},
    {"sender": "telegram:user1", "q": "message", "before": 9, "limit": 2},
    {"sender": "telegram:hidden1"},
    *(
        {"sender": name, "until": "2090-01-01T00:00:00Z"}
        for name in ("ada", "hidden 1", "@hidden1")
    ),
    *(
        {"since": "2020-01-01T00:00:00Z", "limit": 2} | more
        for more in (
            {},
            {"q": "message"},
            {"sender": "telegram:user1"},
            {"q": "message", "sender": "telegram:user1"},
        )
    ),
)

ROWS = (
    Row(
        name="list_telegram_chats",
        path="/telegram/chats",
        scopes=("telegram:read",),
        kinds=("telegram",),
        origin="collector",
        answer=envelope(array(TELEGRAM_CHAT, maxItems=50), NUMBERED_PAGINATION),
        records={"telegram/list_telegram_chats": "id"},
        asks=({}, {"q": "acme"}),
        crawl=({}, *({"q": term} for term in orgs.TERMS)),
    ),
    Row(
        name="list_telegram_messages",
        path="/telegram/chats/{id}/messages",
        in_path={"id": "chatId"},
        scopes=("telegram:read",),
        kinds=("telegram",),
        origin="collector",
        answer=envelope(array(TELEGRAM_MESSAGE, maxItems=100), MESSAGE_PAGINATION),
        resources={"TelegramMessage": TELEGRAM_MESSAGE},
        records={
            "telegram/list_telegram_messages": "id",
            "telegram/list_telegram_messages_around": "id",
            "telegram/list_telegram_messages_in_span": "id",
            "telegram/list_telegram_messages_of_sender": "id",
            "telegram/search_telegram_messages": "id",
            "telegram/search_telegram_messages_of_sender": "id",
        },
        asks=(
            {"chatId": make.CHAT},
            {"chatId": make.CHAT, "q": "message", "before": 100, "limit": 3},
            {"chatId": make.CHAT, "around": 1, "limit": 3},
            {"chatId": make.CHAT, "sender": "telegram:user1"},
            {"chatId": make.CHAT, "sender": "Ada", "since": "2020-01-01T00:00:00Z", "limit": 2},
        ),
        missing={"chatId": make.uuid("nothing")},
        crawl=tuple({"chatId": chat, **more} for chat in CHATS for more in MORE),
    ),
)

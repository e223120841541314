"""Telegram chats."""

from tests.operations.row import Arguments, Row
from tests.support import factories as make
from tests.support import organizations as orgs

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

"""One function per Telegram operation."""

from __future__ import annotations

from uuid import UUID

from orgctx.errors import NotFound
from orgctx.operations.exposure import Caller, by_id, ids
from orgctx.operations.operation import Reader, Result
from orgctx.resources.telegram.schemas import LAST_MESSAGE_ID, TelegramChat, TelegramMessage
from orgctx.schemas.envelope import numbered

CHATS_PAGE_SIZE = 50
SEARCH_WINDOW = 10_000
# A common term is found faster by scanning this many of the newest messages than by the index.
RECENT = 500


def list_telegram_chats(caller: Caller, reader: Reader, *, page: int) -> Result:
    """List the linked Telegram chats, most recently active first. Use the id of a chat to
    read its messages.

    50 per page, ordered by lastMessageAt descending (nulls last), then title,
    then id.
    """
    sources = caller.exposed("telegram")
    totals, rows = reader.page(
        "telegram/list_telegram_chats",
        page=page,
        size=CHATS_PAGE_SIZE,
        source_ids=ids(sources),
    )
    pagination = numbered(page, CHATS_PAGE_SIZE, totals["total"])
    return Result(TelegramChat.many(rows), sources, pagination)


def list_telegram_messages(
    caller: Caller,
    reader: Reader,
    *,
    chat_id: UUID,
    q: str | None,
    before: int | None,
    limit: int,
) -> Result:
    """Read the stored messages of one linked chat, newest first. While hasMore is true, pass
    nextBefore as before to read older ones.

    Ordered by id descending. q searches only the newest 10,000 messages of the
    chat; searchLimited is true if there are more. 404 if the chat is not linked
    through an approved source.
    """
    sources = caller.exposed("telegram")
    chat, rows = reader.rows(
        "telegram/search_telegram_messages" if q else "telegram/list_telegram_messages",
        chat_id=chat_id,
        source_ids=ids(sources),
        before=before or LAST_MESSAGE_ID + 1,
        row_limit=limit + 1,
        **({"q": q, "recent_limit": RECENT} if q else {}),
    ).split("id")
    if not chat:
        raise NotFound("There is no such chat, or this key may not read it.")
    messages = TelegramMessage.many(rows)
    data, has_more = messages[:limit], len(messages) > limit
    pagination = {
        "limit": limit,
        "has_more": has_more,
        "next_before": data[-1]["id"] if has_more else None,
        "search_limited": bool(q) and chat["tracked_message_count"] > SEARCH_WINDOW,
    }
    return Result(data, by_id(sources, chat["source_id"]), pagination)

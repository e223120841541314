"""One function per Telegram operation."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from orgctx.errors import InvalidParameter, NotFound
from orgctx.operations.exposure import Caller, by_id, ids
from orgctx.operations.operation import Reader, Result
from orgctx.resources.telegram.schemas import LAST_MESSAGE_ID, TelegramChat, TelegramMessage
from orgctx.schemas.envelope import numbered

CHATS_PAGE_SIZE = 50
SEARCH_WINDOW = 10_000
# Scanning this many of the newest messages finds a common term faster than the index does.
RECENT = 500
# The same for the messages of a sender who wrote many of the newest ones.
RECENT_OF_SENDER = 1_000


def list_telegram_chats(caller: Caller, reader: Reader, *, q: str | None, page: int) -> Result:
    """List the linked Telegram chats, most recently active first. The id of a chat leads to its
    messages.

    50 per page, ordered by lastMessageAt descending (nulls last), then title,
    then id.
    """
    sources = caller.exposed("telegram")
    totals, rows = reader.page(
        "telegram/list_telegram_chats",
        page=page,
        size=CHATS_PAGE_SIZE,
        q=q or None,
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
    sender: str | None,
    before: int | None,
    around: int | None,
    limit: int,
) -> Result:
    """Read the stored messages of one linked chat, newest first.

    While hasMore is true, pass nextBefore as before to read older ones. Ordered by
    id descending. q searches only the newest 10,000 messages of the chat;
    searchLimited is true if there are more. around returns as many messages after
    an id as up to it, or more of one side if the other has fewer. 404 if the chat
    is not linked through an approved source.
    """
    if around and (before or q or sender):
        raise InvalidParameter("around cannot be combined with before, q or sender")
    sources = caller.exposed("telegram")
    name, parameters = _statement(q or None, sender, before, around)
    chat, rows = reader.rows(
        name, chat_id=chat_id, source_ids=ids(sources), row_limit=limit + 1, **parameters
    ).split("id")
    if not chat:
        raise NotFound("There is no such chat, or this key may not read it.")
    messages = TelegramMessage.many(rows)
    start = _start(messages, around, limit) if around else 0
    data, has_more = messages[start : start + limit], len(messages) > start + limit
    pagination = {
        "limit": limit,
        "has_more": has_more,
        "next_before": data[-1]["id"] if has_more else None,
        "search_limited": bool(q) and chat["tracked_message_count"] > SEARCH_WINDOW,
    }
    hints: tuple[str, ...] = ()
    # With the same id again, or an older one, the answer would contain nothing newer.
    if around and start and data[0]["id"] > around:
        hints = (f"To read newer messages, pass around={data[0]['id']}.",)
    return Result(data, by_id(sources, chat["source_id"]), pagination, hints)


def _statement(
    q: str | None, sender: str | None, before: int | None, around: int | None
) -> tuple[str, dict[str, Any]]:
    """Return the statement that lists the messages, and its own parameters."""
    if around:
        return "telegram/list_telegram_messages_around", {"around": around}
    parameters: dict[str, Any] = {"before": before or LAST_MESSAGE_ID + 1}
    sender_id = sender and sender.partition(":")[2]
    if q and sender:
        parameters |= {"q": q, "sender_id": sender_id}
        return "telegram/search_telegram_messages_of_sender", parameters
    if q:
        parameters |= {"q": q, "recent_limit": RECENT}
        return "telegram/search_telegram_messages", parameters
    if sender:
        parameters |= {"sender_id": sender_id, "recent_limit": RECENT_OF_SENDER}
        return "telegram/list_telegram_messages_of_sender", parameters
    return "telegram/list_telegram_messages", parameters


def _start(messages: list[dict[str, Any]], around: int, limit: int) -> int:
    """Return the index in `messages` at which a page around an id starts.

    messages: up to a page from each side of the id, newest first.
    """
    newer_count = sum(1 for message in messages if message["id"] > around)
    older_count = len(messages) - newer_count
    return max(0, newer_count - max(limit // 2, limit - older_count))

"""The operations and their service functions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from orgctx.errors import InvalidParameter, NotFound, OtherRecord
from orgctx.operations.exposure import Caller, Source, by_id, ids
from orgctx.operations.lookups import person_id
from orgctx.operations.operation import (
    MESSAGE,
    PERSON,
    Identifier,
    Reader,
    Resource,
    Result,
    Use,
)
from orgctx.resources.telegram.schemas import (
    LAST_MESSAGE_ID,
    ListTelegramChats,
    ListTelegramMessages,
    ListTelegramMessagesToolArguments,
    TelegramChat,
    TelegramMessage,
)
from orgctx.resources.telegram.tool import ListTelegramMessagesTool, with_parents
from orgctx.schemas.payload import MessagePagination, NumberedPagination, numbered

RESOURCE = Resource(tag="telegram", about="Linked chats and their stored messages.")
CHATS_PAGE_SIZE = 50
SEARCH_WINDOW = 10_000
# So many of the newest messages are read first for those of a sender, who may have written most.
RECENT_OF_SENDER = 1_000
# Counting more messages takes longer than listing a page of them.
MOST_COUNTED = 10_000
KEY_PREFIX = "telegram:"
NO_CHAT = "There is no such chat, or this key may not read it."


@RESOURCE.operation(
    path="/telegram/chats",
    title="List Telegram chats",
    scopes=("telegram:read",),
    kinds=("telegram",),
    arguments=ListTelegramChats,
    payload=TelegramChat,
    is_list=True,
    pagination=NumberedPagination,
    origin="collector",
    use=Use("What is new in the crew chat?", {"q": "crew"}),
)
def list_telegram_chats(caller: Caller, reader: Reader, *, q: str | None, page: int) -> Result:
    """List the linked chats, of Telegram and other services, most recently active first. The id
    of a chat leads to its messages.

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


@RESOURCE.operation(
    path="/telegram/chats/{id}/messages",
    title="List Telegram messages",
    scopes=("telegram:read",),
    kinds=("telegram",),
    arguments=ListTelegramMessages,
    payload=TelegramMessage,
    is_list=True,
    pagination=MessagePagination,
    origin="collector",
    is_findable=True,
    is_core=True,
    use=Use(
        "Why did they say that?",
        {"chatId": "123e4567-e89b-12d3-a456-426614174000", "around": 1112},
    ),
    shape=with_parents,
    tool_arguments=ListTelegramMessagesToolArguments,
    tool_payload=ListTelegramMessagesTool,
    identifier=Identifier(
        "chatId", "list_telegram_chats returns the ids of chats.", (MESSAGE, PERSON)
    ),
)
def list_telegram_messages(
    caller: Caller,
    reader: Reader,
    *,
    chat_id: UUID | str,
    q: str | None,
    sender: str | None,
    since: datetime | None,
    until: datetime | None,
    before: int | None,
    around: int | None,
    limit: int,
) -> Result:
    """Read the stored messages of one linked chat, newest first.

    While hasMore is true, pass nextBefore as before to read older ones. Ordered by
    id descending. q searches only the newest 10,000 messages of the chat;
    searchLimited is true if there are more. since is inclusive and until is
    exclusive. around returns as many messages after an id as up to it, or more of one
    side if the other has fewer. A sender whom nobody matches gives an empty page; 400
    if a name matches several people. 404 if the chat is not linked through an
    approved source.
    """
    if around and (before or q or sender or since or until):
        raise InvalidParameter("around cannot be combined with before, q, sender, since or until")
    if since and until and since >= until:
        raise InvalidParameter("since must be earlier than until")
    sources = caller.exposed("telegram")
    chat_id = _chat_id(caller, chat_id)
    sender_id = sender and _sender_id(reader, sources, chat_id, sender)
    statement = "telegram/list_telegram_messages"
    if q or since or until:
        statement = "telegram/search_telegram_messages"
    elif sender_id:
        statement = "telegram/list_telegram_messages_of_sender"
    chat, rows = reader.rows(
        statement,
        chat_id=chat_id,
        source_ids=ids(sources),
        row_limit=limit + 1,
        recent_limit=RECENT_OF_SENDER,
        q=q or None,
        sender_id=sender_id,
        since=since,
        until=until,
        before=before or (around or LAST_MESSAGE_ID) + 1,
        newer_limit=limit + 1 if around else 0,
        count_limit=MOST_COUNTED + 1,
    ).split("id")
    if not chat:
        raise NotFound(NO_CHAT)
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
    if since or until:
        count = chat["match_count"]
        number = f"More than {MOST_COUNTED:,}" if count > MOST_COUNTED else f"{count:,}"
        hints = (f"{number} stored messages of this chat match this span of time.",)
    return Result(data, by_id(sources, chat["source_id"]), pagination, hints)


def _chat_id(caller: Caller, reference: UUID | str) -> UUID:
    """Return the id of a chat. Raises NotFound.

    Args:
        reference: the id of the chat, or of its source.
    """
    if isinstance(reference, UUID):
        return reference
    sources = by_id(caller.exposed(), reference)
    if not sources:
        raise NotFound(NO_CHAT)
    (source,) = sources
    if source.chat_id is None:
        raise OtherRecord(
            f"{source.id} is a source of the kind {source.kind} without a chat. To search it, call "
            f'search_context with {{"source": "{source.id}"}}.'
        )
    return source.chat_id


def _sender_id(reader: Reader, sources: Sequence[Source], chat_id: UUID, sender: str) -> str:
    if sender.startswith(KEY_PREFIX):
        return sender.removeprefix(KEY_PREFIX)
    source_ids = ids(source for source in sources if source.chat_id == chat_id)
    return person_id(reader, source_ids, "telegram", "sender", sender, has_display_name=True)


def _start(messages: list[dict[str, Any]], around: int, limit: int) -> int:
    """Return the index in `messages` at which a page around an id starts.

    messages: up to a page from each side of the id, newest first.
    """
    newer_count = sum(1 for message in messages if message["id"] > around)
    older_count = len(messages) - newer_count
    return max(0, newer_count - max(limit // 2, limit - older_count))

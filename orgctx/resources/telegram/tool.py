"""The tool that lists messages: with the parents of replies, and how much a sender wrote."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from orgctx.operations.exposure import ids
from orgctx.operations.operation import Reader, Result
from orgctx.resources.telegram.schemas import LAST_MESSAGE_ID, Sender, TelegramMessage
from orgctx.schemas.fields import Nested, Text
from orgctx.schemas.payload import Payload
from orgctx.schemas.text import preview

PREVIEW_LENGTH = 120
NO_MESSAGE = "This person sent no stored message of this chat; list_people returns keys."
OF_SENDER = "stored messages of this chat are of this sender."


class Parent(Payload):
    """The message that another one replies to."""

    sender = Nested(Sender)
    preview = Text(PREVIEW_LENGTH)


class ListTelegramMessagesTool(TelegramMessage):
    """A stored message, with its parent if that is stored but not in the same answer."""

    parent = Nested(Parent, optional=True)


def with_parents(result: Result, reader: Reader, arguments: Mapping[str, Any]) -> Result:
    """Add the parents that the answer lacks, and how many messages the sender sent.

    A page of one sender does not name the sender of each message.
    """
    parents = _parents(reader, result)
    data = [
        message | {"parent": parents[message["replyToMessageId"]]}
        if message["replyToMessageId"] in parents
        else message
        for message in result.data
    ]
    if arguments["sender"]:
        data = [{key: message[key] for key in message if key != "sender"} for message in data]
    hints = (*result.hints, *_sender_hints(result, reader, arguments))
    return replace(result, data=data, hints=hints)


def _parents(reader: Reader, result: Result) -> dict[int, dict[str, Any]]:
    """Return the stored parents of the messages by id, without those that are in the answer."""
    replied_to = {message["replyToMessageId"] for message in result.data} - {None}
    # Only ids that a stored message can have.
    replied_to = {id_ for id_ in replied_to if 0 < id_ <= LAST_MESSAGE_ID}
    message_ids = sorted(replied_to - {message["id"] for message in result.data})
    if not message_ids:
        return {}
    rows = reader.rows(
        "telegram/read_parents",
        chat_id=result.sources[0].chat_id,
        source_ids=ids(result.sources),
        message_ids=message_ids,
    )
    return {row["id"]: Parent.one(_parent(row)) for row in rows.dicts()}


def _parent(row: Mapping[str, Any]) -> dict[str, Any]:
    sender = {
        "id": row["sender_id"],
        "name": row["sender_name"],
        "username": row["sender_username"],
    }
    return {"sender": sender, "preview": preview(row["excerpt"], PREVIEW_LENGTH)}


def _sender_hints(result: Result, reader: Reader, arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Count all messages of the sender, unless q or a span filters them."""
    if not arguments["sender"] or arguments["q"] or arguments["since"] or arguments["until"]:
        return ()
    if not result.data:
        return () if arguments["before"] else (NO_MESSAGE,)
    rows = reader.rows(
        "telegram/count_messages_of_sender",
        source_ids=ids(result.sources),
        sender_id=result.data[0]["sender"]["id"],
    ).dicts()
    return tuple(f"{row['message_count']:,} {OF_SENDER}" for row in rows)

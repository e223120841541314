"""The operations of Telegram chats."""

from orgctx.operations.operation import Identifier, Operation, Resource, Tool
from orgctx.resources.telegram import schemas, service
from orgctx.resources.telegram.tool import ListTelegramMessagesTool, with_parents
from orgctx.schemas.envelope import MessagePagination, NumberedPagination

RESOURCE = Resource(
    place=7,
    tag="telegram",
    about="Linked chats and their stored messages.",
    operations=(
        Operation(
            path="/telegram/chats",
            title="List Telegram chats",
            scopes=("telegram:read",),
            kinds=("telegram",),
            arguments=schemas.ListTelegramChats,
            payload=schemas.TelegramChat,
            is_list=True,
            pagination=NumberedPagination,
            origin="collector",
            service=service.list_telegram_chats,
        ),
        Operation(
            path="/telegram/chats/{id}/messages",
            title="List Telegram messages",
            scopes=("telegram:read",),
            kinds=("telegram",),
            arguments=schemas.ListTelegramMessages,
            payload=schemas.TelegramMessage,
            is_list=True,
            pagination=MessagePagination,
            origin="collector",
            is_findable=True,
            service=service.list_telegram_messages,
            tool=Tool(shape=with_parents, payload=ListTelegramMessagesTool),
            identifier=Identifier("chatId", "list_telegram_chats returns the ids of chats."),
        ),
    ),
)

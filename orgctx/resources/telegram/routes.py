"""The operations of Telegram chats."""

from orgctx.operations.operation import MESSAGE, PERSON, Identifier, Operation, Resource, Tool, Use
from orgctx.resources.telegram import schemas, service
from orgctx.resources.telegram.tool import ListTelegramMessagesTool, with_parents
from orgctx.schemas.payload import MessagePagination, NumberedPagination

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
            use=Use("What is new in the crew chat?", {"q": "crew"}),
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
            is_core=True,
            service=service.list_telegram_messages,
            use=Use(
                "Why did they say that?",
                {"chatId": "123e4567-e89b-12d3-a456-426614174000", "around": 1112},
            ),
            tool=Tool(
                shape=with_parents,
                payload=ListTelegramMessagesTool,
                arguments=schemas.ListTelegramMessagesToolArguments,
            ),
            identifier=Identifier(
                "chatId", "list_telegram_chats returns the ids of chats.", (MESSAGE, PERSON)
            ),
        ),
    ),
)

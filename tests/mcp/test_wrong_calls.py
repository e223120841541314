"""An agent that knows nothing: errors lead to the right call."""

from typing import Any

import pytest

from tests.mcp.endpoint import Endpoint
from tests.support import factories as make

MESSAGES, DOCUMENT = "list_telegram_messages", "read_knowledge"
DOCS = make.KIND_SOURCES["docs"]
WRONG: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("read_person", {"key": "user1"}, "telegram:user1"),
    ("read_person", {"key": "Ada"}, "list_people"),
    ("read_person", {"key": f"{make.CHAT}:1"}, f'"chatId": "{make.CHAT}", "around": 1'),
    (MESSAGES, {"chatId": "nothing"}, "list_telegram_chats"),
    (MESSAGES, {"chatId": DOCS}, f"{DOCS} is a source of the kind docs without a chat"),
    (MESSAGES, {"chatId": f"{make.CHAT}:1"}, '"around": 1'),
    (MESSAGES, {"chatId": "telegram:user1"}, "read_person"),
    (DOCUMENT, {"id": f"{make.CHAT}:1"}, f'"chatId": "{make.CHAT}", "around": 1'),
    (DOCUMENT, {"id": make.uuid("x")}, "docs:"),
    (DOCUMENT, {"id": "telegram:user1"}, "read_person"),
    ("read_asset", {"id": make.knowledge_id()}, "read_knowledge"),
    ("search_context", {"q": "acme", "source": "Acme docs"}, "list_sources"),
    ("search_context", {"source": "docs:none"}, "list_sources"),
    (DOCUMENT, {}, "list_knowledge"),
    (DOCUMENT, {"id": "x"}, "list_knowledge"),
    (DOCUMENT, {"id": make.knowledge_id(404)}, "list_knowledge"),
    ("read_person", {"key": "x:404"}, "list_people"),
    ("read_asset", {"id": make.uuid(404)}, "list_assets"),
    ("list_assets", {"folderId": make.uuid(404)}, "without folderId"),
    (MESSAGES, {}, "list_telegram_chats"),
    (MESSAGES, {"chatId": make.uuid(4)}, "list_telegram_chats"),
)


@pytest.mark.parametrize(("name", "arguments", "lead"), WRONG)
def test_error_leads_to_the_right_call(
    handshake: Endpoint, name: str, arguments: dict[str, Any], lead: str
) -> None:
    """[4.15.24]"""
    assert lead in handshake.tool_error(name, **arguments)["message"]

"""An agent that knows nothing: errors lead to the right call, and descriptions to the tool."""

import re
from collections import Counter
from typing import Any

import pytest

from orgctx.mcp import tools
from orgctx.resources.catalog import OPERATIONS
from tests.mcp.endpoint import Endpoint
from tests.support import factories as make

MESSAGES, MENTIONS, DOCUMENT = "list_telegram_messages", "list_x_mentions", "read_knowledge"
DOCS = make.KIND_SOURCES["docs"]
WRONG: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("read_person", {"key": "user1"}, "telegram:user1"),
    ("read_person", {"key": "Ada"}, "list_people"),
    ("read_person", {"key": f"{make.CHAT}:1"}, f'"chatId": "{make.CHAT}", "around": 1'),
    ("read_person", {"id": "telegram:user1"}, "Pass key instead of id"),
    (MESSAGES, {"chatId": "Acme telegram"}, make.CHAT),
    (MESSAGES, {"chatId": "nothing"}, "list_telegram_chats"),
    (MESSAGES, {"chatId": "Acme docs"}, f'search_context with {{"source": "{DOCS}"}}'),
    (MESSAGES, {"chatId": DOCS}, f"{DOCS} is a source of the kind docs without a chat"),
    (MESSAGES, {"chatId": f"{make.CHAT}:1"}, '"around": 1'),
    (MESSAGES, {"chatId": make.CHAT, "after": make.AT}, "Pass since instead of after"),
    (MESSAGES, {"chatId": make.CHAT, "author": "ada"}, "Pass sender instead of author"),
    (MESSAGES, {"id": make.CHAT}, "Pass chatId instead of id"),
    (MESSAGES, {"chatId": "telegram:user1"}, "read_person"),
    (MENTIONS, {"since": make.AT}, "Pass after instead of since"),
    (MENTIONS, {"username": "bob"}, "Pass author instead of username"),
    ("list_knowledge", {"after": make.AT}, "search_context takes after"),
    ("list_knowledge", {"query": "acme"}, "Pass q instead of query"),
    (DOCUMENT, {"id": f"{make.CHAT}:1"}, f'"chatId": "{make.CHAT}", "around": 1'),
    (DOCUMENT, {"id": make.uuid("x")}, "docs:"),
    (DOCUMENT, {"id": "telegram:user1"}, "read_person"),
    ("read_asset", {"id": make.knowledge_id()}, "read_knowledge"),
    ("search_context", {"query": "acme"}, "Pass q instead of query"),
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


# The first words of an agent that has read only the descriptions.
INTENTS = {
    "search_context": (
        "search everything for text", "find documents, messages and posts that contain words",
        "newest records of all", "search stored records literal text", "search notes for text",
    ),
    "get_context": ("what can this key read", "organization overview", "granted scopes"),
    "list_sources": ("list approved sources", "which sources are stale"),
    "list_people": ("list people", "most recently active people", "find a person by username"),
    "read_person": ("read one person", "latest messages or posts of one person by key"),
    "list_knowledge": ("list documents and notes", "archived documents", "public notes only"),
    "read_knowledge": ("read a document", "read segment of a document from offset"),
    "list_assets": ("list files and folders", "contents of a folder"),
    "read_asset": ("read metadata of a file", "how large is one file"),
    "list_telegram_chats": ("list telegram chats", "id of a linked chat"),
    "list_telegram_messages": ("messages of a chat since", "telegram messages of a sender"),
    "list_x_mentions": ("posts that mention the account", "mentions with most views"),
    "get_token": ("token summary", "holders of the token"),
}  # fmt: skip


def test_descriptions_lead_to_the_right_tool() -> None:
    """The tool that shares most and the rarest words with an intent, above all in its name."""
    names = {one.name: stems(one.name) for one in OPERATIONS}
    texts = {
        one.name: stems(f"{tools.description(one)} {tools.input_schema(one)}") for one in OPERATIONS
    }
    counts = Counter(stem for text in texts.values() for stem in text)

    def score(name: str, words: set[str]) -> float:
        shared = sum(1 / counts[stem] for stem in words & texts[name])
        return shared + sum(NAME_WEIGHT for _ in words & names[name])

    wanted = {intent: name for name, intents in INTENTS.items() for intent in intents}
    chosen = {each: max(names, key=lambda name: score(name, stems(each))) for each in wanted}
    assert len(wanted) >= 30
    assert len(wanted.items() - chosen.items()) <= 2, chosen.items() - wanted.items()


NAME_WEIGHT = 0.6


def stems(text: str) -> set[str]:
    """The words of a text without plural."""
    return {word.rstrip("s") for word in re.findall(r"[a-z]{3,}", text.lower())}

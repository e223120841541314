"""Errors lead an agent that knows nothing to the right call, and name only tools that it sees."""

import re
from itertools import chain, combinations
from typing import Any

import pytest

from orgctx.mcp.visibility import TOOLS
from orgctx.operations.source_kinds import SCOPES
from tests.mcp.endpoint import Endpoint, call
from tests.operations import ROWS
from tests.support import factories as make
from tests.support.deployment import Deployment

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


NAMES = re.compile(rf"\b(?:{'|'.join(TOOLS)})\b")
SUBSETS = [*chain.from_iterable(combinations(SCOPES, size) for size in range(1, 7))]
CALLS = [
    *((name, arguments) for name, row in ROWS.items() for arguments in row.asks),
    *((name, row.missing) for name, row in ROWS.items() if row.missing),
    *((name, arguments) for name, arguments, _ in WRONG),
    *((name, {"after": "x", "source": "x", "around": 1}) for name in ROWS),
    ("list_telegram_messages", {"chatId": make.CHAT, "sender": "telegram:nobody"}),
    ("search_context", {"q": "message"}),
    ("search_context", {"q": "absent words"}),
]


@pytest.mark.one_in(9)
@pytest.mark.parametrize("scopes", SUBSETS, ids=" ".join)
def test_texts_name_only_tools_that_the_key_sees(
    shared_acme: Deployment, scopes: tuple[str, ...]
) -> None:
    """[4.15.30]"""
    key = shared_acme.issue_key(make.ACME, make.OWNER, [*scopes])
    with shared_acme.app() as app:
        endpoint = Endpoint(app.test_client(), key)
        seen = {*endpoint.tools()}
        texts = [
            endpoint.result("initialize")["instructions"],
            *(tool["description"] for tool in endpoint.result("tools/list")["tools"]),
            endpoint.post(call("lost_people")).text,
        ]
        for name, arguments in CALLS:
            if name in seen:
                response = endpoint.post(call(name, arguments)).json["result"]
                answer = response.get("structuredContent")
                texts += answer.get("hints", ()) if answer else [response["content"][0]["text"]]
    for text in texts:
        assert {*NAMES.findall(text)} <= seen, text

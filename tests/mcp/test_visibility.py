"""Nobody is sent to a tool that it does not see, whatever the scopes of the key."""

import re
from itertools import chain, combinations

import pytest

from orgctx.mcp.visibility import TOOLS
from orgctx.operations.source_kinds import SCOPES
from tests.mcp.endpoint import Endpoint, call
from tests.mcp.test_wrong_calls import WRONG
from tests.operations import ROWS
from tests.support import factories as make
from tests.support.deployment import Deployment

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

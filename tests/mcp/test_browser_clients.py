"""A page of another origin in Chromium lists the tools and calls one."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Browser

from orgctx.resources.catalog import OPERATIONS
from tests.mcp.endpoint import call, modern, request
from tests.page.browser import Visit
from tests.support.deployment import Deployment
from tests.support.http_server import Handler, serving
from tests.support.processes import free_port
from tests.support.service import serve

pytestmark = pytest.mark.system

SEND = """async ([url, key, messages]) => {
    const answers = [];
    for (const [message, headers] of messages) {
        const response = await fetch(url, {
            method: "POST", body: JSON.stringify(message),
            headers: {
                ...headers, "Authorization": `Bearer ${key}`, "Content-Type": "application/json",
                "Accept": "application/json, text/event-stream",
            },
        });
        answers.push([response.status, response.headers.get("RateLimit-Limit"),
            await response.json()]);
    }
    return answers;
}"""
READ = "async (url) => (await (await fetch(url)).json()).openapi"


@contextmanager
def page_server() -> Iterator[str]:
    """The origin of an empty page, as long as the block runs."""

    class Page(Handler):
        def respond(self) -> None:
            self.answer(b"", content_type="text/html")

    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Page)) as port:
        yield f"http://127.0.0.1:{port}"


def evaluate(browser: Browser, origin: str, script: str, argument: Any) -> Any:
    """The value of a script on a page of an origin, or the error of its fetch."""
    visit = Visit(browser, origin)
    try:
        visit.page.goto(origin)
        return visit.page.evaluate(script, argument)
    finally:
        visit.close()


@pytest.fixture(params=["handshake", "modern"])
def messages(request: pytest.FixtureRequest) -> list[Any]:
    return [modern(each) if request.param == "modern" else (each, {}) for each in CONVERSATION]


CONVERSATION = [request("tools/list"), call("get_context"), request("nothing")]


def test_page_of_an_allowed_origin(
    acme: Deployment, key: str, chromium: Browser, messages: list[Any]
) -> None:
    """[4.15.29] [4.14.1]"""
    with page_server() as allowed, page_server() as other:
        port = free_port()
        settings = {"base_url": "https://context.example", "bind": f"127.0.0.1:{port}"}
        with serve(acme, key, port=port, mcp_allowed_origins=allowed, **settings) as served:
            asked = [served.url, served.key, messages]
            listed, context, unknown = evaluate(chromium, allowed, SEND, asked)
            wrong = evaluate(chromium, allowed, SEND, [served.url, "octx_wrong", messages[:1]])
            with pytest.raises(Exception, match="Failed to fetch"):
                evaluate(chromium, other, SEND, asked)
            document = f"{served.base_url}/api/v1/openapi.json"
            assert evaluate(chromium, other, READ, document) == "3.1.0"
    assert [tool["name"] for tool in listed[2]["result"]["tools"]] == [
        operation.name for operation in OPERATIONS
    ]
    assert context[2]["result"]["structuredContent"]["data"]["grantedScopes"]
    assert int(listed[1]) > 0
    assert unknown[2]["error"]["code"] == -32601
    assert wrong[0][0] == 401

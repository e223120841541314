"""One conversation with whichever Python client is installed: `talk.py URL KEY MODE`.

Runs in the client's own environment, so it may not import orgctx. MODE is
legacy, auto, a modern revision, or fastmcp. Prints the results as JSON.
"""

import asyncio
import json
import sys
from typing import Any

TOOL, ARGUMENTS = "search_context", {"q": "document", "limit": 3}
WRONG_ARGUMENTS = {"limit": 0, "sauce": "x"}


async def main(url: str, key: str, mode: str) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {key}"}
    if mode == "fastmcp":
        return await with_fastmcp(url, headers)
    try:
        from mcp import Client
    except ImportError:
        return await with_session(url, headers)
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    async with httpx2.AsyncClient(headers=headers) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=mode) as client:
            report = await hold(client)
            return report | {"version": str(client.protocol_version)}


async def with_session(url: str, headers: dict[str, str]) -> dict[str, Any]:
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client

    async with (
        streamablehttp_client(url, headers=headers) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        version = (await session.initialize()).protocolVersion
        await session.send_ping()
        return await hold(session) | {"version": str(version)}


async def with_fastmcp(url: str, headers: dict[str, str]) -> dict[str, Any]:
    from fastmcp import Client
    from fastmcp.client.transports import StreamableHttpTransport

    async with Client(StreamableHttpTransport(url, headers=headers)) as client:
        tools = [plain(tool) for tool in await client.list_tools()]
        return {
            "tools": tools,
            "answer": plain(await client.call_tool_mcp(TOOL, ARGUMENTS)),
            "argument_error": plain(await client.call_tool_mcp(TOOL, WRONG_ARGUMENTS)),
            "unknown_tool": await failure(client.call_tool_mcp("no_such_tool", {})),
        }


async def hold(client: Any) -> dict[str, Any]:
    listed = await client.list_tools()
    return {
        "tools": [plain(tool) for tool in listed.tools],
        "answer": plain(await client.call_tool(TOOL, ARGUMENTS)),
        "argument_error": plain(await client.call_tool(TOOL, WRONG_ARGUMENTS)),
        "unknown_tool": await failure(client.call_tool("no_such_tool", {})),
    }


def plain(model: Any) -> Any:
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def failure(call: Any) -> dict[str, Any]:
    try:
        return {"returned": plain(await call)}
    except Exception as error:  # noqa: BLE001, each version has its own
        rpc_error = getattr(error, "error", None)
        return {"code": getattr(rpc_error, "code", None), "message": str(error)}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(asyncio.wait_for(main(*sys.argv[1:4]), 30))))

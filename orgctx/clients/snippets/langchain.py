import asyncio
import os

from langchain_mcp_adapters.client import MultiServerMCPClient


async def main() -> None:
    connection = {
        "transport": "streamable_http",
        "url": "https://orgctx.example/api/mcp",
        "headers": {"Authorization": f"Bearer {os.environ['ORGCTX_API_KEY']}"},
    }
    tools = await MultiServerMCPClient({"orgctx": connection}).get_tools()
    print([tool.name for tool in tools])  # for create_agent(model, tools)


asyncio.run(main())

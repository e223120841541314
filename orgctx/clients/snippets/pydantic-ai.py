import asyncio
import os

from fastmcp.client.transports import StreamableHttpTransport
from pydantic_ai.mcp import MCPToolset


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['ORGCTX_API_KEY']}"}
    transport = StreamableHttpTransport("https://orgctx.example/api/mcp", headers=headers)
    async with MCPToolset(transport) as toolset:
        # To use the tools in an agent, pass Agent(toolsets=[toolset]).
        print([tool.name for tool in await toolset.list_tools()])


asyncio.run(main())

import asyncio
import os

from agents import Agent, Runner
from agents.mcp import MCPServerStreamableHttp


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['ORGCTX_API_KEY']}"}
    params = {"url": "https://orgctx.example/api/mcp", "headers": headers}
    async with MCPServerStreamableHttp(name="orgctx", params=params) as server:
        print([tool.name for tool in await server.list_tools()])
        if "OPENAI_API_KEY" in os.environ:
            agent = Agent(name="Assistant", mcp_servers=[server])
            answer = await Runner.run(agent, "What do we know of ourselves?")
            print(answer.final_output)


asyncio.run(main())

"""The story through the Python SDK, first generation, with a server it starts."""

import os

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from story import Answer, check, run, tell


async def over_stdio() -> None:
    environment = {name: os.environ[name] for name in ("AFTERTHOUGHT_DATA", "AFTERTHOUGHT_LISTEN", "PATH")}
    server = StdioServerParameters(command=os.environ["AFTERTHOUGHT_BINARY"], args=["stdio"], env=environment)
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        check(hello.serverInfo.name == "afterthought", f"another server answered: {hello}")
        await session.send_ping()

        async def list_tools() -> list[str]:
            return [tool.name for tool in (await session.list_tools()).tools]

        async def call(name: str, arguments: dict) -> Answer:
            result = await session.call_tool(name, arguments)
            return Answer(result.isError, result.content[0].text, result.structuredContent)

        await tell(list_tools, call)


run(over_stdio)

"""The story through the Python SDK, first generation, with a server it starts."""

import os

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from story import check, first_generation, run, tell_through


async def over_stdio() -> None:
    environment = {name: os.environ[name] for name in ("AFTERTHOUGHT_DATA", "AFTERTHOUGHT_LISTEN", "PATH")}
    server = StdioServerParameters(command=os.environ["AFTERTHOUGHT_BINARY"], args=["stdio"], env=environment)
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        check(hello.serverInfo.name == "afterthought", f"another server answered: {hello}")
        await session.send_ping()
        await tell_through(session, first_generation)


run(over_stdio)

"""The story through the Python SDK, first generation: always the handshake."""

import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from story import KEY, URL, Answer, check, run, tell


async def handshake() -> None:
    headers = {"Authorization": f"Bearer {KEY}"}
    async with (
        httpx.AsyncClient(headers=headers) as http,
        streamable_http_client(URL, http_client=http) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        hello = await session.initialize()
        check(hello.serverInfo.name == "afterthought", f"another server answered: {hello}")
        await session.send_ping()

        async def list_tools() -> list[str]:
            return [tool.name for tool in (await session.list_tools()).tools]

        async def call(name: str, arguments: dict) -> Answer:
            result = await session.call_tool(name, arguments)
            return Answer(result.isError, result.content[0].text, result.structuredContent)

        await tell(list_tools, call)


run(handshake)

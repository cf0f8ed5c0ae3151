"""The story through the Python SDK, first generation: always the handshake."""

import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from story import KEY, URL, check, first_generation, run, tell_through


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
        await tell_through(session, first_generation)


run(handshake)

"""The story through the Python SDK, second generation: stateless by default, the handshake on demand."""

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from story import KEY, URL, check, second_generation, run, tell_through


async def through(mode: str, version: str) -> None:
    headers = {"Authorization": f"Bearer {KEY}"}
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        Client(streamable_http_client(URL, http_client=http), mode=mode) as client,
    ):
        check(client.protocol_version == version, f"negotiated {client.protocol_version}, not {version}")
        check(client.server_info.name == "afterthought", f"another server answered: {client.server_info}")
        await tell_through(client, second_generation)


async def stateless() -> None:
    await through("auto", "2026-07-28")


async def handshake() -> None:
    await through("legacy", "2025-11-25")


run(stateless, handshake)

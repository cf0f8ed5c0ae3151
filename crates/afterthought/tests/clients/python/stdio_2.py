"""The story through the Python SDK, second generation, with a server it starts: stateless by default, the handshake on demand."""

import os

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from story import check, second_generation, run, tell_through


async def through(mode: str, version: str) -> None:
    environment = {name: os.environ[name] for name in ("AFTERTHOUGHT_DATA", "AFTERTHOUGHT_LISTEN", "PATH")}
    server = StdioServerParameters(command=os.environ["AFTERTHOUGHT_BINARY"], args=["stdio"], env=environment)
    async with Client(stdio_client(server), mode=mode) as client:
        check(client.protocol_version == version, f"negotiated {client.protocol_version}, not {version}")
        check(client.server_info.name == "afterthought", f"another server answered: {client.server_info}")
        await tell_through(client, second_generation)


async def stateless() -> None:
    await through("auto", "2026-07-28")


async def handshake() -> None:
    await through("legacy", "2025-11-25")


run(stateless, handshake)

"""The story through fastmcp's client, connected the way its documentation shows."""

from fastmcp import Client

from story import KEY, URL, Answer, check, run, tell


async def through(mode: str, version: str) -> None:
    async with Client(URL, auth=KEY, mode=mode) as client:
        negotiated = client.session.protocol_version
        check(negotiated == version, f"negotiated {negotiated}, not {version}")

        async def list_tools() -> list[str]:
            return [tool.name for tool in await client.list_tools()]

        async def call(name: str, arguments: dict) -> Answer:
            result = await client.call_tool(name, arguments, raise_on_error=False)
            return Answer(result.is_error, result.content[0].text, result.structured_content)

        await tell(list_tools, call)


async def stateless() -> None:
    await through("auto", "2026-07-28")


async def handshake() -> None:
    await through("legacy", "2025-11-25")


run(stateless, handshake)

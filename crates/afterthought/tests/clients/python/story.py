"""One user's story, told through any MCP client library.

A client script connects in its own way and hands `tell` two functions:
`list_tools()` gives the tools' names, `call(name, arguments)` gives an `Answer`.
"""

import asyncio
import json
import os
import sys
import traceback
import uuid
from typing import Any, Awaitable, Callable, NamedTuple

URL = os.environ.get("AFTERTHOUGHT_URL", "").rstrip("/") + "/api/mcp"
KEY = os.environ.get("AFTERTHOUGHT_KEY", "")

TOOLS = ["capture_thought", "delete_thought", "edit_thought", "retrieve_thoughts"]


class Answer(NamedTuple):
    is_error: bool
    text: str
    structured: Any


def check(holds: bool, complaint: str) -> None:
    if not holds:
        raise AssertionError(complaint)


async def tell(
    list_tools: Callable[[], Awaitable[list[str]]],
    call: Callable[[str, dict[str, Any]], Awaitable[Answer]],
) -> None:
    async def succeed(name: str, arguments: dict[str, Any]) -> Any:
        answer = await call(name, arguments)
        check(not answer.is_error, f"{name} {arguments} failed: {answer.text}")
        check(
            json.loads(answer.text) == answer.structured,
            f"{name}: the text and the structured content differ:\n{answer.text}\n{answer.structured}",
        )
        return answer.structured

    async def be_refused(name: str, arguments: dict[str, Any], hint: str) -> None:
        answer = await call(name, arguments)
        check(answer.is_error, f"{name} {arguments} was accepted: {answer.text}")
        check(hint in answer.text, f"{name} {arguments}: the refusal does not mention {hint!r}: {answer.text}")

    names = sorted(await list_tools())
    check(names == TOOLS, f"expected the tools {TOOLS}, got {names}")
    print("  tools listed")

    word = "lantern" + uuid.uuid4().hex[:12]
    raw = f"the {word} hangs in the boat shed – “mind the step”"
    thought = (await succeed("capture_thought", {"raw": raw, "as_user": True}))["thought"]
    check(thought["raw_text"] == raw, f"captured another text: {thought}")
    check((thought["status"], thought["author"]) == ("open", "user"), f"captured in another state: {thought}")
    print("  thought captured")

    found = await succeed("retrieve_thoughts", {"query": word, "detail": "full"})
    hits = {hit["id"]: hit for hit in found["thoughts"]}
    check(thought["id"] in hits, f"{word!r} does not find its thought: {found}")
    check(hits[thought["id"]]["raw_text"] == raw, f"found with another text: {hits[thought['id']]}")
    check(found["order"] == "relevance", f"a search is not ordered by relevance: {found}")
    print("  thought retrieved by a word")

    browsed = await succeed("retrieve_thoughts", {"top_k": 1})
    check([hit["id"] for hit in browsed["thoughts"]] == [thought["id"]], f"not the newest thought: {browsed}")
    print("  thought browsed")

    edited = await succeed("edit_thought", {"thought_id": thought["id"], "edit_request": "mark as done"})
    check(edited["thought"]["status"] == "completed", f"not completed: {edited}")
    check(edited["previous_status"] == "open" and edited["changed"] == ["status"], f"another change: {edited}")
    print("  thought edited to done")

    found = await succeed("retrieve_thoughts", {"query": word})
    check(thought["id"] not in [hit["id"] for hit in found["thoughts"]], f"a completed thought is found: {found}")

    deleted = await succeed("delete_thought", {"thought_id": thought["id"]})
    check(deleted["thought"]["status"] == "archived", f"not archived: {deleted}")
    check(deleted["previous_status"] == "completed", f"another previous status: {deleted}")
    print("  thought deleted")

    await be_refused("retrieve_thoughts", {"query": word, "top_k": 0}, "top_k")
    await be_refused("capture_thought", {"raw": raw, "colour": "red"}, "colour")
    stranger = str(uuid.uuid4())
    await be_refused("delete_thought", {"thought_id": stranger}, stranger)
    print("  wrong arguments refused with a hint")


async def tell_through(client, answer) -> None:
    """Tells it through a client of an SDK, whose results `answer` reads."""

    async def list_tools() -> list[str]:
        return [tool.name for tool in (await client.list_tools()).tools]

    async def call(name: str, arguments: dict) -> Answer:
        return answer(await client.call_tool(name, arguments))

    await tell(list_tools, call)


def first_generation(result) -> Answer:
    return Answer(result.isError, result.content[0].text, result.structuredContent)


def second_generation(result) -> Answer:
    return Answer(result.is_error, result.content[0].text, result.structured_content)


def run(*chapters: Callable[[], Awaitable[None]]) -> None:
    """Runs each chapter, and ends the process with status 1 at the first that fails."""
    if not KEY or not URL.startswith("http"):
        sys.exit("AFTERTHOUGHT_URL and AFTERTHOUGHT_KEY must be set")
    for chapter in chapters:
        print(chapter.__name__)
        try:
            asyncio.run(asyncio.wait_for(chapter(), timeout=60))
        except Exception:
            traceback.print_exc()
            sys.exit(f"{os.path.basename(sys.argv[0])}: {chapter.__name__} failed")
    print("ok")

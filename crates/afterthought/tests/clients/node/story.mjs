// One user's story, told through any MCP client library.
//
// A client script connects in its own way and hands `tell` two functions:
// `listTools()` gives the tools' names, `call(name, args)` gives the result of `tools/call`.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { basename } from "node:path";

export const URL_OF_MCP = new URL("/api/mcp", process.env.AFTERTHOUGHT_URL ?? "http://unset");
export const KEY = process.env.AFTERTHOUGHT_KEY;

const TOOLS = ["capture_thought", "delete_thought", "edit_thought", "retrieve_thoughts"];

export async function tell(listTools, call) {
  async function succeed(name, args) {
    const result = await call(name, args);
    assert(!result.isError, `${name} ${JSON.stringify(args)} failed: ${result.content[0].text}`);
    assert.deepEqual(
      JSON.parse(result.content[0].text),
      result.structuredContent,
      `${name}: the text and the structured content differ`,
    );
    return result.structuredContent;
  }

  async function beRefused(name, args, hint) {
    const result = await call(name, args);
    const text = result.content[0].text;
    assert(result.isError, `${name} ${JSON.stringify(args)} was accepted: ${text}`);
    assert(text.includes(hint), `${name}: the refusal does not mention ${hint}: ${text}`);
  }

  assert.deepEqual((await listTools()).sort(), TOOLS);
  console.log("  tools listed");

  const word = `lantern${randomUUID().slice(0, 8)}`;
  const raw = `the ${word} hangs in the boat shed – “mind the step”`;
  const { thought } = await succeed("capture_thought", { raw, as_user: true });
  assert.equal(thought.raw_text, raw);
  assert.equal(thought.status, "open");
  assert.equal(thought.author, "user");
  console.log("  thought captured");

  const found = await succeed("retrieve_thoughts", { query: word, detail: "full" });
  const hit = found.thoughts.find((candidate) => candidate.id === thought.id);
  assert(hit, `${word} does not find its thought: ${JSON.stringify(found)}`);
  assert.equal(hit.raw_text, raw);
  assert.equal(found.order, "relevance");
  console.log("  thought retrieved by a word");

  const browsed = await succeed("retrieve_thoughts", { top_k: 1 });
  assert.deepEqual(browsed.thoughts.map(({ id }) => id), [thought.id]);
  console.log("  thought browsed");

  const edited = await succeed("edit_thought", { thought_id: thought.id, edit_request: "mark as done" });
  assert.equal(edited.thought.status, "completed");
  assert.equal(edited.previous_status, "open");
  assert.deepEqual(edited.changed, ["status"]);
  console.log("  thought edited to done");

  const again = await succeed("retrieve_thoughts", { query: word });
  assert(!again.thoughts.some(({ id }) => id === thought.id), "a completed thought is found");

  const deleted = await succeed("delete_thought", { thought_id: thought.id });
  assert.equal(deleted.thought.status, "archived");
  assert.equal(deleted.previous_status, "completed");
  console.log("  thought deleted");

  await beRefused("retrieve_thoughts", { query: word, top_k: 0 }, "top_k");
  await beRefused("capture_thought", { raw, colour: "red" }, "colour");
  const stranger = randomUUID();
  await beRefused("delete_thought", { thought_id: stranger }, stranger);
  console.log("  wrong arguments refused with a hint");
}

// Runs each chapter, and ends the process with status 1 at the first that fails.
// Tells it through a client of the SDK, of either generation, and closes that.
export async function tellThrough(client) {
  await tell(
    async () => (await client.listTools()).tools.map(({ name }) => name),
    (name, args) => client.callTool({ name, arguments: args }),
  );
  await client.close();
}

export async function run(chapters) {
  if (!process.env.AFTERTHOUGHT_URL || !KEY) {
    console.error("AFTERTHOUGHT_URL and AFTERTHOUGHT_KEY must be set");
    process.exit(1);
  }
  for (const [name, chapter] of Object.entries(chapters)) {
    console.log(name);
    try {
      await chapter();
    } catch (error) {
      console.error(error);
      console.error(`${basename(process.argv[1])}: ${name} failed`);
      process.exit(1);
    }
  }
  console.log("ok");
}

// The story through the TypeScript SDK, first generation, with a server it starts.

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { run, tellThrough } from "./story.mjs";

async function handshake() {
  const { AFTERTHOUGHT_BINARY, AFTERTHOUGHT_DATA, AFTERTHOUGHT_LISTEN, PATH } = process.env;
  const client = new Client({ name: "clients-test", version: "1.0.0" });
  const env = { AFTERTHOUGHT_DATA, AFTERTHOUGHT_LISTEN, PATH };
  await client.connect(new StdioClientTransport({ command: AFTERTHOUGHT_BINARY, args: ["stdio", "--as", "node"], env }));
  assert.equal(client.getServerVersion().name, "afterthought");
  await client.ping();
  await tellThrough(client);
}

await run({ handshake });

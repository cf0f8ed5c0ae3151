// The story through the TypeScript SDK, first generation: always the handshake.

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { KEY, URL_OF_MCP, run, tellThrough } from "./story.mjs";

async function handshake() {
  const client = new Client({ name: "clients-test", version: "1.0.0" });
  await client.connect(
    new StreamableHTTPClientTransport(URL_OF_MCP, {
      requestInit: { headers: { Authorization: `Bearer ${KEY}` } },
    }),
  );
  assert.equal(client.getServerVersion().name, "afterthought");
  await client.ping();
  await tellThrough(client);
}

await run({ handshake });

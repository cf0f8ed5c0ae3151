// The story through the TypeScript client, second generation: the handshake by default, stateless on demand.

import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { KEY, URL_OF_MCP, run, tellThrough } from "./story.mjs";

async function through(mode, version) {
  const client = new Client({ name: "clients-test", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(URL_OF_MCP, {
      requestInit: { headers: { Authorization: `Bearer ${KEY}` } },
    }),
  );
  assert.equal(client.getNegotiatedProtocolVersion(), version);
  assert.equal(client.getServerVersion().name, "afterthought");
  await tellThrough(client);
}

await run({
  handshake: () => through("legacy", "2025-11-25"),
  stateless: () => through("auto", "2026-07-28"),
  pinned: () => through({ pin: "2026-07-28" }, "2026-07-28"),
});

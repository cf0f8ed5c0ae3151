// The story through the TypeScript client, second generation, with a server it starts.

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { run, tellThrough } from "./story.mjs";

async function through(mode, version) {
  const { AFTERTHOUGHT_BINARY, AFTERTHOUGHT_DATA, AFTERTHOUGHT_LISTEN, PATH } = process.env;
  const client = new Client({ name: "clients-test", version: "1.0.0" }, { versionNegotiation: { mode } });
  const env = { AFTERTHOUGHT_DATA, AFTERTHOUGHT_LISTEN, PATH };
  await client.connect(new StdioClientTransport({ command: AFTERTHOUGHT_BINARY, args: ["stdio"], env }));
  assert.equal(client.getNegotiatedProtocolVersion(), version);
  assert.equal(client.getServerVersion().name, "afterthought");
  await tellThrough(client);
}

await run({
  handshake: () => through("legacy", "2025-11-25"),
  stateless: () => through("auto", "2026-07-28"),
});

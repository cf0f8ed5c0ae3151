// Runs the scenarios of the MCP conformance suite that apply to a server with tools alone.
//
// A scenario passes when the suite wrote checks and none of them is a failure or a warning.
// The suite sends no key, so a proxy adds it. Needs Node 22 or newer, for the suite's sake.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProxy } from "./proxy.mjs";

const SCENARIOS = [
  ["server-initialize", "2025-06-18"],
  ["server-initialize", "2025-11-25"],
  ["ping", "2025-06-18"],
  ["ping", "2025-11-25"],
  ["tools-list", "2025-06-18"],
  ["tools-list", "2025-11-25"],
  ["tools-list", "2026-07-28"],
  ["http-header-validation", "2026-07-28"],
  ["dns-rebinding-protection", "2025-11-25"],
  ["dns-rebinding-protection", "2026-07-28"],
  ["server-stateless", "2026-07-28"],
];

// Checks of `server-stateless` that call tools only a purpose-built test server has.
const NOT_FOR_US = new Set([
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-missing-capability-http-400",
  "sep-2575-http-server-no-independent-requests-on-stream",
  "sep-2575-server-no-log-without-loglevel",
]);

const SUITE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));

async function checksOf(scenario, version, url) {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  try {
    const args = [SUITE, "server", "--url", url, "--scenario", scenario];
    const suite = spawn(process.execPath, [...args, "--spec-version", version, "-o", folder]);
    let output = "";
    suite.stdout.on("data", (chunk) => (output += chunk));
    suite.stderr.on("data", (chunk) => (output += chunk));
    await new Promise((resolve, reject) => suite.on("error", reject).on("close", resolve));
    const files = await readdir(folder, { recursive: true });
    const file = files.find((name) => name.endsWith("checks.json"));
    // An inapplicable scenario ends with status 0 and no file, so the status says nothing.
    if (!file) throw new Error(`the suite wrote no checks:\n${output}`);
    return JSON.parse(await readFile(join(folder, file), "utf8"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (!process.env.AFTERTHOUGHT_URL || !process.env.AFTERTHOUGHT_KEY) {
  console.error("AFTERTHOUGHT_URL and AFTERTHOUGHT_KEY must be set");
  process.exit(1);
}
const proxy = await startProxy(process.env.AFTERTHOUGHT_URL, process.env.AFTERTHOUGHT_KEY);
let failures = 0;
for (const [scenario, version] of SCENARIOS) {
  const checks = (await checksOf(scenario, version, `${proxy.url}/api/mcp`)).filter(({ id }) => !NOT_FOR_US.has(id));
  const passed = checks.filter(({ status }) => status === "SUCCESS").length;
  const failed = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  console.log(`${scenario} ${version}: ${passed} passed, ${failed.length} failed`);
  for (const check of failed) {
    console.error(`  ${check.status} ${check.id} ${check.name}: ${check.errorMessage}`);
    console.error(`    ${JSON.stringify(check.details)}`);
  }
  if (failed.length > 0 || passed === 0) failures += 1;
}
proxy.stop();
if (failures > 0) {
  console.error(`conformance.mjs: ${failures} of ${SCENARIOS.length} scenarios failed`);
  process.exit(1);
}
console.log("ok");

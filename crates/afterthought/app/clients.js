// What to paste into which client so that it uses the service with a key: the same as `afterthought serve` prints, but for Claude
// Desktop, which needs a bridge: a browser cannot know where the program lies, nor whether it lies on this machine.

/** @typedef {{heading: string, block: string}} Client */

/**
 * @param {string} url
 * @param {string} key
 * @returns {Client[]}
 */
export function clients(url, key) {
  const bearer = `Bearer ${key}`;
  const headers = { Authorization: bearer };
  // Some versions of Claude Desktop tear arguments apart at spaces, and the header has one; the environment is safe.
  const bridge = ["-y", "mcp-remote", url, "--header", "Authorization:${AUTH_HEADER}"];
  if (url.startsWith("http:") && !/^http:\/\/(127\.0\.0\.1|localhost):/.test(url)) bridge.push("--allow-http");
  return [
    { heading: "Claude Code: run", block: `claude mcp add --transport http afterthought ${url} --header "Authorization: ${bearer}"` },
    { heading: "Cursor: put into ~/.cursor/mcp.json", block: pretty({ mcpServers: { afterthought: { url, headers } } }) },
    { heading: "VS Code: put into .vscode/mcp.json", block: pretty({ servers: { afterthought: { type: "http", url, headers } } }) },
    {
      heading: "Codex: add to ~/.codex/config.toml",
      block: `[mcp_servers.afterthought]\nurl = ${JSON.stringify(url)}\nhttp_headers = { Authorization = ${JSON.stringify(bearer)} }`,
    },
    { heading: "Gemini CLI: put into ~/.gemini/settings.json", block: pretty({ mcpServers: { afterthought: { httpUrl: url, headers } } }) },
    {
      heading: "Claude Desktop: put into claude_desktop_config.json (needs Node.js)",
      block: pretty({ mcpServers: { afterthought: { command: "npx", args: bridge, env: { AUTH_HEADER: bearer } } } }),
    },
  ];
}

/** @param {object} value */
function pretty(value) {
  return JSON.stringify(value, null, 2);
}

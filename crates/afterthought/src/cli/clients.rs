//! What to paste into which client so that it uses the service.

use serde_json::json;

/// A client and the configuration that connects it.
#[derive(Debug)]
pub(super) struct Client {
    /// The client, and where the configuration belongs.
    pub(super) heading: &'static str,
    /// The configuration, complete in itself.
    pub(super) block: String,
}

/// The configurations for the service at `url` and a key.
pub(super) fn clients(url: &str, key: &str) -> Vec<Client> {
    let bearer = format!("Bearer {key}");
    let headers = json!({ "Authorization": bearer });
    // Some versions of Claude Desktop tear arguments apart at spaces, and the header has one; the environment is safe.
    let mut bridge = vec!["-y", "mcp-remote", url, "--header", "Authorization:${AUTH_HEADER}"];
    if !is_local_to_bridge(url) {
        bridge.push("--allow-http");
    }
    vec![
        Client {
            heading: "Claude Code: run",
            block: format!(r#"claude mcp add --transport http afterthought {url} --header "Authorization: {bearer}""#),
        },
        Client {
            heading: "Cursor: put into ~/.cursor/mcp.json",
            block: pretty(&json!({ "mcpServers": { "afterthought": { "url": url, "headers": headers } } })),
        },
        Client {
            heading: "VS Code: put into .vscode/mcp.json",
            block: pretty(
                &json!({ "servers": { "afterthought": { "type": "http", "url": url, "headers": headers } } }),
            ),
        },
        Client {
            heading: "Codex: add to ~/.codex/config.toml",
            block: format!(
                "[mcp_servers.afterthought]\nurl = {}\nhttp_headers = {{ Authorization = {} }}",
                json!(url),
                json!(bearer)
            ),
        },
        Client {
            heading: "Gemini CLI: put into ~/.gemini/settings.json",
            block: pretty(&json!({ "mcpServers": { "afterthought": { "httpUrl": url, "headers": headers } } })),
        },
        Client {
            heading: "Claude Desktop: put into claude_desktop_config.json (needs Node.js)",
            block: pretty(&json!({
                "mcpServers": {
                    "afterthought": { "command": "npx", "args": bridge, "env": { "AUTH_HEADER": bearer } }
                }
            })),
        },
    ]
}

/// Whether mcp-remote takes the address for this machine's; any other it refuses without TLS unless told otherwise.
fn is_local_to_bridge(url: &str) -> bool {
    ["http://127.0.0.1:", "http://localhost:"].iter().any(|local| url.starts_with(local))
}

fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "http://127.0.0.1:8720/api/mcp";
    const KEY: &str = "aft_0123456789abcdefghijklmnopqrstuvwxyzABCD";

    fn block(client: &str) -> String {
        let mut clients = clients(URL, KEY).into_iter();
        clients.find(|candidate| candidate.heading.starts_with(client)).unwrap().block
    }

    fn entry(client: &str, servers: &str) -> serde_json::Value {
        let value: serde_json::Value = serde_json::from_str(&block(client)).unwrap();
        value[servers]["afterthought"].clone()
    }

    #[test]
    fn claude_code_takes_a_command() {
        assert_eq!(
            block("Claude Code"),
            format!("claude mcp add --transport http afterthought {URL} --header \"Authorization: Bearer {KEY}\"")
        );
    }

    #[test]
    fn editors_take_json() {
        let headers = json!({ "Authorization": format!("Bearer {KEY}") });
        assert_eq!(entry("Cursor", "mcpServers"), json!({ "url": URL, "headers": headers }));
        assert_eq!(entry("VS Code", "servers"), json!({ "type": "http", "url": URL, "headers": headers }));
        assert_eq!(entry("Gemini", "mcpServers"), json!({ "httpUrl": URL, "headers": headers }));
    }

    #[test]
    fn codex_takes_toml() {
        assert_eq!(
            block("Codex"),
            format!(
                "[mcp_servers.afterthought]\nurl = \"{URL}\"\nhttp_headers = {{ Authorization = \"Bearer {KEY}\" }}"
            )
        );
    }

    #[test]
    fn no_argument_for_claude_desktop_has_a_space() {
        let entry = entry("Claude Desktop", "mcpServers");
        let arguments = entry["args"].as_array().unwrap();
        assert!(arguments.iter().all(|argument| !argument.as_str().unwrap().contains(' ')), "{entry}");
        assert_eq!(entry["env"]["AUTH_HEADER"], format!("Bearer {KEY}"));
    }

    #[test]
    fn the_bridge_is_told_to_accept_an_address_of_the_network() {
        let remote = clients("http://10.0.0.2:8720/api/mcp", KEY).pop().unwrap().block;
        assert!(remote.contains("--allow-http"));
        assert!(!block("Claude Desktop").contains("--allow-http"));
    }
}

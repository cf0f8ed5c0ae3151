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

/// The configurations for the service at `url` and a key; `stdio` are the arguments that make this program forward to it.
pub(super) fn clients(url: &str, key: &str, stdio: &[String]) -> Vec<Client> {
    let bearer = format!("Bearer {key}");
    let headers = json!({ "Authorization": bearer });
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
            heading: "Claude Desktop: put into claude_desktop_config.json",
            block: pretty(&json!({
                "mcpServers": { "afterthought": { "command": program(), "args": stdio } }
            })),
        },
    ]
}

/// This program, by its whole path: what a window manager starts may not find it by its name.
pub(super) fn program() -> String {
    std::env::current_exe().map_or_else(|_| "afterthought".to_owned(), |path| path.display().to_string())
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
        let mut clients = clients(URL, KEY, &["stdio".to_owned()]).into_iter();
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
    fn claude_desktop_starts_this_program_without_a_key() {
        let entry = entry("Claude Desktop", "mcpServers");
        assert_eq!(entry["args"], json!(["stdio"]));
        assert!(entry["command"].as_str().unwrap().starts_with('/') && !entry.to_string().contains(KEY), "{entry}");
    }
}

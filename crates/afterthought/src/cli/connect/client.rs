//! The clients that can be set up: where each keeps its configuration and how an entry looks there.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::{Value, json};

/// A client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Client {
    /// Claude Code
    ClaudeCode,
    /// Claude Desktop
    ClaudeDesktop,
    /// Cursor
    Cursor,
    /// Visual Studio Code
    Vscode,
    /// Codex
    Codex,
    /// Gemini CLI
    Gemini,
    /// Windsurf
    Windsurf,
    /// opencode
    Opencode,
    /// Copilot CLI
    Copilot,
}

/// The folders of the person.
pub(crate) struct Home {
    home: PathBuf,
    /// Where programs keep their configuration, on this platform.
    config: PathBuf,
    xdg: PathBuf,
    path: Option<std::ffi::OsString>,
}

/// How a file of a client is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    Toml,
}

/// What an entry has to say.
pub(super) enum Link<'a> {
    /// Where the service is, and the key.
    Http { url: &'a str, key: &'a str },
    /// The program and its arguments, and what it finds in its environment.
    Stdio { command: &'a str, arguments: &'a [String], key: Option<&'a str> },
}

impl Home {
    /// As the environment says; `None` without a home.
    pub(crate) fn find(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Option<Self> {
        let folder = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = folder("HOME").or_else(|| folder("USERPROFILE"))?;
        let xdg = folder("XDG_CONFIG_HOME").filter(|path| path.is_absolute()).unwrap_or_else(|| home.join(".config"));
        let config = match std::env::consts::OS {
            "macos" => home.join("Library/Application Support"),
            "windows" => folder("APPDATA").unwrap_or_else(|| home.join("AppData/Roaming")),
            _ => xdg.clone(),
        };
        Some(Self { home, config, xdg, path: variable("PATH") })
    }

    /// The home itself.
    pub(super) fn folder(&self) -> &Path {
        &self.home
    }

    /// A program on the path.
    pub(super) fn program(&self, name: &str) -> Option<PathBuf> {
        let candidates = std::env::split_paths(self.path.as_ref()?).flat_map(|folder| {
            let suffixes: &[&str] = if cfg!(windows) { &[".exe", ".cmd"] } else { &[""] };
            suffixes.iter().map(move |suffix| folder.join(format!("{name}{suffix}"))).collect::<Vec<_>>()
        });
        candidates.into_iter().find(|path| is_program(path))
    }
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|metadata| metadata.is_file() && std::os::unix::fs::MetadataExt::mode(&metadata) & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

impl Client {
    /// Every client.
    pub(crate) const ALL: [Self; 9] = [
        Self::ClaudeCode,
        Self::ClaudeDesktop,
        Self::Cursor,
        Self::Vscode,
        Self::Codex,
        Self::Gemini,
        Self::Windsurf,
        Self::Opencode,
        Self::Copilot,
    ];

    /// What it is called here, and its key.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::ClaudeDesktop => "claude-desktop",
            Self::Cursor => "cursor",
            Self::Vscode => "vscode",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Windsurf => "windsurf",
            Self::Opencode => "opencode",
            Self::Copilot => "copilot",
        }
    }

    /// The file that holds its servers.
    pub(crate) fn file(self, home: &Home) -> PathBuf {
        match self {
            Self::ClaudeCode => home.home.join(".claude.json"),
            Self::ClaudeDesktop => home.config.join("Claude/claude_desktop_config.json"),
            Self::Cursor => home.home.join(".cursor/mcp.json"),
            Self::Vscode => home.config.join("Code/User/mcp.json"),
            Self::Codex => home.home.join(".codex/config.toml"),
            Self::Gemini => home.home.join(".gemini/settings.json"),
            Self::Windsurf => home.home.join(".codeium/windsurf/mcp_config.json"),
            Self::Opencode => {
                let folder = home.xdg.join("opencode");
                let commented = folder.join("opencode.jsonc");
                if commented.exists() { commented } else { folder.join("opencode.json") }
            }
            Self::Copilot => home.home.join(".copilot/mcp-config.json"),
        }
    }

    /// Whether it is installed or has been used here.
    pub(crate) fn is_here(self, home: &Home) -> bool {
        let program = match self {
            Self::ClaudeCode => Some("claude"),
            Self::ClaudeDesktop => None,
            Self::Cursor => Some("cursor"),
            Self::Vscode => Some("code"),
            Self::Codex => Some("codex"),
            Self::Gemini => Some("gemini"),
            Self::Windsurf => Some("windsurf"),
            Self::Opencode => Some("opencode"),
            Self::Copilot => Some("copilot"),
        };
        let file = self.file(home);
        // The home itself is everybody's.
        let has_folder = file.parent().is_some_and(|folder| folder != home.home && folder.is_dir());
        file.exists() || has_folder || program.is_some_and(|program| home.program(program).is_some())
    }

    pub(super) const fn format(self) -> Format {
        match self {
            Self::Codex => Format::Toml,
            _ => Format::Json,
        }
    }

    /// The name of the table of its servers.
    pub(super) const fn table(self) -> &'static str {
        match self {
            Self::Vscode => "servers",
            Self::Codex => "mcp_servers",
            Self::Opencode => "mcp",
            _ => "mcpServers",
        }
    }

    /// Whether it only starts programs: it knows no address.
    pub(super) const fn starts_programs_only(self) -> bool {
        matches!(self, Self::ClaudeDesktop)
    }

    /// The entry in its table.
    pub(super) fn entry(self, link: &Link<'_>) -> Value {
        let (url, key) = match link {
            Link::Stdio { command, arguments, key: None } => return json!({ "command": command, "args": arguments }),
            Link::Stdio { command, arguments, key: Some(key) } => {
                return json!({ "command": command, "args": arguments, "env": { "AFTERTHOUGHT_KEY": key } });
            }
            Link::Http { url, key } => (url, key),
        };
        let headers = json!({ "Authorization": format!("Bearer {key}") });
        match self {
            Self::ClaudeCode | Self::Vscode => json!({ "type": "http", "url": url, "headers": headers }),
            Self::Codex => json!({ "url": url, "http_headers": headers }),
            Self::Gemini => json!({ "httpUrl": url, "headers": headers }),
            Self::Windsurf => json!({ "serverUrl": url, "headers": headers }),
            Self::Opencode => json!({ "type": "remote", "url": url, "headers": headers, "enabled": true }),
            Self::Copilot => json!({ "type": "http", "url": url, "headers": headers, "tools": ["*"] }),
            Self::Cursor | Self::ClaudeDesktop => json!({ "url": url, "headers": headers }),
        }
    }
}

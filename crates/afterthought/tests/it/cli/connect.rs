//! Clients on this machine, set up and undone: configurations that look like people's, and the clients' own programs reading them.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};

use super::{Ran, Sandbox, Serving};
use crate::installs::{npm_packages, succeed};

const GEMINI: &str = "{\n  // what I like\n  \"theme\": \"Default\", /* dark */\n  \"mcpServers\": {\n    \"github\": {\"command\": \"npx\", \"args\": [\"-y\", \"gh\"]}, // work\n  },\n}\n";
const CODEX: &str = "# my settings\nmodel = \"o9\"  # the best\n\n[mcp_servers.github]\ncommand = \"npx\"\n\n[profiles.work]\nmodel = \"o8\"\n";

/// A home with nothing in it but what a test puts there.
struct HomeFolder(Sandbox);

impl HomeFolder {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        fs::create_dir(sandbox.path("home")).unwrap();
        Self(sandbox)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path("home").join(name)
    }

    fn put(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.text(name)).unwrap()
    }

    fn connect(&self, arguments: &[&str]) -> Ran {
        self.0.run(&[&["connect"], arguments].concat())
    }

    fn connected(&self, arguments: &[&str]) -> String {
        let ran = self.connect(arguments);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        ran.stdout
    }

    /// The names and whether they are revoked, of all keys.
    fn keys(&self) -> Vec<(String, bool)> {
        let list = self.0.ok(&["key", "list"]);
        let rows = list.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>());
        rows.map(|row| (row[1].to_owned(), row.last() != Some(&"no"))).collect()
    }
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().mode() & 0o777
}

#[test]
fn each_client_found_gets_an_entry_and_a_key_of_its_own_and_loses_both() {
    let home = HomeFolder::new();
    let folders =
        [".cursor", ".codex", ".gemini", ".codeium/windsurf", ".config/opencode", ".copilot", ".config/Code/User"];
    folders.iter().for_each(|folder| fs::create_dir_all(home.path(folder)).unwrap());
    home.put(".gemini/settings.json", GEMINI);
    home.put(".codex/config.toml", CODEX);
    home.put(".claude.json", "{\"numStartups\":3}");
    home.put(".config/Claude/claude_desktop_config.json", "");
    let listed = home.connect(&[]);
    assert_eq!((listed.status, listed.stdout.lines().count()), (0, 9), "{}", listed.stdout);
    assert!(!home.0.data().exists() && !home.path(".cursor/mcp.json").exists(), "nothing is changed");
    assert_eq!(home.connected(&["--all"]).lines().count(), 9);

    let key_of = |entry: &Value| entry["headers"]["Authorization"].as_str().unwrap().to_owned();
    let cursor = home.json(".cursor/mcp.json")["mcpServers"]["afterthought"].take();
    assert_eq!(cursor["url"], "http://127.0.0.1:8720/api/mcp");
    let claude = home.json(".claude.json");
    assert_eq!((&claude["numStartups"], &claude["mcpServers"]["afterthought"]["type"]), (&json!(3), &json!("http")));
    assert_ne!(key_of(&cursor), key_of(&claude["mcpServers"]["afterthought"]), "a key of its own");
    let vscode = home.json(".config/Code/User/mcp.json")["servers"]["afterthought"].take();
    assert!(vscode["type"] == "http" && key_of(&vscode).starts_with("Bearer aft_"), "{vscode}");
    assert!(home.json(".codeium/windsurf/mcp_config.json")["mcpServers"]["afterthought"]["serverUrl"].is_string());
    assert_eq!(home.json(".config/opencode/opencode.json")["mcp"]["afterthought"]["type"], "remote");
    assert_eq!(home.json(".copilot/mcp-config.json")["mcpServers"]["afterthought"]["tools"], json!(["*"]));
    let desktop = home.json(".config/Claude/claude_desktop_config.json")["mcpServers"]["afterthought"].take();
    assert_eq!(desktop["args"], json!(["stdio", "--as", "claude-desktop", "--data", home.0.data()]));
    assert!(home.text(".codex/config.toml").contains("[mcp_servers.afterthought]"));
    for comment in ["// what I like", "/* dark */", "// work"] {
        assert!(home.text(".gemini/settings.json").contains(comment), "{comment}");
    }
    assert_eq!(mode(&home.path(".cursor/mcp.json")), 0o600, "a new file is its owner's alone");
    assert_eq!(home.text(".gemini/settings.json.before-afterthought"), GEMINI);
    let before = home.text(".codex/config.toml");
    assert!(home.connected(&["--all"]).lines().all(|line| line.contains("connected already")));
    assert_eq!(home.text(".codex/config.toml"), before, "a second time changes nothing");
    let keys = home.keys();
    assert!(keys.len() == 8 && keys.iter().all(|(_, revoked)| !revoked), "{keys:?}");

    home.connected(&["--all", "--remove"]);
    assert_eq!((home.text(".gemini/settings.json"), home.text(".codex/config.toml")), (GEMINI.into(), CODEX.into()));
    assert_eq!(home.text(".claude.json"), "{\"numStartups\":3}");
    for made in [".cursor/mcp.json", ".copilot/mcp-config.json", ".gemini/settings.json.before-afterthought"] {
        assert!(!home.path(made).exists(), "{made}");
    }
    assert!(home.keys().iter().all(|(_, revoked)| *revoked));
    assert!(home.connected(&["cursor", "--remove"]).contains("not connected"));
}

#[test]
fn what_was_added_since_stays_when_the_entry_goes() {
    let home = HomeFolder::new();
    home.put(".codex/config.toml", CODEX);
    home.connected(&["codex"]);
    let added = home.text(".codex/config.toml") + "\n[mcp_servers.later]\ncommand = \"y\" # new\n";
    home.put(".codex/config.toml", &added);
    home.connected(&["codex", "--remove"]);
    assert_eq!(home.text(".codex/config.toml"), format!("{CODEX}\n[mcp_servers.later]\ncommand = \"y\" # new\n"));
}

#[test]
fn an_entry_that_somebody_took_out_is_put_in_again_with_the_only_key() {
    let home = HomeFolder::new();
    home.put(".cursor/mcp.json", "{}");
    home.connected(&["cursor"]);
    assert!(home.connected(&[]).contains("cursor          connected in"));
    home.put(".cursor/mcp.json", "{}");
    assert!(home.connected(&[]).contains("cursor          would be set up in"));
    home.connected(&["cursor"]);
    let mut keys = home.keys();
    keys.sort();
    assert_eq!(keys, [("cursor".to_owned(), false), ("cursor".to_owned(), true)]);
    home.connected(&["cursor", "--remove"]);
    assert_eq!(home.text(".cursor/mcp.json"), "{}");
}

#[test]
fn modes_and_links_are_kept() {
    let home = HomeFolder::new();
    let real = home.put("dotfiles/mcp.json", "{}");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir(home.path(".cursor")).unwrap();
    symlink(&real, home.path(".cursor/mcp.json")).unwrap();
    home.connected(&["cursor"]);
    assert!(home.path(".cursor/mcp.json").is_symlink() && mode(&real) == 0o640);
    assert!(home.text("dotfiles/mcp.json").contains("afterthought"));
    home.connected(&["cursor", "--remove"]);
    assert!(home.path(".cursor/mcp.json").is_symlink() && home.text("dotfiles/mcp.json") == "{}");
    // A link whose file is not there yet is one all the same.
    fs::remove_file(&real).unwrap();
    home.connected(&["cursor"]);
    assert!(home.path(".cursor/mcp.json").is_symlink() && mode(&real) == 0o600);
    home.connected(&["cursor", "--remove"]);
    assert!(home.path(".cursor/mcp.json").is_symlink() && !real.exists());
}

#[test]
fn what_cannot_be_read_or_is_not_ours_is_left_alone() {
    let home = HomeFolder::new();
    let broken = "{\n  \"mcpServers\": {\n    \"a\": oops\n  }\n}";
    home.put(".cursor/mcp.json", broken);
    home.put(".codex/config.toml", "a = 1\nb = = 2\n");
    let foreign = "{\"mcpServers\": {\"afterthought\": {\"url\": \"http://elsewhere\"}}}";
    home.put(".gemini/settings.json", foreign);
    let ran = home.connect(&["cursor", "codex", "gemini"]);
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.contains("cursor: ") && ran.stderr.contains("left alone: line 3"), "{}", ran.stderr);
    assert!(ran.stderr.contains("codex: ") && ran.stderr.contains("left alone: line 2"), "{}", ran.stderr);
    assert!(ran.stderr.contains("gemini: ") && ran.stderr.contains("that `connect` did not make"), "{}", ran.stderr);
    assert_eq!((home.text(".cursor/mcp.json"), home.text(".gemini/settings.json")), (broken.into(), foreign.into()));
    assert_eq!(home.connect(&["gemini", "--remove"]).status, 1);
    assert_eq!(home.text(".gemini/settings.json"), foreign);
    assert!(!home.0.data().exists(), "no key was made");
}

#[test]
fn a_file_under_version_control_never_gets_a_key() {
    let home = HomeFolder::new();
    fs::create_dir_all(home.path("dotfiles/.git")).unwrap();
    let real = home.put("dotfiles/cursor.json", "{}");
    fs::create_dir(home.path(".cursor")).unwrap();
    symlink(&real, home.path(".cursor/mcp.json")).unwrap();
    let ran = home.connect(&["cursor"]);
    assert!(ran.status == 1 && ran.stderr.contains("under version control"), "{}", ran.stderr);
    assert!(ran.stderr.contains("`afterthought stdio`") && home.text("dotfiles/cursor.json") == "{}");
}

#[test]
fn nothing_is_made_for_a_client_that_is_not_here_or_only_shown() {
    let home = HomeFolder::new();
    fs::create_dir(home.path(".cursor")).unwrap();
    let ran = home.connect(&["cursor", "windsurf"]);
    assert!(ran.status == 1 && ran.stderr.contains("not found here: windsurf"), "{}", ran.stderr);
    let shown = home.connected(&["cursor", "--print"]);
    assert!(shown.contains("\"Authorization\": \"Bearer KEY\""), "{shown}");
    assert!(!home.path(".cursor/mcp.json").exists() && !home.0.data().exists());
    assert_eq!(home.connect(&["nobody"]).status, 2);
}

#[test]
fn a_service_elsewhere_takes_its_key_from_the_environment() {
    let home = HomeFolder::new();
    fs::create_dir(home.path(".cursor")).unwrap();
    let url = "https://memory.example.org";
    let mut command = home.0.command(&["connect", "cursor", "--url", url]);
    let ran = Ran::from(command.env("AFTERTHOUGHT_KEY", "aft_theirs0123456789").output().unwrap());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let entry = home.json(".cursor/mcp.json")["mcpServers"]["afterthought"].take();
    assert_eq!(entry["url"], "https://memory.example.org/api/mcp");
    assert_eq!(entry["headers"]["Authorization"], "Bearer aft_theirs0123456789");
    assert_eq!(home.connect(&["cursor", "--url", url]).status, 2, "without a key");
    assert_eq!(home.connect(&["cursor", "--remove"]).status, 0);
    assert!(!home.path(".cursor/mcp.json").exists());
}

#[test]
fn a_revoked_key_is_not_replaced_by_itself() {
    let home = HomeFolder::new();
    fs::create_dir(home.path(".cursor")).unwrap();
    home.connected(&["cursor"]);
    let entry = home.json(".cursor/mcp.json")["mcpServers"]["afterthought"].take();
    let key = entry["headers"]["Authorization"].as_str().unwrap().strip_prefix("Bearer ").unwrap().to_owned();
    home.0.ok(&["key", "revoke", &key[..10]]);
    let ran = home.connect(&["cursor"]);
    assert!(ran.status == 1 && ran.stderr.contains("was revoked, and is not replaced"), "{}", ran.stderr);
    home.connected(&["cursor", "--remove"]);
    home.connected(&["cursor"]);
}

/// Where Claude Code and Codex are installed.
fn assistants() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let pins = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/assistants");
        let folder = npm_packages("assistants", &pins);
        // Packages run no scripts of their own when they are installed; this one puts its program in place.
        let package = folder.join("node_modules/@anthropic-ai/claude-code");
        succeed(Command::new("node").arg("install.cjs").current_dir(package), "node");
        folder
    })
}

#[test]
fn claude_code_and_codex_read_what_was_written() {
    let bin = assistants().join("node_modules/.bin");
    let home = HomeFolder::new();
    fs::create_dir(home.path(".codex")).unwrap();
    home.put(".codex/config.toml", "model = \"o9\"\n");
    let serving = Serving::start(&home.0);
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let run = |mut command: Command| {
        command.env("PATH", &path).env("HOME", home.path("")).current_dir(home.path(""));
        let ran = Ran::from(command.output().unwrap());
        assert_eq!(ran.status, 0, "{command:?}: {}{}", ran.stdout, ran.stderr);
        ran.stdout
    };
    let ours = |arguments: &[&str]| run(home.0.command(arguments));
    let client = |name: &str, arguments: &[&str]| {
        let mut command = Command::new(bin.join(name));
        command.args(arguments).env_clear();
        run(command)
    };
    ours(&["connect", "claude-code", "codex"]);
    let url = format!("http://{}/api/mcp", serving.address);
    let claude = client("claude", &["mcp", "list"]);
    assert!(claude.contains(&url) && claude.contains("Connected"), "{claude}");
    let codex = client("codex", &["mcp", "get", "afterthought", "--json"]);
    assert!(codex.contains(&url), "{codex}");
    assert!(ours(&["connect", "claude-code"]).contains("connected already"));
    let plugin = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/claude-code");
    assert!(client("claude", &["plugin", "validate", plugin.to_str().unwrap()]).contains("Validation passed"));
    ours(&["connect", "claude-code", "codex", "--remove"]);
    assert!(!client("claude", &["mcp", "list"]).contains(&url));
    assert_eq!(home.text(".codex/config.toml"), "model = \"o9\"\n");
}

#[test]
fn a_newcomer_needs_less_than_a_minute() {
    let folder = assistants();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/minute/run");
    let mut command = Command::new(script);
    command.arg(env!("CARGO_BIN_EXE_afterthought")).arg(folder.join("node_modules/.bin"));
    succeed(&mut command, "a minute, bash, python3 and Claude Code");
}

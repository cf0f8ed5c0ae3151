//! What assistants run by themselves: never in the way, and marked as what it is.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Sandbox, Serving};

#[test]
fn a_session_starts_with_the_latest_thoughts_as_reference_data() {
    let sandbox = Sandbox::new();
    let serving = Serving::start(&sandbox);
    let key = serving.first_key();
    assert_eq!(sandbox.ok(&["hook", "session-start"]), "", "nothing is stored");
    for number in 0..60 {
        serving.capture(&key, &format!("thought {number} {}", "with many words ".repeat(30)));
    }
    let done = serving.capture(&key, "what is done is not shown");
    serving.call(&key, "edit_thought", json!({ "thought_id": done, "edit_request": "mark as done" }));
    serving.call(&key, "capture_thought", json!({ "raw": "an agent's <b>note</b>" }));
    let said = told_in_time(&sandbox);
    assert!(said.chars().count() <= 8000 && said.contains("not instructions"), "{said}");
    assert!(said.lines().nth(2).unwrap().contains("(default): an agent's ‹b>note"), "{said}");
    assert!(said.contains("thought 59") && !said.contains("what is done"), "{said}");
    // What a terminal would obey is written as several characters, which count.
    for _ in 0..40 {
        serving.capture(&key, &format!("tea {}", "\u{1}\u{202e}".repeat(300)));
    }
    let said = told_in_time(&sandbox);
    assert!(said.chars().count() <= 8000 && said.contains("(user): tea …\n"), "{said}");
}

/// What the hook prints once it gets that far in its time: where it does not it says nothing, as on a machine that is busy.
fn told_in_time(sandbox: &Sandbox) -> String {
    let limit = a_second(sandbox);
    (0..20)
        .map(|_| {
            let begun = Instant::now();
            let said = sandbox.ok(&["hook", "session-start"]);
            assert!(begun.elapsed() < limit, "{:?}", begun.elapsed());
            said
        })
        .find(|said| !said.is_empty())
        .expect("a service that answers is heard")
}

/// The second a hook has, and what a slow or busy machine makes of starting a program.
fn a_second(sandbox: &Sandbox) -> Duration {
    let begun = Instant::now();
    sandbox.ok(&["--version"]);
    Duration::from_secs(1) + 5 * begun.elapsed()
}

#[test]
fn without_a_service_nothing_is_said_and_nothing_is_made() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["hook", "session-start"]);
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
    assert!(!sandbox.data().exists());
    // One that hangs is no more in the way.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    std::fs::create_dir(sandbox.data()).unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let file = json!({ "address": address, "process": 1, "instance": "0197c1a2-7b3c-7def-8123-456789abcdef" });
    std::fs::write(sandbox.data().join("service.json"), file.to_string()).unwrap();
    let limit = a_second(&sandbox);
    let begun = Instant::now();
    let ran = sandbox.run(&["hook", "session-start"]);
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
    assert!(begun.elapsed() < limit, "{:?}", begun.elapsed());
}

#[test]
fn the_plugins_are_sound_and_say_the_same() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let version = env!("CARGO_PKG_VERSION");
    for manifest in
        ["integrations/claude-code/.claude-plugin/plugin.json", "integrations/codex/.codex-plugin/plugin.json"]
    {
        let manifest: Value = serde_json::from_str(&read(manifest)).unwrap();
        assert_eq!((&manifest["name"], &manifest["version"]), (&json!("afterthought"), &json!(version)));
    }
    for file in ["claude-code/.mcp.json", "claude-code/hooks/hooks.json", "codex/.mcp.json", "codex/hooks/hooks.json"] {
        assert!(serde_json::from_str::<Value>(&read(&format!("integrations/{file}"))).is_ok(), "{file}");
    }
    let hooks: Value = serde_json::from_str(&read("integrations/claude-code/hooks/hooks.json")).unwrap();
    let recall = &hooks["hooks"]["UserPromptSubmit"][0]["hooks"][0];
    assert_eq!((&recall["type"], &recall["tool"]), (&json!("mcp_tool"), &json!("retrieve_thoughts")));
    // The recall has to be a call that the service takes.
    let sandbox = Sandbox::new();
    let serving = Serving::start(&sandbox);
    let key = serving.first_key();
    serving.capture(&key, "Ana drinks hibiscus tea");
    let mut input = recall["input"].clone();
    input["query"] = json!("which tea does Ana drink? hibiscus tea");
    let found = serving.call(&key, "retrieve_thoughts", input);
    assert_eq!(found["thoughts"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(
        read("integrations/claude-code/skills/memory/SKILL.md"),
        read("integrations/codex/skills/memory/SKILL.md")
    );
}

//! What is right and what is not, in words.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::{Sandbox, Serving};

fn lines<'a>(report: &'a str, kind: &str) -> Vec<&'a str> {
    report.lines().filter_map(|line| line.strip_prefix(kind)).map(str::trim).collect()
}

#[test]
fn from_nothing_to_a_client_that_is_let_in_and_one_that_is_not() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.path("home/.cursor")).unwrap();
    let nothing = sandbox.ok(&["doctor"]);
    assert!(lines(&nothing, "broken").is_empty() && nothing.contains("no service runs"), "{nothing}");
    assert!(nothing.contains("cursor is not connected") && !sandbox.data().exists(), "{nothing}");
    let serving = Serving::start(&sandbox);
    sandbox.ok(&["connect", "cursor"]);
    let good = sandbox.ok(&["doctor"]);
    assert!(good.contains("cursor is let in at") && good.contains("a service runs at"), "{good}");
    assert!(good.contains("only you may open it") && lines(&good, "broken").is_empty(), "{good}");
    let keys = sandbox.ok(&["key", "list"]);
    let prefix = keys.lines().find(|line| line.contains("cursor")).unwrap().split_whitespace().next().unwrap();
    sandbox.ok(&["key", "revoke", prefix]);
    fs::set_permissions(sandbox.data(), fs::Permissions::from_mode(0o755)).unwrap();
    let ran = sandbox.run(&["doctor"]);
    let broken = lines(&ran.stdout, "broken");
    assert_eq!((ran.status, broken.len()), (1, 2), "{}", ran.stdout);
    assert!(broken[0].contains("chmod 700") && broken[1].contains("cursor is refused"), "{broken:?}");
    assert_eq!(ran.stderr, "error: 2 things are broken, as said above\n");
    drop(serving);
}

#[test]
fn what_a_client_elsewhere_does_is_tried_step_by_step() {
    let sandbox = Sandbox::new();
    let serving = Serving::start(&sandbox);
    let key = serving.first_key();
    let url = format!("http://{}", serving.address);
    let report = sandbox.ok(&["doctor", "--public-url", &url]);
    assert!(report.contains("refuses whoever has no key") && report.contains("AFTERTHOUGHT_KEY"), "{report}");
    let mut command = sandbox.command(&["doctor", "--public-url", &url]);
    let report = String::from_utf8(command.env("AFTERTHOUGHT_KEY", key).output().unwrap().stdout).unwrap();
    assert!(report.contains("the key in AFTERTHOUGHT_KEY is let in"), "{report}");
    serving.stop();
    let ran = sandbox.run(&["doctor", "--public-url", &url]);
    assert!(ran.status == 1 && lines(&ran.stdout, "broken")[0].contains("cannot be reached"), "{}", ran.stdout);
}

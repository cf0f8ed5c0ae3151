//! The real binary as a process, and a caller that speaks to it over one connection.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};
use test_client::{Answer, Connection, Request};

/// A service that ends with the test.
pub(crate) struct Process {
    child: Child,
    pub(crate) address: String,
    /// Everything it printed before it listened.
    pub(crate) greeting: String,
    _rest: Receiver<String>,
}

impl Process {
    /// Starts `serve` on a folder and waits until it listens.
    pub(crate) fn start(data: &Path) -> Self {
        Self::start_with(data, &["--rate-limit", "0"])
    }

    /// The same with other options.
    pub(crate) fn start_with(data: &Path, options: &[&str]) -> Self {
        Self::start_in(data, options, &[])
    }

    /// The same with other options and variables of the environment.
    pub(crate) fn start_in(data: &Path, options: &[&str], environment: &[(&str, &str)]) -> Self {
        Self::spawn(Command::new(env!("CARGO_BIN_EXE_afterthought")), data, options, environment)
    }

    /// The same with no more than so many files and connections open at once.
    #[cfg(unix)]
    pub(crate) fn start_with_files(data: &Path, files: usize) -> Self {
        Self::start_after(data, &format!("ulimit -n {files}"))
    }

    /// The same within what the shell was told before.
    #[cfg(unix)]
    pub(crate) fn start_after(data: &Path, told: &str) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{told} && exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_afterthought")]);
        Self::spawn(shell, data, &["--rate-limit", "0"], &[])
    }

    /// The same on a file system of its own that holds so much; `None` where nobody but root may make one.
    #[cfg(target_os = "linux")]
    pub(crate) fn start_on_small_disk(data: &Path, size: &str) -> Option<Self> {
        let mount = format!("mount -t tmpfs -o size={size} tmpfs '{}'", data.display());
        let alone = |script: &str| {
            let mut command = Command::new("unshare");
            command.args(["--map-root-user", "--mount", "sh", "-c", script]);
            command
        };
        if !alone(&mount).stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
            return None;
        }
        let mut command = alone(&format!("{mount} && exec \"$0\" \"$@\""));
        command.arg(env!("CARGO_BIN_EXE_afterthought"));
        Some(Self::spawn(command, data, &["--rate-limit", "0"], &[]))
    }

    /// Starts a copy of `serve` on a database, with a home of its own, and waits until it listens.
    pub(crate) fn start_on_database(home: &Path, address: &str, schema: &str, options: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_afterthought"));
        command.env("AFTERTHOUGHT_STORE", address).env("AFTERTHOUGHT_SCHEMA", schema).env("HOME", home);
        command.env_remove("XDG_DATA_HOME").args(["serve", "--listen", "127.0.0.1:0", "--rate-limit", "0"]);
        Self::listening(command, options, &[])
    }

    fn spawn(mut command: Command, data: &Path, options: &[&str], environment: &[(&str, &str)]) -> Self {
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data);
        Self::listening(command, options, environment)
    }

    fn listening(mut command: Command, options: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut child = command
            .args(options)
            .envs(environment.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut greeting = String::new();
        let address = loop {
            let line = lines.next().expect("the service says where it listens").unwrap();
            greeting += &line;
            greeting.push('\n');
            if let Some((_, url)) = line.split_once("listening on http://") {
                break url.split('/').next().unwrap().to_owned();
            }
        };
        // Read on, so that what it prints later does not fill the pipe.
        let (sender, rest) = channel();
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(|line| drop(sender.send(line))));
        Self { child, address, greeting, _rest: rest }
    }

    /// The key printed on the first start.
    pub(crate) fn first_key(&self) -> Option<String> {
        let is_key_char = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words = self.greeting.split(|c: char| !is_key_char(c));
        words.into_iter().find(|word| word.starts_with("aft_") && word.len() > 30).map(str::to_owned)
    }

    /// A new connection with that key.
    pub(crate) fn caller(&self, key: &str) -> Caller {
        Caller { address: self.address.clone(), key: key.to_owned(), connection: None }
    }

    /// The most memory the process has had so far, in bytes.
    #[cfg(target_os = "linux")]
    pub(crate) fn memory_peak(&self) -> u64 {
        memory_peak(&self.child).unwrap()
    }

    /// Asks the process to end, and waits until it has; its exit status.
    #[cfg(unix)]
    pub(crate) fn terminate(&mut self) -> Option<i32> {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
        self.child.wait().unwrap().code()
    }

    /// Kills the process as nothing can be prepared for.
    pub(crate) fn kill_9(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The most memory a process has had so far, in bytes; `None` once it has ended.
#[cfg(target_os = "linux")]
pub(crate) fn memory_peak(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let kib = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"))?;
    Some(kib.parse::<u64>().unwrap() * 1024)
}

/// What a finished command left.
pub(crate) struct Finished {
    pub(crate) success: bool,
    pub(crate) stdout: String,
}

/// Runs a subcommand on a folder.
pub(crate) fn command(data: &Path, arguments: &[&str]) -> Finished {
    let output =
        Command::new(env!("CARGO_BIN_EXE_afterthought")).args(arguments).arg("--data").arg(data).output().unwrap();
    Finished { success: output.status.success(), stdout: String::from_utf8(output.stdout).unwrap() }
}

/// A caller with a key, over a connection that is kept.
pub(crate) struct Caller {
    address: String,
    key: String,
    connection: Option<Connection>,
}

impl Caller {
    /// The `result` of a tool call; `None` if the service has gone.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Option<Value> {
        let answer = self.send(&Request::tool(&self.key, tool, arguments)).ok()?;
        Some(answer.json()["result"].take())
    }

    /// What a tool returned; panics if it refused, `None` if the service has gone.
    pub(crate) fn tool(&mut self, tool: &str, arguments: &Value) -> Option<Value> {
        let result = self.call(tool, arguments)?;
        assert_ne!(result["isError"], json!(true), "{tool} {arguments}: {result}");
        Some(result["structuredContent"].clone())
    }

    /// The whole answer to a tool call; `None` if the service has gone.
    pub(crate) fn answer(&mut self, tool: &str, arguments: &Value) -> Option<Answer> {
        self.send(&Request::tool(&self.key, tool, arguments)).ok()
    }

    fn send(&mut self, request: &Request) -> std::io::Result<Answer> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            None => {
                let connection = Connection::open(&self.address)?.waiting_at_most(Duration::from_secs(60));
                self.connection.insert(connection)
            }
        };
        connection.try_write(&request.bytes())?;
        connection.try_answer()
    }
}

//! One server, in a folder of its own.
//!
//! A shell stands between the test and the server and waits for the end of its input: however the test ends, also by a signal that
//! cannot be caught, the server is stopped and its folder removed.

use std::fmt::Write as _;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::geteuid;
use tokio_postgres::NoTls;
use tokio_postgres::error::SqlState;

use crate::install::{Version, programs};

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(60);

/// Starts a server, and ends it and removes its folder when its input ends.
const KEEPER: &str = r#"
"$1/postgres" -D "$2/data" >>"$2/log" 2>&1 &
server=$!
echo "$server" >"$2/pid"
cat >/dev/null
kill -INT "$server" 2>/dev/null
wait "$server"
[ -n "$3" ] && rm -rf "$2"
"#;

/// What a server is told.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Which PostgreSQL it is.
    pub version: Version,
    /// Lines for its configuration.
    pub configuration: Vec<String>,
    /// Lines for who may connect how, before the one that lets everybody of this machine in.
    pub access: Vec<String>,
    /// Files to be laid into its folder of data, readable by nobody else.
    pub files: Vec<(String, String)>,
}

/// A running server.
#[derive(Debug)]
pub struct Server {
    folder: PathBuf,
    programs: PathBuf,
    port: u16,
    keeper: Option<Child>,
}

impl Server {
    /// Makes and starts one that holds nothing.
    pub fn start(settings: &Settings) -> Self {
        let mut server = Self::prepare(settings.version);
        server.run_program("initdb", &["-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync", "-D"]);
        server.configure(settings);
        server.launch();
        server
    }

    /// Makes and starts one that follows another as its standby, under this name.
    pub fn start_standby(of: &Self, name: &str) -> Self {
        let mut server = Self::prepare(Version::Current);
        let source = format!("host=127.0.0.1 port={} user=postgres application_name={name}", of.port);
        server.run_program("pg_basebackup", &["-R", "-X", "stream", "-c", "fast", "-d", &source, "-D"]);
        // It waits for nobody once it has taken over.
        let alone = "synchronous_standby_names = ''".to_owned();
        server.configure(&Settings { configuration: vec![alone], ..Settings::default() });
        server.launch();
        server
    }

    fn prepare(version: Version) -> Self {
        let folder = tempfile::Builder::new().prefix("afterthought-postgres-").tempdir().unwrap().keep();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        let server = Self { programs: reachable_programs(version, &folder), port: free_port(), folder, keeper: None };
        if let Some((user, group)) = other_user() {
            chown(&server.folder, Some(user), Some(group)).unwrap();
        }
        server
    }

    /// Runs a program of PostgreSQL that makes the folder of data, which is its last argument.
    fn run_program(&self, program: &str, arguments: &[&str]) {
        let mut command = Command::new(self.programs.join(program));
        command.args(arguments).arg(self.folder.join("data"));
        let output = unprivileged(&mut command).current_dir(&self.folder).output().unwrap();
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn configure(&self, settings: &Settings) {
        let data = self.folder.join("data");
        // Nothing here has to outlive the machine; what a killed server has written does outlive the server.
        let mut configuration = format!(
            "listen_addresses = '127.0.0.1'\nport = {}\nunix_socket_directories = ''\nfsync = off\n\
             full_page_writes = off\nshared_buffers = 32MB\nmax_connections = 200\nmax_wal_size = 4GB\n\
             autovacuum_naptime = 10s\n",
            self.port,
        );
        settings.configuration.iter().for_each(|line| writeln!(configuration, "{line}").unwrap());
        append(&data.join("postgresql.conf"), &configuration);
        if !settings.access.is_empty() {
            let everybody = fs::read_to_string(data.join("pg_hba.conf")).unwrap();
            fs::write(data.join("pg_hba.conf"), format!("{}\n{everybody}", settings.access.join("\n"))).unwrap();
        }
        for (name, text) in &settings.files {
            let path = data.join(name);
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            if let Some((user, group)) = other_user() {
                chown(&path, Some(user), Some(group)).unwrap();
            }
        }
    }

    /// Starts the server, anew if it was stopped, and waits until it answers.
    pub fn launch(&mut self) {
        self.launch_keeping("removes the folder");
    }

    fn launch_keeping(&mut self, removes: &str) {
        let mut command = Command::new("sh");
        command.args(["-c", KEEPER, "sh"]).args([&self.programs, &self.folder]).arg(removes);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir(&self.folder);
        self.keeper = Some(unprivileged(&mut command).spawn().expect("this test needs a shell"));
        let begun = Instant::now();
        while !self.is_ready() {
            let log = || fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            assert!(begun.elapsed() < PATIENCE, "PostgreSQL did not start:\n{}", log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Whether it takes part in a conversation, be it to send away whoever it does not know.
    fn is_ready(&self) -> bool {
        let address = self.address();
        let ask = async move {
            match tokio_postgres::connect(&address, NoTls).await {
                Ok(_) => true,
                Err(error) => error.code().is_some_and(|code| *code != SqlState::CANNOT_CONNECT_NOW),
            }
        };
        // A test may start a server within a runtime, where no other may be waited for.
        let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        std::thread::spawn(move || runtime().block_on(ask)).join().unwrap()
    }

    /// The port it listens at, on 127.0.0.1.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address of a database that everybody may use.
    #[must_use]
    pub fn address(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// Where a program of PostgreSQL is, `psql` for one.
    #[must_use]
    pub fn program(&self, name: &str) -> PathBuf {
        self.programs.join(name)
    }

    /// Ends it and everything it does at once, as the loss of its machine would; what it has written stays.
    pub fn kill(&mut self) {
        let Some(mut keeper) = self.keeper.take() else { return };
        // Without the keeper nobody removes the folder.
        let _ = keeper.kill();
        let _ = keeper.wait();
        for process in self.processes() {
            signal(process, "KILL");
        }
        // Where nobody takes note of dead processes, the next start would take this one for alive.
        let _ = fs::remove_file(self.folder.join("data/postmaster.pid"));
    }

    /// Stops all of its processes where they are, as a machine that hangs would, or lets them go on.
    pub fn freeze(&self, frozen: bool) {
        for process in self.processes() {
            signal(process, if frozen { "STOP" } else { "CONT" });
        }
    }

    /// Its main process, then those that serve a connection each or keep house.
    #[must_use]
    pub fn processes(&self) -> Vec<u32> {
        let pid = fs::read_to_string(self.folder.join("pid")).unwrap();
        let main: u32 = pid.trim().parse().unwrap();
        let children = fs::read_to_string(format!("/proc/{main}/task/{main}/children")).unwrap_or_default();
        std::iter::once(main).chain(children.split_whitespace().map(|child| child.parse().unwrap())).collect()
    }

    /// Makes a standby the one that takes writes.
    pub fn promote(&self) {
        self.run_program("pg_ctl", &["promote", "-w", "-D"]);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        match self.keeper.take() {
            Some(mut keeper) => {
                drop(keeper.stdin.take());
                let _ = keeper.wait();
            }
            None => drop(fs::remove_dir_all(&self.folder)),
        }
    }
}

fn signal(process: u32, name: &str) {
    let _ = Command::new("kill").args([format!("-{name}"), process.to_string()]).status();
}

fn append(path: &Path, text: &str) {
    let before = fs::read_to_string(path).unwrap();
    fs::write(path, before + text).unwrap();
}

/// A port nobody uses at this moment.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Whom a server runs as if this process is root, whom PostgreSQL refuses: `nobody`.
fn other_user() -> Option<(u32, u32)> {
    geteuid().is_root().then_some((65_534, 65_534))
}

fn unprivileged(command: &mut Command) -> &mut Command {
    match other_user() {
        Some((user, group)) => command.uid(user).gid(group),
        None => command,
    }
}

/// The programs where the server's user can reach them: a copy if the target folder lies where only its owner may look.
fn reachable_programs(version: Version, folder: &Path) -> PathBuf {
    let installed = programs(version);
    let mut version = Command::new(installed.join("postgres"));
    if unprivileged(version.arg("--version")).output().is_ok_and(|output| output.status.success()) {
        return installed;
    }
    let root = installed.parent().expect("the programs lie in a folder of the installation");
    let copied = Command::new("cp").arg("-r").arg(root).arg(folder.join("programs")).status().unwrap();
    assert!(copied.success(), "the programs of PostgreSQL can be copied");
    if let Some((user, group)) = other_user() {
        // Whoever runs the server removes its folder.
        let _ = Command::new("chown").arg("-R").arg(format!("{user}:{group}")).arg(folder).status();
    }
    folder.join("programs/bin")
}

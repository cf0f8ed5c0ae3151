//! Passwords that stand neither in an address nor in a list of processes: `PGPASSWORD`, and a file as libpq reads it.

use std::path::{Path, PathBuf};

use tokio_postgres::Config;
use tokio_postgres::config::Host;

use model::Invalid;

/// The password for this database, from the environment or from the file of passwords.
pub(crate) fn found(config: &Config, file: Option<&Path>) -> Result<Option<String>, Invalid> {
    if let Ok(password) = std::env::var("PGPASSWORD") {
        return Ok(Some(password));
    }
    let named = file.map(Path::to_owned).or_else(|| std::env::var_os("PGPASSFILE").map(PathBuf::from));
    let (path, must_exist) = match (named, std::env::var_os("HOME")) {
        (Some(path), _) => (path, true),
        (None, Some(home)) => (PathBuf::from(home).join(".pgpass"), false),
        (None, None) => return Ok(None),
    };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(_) if !must_exist => return Ok(None),
        Err(error) => {
            let place = path.display();
            return Err(Invalid::new(format!("the file of passwords `{place}` cannot be read: {error}")));
        }
    };
    refuse_if_others_may_read(&path)?;
    Ok(matching(&text, config))
}

#[cfg(unix)]
fn refuse_if_others_may_read(path: &Path) -> Result<(), Invalid> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(path).map(|metadata| metadata.permissions().mode()).unwrap_or_default();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    let place = path.display();
    Err(Invalid::new(format!("others may read the file of passwords `{place}`: run `chmod 600 {place}`")))
}

#[cfg(not(unix))]
fn refuse_if_others_may_read(_path: &Path) -> Result<(), Invalid> {
    Ok(())
}

/// The password of the first line that names one of the hosts, the database and the user; `*` names all.
fn matching(text: &str, config: &Config) -> Option<String> {
    let user = config.get_user().unwrap_or_default();
    let database = config.get_dbname().unwrap_or(user);
    let fits = |pattern: &str, value: &str| pattern == "*" || pattern == value;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let [host, port, name, who, password] = fields(line)?;
        let is_host = |(known, number): (String, u16)| {
            // A socket is found under the name of this machine.
            let known = if known.starts_with('/') { "localhost".to_owned() } else { known };
            fits(&host, &known) && fits(&port, &number.to_string())
        };
        if fits(&name, database) && fits(&who, user) && hosts(config).into_iter().any(is_host) {
            return Some(password);
        }
    }
    None
}

/// The five fields of a line; a colon or a backslash within one stands behind a backslash.
fn fields(line: &str) -> Option<[String; 5]> {
    let mut fields: [String; 5] = Default::default();
    let (mut at, mut is_escaped) = (0, false);
    for char in line.chars() {
        match char {
            '\\' if !is_escaped => is_escaped = true,
            ':' if !is_escaped && at < 4 => at += 1,
            char => {
                fields[at].push(char);
                is_escaped = false;
            }
        }
    }
    Some(fields)
}

/// The hosts with their ports; one that is a socket is its folder.
pub(crate) fn hosts(config: &Config) -> Vec<(String, u16)> {
    let ports = config.get_ports();
    let port = |index: usize| ports.get(index).or(ports.first()).copied().unwrap_or(5432);
    let name = |host: &Host| match host {
        Host::Tcp(name) => name.clone(),
        Host::Unix(folder) => folder.display().to_string(),
    };
    config.get_hosts().iter().enumerate().map(|(index, host)| (name(host), port(index))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(url: &str) -> Config {
        url.parse().unwrap()
    }

    #[test]
    fn the_first_line_that_fits_counts() {
        let file =
            "# ours\ndb.example:5432:notes:bob:bobs\nother:*:*:ana:others\n*:6000:notes:ana:a\\:b\\\\c\n*:*:*:*:last";
        let password = |url| matching(file, &config(url));
        assert_eq!(password("postgres://ana@db.example:6000/notes").as_deref(), Some("a:b\\c"));
        assert_eq!(password("postgres://bob@db.example/notes").as_deref(), Some("bobs"));
        assert_eq!(password("postgres://ana@far,other/notes").as_deref(), Some("others"));
        assert_eq!(password("postgres://eve@db.example/notes").as_deref(), Some("last"));
        assert_eq!(
            matching("localhost:*:*:*:socket", &config("postgres://ana@%2Frun/notes")).as_deref(),
            Some("socket")
        );
        assert_eq!(matching("", &config("postgres://ana@h/notes")), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_may_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pass");
        std::fs::write(&path, "*:*:*:*:s3cret").unwrap();
        let config = config("postgres://ana@h/notes");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        let refused = found(&config, Some(&path)).unwrap_err().to_string();
        assert!(refused.contains("chmod 600") && !refused.contains("s3cret"), "{refused}");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(found(&config, Some(&path)).unwrap().as_deref(), Some("s3cret"));
        let missing = found(&config, Some(&folder.path().join("none"))).unwrap_err().to_string();
        assert!(missing.contains("cannot be read"), "{missing}");
    }
}

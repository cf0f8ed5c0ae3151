//! Where a database is and how to get in: addresses as libpq reads them, `postgres://user@host:port,host:port/name?option=value`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::SslMode;

use model::Invalid;

use crate::passwords::{self, hosts};
use crate::tls::{Checks, Identity, Roots};

/// How long each host has for letting a connection in.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// How long a connection that answers nothing is taken for alive.
const SILENCE: Duration = Duration::from_secs(20);

/// The address of a database. Shown, it holds neither a user nor a password.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    pub(crate) config: Config,
    pub(crate) checks: Checks,
    pub(crate) identity: Option<Identity>,
    /// As it was given, but for a password.
    without_password: String,
    held_password: bool,
}

impl Address {
    /// The address as it was given, but for a password: it may be shown and written down.
    #[must_use]
    pub fn without_password(&self) -> &str {
        &self.without_password
    }

    /// Whether a password stood in the address itself.
    #[must_use]
    pub fn held_password(&self) -> bool {
        self.held_password
    }
}

impl FromStr for Address {
    type Err = Invalid;

    fn from_str(url: &str) -> Result<Self, Invalid> {
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err(Invalid::new("a store's address begins with postgres://"));
        }
        let (place, query) = url.split_once('?').unwrap_or((url, ""));
        let (mut mode, mut roots, mut passfile, mut others) = (None, None, None, Vec::new());
        let (mut certificate, mut key) = (None, None);
        for option in query.split('&').filter(|option| !option.is_empty()) {
            match option.split_once('=') {
                Some(("sslmode", value)) => mode = Some(decoded(value)?),
                Some(("sslrootcert", value)) => roots = Some(decoded(value)?),
                Some(("sslcert", value)) => certificate = Some(decoded(value)?),
                Some(("sslkey", value)) => key = Some(decoded(value)?),
                Some((unknown @ ("sslpassword" | "sslcrl" | "sslcrldir"), _)) => {
                    return Err(Invalid::new(format!(
                        "`{unknown}` is not supported: keys are not encrypted here and lists of revoked certificates not read"
                    )));
                }
                Some(("passfile", value)) => passfile = Some(PathBuf::from(decoded(value)?)),
                _ => others.push(option),
            }
        }
        let url = if others.is_empty() { place.to_owned() } else { format!("{place}?{}", others.join("&")) };
        let mut config: Config = url
            .parse()
            // The driver names the option that is wrong and never its value.
            .map_err(|error| Invalid::new(format!("the store's address cannot be read: {}", with_causes(&error))))?;
        let (ssl_mode, checks) = encryption(mode.as_deref().unwrap_or("prefer"), roots)?;
        config.ssl_mode(ssl_mode);
        if config.get_hosts().is_empty() {
            config.host("localhost");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE);
        }
        if config.get_application_name().is_none() {
            config.application_name("afterthought");
        }
        if config.get_password().is_none()
            && let Some(password) = passwords::found(&config, passfile.as_deref())?
        {
            config.password(password);
        }
        let (without_password, held_password) = redacted(place, query);
        let identity = Identity::named(certificate, key)?;
        Ok(Self { config, checks, identity, without_password, held_password })
    }
}

/// An address without its password, and whether it had one.
fn redacted(place: &str, query: &str) -> (String, bool) {
    let (scheme, rest) = place.split_once("://").unwrap_or(("postgres", place));
    let (user, hosts) = rest.rsplit_once('@').map_or((None, rest), |(user, hosts)| (Some(user), hosts));
    let name = user.map(|user| user.split_once(':').map_or(user, |(name, _)| name));
    let options: Vec<&str> = query.split('&').filter(|option| !option.is_empty()).collect();
    let kept: Vec<&str> = options.iter().copied().filter(|option| !option.starts_with("password=")).collect();
    let mut address = format!("{scheme}://{}{hosts}", name.map_or_else(String::new, |name| format!("{name}@")));
    if !kept.is_empty() {
        address = format!("{address}?{}", kept.join("&"));
    }
    (address, name != user || kept != options)
}

/// What `sslmode` says: whether there must be encryption, and what of the server's certificate is checked.
fn encryption(mode: &str, roots: Option<String>) -> Result<(SslMode, Checks), Invalid> {
    let given = roots.map(Roots::named).or_else(Roots::of_user);
    Ok(match mode {
        "disable" => (SslMode::Disable, Checks::Nothing),
        // The driver cannot try without encryption first; with it first, nothing is worse.
        "allow" | "prefer" => (SslMode::Prefer, Checks::Nothing),
        "require" => (SslMode::Require, given.map_or(Checks::Nothing, Checks::Authority)),
        "verify-ca" => (SslMode::Require, Checks::Authority(given.unwrap_or(Roots::WellKnown))),
        "verify-full" => (SslMode::Require, Checks::Everything(given.unwrap_or(Roots::WellKnown))),
        other => {
            let known = "disable, allow, prefer, require, verify-ca or verify-full";
            return Err(Invalid::new(format!("`sslmode={other}` is not known: give one of {known}")));
        }
    })
}

fn decoded(value: &str) -> Result<String, Invalid> {
    let decoded = percent_encoding::percent_decode_str(value).decode_utf8();
    decoded.map(String::from).map_err(|_| Invalid::new("the options of the store's address are not UTF-8"))
}

/// An error with what it came from: the driver's own sentences leave that out.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let mut sentence = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_sentence = inner.to_string();
        // Some repeat what they came from.
        if !sentence.contains(&inner_sentence) {
            sentence = format!("{sentence}: {inner_sentence}");
        }
        cause = inner.source();
    }
    sentence
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts: Vec<String> = hosts(&self.config).into_iter().map(|(host, port)| format!("{host}:{port}")).collect();
        write!(f, "postgres://{}", hosts.join(","))?;
        self.config.get_dbname().map_or(Ok(()), |name| write!(f, "/{name}"))
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The schema that holds everything: its name needs no quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaName(String);

impl SchemaName {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for SchemaName {
    fn default() -> Self {
        Self("afterthought".to_owned())
    }
}

impl fmt::Display for SchemaName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for SchemaName {
    type Err = Invalid;

    fn from_str(name: &str) -> Result<Self, Invalid> {
        let plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        let begins = name.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase() || byte == b'_');
        if plain && begins && name.len() <= 63 && !name.starts_with("pg_") {
            return Ok(Self(name.to_owned()));
        }
        Err(Invalid::new(
            "a schema's name has up to 63 small letters, digits and underscores, and does not begin with a digit or pg_",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        text.parse().unwrap()
    }

    #[test]
    fn nothing_secret_is_shown() {
        let address = address("postgres://ana:s3cret@db.example:6000,other.example/notes?password=t00");
        let shown = format!("{address} {address:?}");
        assert_eq!(shown, ["postgres://db.example:6000,other.example:5432/notes"; 2].join(" "));
        let wrong = "postgres://ana:s3cret@db.example/notes?sslmode=s3cret&port=s3cret".parse::<Address>().unwrap_err();
        assert!(!wrong.to_string().contains("ana"), "{wrong}");
    }

    #[test]
    fn an_address_is_written_down_without_its_password() {
        let given = "postgres://ana:s3:cret@h:1,g/notes?sslmode=require&password=t00";
        assert_eq!(address(given).without_password(), "postgres://ana@h:1,g/notes?sslmode=require");
        assert!(address(given).held_password());
        let plain = "postgresql://ana@h/notes";
        assert_eq!((address(plain).without_password(), address(plain).held_password()), (plain, false));
    }

    #[test]
    fn every_word_of_libpq_for_encryption_is_known() {
        let of = |mode: &str| {
            let address = address(&format!("postgres://h/n?sslmode={mode}&sslrootcert=%2Fetc%2Froots.pem"));
            (address.config.get_ssl_mode(), address.checks)
        };
        let roots = || Roots::File(PathBuf::from("/etc/roots.pem"));
        assert_eq!(of("disable"), (SslMode::Disable, Checks::Nothing));
        assert_eq!(of("allow"), (SslMode::Prefer, Checks::Nothing));
        assert_eq!(of("prefer"), (SslMode::Prefer, Checks::Nothing));
        assert_eq!(of("require"), (SslMode::Require, Checks::Authority(roots())));
        assert_eq!(of("verify-ca"), (SslMode::Require, Checks::Authority(roots())));
        assert_eq!(of("verify-full"), (SslMode::Require, Checks::Everything(roots())));
        assert!("postgres://h/n?sslmode=perhaps".parse::<Address>().is_err());
        let system = address("postgres://h/n?sslmode=verify-full&sslrootcert=system");
        assert_eq!(system.checks, Checks::Everything(Roots::WellKnown));
    }

    #[test]
    fn several_hosts_and_what_they_must_be_are_read() {
        let address = address("postgres://ana@a:1,b:2/notes?target_session_attrs=read-write&connect_timeout=9");
        assert_eq!(hosts(&address.config), [("a".to_owned(), 1), ("b".to_owned(), 2)]);
        let wanted = address.config.get_target_session_attrs();
        assert_eq!(wanted, tokio_postgres::config::TargetSessionAttrs::ReadWrite);
        assert_eq!(address.config.get_connect_timeout(), Some(&Duration::from_secs(9)));
    }

    #[test]
    fn what_is_no_address_is_refused_with_a_sentence() {
        for wrong in ["mysql://h/n", "postgres://h/n?colour=red", "postgres://h:port/n"] {
            assert!(wrong.parse::<Address>().is_err(), "{wrong}");
        }
        let alone = "postgres://h/n?sslcert=%2Fetc%2Fmine.crt&sslpassword=s3cret".parse::<Address>().unwrap_err();
        assert!(alone.to_string().contains("`sslpassword` is not supported"), "{alone}");
        assert!(!alone.to_string().contains("s3cret"), "{alone}");
    }

    #[test]
    fn a_schema_has_a_name_that_needs_no_quotes() {
        for (name, is_good) in [("afterthought", true), ("_a1", true), ("", false), ("1a", false), ("A", false)] {
            assert_eq!(name.parse::<SchemaName>().is_ok(), is_good, "{name}");
        }
        for name in ["a;b", "a b", "a\"", "pg_mine", &"a".repeat(64)] {
            assert!(name.parse::<SchemaName>().is_err(), "{name}");
        }
    }
}

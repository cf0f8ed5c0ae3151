//! `afterthought serve`: runs the service.
//!
//! On an empty store it makes the account `default`, its first key and a link to the app, and shows both once. A key that could not be
//! shown is revoked, and every start says how to make one, so that nobody is ever locked out.

use std::fmt::Write;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use anyhow::{anyhow, bail};
use clap::Args;
use tokio::net::TcpListener;
use tracing::{info, warn};

use model::{Account, AccountId};
use service::auth::{AuthError, Secret, Token};

use super::adviser::AdviserArgs;
use super::clients::clients;
use super::embedding::EmbeddingArgs;
use super::forward::endpoint;
use super::logs::{self, LogFormat, LogLevel};
use super::open::sign_in_link;
use super::output::Output;
use super::place::Place;
use super::private;
use super::scope::DEFAULT_ACCOUNT;
use crate::app::{self, App, StopSignals};
use crate::descriptors::{self, Shares};
use crate::http;
use crate::running::Announcement;

/// Run the service
///
/// Prints `listening on URL` when it is ready. SIGTERM or Ctrl-C ends it once the requests under way are answered; a second
/// one ends it at once.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  afterthought serve
  afterthought serve --data /srv/afterthought --listen 0.0.0.0:8720 --allow-host memory.example.org
  AFTERTHOUGHT_STORE=postgres://memory@db.example.org/memory afterthought serve")]
pub(super) struct Serve {
    /// Where to listen; port 0 takes any free one
    #[arg(long, value_name = "HOST:PORT", env = "AFTERTHOUGHT_LISTEN", hide_env_values = true)]
    #[arg(default_value = "127.0.0.1:8720", value_parser = address)]
    listen: String,
    /// Requests a second each key may make, with bursts of ten times as many; 0 sets no limit
    #[arg(long, value_name = "N", env = "AFTERTHOUGHT_RATE_LIMIT", hide_env_values = true)]
    #[arg(default_value_t = 100)]
    rate_limit: u32,
    /// Answer requests for this host too, besides localhost and the address listened on: a name, or `*` for all; may be
    /// repeated
    #[arg(long, value_name = "HOST", env = "AFTERTHOUGHT_ALLOW_HOST", hide_env_values = true)]
    #[arg(value_delimiter = ',', value_parser = host)]
    allow_host: Vec<String>,
    /// Answer web pages from this origin too, such as `https://app.example.org`, or `*` for all; may be repeated
    #[arg(long, value_name = "ORIGIN", env = "AFTERTHOUGHT_ALLOW_ORIGIN", hide_env_values = true)]
    #[arg(value_delimiter = ',', value_parser = origin)]
    allow_origin: Vec<String>,
    /// Where commands on other machines reach this copy, such as `https://memory.example.org`; they learn it from the database
    /// [default: the address listened on]
    #[arg(long, value_name = "URL", env = "AFTERTHOUGHT_ANNOUNCE", hide_env_values = true, value_parser = announced)]
    announce: Option<String>,
    /// How a line of the log looks
    #[arg(long, value_name = "FORMAT", env = "AFTERTHOUGHT_LOG", hide_env_values = true)]
    #[arg(default_value = "human")]
    log: LogFormat,
    /// How much is logged
    #[arg(long, value_name = "LEVEL", env = "AFTERTHOUGHT_LOG_LEVEL", hide_env_values = true)]
    #[arg(default_value = "info")]
    log_level: LogLevel,
    /// Hold no more than so many bytes in memory of the accounts that have been searched; those asked for least recently are read again
    /// when they are asked for [default: all that were asked for in the last ten minutes]
    #[arg(long, value_name = "BYTES", env = "AFTERTHOUGHT_CACHE_BYTES", hide_env_values = true)]
    cache_bytes: Option<u64>,
    /// Run for other commands that need a service: show no key, take any port if the usual one is taken, and end when nobody has called
    /// for so many seconds
    #[arg(long, value_name = "SECONDS", hide = true)]
    unattended: Option<u64>,
    #[command(flatten)]
    embedding: EmbeddingArgs,
    #[command(flatten)]
    adviser: AdviserArgs,
}

impl Serve {
    pub(super) async fn run(mut self, place: &Place, output: &mut Output) -> anyhow::Result<()> {
        let embedder = std::mem::take(&mut self.embedding).embedder(|name| std::env::var_os(name))?;
        let adviser = std::mem::take(&mut self.adviser).adviser(|name| std::env::var_os(name))?;
        logs::start(self.log, self.log_level);
        if let Some(limit) = descriptors::too_few() {
            let least = descriptors::LEAST;
            bail!(
                "the service may open only {limit} files, fewer than the {least} it needs to answer anybody: raise the limit, for \
                 example with `ulimit -n 1024` or `LimitNOFILE` of its unit"
            );
        }
        let idle = self.unattended.map(Duration::from_secs);
        let listener = match idle {
            None => bind(&self.listen).await?,
            Some(_) => bind_somewhere(&self.listen).await?,
        };
        let address = listener.local_addr()?;
        let app = place.app(embedder).await?.advised_by(adviser);
        if let Some(bytes) = self.cache_bytes {
            app.store.hold_at_most(bytes);
        }
        let greeting = match idle {
            None => Greeting::prepare(&app, place, reachable(address)).await?,
            Some(_) => Greeting::without_key(&app).await?,
        };
        let signals = StopSignals::listen()?;
        let settings = self.settings(reachable(address));
        let announced = private::create_folder(place.folder())
            .and_then(|()| Announcement::make(place.folder(), reachable(address), settings.instance));
        let _announced = announced.inspect_err(|error| {
            // Requests are answered all the same.
            let folder = place.folder().display();
            warn!(%error, "other commands will not find this service: its address cannot be written into `{folder}`");
        });
        let shown = output
            .result_lines(&greeting.text)
            .and_then(|()| output.result(format_args!("listening on {}", url(address))))
            .and_then(|()| output.flush());
        if let Err(error) = shown {
            // The service is of use to those who have a key, whether or not anybody reads along here.
            warn!(%error, "could not say that the service is listening on {address}");
            if let Some(first) = greeting.first {
                app.keyring.revoke_key(first.secret.reveal()).await?;
                app.sessions.end_owners(first.account).await?;
                warn!("the first key could not be shown and was revoked: {}", greeting.way_out);
            }
        }
        if !address.ip().is_loopback() {
            warn!("keys and thoughts travel unencrypted: let others in only through a proxy that speaks TLS");
        }
        let last_call = settings.last_call.clone();
        let stop = async {
            match idle {
                None => signals.first().await,
                Some(idle) => tokio::select! {
                    () = signals.first() => {}
                    () = last_call.is_long_ago(idle) => info!("stopping: nobody has called for {} s", idle.as_secs()),
                },
            }
        };
        app::serve(&app, listener, settings, stop).await?;
        Ok(())
    }

    fn settings(self, reachable: SocketAddr) -> http::Settings {
        // An empty variable of the environment is one empty value.
        let given = |values: Vec<String>| values.into_iter().filter(|value| !value.is_empty()).collect();
        http::Settings {
            rate_limit: self.rate_limit,
            allowed_hosts: given(self.allow_host),
            allowed_origins: given(self.allow_origin),
            origin: Some(self.announce.unwrap_or_else(|| format!("http://{reachable}"))),
            connections_max: Shares::of_this_process().connections,
            ..http::Settings::default()
        }
    }
}

/// What a start says before it serves.
struct Greeting {
    text: String,
    /// What opens the first account, if this is the first start.
    first: Option<First>,
    /// How to make a key.
    way_out: String,
}

impl Greeting {
    /// Makes the first account on an empty store, and says nothing.
    async fn without_key(app: &App) -> anyhow::Result<Self> {
        first_account(app).await?;
        Ok(Self { text: String::new(), first: None, way_out: String::new() })
    }

    /// Makes the first account and key on an empty store.
    async fn prepare(app: &App, place: &Place, address: SocketAddr) -> anyhow::Result<Self> {
        let way_out = format!("make a key with `{}`", place.command("key create NAME"));
        if let Some(first) = First::make(app).await? {
            let link = sign_in_link(&format!("http://{address}"), &first.link);
            let text = introduction(&url(address), first.secret.reveal(), &link, &place.stdio("claude-desktop"));
            return Ok(Self { text, first: Some(first), way_out });
        }
        let keys = app.keyring.list_keys(None).await?;
        let text = match keys.iter().any(|key| key.revoked_at.is_none()) {
            true => format!("keys are shown only when they are made; {way_out}"),
            false => format!("no key opens this store; {way_out}"),
        };
        let text = format!("{text}\nsee and correct the memory in a browser with `{}`", place.command("open"));
        Ok(Self { text, first: None, way_out })
    }
}

/// What opens the first account.
struct First {
    account: AccountId,
    secret: Secret,
    link: Token,
}

impl First {
    /// Makes the first account, its key and a link to the app if there is no account at all.
    async fn make(app: &App) -> anyhow::Result<Option<Self>> {
        let Some(Account { id: account, .. }) = first_account(app).await? else { return Ok(None) };
        let (secret, _) = app.keyring.create_key(account, DEFAULT_ACCOUNT.parse()?).await?;
        let link = app.sessions.create_link(account).await?;
        Ok(Some(Self { account, secret, link }))
    }
}

/// Makes the first account if there is none at all.
async fn first_account(app: &App) -> anyhow::Result<Option<Account>> {
    if !app.keyring.list_accounts().await?.is_empty() {
        return Ok(None);
    }
    match app.keyring.create_account(DEFAULT_ACCOUNT.parse()?).await {
        Ok(account) => Ok(Some(account)),
        // Another start on the same empty store was faster, and shows its key.
        Err(AuthError::AccountExists(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn introduction(url: &str, key: &str, link: &str, stdio: &[String]) -> String {
    let mut text = format!(
        "Your first key, shown only this once:\n\n{key}\n\nSee the memory in a browser (the link works once, for 15 minutes):\n\n\
         {link}\n\nConnect a client with one of these:\n"
    );
    for client in clients(url, key, stdio) {
        write!(text, "\n# {}\n{}\n", client.heading, client.block).expect("a string takes everything");
    }
    text
}

fn address(text: &str) -> Result<String, String> {
    let port = text.rsplit_once(':').filter(|(host, _)| !host.is_empty()).map(|(_, port)| port.parse::<u16>());
    match port {
        Some(Ok(_)) => Ok(text.to_owned()),
        _ => Err("expected a host and a port, such as 127.0.0.1:8720".to_owned()),
    }
}

fn host(text: &str) -> Result<String, String> {
    match text.contains(['/', ' ']) {
        true => Err("expected a name alone, such as memory.example.org, or `*`".to_owned()),
        false => Ok(text.to_owned()),
    }
}

fn origin(text: &str) -> Result<String, String> {
    match text.is_empty() || text == "*" || text.contains("://") {
        true => Ok(text.to_owned()),
        false => Err("expected a scheme and a name, such as https://app.example.org, or `*`".to_owned()),
    }
}

fn announced(text: &str) -> Result<String, String> {
    match endpoint(text) {
        Ok(_) => Ok(text.trim().trim_end_matches('/').trim_end_matches("/api/mcp").to_owned()),
        Err(_) => Err("expected an address, such as https://memory.example.org".to_owned()),
    }
}

/// The same, or any port of that host if that one is taken.
async fn bind_somewhere(listen: &str) -> anyhow::Result<TcpListener> {
    match TcpListener::bind(listen).await {
        Ok(listener) => Ok(listener),
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            bind(&format!("{}:0", listen.rsplit_once(':').map_or("127.0.0.1", |(host, _)| host))).await
        }
        Err(_) => bind(listen).await,
    }
}

async fn bind(listen: &str) -> anyhow::Result<TcpListener> {
    TcpListener::bind(listen).await.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => anyhow!(
            "`{listen}` is in use, perhaps by another afterthought: end that program or choose another port with `--listen`"
        ),
        ErrorKind::PermissionDenied => {
            anyhow!("not permitted to listen on `{listen}`: choose a port from 1024 on with `--listen`")
        }
        ErrorKind::AddrNotAvailable => {
            anyhow!("`{listen}` is not an address of this machine: choose another with `--listen`")
        }
        _ => anyhow!("cannot listen on `{listen}`: {error}; choose another address with `--listen`"),
    })
}

fn url(address: SocketAddr) -> String {
    format!("http://{address}/api/mcp")
}

/// An address clients on this machine can use: one that means "all of them" is none.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_sent_to_an_address_they_can_reach() {
        let reach = |text: &str| url(reachable(text.parse().unwrap()));
        assert_eq!(reach("0.0.0.0:8720"), "http://127.0.0.1:8720/api/mcp");
        assert_eq!(reach("[::]:8720"), "http://[::1]:8720/api/mcp");
        assert_eq!(reach("10.0.0.2:80"), "http://10.0.0.2:80/api/mcp");
    }

    #[test]
    fn a_place_to_listen_has_a_host_and_a_port() {
        for good in ["127.0.0.1:0", "localhost:8720", "[::1]:80"] {
            assert!(address(good).is_ok(), "{good}");
        }
        for bad in ["", "8720", ":8720", "localhost", "localhost:", "localhost:http", "localhost:70000"] {
            assert!(address(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn hosts_and_origins_are_told_apart() {
        for good in ["memory.example.org", "memory.example.org:8720", "*", ""] {
            assert!(host(good).is_ok(), "{good}");
        }
        assert!(host("https://memory.example.org").is_err());
        assert!(origin("https://memory.example.org").is_ok() && origin("*").is_ok() && origin("").is_ok());
        assert!(origin("memory.example.org").is_err());
    }

    #[test]
    fn the_introduction_shows_the_key_and_below_it_the_link_each_alone_on_a_line() {
        let introduction =
            introduction("http://127.0.0.1:8720/api/mcp", "aft_x", "http://127.0.0.1:8720/#sign-in=afl_y", &[]);
        let lines: Vec<&str> = introduction.lines().collect();
        let key = lines.iter().position(|line| *line == "aft_x").unwrap();
        let link = lines.iter().position(|line| *line == "http://127.0.0.1:8720/#sign-in=afl_y").unwrap();
        assert!(key < link);
    }
}

//! `afterthought open`: signs the owner of an account in to the app.

use std::process::{Command, Stdio};

use anyhow::bail;
use clap::Args;

use model::AccountName;
use service::auth::Token;

use super::copies;
use super::output::Output;
use super::place::Place;
use super::scope;

/// Open the app in the browser, signed in
///
/// Makes a link to the running service that signs its first user in, once and within 15 minutes. Where there is no display, the link
/// is printed instead.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  afterthought open
  afterthought open --print --account ana
  afterthought open --revoke")]
pub(super) struct Open {
    /// Whose memory to open [default: the only account, or the one called `default`]
    #[arg(long, value_name = "ACCOUNT")]
    account: Option<AccountName>,
    /// Print the link, alone, on standard output
    #[arg(long)]
    print: bool,
    /// Sign everybody out who signed in with a link, and take back the links nobody has used
    #[arg(long, conflicts_with = "print")]
    revoke: bool,
}

impl Open {
    pub(super) async fn run(self, place: &Place, output: &mut Output) -> anyhow::Result<()> {
        if self.revoke {
            return self.revoke(place, output).await;
        }
        // Whoever names an account that is not there hears of that first.
        let account = place.open_existing(async |app| Ok(scope::account(app, self.account.as_ref()).await?.id)).await?;
        let Some(service) = copies::find(place) else {
            bail!("no service of this store is running: start it with `{}`", place.command("serve"));
        };
        let token = place.open_existing(async |app| Ok(app.sessions.create_link(account).await?)).await?;
        let link = sign_in_link(&service.origin, &token);
        if !self.print && has_display() && browse(&link) {
            output.remark("opened the app in the browser");
            return Ok(());
        }
        output.result(link)
    }

    async fn revoke(self, place: &Place, output: &mut Output) -> anyhow::Result<()> {
        let (account, ended) = place
            .open_existing(async |app| {
                let account = scope::account(app, self.account.as_ref()).await?;
                let ended = app.sessions.end_owners(account.id).await?;
                Ok((account, ended))
            })
            .await?;
        output.result(format_args!("ended {ended} sessions and links of account `{}`", account.name))
    }
}

/// The address that signs in: what follows the `#` never leaves the browser, so it is in no log.
pub(super) fn sign_in_link(origin: &str, token: &Token) -> String {
    format!("{origin}/#sign-in={}", token.reveal())
}

/// Whether a browser could show itself to whoever runs the command.
fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// Hands an address to the system's browser; whether that worked.
fn browse(address: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

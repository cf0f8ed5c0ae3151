//! `afterthought key`: what assistants show to be let in.
//!
//! A running service honours what is made and revoked here at once.

use anyhow::{anyhow, bail};
use clap::Subcommand;

use model::{AccountName, KeyName};

use super::output::{Output, table};
use super::place::Place;
use super::scope::{self, NO_ACCOUNT};

/// Make, list and revoke API keys
///
/// A running service honours all of it at once, without a restart.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  afterthought key create laptop > key.txt
  afterthought key revoke aft_3kT9xQ")]
pub(super) enum KeyCommand {
    /// Make a key and print it, alone, on standard output; it is never shown again
    Create {
        /// What thoughts captured with the key are attributed to
        name: KeyName,
        /// The account it opens [default: the only one, or the one called `default`]
        #[arg(long, value_name = "ACCOUNT")]
        account: Option<AccountName>,
    },
    /// List keys, revoked ones included, oldest first; never their secrets
    List {
        /// Only the keys of this account
        #[arg(long, value_name = "ACCOUNT")]
        account: Option<AccountName>,
    },
    /// Revoke a key for good
    Revoke {
        /// The beginning of the key, at least 8 characters of it
        prefix: String,
    },
}

impl KeyCommand {
    pub(super) async fn run(self, place: &Place, output: &mut Output) -> anyhow::Result<()> {
        match self {
            Self::Create { name, account } => create(name, account, place, output).await,
            Self::List { account } => list(account, place, output).await,
            Self::Revoke { prefix } => {
                let key = place.open_existing(async |app| Ok(app.keyring.revoke_key(&prefix).await?)).await?;
                match key.revoked_at {
                    Some(at) => output.result(format_args!("key `{}` ({}) was revoked at {at}", key.name, key.prefix)),
                    None => output.result(format_args!("revoked key `{}` ({})", key.name, key.prefix)),
                }
            }
        }
    }
}

async fn create(name: KeyName, account: Option<AccountName>, place: &Place, output: &mut Output) -> anyhow::Result<()> {
    if place.is_vacant().await {
        bail!("{NO_ACCOUNT}");
    }
    place
        .open(async |app| {
            let account = scope::account(app, account.as_ref()).await?;
            let (secret, key) = app.keyring.create_key(account.id, name).await?;
            if let Err(error) = output.result(secret.reveal()).and_then(|()| output.flush()) {
                // A key nobody has seen must not stay valid.
                app.keyring.revoke_key(key.prefix.as_str()).await?;
                return Err(anyhow!("the key could not be shown and was revoked: {error}"));
            }
            output.remark(format_args!(
                "made key `{}` ({}) for account `{}`; it is not shown again",
                key.name, key.prefix, account.name
            ));
            Ok(())
        })
        .await
}

async fn list(account: Option<AccountName>, place: &Place, output: &mut Output) -> anyhow::Result<()> {
    if place.is_vacant().await {
        output.remark(place.vacancy());
        return Ok(());
    }
    let (accounts, keys) = place
        .open(async |app| {
            let accounts = scope::accounts(app, account.as_ref()).await?;
            let only = account.is_some().then(|| accounts[0].id);
            Ok((accounts, app.keyring.list_keys(only).await?))
        })
        .await?;
    let mut rows = Vec::with_capacity(keys.len());
    for key in keys {
        let account = accounts.iter().find(|account| account.id == key.account);
        rows.push([
            key.prefix.to_string(),
            key.name.to_string(),
            // The account of a key may be made between the two listings.
            account.map_or_else(|| key.account.to_string(), |account| account.name.to_string()),
            key.created_at.to_string(),
            key.last_used_at.map_or_else(|| "never".into(), |at| at.to_string()),
            key.revoked_at.map_or_else(|| "no".into(), |at| at.to_string()),
        ]);
    }
    output.result_lines(table(["PREFIX", "NAME", "ACCOUNT", "CREATED", "LAST USED", "REVOKED"], &rows))
}

//! Which accounts a command works on.

use anyhow::bail;

use model::{Account, AccountName};

use crate::app::App;

/// The accounts a command looks through: the named one, or all.
pub(super) async fn accounts(app: &App, name: Option<&AccountName>) -> anyhow::Result<Vec<Account>> {
    match name {
        Some(name) => Ok(vec![app.keyring.account(name).await?]),
        None => Ok(app.keyring.list_accounts().await?),
    }
}

/// The one account a command works on: the named one, else the only one, else the one called `default`.
pub(super) async fn account(app: &App, name: Option<&AccountName>) -> anyhow::Result<Account> {
    let mut accounts = accounts(app, name).await?;
    if accounts.is_empty() {
        bail!("{NO_ACCOUNT}");
    }
    if accounts.len() == 1 {
        return Ok(accounts.remove(0));
    }
    match accounts.into_iter().find(|account| account.name.as_str() == DEFAULT_ACCOUNT) {
        Some(account) => Ok(account),
        None => bail!("there are several accounts: name one with `--account` (see `afterthought account list`)"),
    }
}

/// The account that the first start makes.
pub(super) const DEFAULT_ACCOUNT: &str = "default";

/// What is said where no account has been made.
pub(super) const NO_ACCOUNT: &str = "there is no account yet: make one with `afterthought account create NAME`";

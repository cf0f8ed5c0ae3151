//! `afterthought account`: the people whose thoughts are kept.

use clap::Subcommand;

use model::AccountName;

use super::output::{Output, table};
use super::place::{Place, quoted};

/// Make and list accounts
///
/// An account is one human user: every thought, note and key belongs to exactly one, and none sees those of another.
#[derive(Debug, Subcommand)]
#[command(after_help = "Example:\n  afterthought account create ana && afterthought key create laptop --account ana")]
pub(super) enum AccountCommand {
    /// Make an account
    Create {
        /// A name no other account has
        name: AccountName,
    },
    /// List the accounts by name
    List,
}

impl AccountCommand {
    pub(super) async fn run(self, place: &Place, output: &mut Output) -> anyhow::Result<()> {
        match self {
            Self::Create { name } => {
                let account = place.open(async |app| Ok(app.keyring.create_account(name).await?)).await?;
                output.result(format_args!("created account `{}`", account.name))?;
                output.remark(format_args!(
                    "make a key for it with `{}`",
                    place.command(&format!("key create NAME --account {}", quoted(account.name.as_str())))
                ));
                Ok(())
            }
            Self::List => {
                if place.is_vacant().await {
                    output.remark(place.vacancy());
                    return Ok(());
                }
                let accounts = place.open(async |app| Ok(app.keyring.list_accounts().await?)).await?;
                let row = |account: &model::Account| {
                    [account.name.to_string(), account.id.to_string(), account.created_at.to_string()]
                };
                let rows: Vec<_> = accounts.iter().map(row).collect();
                output.result_lines(table(["NAME", "ID", "CREATED"], &rows))
            }
        }
    }
}

//! Which store a command works on.
//!
//! The command line goes before the environment, the environment before the platform's data folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{anyhow, bail};
use clap::Args;
use directories::ProjectDirs;

use service::embed::Embedder;
use store::StoreError;

use super::usage::Usage;
use crate::app::App;
use crate::stores::{Location, STORE_CONNECTIONS};

/// The options that name the store.
#[derive(Debug, Default, Args)]
pub(super) struct PlaceArgs {
    /// Keep everything in this folder [env: AFTERTHOUGHT_DATA] [default: the platform's data folder]
    #[arg(long, global = true, value_name = "DIR", help_heading = "Store")]
    data: Option<PathBuf>,
    /// Keep everything in this database, a postgres:// address [env: AFTERTHOUGHT_STORE]
    #[arg(long, global = true, value_name = "URL", help_heading = "Store")]
    store: Option<String>,
    /// The schema of the database that holds everything [env: AFTERTHOUGHT_SCHEMA] [default: afterthought]
    #[arg(long, global = true, value_name = "NAME", help_heading = "Store")]
    schema: Option<String>,
    /// The most connections to the database [env: AFTERTHOUGHT_STORE_CONNECTIONS] [default: 8]
    #[arg(long, global = true, value_name = "N", help_heading = "Store")]
    store_connections: Option<String>,
}

/// A store that may not exist yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    location: Location,
    /// Whether a command without options looks there: in the usual folder, or by what the environment says.
    usual: bool,
    /// The folder of this machine for what is kept beside the store; the store's own if it is one.
    folder: PathBuf,
    /// The variables by which another process of this program finds the same database.
    environment: Vec<(&'static str, String)>,
}

impl Place {
    /// Decides on the store, given the options and the variables of the environment.
    pub(super) fn choose(args: PlaceArgs, variable: impl Fn(&str) -> Option<OsString>) -> anyhow::Result<Self> {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let is_told = args.data.is_some() || args.store.is_some();
        let named = match (args.data, args.store) {
            (Some(_), Some(_)) => bail!(Usage("`--data` and `--store` name two stores: give one of them".into())),
            (None, None) => match (variable("AFTERTHOUGHT_DATA"), variable("AFTERTHOUGHT_STORE")) {
                (Some(_), Some(_)) => {
                    bail!(Usage("AFTERTHOUGHT_DATA and AFTERTHOUGHT_STORE name two stores: unset one of them".into()))
                }
                (data, store) => (data.map(PathBuf::from), store.map(|store| store.to_string_lossy().into_owned())),
            },
            named => named,
        };
        let (url, folder) = match named {
            (Some(folder), _) if folder.as_os_str().is_empty() => {
                bail!(Usage("`--data` is empty: give a folder".into()))
            }
            (Some(folder), _) => return Ok(Self::embedded(folder, false)),
            (None, None) => return Ok(Self::embedded(usual_folder()?, true)),
            (None, Some(url)) => (url, usual_folder()?),
        };
        let word = |option: Option<String>, name| {
            option.or_else(|| variable(name).map(|value| value.to_string_lossy().into_owned()))
        };
        let schema = word(args.schema, "AFTERTHOUGHT_SCHEMA");
        let connections = match word(args.store_connections, "AFTERTHOUGHT_STORE_CONNECTIONS") {
            Some(number) => match number.parse() {
                Ok(number @ 1..=1_000) => number,
                _ => bail!(Usage("`--store-connections` takes a number from 1 to 1000".into())),
            },
            None => STORE_CONNECTIONS,
        };
        let location = Location::parse(&url, schema.as_deref(), connections).map_err(|invalid| Usage(invalid.0))?;
        let mut environment =
            vec![("AFTERTHOUGHT_STORE", url), ("AFTERTHOUGHT_STORE_CONNECTIONS", connections.to_string())];
        environment.extend(schema.map(|schema| ("AFTERTHOUGHT_SCHEMA", schema)));
        let folder = match &location {
            Location::Database(settings) => folder.join("databases").join(file_name(&format!(
                "{} {}",
                settings.address.without_password(),
                settings.schema
            ))),
            Location::Embedded(folder) => folder.clone(),
        };
        Ok(Self { location, usual: !is_told, folder, environment })
    }

    fn embedded(folder: PathBuf, usual: bool) -> Self {
        Self { location: Location::Embedded(folder.clone()), usual, folder, environment: Vec::new() }
    }

    /// Opens the store, making it if needed, and closes it after the work.
    pub(super) async fn open<T>(&self, work: impl AsyncFnOnce(&App) -> anyhow::Result<T>) -> anyhow::Result<T> {
        self.open_with(None, work).await
    }

    async fn open_with<T>(
        &self,
        embedder: Option<Arc<dyn Embedder>>,
        work: impl AsyncFnOnce(&App) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let app = self.app(embedder).await?;
        let worked = work(&app).await;
        let closed = app.store.close().await;
        let worth = worked?;
        closed?;
        Ok(worth)
    }

    /// Opens the store, making it if needed, with that embedding model or the built-in one; whoever asks closes it.
    pub(super) async fn app(&self, embedder: Option<Arc<dyn Embedder>>) -> anyhow::Result<App> {
        App::open_with(&self.location, embedder).await.map_err(|error| match (error, self.location.folder()) {
            (StoreError::Backend(cause), Some(folder)) => anyhow!(
                "cannot open the store in `{}`: {cause}; check its permissions or choose another with `--data`",
                folder.display()
            ),
            (StoreError::Backend(cause), None) => anyhow!("{cause}"),
            (other, _) => other.into(),
        })
    }

    /// Opens the store for a command that needs what is in it; one that does not exist is not made.
    pub(super) async fn open_existing<T>(
        &self,
        work: impl AsyncFnOnce(&App) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        self.open_existing_with(None, work).await
    }

    /// The same with another embedding model.
    pub(super) async fn open_existing_with<T>(
        &self,
        embedder: Option<Arc<dyn Embedder>>,
        work: impl AsyncFnOnce(&App) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        if self.is_vacant().await {
            let option = if self.location.folder().is_some() { "--data" } else { "--store" };
            bail!("{}: `afterthought serve` makes one, or name another with `{option}`", self.vacancy());
        }
        self.open_with(embedder, work).await
    }

    /// The folder of this machine for what is kept beside the store, such as keys, and where its service runs.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder the store itself is in, if it is in one.
    pub(super) fn store_folder(&self) -> Option<&Path> {
        self.location.folder()
    }

    /// The variables by which another process of this program finds the same database; none for a folder.
    pub(super) fn environment(&self) -> &[(&'static str, String)] {
        &self.environment
    }

    /// Whether there is no store yet. Commands that only read leave it so.
    pub(super) async fn is_vacant(&self) -> bool {
        self.location.is_vacant().await
    }

    /// The sentence on a store that is not there.
    pub(super) fn vacancy(&self) -> String {
        format!("there is no store in {self} yet")
    }

    /// The arguments with which this program forwards to the service of this store, for a client of that name. Clients keep them in
    /// files that others may read, so a password is not among them.
    pub(super) fn stdio(&self, name: &str) -> Vec<String> {
        let mut arguments = ["stdio", "--as", name].map(str::to_owned).to_vec();
        match &self.location {
            Location::Embedded(_) if self.usual => {}
            Location::Embedded(folder) => {
                // Clients start programs wherever they like.
                let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
                arguments.extend(["--data".to_owned(), folder.display().to_string()]);
            }
            // Nor do they know the variables of this shell.
            Location::Database(settings) => {
                arguments.extend(["--store".to_owned(), settings.address.without_password().to_owned()]);
                arguments.extend(["--schema".to_owned(), settings.schema.to_string()]);
            }
        }
        arguments
    }

    /// What a client lacks that starts this program by [`stdio`](Self::stdio), if anything.
    pub(super) fn missing_password(&self) -> Option<&'static str> {
        match &self.location {
            Location::Database(settings) if settings.address.held_password() => Some(
                "a client would have to keep the password of the database: put it into the file ~/.pgpass instead, and leave \
                 it out of the address",
            ),
            _ => None,
        }
    }

    /// A command on this store, as it is typed into a shell.
    pub(super) fn command(&self, command: &str) -> String {
        match &self.location {
            _ if self.usual => format!("afterthought {command}"),
            Location::Embedded(folder) => {
                format!("afterthought {command} --data {}", quoted(&folder.display().to_string()))
            }
            Location::Database(settings) => {
                let address = quoted(settings.address.without_password());
                format!("afterthought {command} --store {address} --schema {}", settings.schema)
            }
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.location {
            Location::Embedded(folder) => write!(f, "`{}`", folder.display()),
            Location::Database(settings) => write!(f, "the schema `{}` of {}", settings.schema, settings.address),
        }
    }
}

/// The platform's data folder.
fn usual_folder() -> anyhow::Result<PathBuf> {
    match ProjectDirs::from("", "", "afterthought") {
        Some(folders) => Ok(folders.data_dir().to_owned()),
        None => bail!(Usage("this user has no home folder to keep data in: give a folder with `--data`".into())),
    }
}

/// A text as the name of a file, readable as far as it goes.
fn file_name(text: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || ".-".contains(character);
    text.chars().map(|character| if plain(character) { character } else { '_' }).take(200).collect()
}

/// A text as one word of a shell.
pub(super) fn quoted(text: &str) -> String {
    let plain = |character: char| character.is_alphanumeric() || "/._-+:@%,=".contains(character);
    match text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(data: Option<&str>, store: Option<&str>, variables: &[(&str, &str)]) -> anyhow::Result<Place> {
        let args = PlaceArgs { data: data.map(PathBuf::from), store: store.map(str::to_owned), ..PlaceArgs::default() };
        Place::choose(args, |name| {
            variables.iter().find(|(variable, _)| *variable == name).map(|(_, value)| OsString::from(value))
        })
    }

    fn refusal(outcome: anyhow::Result<Place>) -> String {
        outcome.unwrap_err().downcast::<Usage>().unwrap().0
    }

    #[test]
    fn the_command_line_goes_before_the_environment() {
        let both = [("AFTERTHOUGHT_DATA", "/b"), ("AFTERTHOUGHT_STORE", "postgres://x")];
        assert_eq!(choose(Some("/a"), None, &both).unwrap().folder(), "/a");
        assert_eq!(choose(None, None, &both[..1]).unwrap().folder(), "/b");
        let named = choose(None, Some("postgres://ana:s3cret@x/n"), &both).unwrap();
        assert_eq!(named.store_folder(), None);
        assert_eq!(named.environment()[0], ("AFTERTHOUGHT_STORE", "postgres://ana:s3cret@x/n".to_owned()));
    }

    #[test]
    fn a_password_is_told_to_nobody_but_the_service() {
        let schema = [("AFTERTHOUGHT_SCHEMA", "mine"), ("AFTERTHOUGHT_STORE_CONNECTIONS", "3")];
        let place = choose(None, Some("postgres://ana:s3cret@x/n?sslmode=require"), &schema).unwrap();
        assert_eq!(
            place.command("status"),
            "afterthought status --store 'postgres://ana@x/n?sslmode=require' --schema mine"
        );
        let told = format!("{place} {:?} {:?}", place.stdio("laptop"), place.folder());
        assert!(!told.contains("s3cret") && told.contains("mine"), "{told}");
        assert!(place.missing_password().is_some());
        assert!(choose(None, Some("postgres://ana@x/n"), &[]).unwrap().missing_password().is_none());
        let wrong = [("AFTERTHOUGHT_STORE_CONNECTIONS", "many")];
        assert!(refusal(choose(None, Some("postgres://x/n"), &wrong)).contains("1 to 1000"));
    }

    #[test]
    fn two_stores_at_once_are_refused() {
        let both = [("AFTERTHOUGHT_DATA", "/b"), ("AFTERTHOUGHT_STORE", "postgres://x")];
        assert!(refusal(choose(Some("/a"), Some("postgres://x"), &[])).contains("give one of them"));
        assert!(refusal(choose(None, None, &both)).contains("unset one of them"));
    }

    #[test]
    fn an_empty_variable_is_none() {
        let empty = [("AFTERTHOUGHT_DATA", "/b"), ("AFTERTHOUGHT_STORE", "")];
        assert_eq!(choose(None, None, &empty).unwrap().folder(), "/b");
    }

    #[test]
    fn a_command_to_type_names_the_folder_unless_it_is_the_usual_one() {
        let place = choose(Some("/srv/it's here"), None, &[]).unwrap();
        assert_eq!(place.command("key list"), r"afterthought key list --data '/srv/it'\''s here'");
        assert_eq!(choose(Some("/a"), None, &[]).unwrap().command("status"), "afterthought status --data /a");
        let usual = Place::embedded("/a".into(), true);
        assert_eq!(usual.command("status"), "afterthought status");
    }
}

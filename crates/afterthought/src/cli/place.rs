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
use crate::stores::Location;

/// The options that name the store.
#[derive(Debug, Default, Args)]
pub(super) struct PlaceArgs {
    /// Keep everything in this folder [env: AFTERTHOUGHT_DATA] [default: the platform's data folder]
    #[arg(long, global = true, value_name = "DIR", help_heading = "Store")]
    data: Option<PathBuf>,
    /// Keep everything in this database, a postgres:// address [env: AFTERTHOUGHT_STORE]
    #[arg(long, global = true, value_name = "URL", help_heading = "Store")]
    store: Option<String>,
}

/// A store that may not exist yet.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    location: Location,
    /// Whether it is where a command without options looks.
    usual: bool,
}

impl Place {
    /// Decides on the store, given the options and the variables of the environment.
    pub(super) fn choose(args: PlaceArgs, variable: impl Fn(&str) -> Option<OsString>) -> anyhow::Result<Self> {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
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
        match named {
            (Some(folder), _) if folder.as_os_str().is_empty() => {
                bail!(Usage("`--data` is empty: give a folder".into()))
            }
            (Some(folder), _) => Ok(Self { location: Location::Embedded(folder), usual: false }),
            (None, Some(url)) => {
                let location = Location::parse(&url).map_err(|invalid| Usage(invalid.0))?;
                Ok(Self { location, usual: false })
            }
            (None, None) => {
                let Some(folders) = ProjectDirs::from("", "", "afterthought") else {
                    bail!(Usage("this user has no home folder to keep data in: give a folder with `--data`".into()))
                };
                Ok(Self { location: Location::Embedded(folders.data_dir().to_owned()), usual: true })
            }
        }
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
        let Location::Embedded(folder) = &self.location;
        App::open_with(&self.location, embedder).await.map_err(|error| match error {
            StoreError::Backend(cause) => anyhow!(
                "cannot open the store in `{}`: {cause}; check its permissions or choose another with `--data`",
                folder.display()
            ),
            other => other.into(),
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
            bail!("{}: `afterthought serve` makes one, or name another with `--data`", self.vacancy());
        }
        self.open_with(embedder, work).await
    }

    /// The folder the store is in, if it is in one.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.location.folder()
    }

    /// The folder of the store, for what is kept beside it.
    pub(super) fn data_folder(&self) -> anyhow::Result<&Path> {
        self.folder().ok_or_else(|| anyhow!("this needs a folder of data: give one with `--data`"))
    }

    /// Whether there is no store yet. Commands that only read leave it so.
    pub(super) async fn is_vacant(&self) -> bool {
        self.location.is_vacant().await
    }

    /// The sentence on a store that is not there.
    pub(super) fn vacancy(&self) -> String {
        let Location::Embedded(folder) = &self.location;
        format!("there is no store in `{}` yet", folder.display())
    }

    /// The arguments with which this program forwards to the service of this store, for a client of that name.
    pub(super) fn stdio(&self, name: &str) -> Vec<String> {
        let Location::Embedded(folder) = &self.location;
        let mut arguments = ["stdio", "--as", name].map(str::to_owned).to_vec();
        if !self.usual {
            // Clients start programs wherever they like.
            let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
            arguments.extend(["--data".to_owned(), folder.display().to_string()]);
        }
        arguments
    }

    /// A command on this store, as it is typed into a shell.
    pub(super) fn command(&self, command: &str) -> String {
        let Location::Embedded(folder) = &self.location;
        match self.usual {
            true => format!("afterthought {command}"),
            false => format!("afterthought {command} --data {}", quoted(&folder.display().to_string())),
        }
    }
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
        let args = PlaceArgs { data: data.map(PathBuf::from), store: store.map(str::to_owned) };
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
        assert_eq!(choose(Some("/a"), None, &both).unwrap().folder().unwrap(), "/a");
        assert_eq!(choose(None, None, &both[..1]).unwrap().folder().unwrap(), "/b");
        assert!(refusal(choose(None, Some("postgres://x"), &both)).contains("PostgreSQL"));
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
        assert_eq!(choose(None, None, &empty).unwrap().folder().unwrap(), "/b");
    }

    #[test]
    fn a_command_to_type_names_the_folder_unless_it_is_the_usual_one() {
        let place = choose(Some("/srv/it's here"), None, &[]).unwrap();
        assert_eq!(place.command("key list"), r"afterthought key list --data '/srv/it'\''s here'");
        assert_eq!(choose(Some("/a"), None, &[]).unwrap().command("status"), "afterthought status --data /a");
        let usual = Place { location: Location::Embedded("/a".into()), usual: true };
        assert_eq!(usual.command("status"), "afterthought status");
    }
}

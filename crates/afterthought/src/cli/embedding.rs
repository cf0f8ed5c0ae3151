//! Which embedding model a command uses: the built-in one, unless an address is given.

use std::ffi::OsString;
use std::sync::Arc;

use clap::Args;

use service::embed::{Embedder, Remote};
use service::remote::RemoteSettings;

use super::usage::Usage;

/// The options that name an embedding model.
#[derive(Debug, Default, Args)]
pub(super) struct EmbeddingArgs {
    /// Use the embedding model behind this OpenAI-compatible address in place of the built-in one; its key, if it needs
    /// one, is taken from AFTERTHOUGHT_EMBED_KEY [env: AFTERTHOUGHT_EMBED_URL]
    #[arg(long, value_name = "URL", help_heading = "Embedding")]
    embed_url: Option<String>,
    /// The name of that model [env: AFTERTHOUGHT_EMBED_MODEL]
    #[arg(long, value_name = "NAME", help_heading = "Embedding")]
    embed_model: Option<String>,
}

impl EmbeddingArgs {
    /// The model, given the variables of the environment; `None` for the built-in one.
    pub(super) fn embedder(
        self,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Option<Arc<dyn Embedder>>, Usage> {
        let variable = |name: &str| {
            let value = variable(name)?.to_string_lossy().into_owned();
            (!value.is_empty()).then_some(value)
        };
        let url = self.embed_url.or_else(|| variable("AFTERTHOUGHT_EMBED_URL"));
        let model = self.embed_model.or_else(|| variable("AFTERTHOUGHT_EMBED_MODEL"));
        match (url, model) {
            (None, None) => Ok(None),
            (None, Some(_)) => {
                Err(Usage("the name of an embedding model needs its address: give `--embed-url` too".into()))
            }
            (Some(_), None) => {
                Err(Usage("the address of an embedding model needs its name: give `--embed-model` too".into()))
            }
            (Some(url), Some(model)) => {
                let key = variable("AFTERTHOUGHT_EMBED_KEY");
                let remote = Remote::new(RemoteSettings { url, model, key });
                let remote = remote.map_err(|invalid| Usage(format!("`--embed-url`: {invalid}")))?;
                Ok(Some(Arc::new(remote)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model_id(
        url: Option<&str>,
        model: Option<&str>,
        environment: &[(&str, &str)],
    ) -> Result<Option<String>, String> {
        let args = EmbeddingArgs { embed_url: url.map(str::to_owned), embed_model: model.map(str::to_owned) };
        let find = |name: &str| environment.iter().find(|(given, _)| *given == name).map(|(_, value)| value.into());
        let embedder = args.embedder(find).map_err(|usage| usage.to_string())?;
        Ok(embedder.map(|embedder| embedder.model_id().to_owned()))
    }

    #[test]
    fn the_built_in_model_is_used_unless_an_address_is_given() {
        assert_eq!(model_id(None, None, &[("AFTERTHOUGHT_EMBED_URL", "")]), Ok(None));
        let environment = [("AFTERTHOUGHT_EMBED_URL", "http://host"), ("AFTERTHOUGHT_EMBED_MODEL", "large")];
        assert_eq!(model_id(None, None, &environment), Ok(Some("remote:large".into())));
        assert_eq!(model_id(None, Some("small"), &environment), Ok(Some("remote:small".into())));
    }

    #[test]
    fn half_of_a_model_is_refused() {
        assert!(model_id(Some("http://host"), None, &[]).is_err());
        assert!(model_id(None, Some("small"), &[]).is_err());
        assert!(model_id(Some("host"), Some("small"), &[]).is_err());
    }
}

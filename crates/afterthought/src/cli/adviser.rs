//! Which language model is asked about edit requests the rules do not understand: none, unless an address is given.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use service::adviser::{Adviser, RemoteChat};
use service::remote::RemoteSettings;

use super::usage::Usage;

/// How long a model may take when nothing else is said: one on a small machine needs its time, a caller has little.
const SECONDS_DEFAULT: u64 = 20;

/// Callers give up long before this.
const SECONDS_MAX: u64 = 300;

/// The options that name a language model.
#[derive(Debug, Default, Args)]
pub(super) struct AdviserArgs {
    /// Ask the language model behind this OpenAI-compatible address about edit requests that the rules do not understand;
    /// its key, if it needs one, is taken from AFTERTHOUGHT_LLM_KEY [env: AFTERTHOUGHT_LLM_URL]
    #[arg(long, value_name = "URL", help_heading = "Language model")]
    llm_url: Option<String>,
    /// The name of that model [env: AFTERTHOUGHT_LLM_MODEL]
    #[arg(long, value_name = "NAME", help_heading = "Language model")]
    llm_model: Option<String>,
    /// How many seconds it may take, 1 to 300 [env: AFTERTHOUGHT_LLM_TIMEOUT] [default: 20]
    #[arg(long, value_name = "SECONDS", help_heading = "Language model")]
    llm_timeout: Option<String>,
}

impl AdviserArgs {
    /// The model, given the variables of the environment; `None` if none is to be asked.
    pub(super) fn adviser(self, variable: impl Fn(&str) -> Option<OsString>) -> Result<Option<Adviser>, Usage> {
        let variable = |name: &str| {
            let value = variable(name)?.to_string_lossy().into_owned();
            (!value.is_empty()).then_some(value)
        };
        let url = self.llm_url.or_else(|| variable("AFTERTHOUGHT_LLM_URL"));
        let model = self.llm_model.or_else(|| variable("AFTERTHOUGHT_LLM_MODEL"));
        let seconds = self.llm_timeout.or_else(|| variable("AFTERTHOUGHT_LLM_TIMEOUT"));
        let time_limit = seconds.map_or(Ok(Duration::from_secs(SECONDS_DEFAULT)), |text| time_limit(&text))?;
        match (url, model) {
            (None, None) => Ok(None),
            (None, Some(_)) => {
                Err(Usage("the name of a language model needs its address: give `--llm-url` too".into()))
            }
            (Some(_), None) => {
                Err(Usage("the address of a language model needs its name: give `--llm-model` too".into()))
            }
            (Some(url), Some(model)) => {
                let key = variable("AFTERTHOUGHT_LLM_KEY");
                let chat = RemoteChat::new(RemoteSettings { url, model, key });
                let chat = chat.map_err(|invalid| Usage(format!("`--llm-url`: {invalid}")))?;
                Ok(Some(Adviser::new(Arc::new(chat), time_limit)))
            }
        }
    }
}

fn time_limit(text: &str) -> Result<Duration, Usage> {
    match text.parse() {
        Ok(seconds @ 1..=SECONDS_MAX) => Ok(Duration::from_secs(seconds)),
        _ => Err(Usage(format!("`--llm-timeout` is a number of seconds, 1 to {SECONDS_MAX}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_asked(args: [Option<&str>; 3], environment: &[(&str, &str)]) -> Result<bool, String> {
        let [llm_url, llm_model, llm_timeout] = args.map(|value| value.map(str::to_owned));
        let args = AdviserArgs { llm_url, llm_model, llm_timeout };
        let find = |name: &str| environment.iter().find(|(given, _)| *given == name).map(|(_, value)| value.into());
        args.adviser(find).map(|adviser| adviser.is_some()).map_err(|usage| usage.to_string())
    }

    #[test]
    fn no_model_is_asked_unless_an_address_is_given() {
        assert_eq!(is_asked([None; 3], &[("AFTERTHOUGHT_LLM_URL", ""), ("AFTERTHOUGHT_LLM_KEY", "k")]), Ok(false));
        let environment = [("AFTERTHOUGHT_LLM_URL", "http://host"), ("AFTERTHOUGHT_LLM_MODEL", "large")];
        assert_eq!(is_asked([None; 3], &environment), Ok(true));
        assert_eq!(is_asked([Some("http://host"), Some("small"), Some("5")], &[]), Ok(true));
    }

    #[test]
    fn half_of_a_model_and_a_wrong_time_limit_are_refused() {
        for args in [
            [Some("http://host"), None, None],
            [None, Some("small"), None],
            [Some("host"), Some("small"), None],
            [Some("http://host"), Some("small"), Some("0")],
            [Some("http://host"), Some("small"), Some("soon")],
        ] {
            assert!(is_asked(args, &[]).is_err(), "{args:?}");
        }
    }
}

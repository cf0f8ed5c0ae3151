//! Signing in and out.

use hyper::StatusCode;
use serde::Deserialize;
use serde_json::json;

use super::asked::{Asked, Body};
use super::endpoint::AppEndpoint;
use super::fault::Fault;
use super::shapes;
use crate::http::reply::{self, Reply};

/// What somebody signs in with: one of the two.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignIn {
    link: Option<String>,
    key: Option<String>,
}

impl AppEndpoint {
    /// Starts a session for whoever has a link or a key.
    pub(super) async fn sign_in(&self, head: &hyper::http::request::Parts, body: &Body) -> Result<Reply, Fault> {
        let started = match body.json(head).await? {
            SignIn { link: Some(link), key: None } => {
                let started = self.sessions.sign_in_with_link(link.trim()).await?;
                started.ok_or(Fault::BadSignIn(
                    "the link does not work any more: make a fresh one with `afterthought open`",
                ))?
            }
            SignIn { link: None, key: Some(key) } => {
                const BAD_KEY: Fault = Fault::BadSignIn("the key is not valid: it is unknown or has been revoked");
                let caller = self.keyring.verify(key.trim()).await?.ok_or(BAD_KEY)?;
                self.rate_limit.check(&caller)?;
                let key = caller.key.ok_or(BAD_KEY)?;
                self.sessions.sign_in_with_key(key).await?.ok_or(BAD_KEY)?
            }
            _ => return Err(Fault::Unreadable("give either `link` or `key`".to_owned())),
        };
        let (token, session) = started;
        let answer = json!({ "token": token.reveal(), "session": shapes::session(&session) });
        Ok(reply::json(StatusCode::CREATED, answer.to_string()))
    }

    pub(super) fn session(asked: &Asked) -> Result<Reply, Fault> {
        Ok(reply::json(StatusCode::OK, json!({ "session": shapes::session(&asked.session) }).to_string()))
    }

    pub(super) async fn sign_out(&self, asked: &Asked) -> Result<Reply, Fault> {
        self.sessions.sign_out(&asked.token).await?;
        Ok(reply::empty(StatusCode::NO_CONTENT))
    }
}

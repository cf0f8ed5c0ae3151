//! Keys: read by whoever is signed in, made and revoked by the owner alone.

use hyper::StatusCode;
use serde::Deserialize;
use serde_json::json;

use model::KeyName;
use service::auth::AuthError;
use store::StoreError;

use super::asked::Asked;
use super::endpoint::AppEndpoint;
use super::fault::Fault;
use super::shapes;
use crate::http::reply::{self, Reply};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewKey {
    name: String,
}

impl AppEndpoint {
    pub(super) async fn list_keys(&self, asked: &Asked) -> Result<Reply, Fault> {
        let keys = self.keyring.list_keys(Some(asked.caller.account)).await.map_err(store_error)?;
        let keys: Vec<_> = keys.iter().map(shapes::key).collect();
        let answer = json!({ "keys": keys, "may_change": asked.session.is_owners() });
        Ok(reply::json(StatusCode::OK, answer.to_string()))
    }

    pub(super) async fn create_key(&self, asked: &Asked) -> Result<Reply, Fault> {
        asked.owner_only()?;
        let NewKey { name } = asked.json().await?;
        let created = self.keyring.create_key(asked.caller.account, name.parse::<KeyName>()?).await;
        let (secret, key) = created.map_err(store_error)?;
        let answer = json!({ "key": shapes::key(&key), "secret": secret.reveal() });
        Ok(reply::json(StatusCode::CREATED, answer.to_string()))
    }

    pub(super) async fn revoke_key(&self, asked: &Asked, id: &str) -> Result<Reply, Fault> {
        asked.owner_only()?;
        let Ok(id) = id.parse() else { return Err(Fault::Absent("key")) };
        let revoked = self.keyring.revoke_key_of(asked.caller.account, id).await?;
        let key = revoked.ok_or(Fault::Absent("key"))?;
        Ok(reply::json(StatusCode::OK, json!({ "key": shapes::key(&key) }).to_string()))
    }
}

/// The other errors are of names and prefixes, which are not given here.
fn store_error(error: AuthError) -> Fault {
    match error {
        AuthError::Store(error) => Fault::Store(error),
        other => Fault::Store(StoreError::backend(other)),
    }
}

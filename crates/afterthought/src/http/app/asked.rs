//! A request of the app's page from somebody who may ask.

use std::time::Duration;

use hyper::body::Incoming;
use hyper::http::request::Parts;
use parking_lot::Mutex;
use serde::de::DeserializeOwned;

use model::{Caller, Session};

use super::fault::Fault;
use super::query::Query;
use crate::http::refusal::Refusal as Denial;
use crate::http::{body, negotiate};

/// A request with who is asking.
pub(super) struct Asked {
    /// Who.
    pub(super) session: Session,
    /// The same, for the rules.
    pub(super) caller: Caller,
    /// The token of the session.
    pub(super) token: String,
    pub(super) head: Parts,
    pub(super) body: Body,
}

/// A body that has not been read, and how much of it may be.
pub(super) struct Body {
    /// `None` once it has been taken.
    incoming: Mutex<Option<Incoming>>,
    bytes_max: usize,
    timeout: Duration,
}

impl Asked {
    /// What follows the `?` of the address.
    pub(super) fn query(&self, names: &[&str]) -> Result<Query, Fault> {
        Query::parse(self.head.uri.query().unwrap_or_default(), names)
    }

    /// The body, read as JSON.
    pub(super) async fn json<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        self.body.json(&self.head).await
    }

    /// Refuses whoever is not the owner of the account.
    pub(super) fn owner_only(&self) -> Result<(), Fault> {
        if self.session.is_owners() { Ok(()) } else { Err(Fault::OwnerOnly) }
    }
}

impl Body {
    pub(super) fn new(incoming: Incoming, bytes_max: usize, timeout: Duration) -> Self {
        Self { incoming: Mutex::new(Some(incoming)), bytes_max, timeout }
    }

    /// The body as it arrives, for whoever reads it piece by piece.
    pub(super) fn take(&self) -> Result<Incoming, Fault> {
        self.incoming.lock().take().ok_or(Fault::Denied(Denial::BodyBroken))
    }

    /// Gives back what was not read to its end.
    pub(super) fn put_back(&self, incoming: Incoming) {
        *self.incoming.lock() = Some(incoming);
    }

    /// All of its bytes, up to a limit.
    pub(super) async fn bytes(&self, bytes_max: usize) -> Result<bytes::Bytes, Fault> {
        let mut incoming = self.take()?;
        let read = body::read(&mut incoming, bytes_max, self.timeout).await;
        // What was left unread is for whoever discards it.
        self.put_back(incoming);
        Ok(read?)
    }

    /// Its JSON.
    pub(super) async fn json<T: DeserializeOwned>(&self, head: &Parts) -> Result<T, Fault> {
        negotiate::check_content(&head.headers)?;
        let bytes = self.bytes(self.bytes_max).await?;
        serde_json::from_slice(&bytes).map_err(|error| {
            let said = error.to_string();
            Fault::Unreadable(said.split(" at line ").next().unwrap_or_default().to_owned())
        })
    }

    /// How long a piece of it may take.
    pub(super) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// What nobody has read.
    pub(super) fn rest(self) -> Option<Incoming> {
        self.incoming.into_inner()
    }
}

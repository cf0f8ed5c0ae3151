//! The copies of the service that use one store.

use std::time::Duration;

use async_trait::async_trait;

use crate::error::StoreError;

/// Which copies of the service run. A store that is a folder of one machine keeps nothing of this: whoever serves it writes a file into
/// that folder.
#[async_trait]
pub trait Copies: Send + Sync {
    /// Says that a copy runs; to be said again every few seconds for as long as it does.
    async fn announce(&self, copy: &RunningCopy) -> Result<(), StoreError>;

    /// Says that a copy runs no more, by what it calls itself.
    async fn withdraw(&self, instance: &str) -> Result<(), StoreError>;

    /// The copies that said so within that time, the latest first. Whether they still run is for them to answer.
    async fn copies(&self, within: Duration) -> Result<Vec<RunningCopy>, StoreError>;
}

/// A copy of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunningCopy {
    /// What it calls itself: no other start of any service has the same.
    pub instance: String,
    /// Where it can be reached, such as `http://127.0.0.1:8720`.
    pub origin: String,
    /// The number of its process, on whichever machine.
    pub process: u32,
}

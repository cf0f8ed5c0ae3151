//! The running service of a store: the one of this machine, as the folder beside the store says, or any that the database knows of.

use std::time::Duration;

use store::RunningCopy;

use super::forward;
use super::place::Place;
use crate::running::{self, Running};

/// A copy that runs said so within this time: it does every five seconds.
const LATELY: Duration = Duration::from_secs(20);

/// The service of a store, if one runs and can be reached from here. Waits for some seconds at most.
pub(super) fn find(place: &Place) -> Option<Running> {
    running::find(place.folder()).or_else(|| {
        let copies = known(place);
        let is_one_of_them = |said: String| copies.iter().any(|copy| said.contains(&copy.instance));
        // Before several copies there may be one address for all of them, where any may answer.
        let reached = copies.iter().find(|copy| forward::health(&copy.origin).is_some_and(is_one_of_them))?;
        Some(Running { origin: reached.origin.clone(), process: reached.process })
    })
}

/// The copies that the database knows of, on whichever machine; none for a folder, or where the database cannot be asked.
pub(super) fn known(place: &Place) -> Vec<RunningCopy> {
    if place.store_folder().is_some() {
        return Vec::new();
    }
    let ask = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
        runtime.block_on(place.open_existing(async |app| Ok(app.store.copies(LATELY).await?))).ok()
    };
    // Whoever calls may be part of a runtime, where no other may be waited for.
    let asked = std::thread::scope(|scope| scope.spawn(ask).join());
    asked.ok().flatten().unwrap_or_default()
}

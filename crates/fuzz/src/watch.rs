//! Ends a run in which one input takes for ever, and tells which it was; also whichever ended the whole process.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::saving::save;

/// No input takes this long.
const PATIENCE: Duration = Duration::from_secs(120);

/// A long input may overflow the stack, which nothing catches: it is saved before it is tried.
const SAVED_BYTES: usize = 4096;

/// Watches the inputs of one target.
pub(crate) struct Watch {
    name: &'static str,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    input: Mutex<Vec<u8>>,
    number: AtomicU64,
    ended: AtomicBool,
}

impl Watch {
    pub(crate) fn start(name: &'static str) -> Self {
        let state = Arc::new(State::default());
        let watched = state.clone();
        std::thread::spawn(move || {
            let mut seen = u64::MAX;
            while !watched.ended.load(Ordering::Relaxed) {
                let number = watched.number.load(Ordering::Relaxed);
                if number == seen {
                    let saved = save(name, "endless", &watched.input.lock().unwrap());
                    println!("`{name}` does not end on {}", saved.display());
                    std::process::abort();
                }
                seen = number;
                std::thread::sleep(PATIENCE);
            }
        });
        Self { name, state }
    }

    /// Notes the input that is tried next.
    pub(crate) fn begin(&self, input: &[u8]) {
        let mut noted = self.state.input.lock().unwrap();
        noted.clear();
        noted.extend_from_slice(input);
        self.state.number.fetch_add(1, Ordering::Relaxed);
        if input.len() > SAVED_BYTES {
            save(self.name, "last-long", input);
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.state.ended.store(true, Ordering::Relaxed);
    }
}

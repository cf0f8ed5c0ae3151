//! The stream of changes that open pages follow: JSON Lines, for as long as the page and its session last.
//!
//! What changed is looked up every second rather than told by whoever changed it: other processes change things too.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tracing::debug;

use service::auth::{Look, Sessions};
use service::memory::Memory;
use store::ChangeMark;

use super::asked::Asked;
use super::endpoint::AppEndpoint;
use super::fault::Fault;
use super::streams::Place;
use crate::http::reply::{self, Reply};
use crate::http::reply_body::{ClientGone, Pieces, ReplyBody};

/// How often a page hears of what has changed.
const EVERY: Duration = Duration::from_secs(1);

/// How often a line is sent where nothing has changed: nobody in between takes the connection for dead, and a page that has gone is
/// noticed.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// How many thoughts are named at most; beyond that a page does better to load what it shows again.
const NAMED_MAX: usize = 200;

impl AppEndpoint {
    /// Starts a stream of what changes from now on.
    pub(super) async fn changes(&self, asked: &Asked) -> Result<Reply, Fault> {
        let place = self.streams.take(asked.caller.account);
        let start = self.memory.changes(place.account, None, NAMED_MAX).await?;
        let (pieces, body) = ReplyBody::streamed();
        let follower = Follower {
            memory: self.memory.clone(),
            sessions: self.sessions.clone(),
            token: asked.token.clone(),
            mark: start.mark,
            place,
            pieces,
        };
        tokio::spawn(follower.run(self.stopping.clone()));
        Ok(reply::streamed("application/x-ndjson", body))
    }
}

/// Tells one page.
struct Follower {
    memory: Memory,
    sessions: Sessions,
    token: String,
    mark: ChangeMark,
    place: Place,
    pieces: Pieces,
}

impl Follower {
    /// Goes on until the page has gone or makes way, the session has ended or the service stops.
    async fn run(mut self, mut stopping: watch::Receiver<bool>) {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut told_at = Instant::now();
        if self.say(&json!({ "type": "ready" })).await.is_err() {
            return;
        }
        loop {
            tokio::select! {
                _ = ticks.tick() => {}
                () = self.pieces.gone() => return,
                () = self.place.dismissed() => return,
                _ = stopping.wait_for(|stops| *stops) => return,
            }
            let said = match self.look().await {
                Some(line) => self.say(&line).await.map(|()| told_at = Instant::now()),
                None if told_at.elapsed() >= HEARTBEAT => {
                    told_at = Instant::now();
                    self.pieces.send("\n").await
                }
                None => Ok(()),
            };
            if said.is_err() || self.token.is_empty() {
                return;
            }
        }
    }

    /// What there is to say now. The token is forgotten when its session has ended.
    async fn look(&mut self) -> Option<Value> {
        // A store that is out of reach for a moment is no reason to send anybody away.
        let session = self.sessions.verify(&self.token, Look::Watch).await.inspect_err(|error| debug!(%error)).ok()?;
        if session.is_none() {
            self.token.clear();
            return Some(json!({ "type": "ended" }));
        }
        let changes = self.memory.changes(self.place.account, Some(self.mark), NAMED_MAX).await;
        let changes = changes.inspect_err(|error| debug!(%error)).ok()?;
        self.mark = changes.mark;
        if changes.more {
            return Some(json!({ "type": "many" }));
        }
        let ids: Vec<String> = changes.thoughts.iter().map(ToString::to_string).collect();
        (!ids.is_empty()).then(|| json!({ "type": "thoughts", "ids": ids }))
    }

    async fn say(&self, line: &Value) -> Result<(), ClientGone> {
        self.pieces.send(format!("{line}\n")).await
    }
}

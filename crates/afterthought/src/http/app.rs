//! The app: the page a person opens in a browser, and the JSON it speaks with the service.
//!
//! A second way into the same `memory` as MCP, for people. It is no public interface: nothing but the page may rely on it.
//!
//! - The page is the same for everybody and needs no key; everything else needs a session, sent in a header by a page of this very
//!   service. Keys open none of it, and sessions open nothing else.
//! - Everything is bounded: what is asked, what is answered, and how many pages follow along.

mod asked;
mod changes;
mod endpoint;
mod entities;
mod fault;
mod history;
mod ids;
mod keys;
mod list;
mod notes;
mod overview;
mod pages;
mod query;
mod sessions;
mod shapes;
mod streams;
mod thoughts;
mod transfer;
#[cfg(test)]
mod fuzz;

pub(super) use endpoint::{AppEndpoint, ROOT};
pub(super) use pages::page;

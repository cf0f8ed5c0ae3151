//! The two living generations of MCP and their versions.

/// The versions of the handshake generation, oldest first.
pub(super) const HANDSHAKE_VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The version a handshake settles on when the asked one is none of them.
pub(super) const HANDSHAKE_VERSION_LATEST: &str = HANDSHAKE_VERSIONS[HANDSHAKE_VERSIONS.len() - 1];

/// The version of the stateless generation.
pub(super) const STATELESS_VERSION: &str = "2026-07-28";

/// The stateless generation's way to ask what a server is.
pub(super) const DISCOVER: &str = "server/discover";

/// A generation of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generation {
    /// 2024-11-05 to 2025-11-25, and the bare calls with no handshake at all.
    Handshake,
    /// 2026-07-28.
    Stateless,
}

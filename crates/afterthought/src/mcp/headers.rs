//! The headers in which the stateless generation repeats its body.

use std::borrow::Cow;

use super::error::Fault;
use super::generation::{DISCOVER, Generation, HANDSHAKE_VERSIONS};

/// The headers in which the stateless generation repeats its body.
#[derive(Debug, Default)]
pub struct Headers<'a> {
    /// `MCP-Protocol-Version`.
    pub protocol_version: Option<Cow<'a, str>>,
    /// `Mcp-Method`.
    pub method: Option<Cow<'a, str>>,
    /// `Mcp-Name`.
    pub name: Option<Cow<'a, str>>,
}

impl Headers<'_> {
    /// Which generation a request with this method belongs to, as far as headers and method tell.
    pub(super) fn shown_generation(&self, method: &str) -> Generation {
        let version = self.protocol_version.as_deref();
        match method == DISCOVER || version.is_some_and(|version| !HANDSHAKE_VERSIONS.contains(&version)) {
            true => Generation::Stateless,
            false => Generation::Handshake,
        }
    }
}

/// A text as a header says it: plainly where a header can, else in base64.
pub fn header_value(text: &str) -> Cow<'_, str> {
    let is_plain = text.trim() == text && text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    match is_plain && !text.starts_with("=?base64?") {
        true => text.into(),
        false => format!("=?base64?{}?=", base64(text.as_bytes())).into(),
    }
}

/// Checks that a header says what the body says, plainly or in base64.
pub(super) fn same(header: &str, value: Option<&str>, body: &str) -> Result<(), Fault> {
    let Some(value) = value else {
        return Err(Fault::header_mismatch(format!("the header `{header}` is missing")));
    };
    let encoded = || value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
    if value == body || encoded().is_some_and(|encoded| encoded == base64(body.as_bytes())) {
        return Ok(());
    }
    Err(Fault::header_mismatch(format!("the header `{header}` does not equal the body")))
}

/// Standard base64 with padding. Encoding what is expected is shorter than decoding what was sent, and admits one
/// spelling only.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for sextet in 0..4 {
            let index = (bits >> (18 - 6 * sextet)) & 63;
            encoded.push(if sextet > chunk.len() { '=' } else { char::from(ALPHABET[index as usize]) });
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_header_says_equals_the_body() {
        for text in ["capture_thought", "größer", " a", "a\nb", "=?base64?x?=", ""] {
            assert!(same("Mcp-Name", Some(&header_value(text)), text).is_ok(), "{text:?}");
        }
        assert_eq!(header_value("größer"), "=?base64?Z3LDtsOfZXI=?=");
    }

    #[test]
    fn base64_is_padded() {
        let encoded = ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes()));
        assert_eq!(encoded, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
    }
}

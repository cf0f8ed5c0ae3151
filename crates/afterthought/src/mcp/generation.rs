//! The two living generations of MCP: how a request shows which one it belongs to, and what the stateless one demands.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::error::Fault;
use super::message::{Request, is_object, string};
use super::{Headers, Method};

/// The versions of the handshake generation, oldest first.
pub(super) const HANDSHAKE_VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The version a handshake settles on when the asked one is none of them.
pub(super) const HANDSHAKE_VERSION_LATEST: &str = HANDSHAKE_VERSIONS[HANDSHAKE_VERSIONS.len() - 1];

/// The version of the stateless generation.
pub(super) const STATELESS_VERSION: &str = "2026-07-28";

/// The stateless generation's way to ask what a server is.
pub(super) const DISCOVER: &str = "server/discover";

const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// A generation of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generation {
    /// 2024-11-05 to 2025-11-25, and the bare calls with no handshake at all.
    Handshake,
    /// 2026-07-28.
    Stateless,
}

/// The parameters of a request, each looked at only by the method that has it.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Params<'a> {
    #[serde(borrow, default)]
    pub(super) name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) arguments: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "protocolVersion")]
    pub(super) protocol_version: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
struct Meta<'a> {
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<&'a RawValue>,
}

impl<'a> Params<'a> {
    /// Reads the parameters of a request; absent ones are empty.
    pub(super) fn of(request: &Request<'a>, headers: &Headers<'_>) -> Result<Self, Fault> {
        let Some(params) = request.params else { return Ok(Self::default()) };
        if !is_object(params.get()) {
            // What has no members lacks `_meta`, and that is what the stateless generation is told first.
            return match Generation::shown_by(headers, &request.method) {
                Generation::Stateless => Err(Fault::meta_missing(META_VERSION)),
                // Of a method that does not exist, nothing else is worth saying.
                generation @ Generation::Handshake if Method::of(request, generation) == Method::Other => {
                    Ok(Self::default())
                }
                Generation::Handshake => Err(Fault::invalid_params("`params` must be an object")),
            };
        }
        serde_json::from_str(params.get())
            .map_err(|error| Fault::invalid_params(format!("`params` cannot be read: {error}")))
    }

    fn meta(&self) -> Result<Meta<'a>, Fault> {
        let Some(meta) = self.meta else { return Ok(Meta::default()) };
        if !is_object(meta.get()) {
            return Err(Fault::invalid_params("`params._meta` must be an object"));
        }
        serde_json::from_str(meta.get())
            .map_err(|error| Fault::invalid_params(format!("`params._meta` cannot be read: {error}")))
    }
}

impl Generation {
    /// Which generation a request belongs to, as far as its headers and method tell.
    pub(super) fn shown_by(headers: &Headers<'_>, method: &str) -> Self {
        let version = headers.protocol_version.as_deref();
        let stateless = method == DISCOVER || version.is_some_and(|version| !HANDSHAKE_VERSIONS.contains(&version));
        if stateless { Self::Stateless } else { Self::Handshake }
    }

    /// Which generation a request belongs to. For the stateless one it is also checked, in the order its clients
    /// expect: what `_meta` must carry, that the headers say the same, that the version is spoken here.
    pub(super) fn of(request: &Request<'_>, params: &Params<'_>, headers: &Headers<'_>) -> Result<Self, Fault> {
        let meta = params.meta()?;
        if meta.version.is_none() && Self::shown_by(headers, &request.method) == Self::Handshake {
            return Ok(Self::Handshake);
        }
        let Some(version) = meta.version.and_then(string) else { return Err(Fault::meta_missing(META_VERSION)) };
        if !meta.capabilities.is_some_and(|capabilities| is_object(capabilities.get())) {
            return Err(Fault::meta_missing(META_CAPABILITIES));
        }
        same("MCP-Protocol-Version", headers.protocol_version.as_deref(), &version)?;
        same("Mcp-Method", headers.method.as_deref(), &request.method)?;
        if request.method == "tools/call" {
            match params.name.and_then(string) {
                Some(name) => same("Mcp-Name", headers.name.as_deref(), &name)?,
                None if headers.name.is_some() => {
                    return Err(Fault::header_mismatch("the header `Mcp-Name` does not equal the body"));
                }
                None => {}
            }
        }
        if version != STATELESS_VERSION {
            return Err(Fault::unsupported_version(&version));
        }
        Ok(Self::Stateless)
    }
}

/// Checks that a header says what the body says, plainly or in base64.
fn same(header: &str, value: Option<&str>, body: &str) -> Result<(), Fault> {
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
    use super::super::error::FaultKind;
    use super::super::message::{Message, decode};
    use super::*;

    fn generation(body: &str, headers: [Option<&str>; 3]) -> Result<Generation, FaultKind> {
        let Ok(Message::Request(request)) = decode(body.as_bytes()) else { panic!("{body}") };
        let [version, method, name] = headers.map(|header| header.map(Into::into));
        let headers = Headers { protocol_version: version, method, name };
        let params = Params::of(&request, &headers).expect("params are an object");
        Generation::of(&request, &params, &headers).map_err(|fault| fault.kind)
    }

    fn call(version: &str, capabilities: &str) -> String {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"ä","_meta":{{
                "io.modelcontextprotocol/protocolVersion":{version},
                "io.modelcontextprotocol/clientCapabilities":{capabilities}}}}}}}"#
        )
    }

    const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    const DISCOVER: &str = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#;

    #[test]
    fn a_bare_call_and_every_handshake_version_belong_to_the_handshake_generation() {
        assert_eq!(generation(LIST, [None; 3]), Ok(Generation::Handshake));
        for version in HANDSHAKE_VERSIONS {
            assert_eq!(generation(LIST, [Some(version), None, None]), Ok(Generation::Handshake));
        }
    }

    #[test]
    fn a_name_may_come_plain_or_in_base64() {
        let body = call(r#""2026-07-28""#, "{}");
        for name in ["ä", "=?base64?w6Q=?="] {
            let headers = [Some("2026-07-28"), Some("tools/call"), Some(name)];
            assert_eq!(generation(&body, headers), Ok(Generation::Stateless));
        }
    }

    #[test]
    fn headers_must_equal_the_body() {
        let body = call(r#""2026-07-28""#, "{}");
        let good = [Some("2026-07-28"), Some("tools/call"), Some("ä")];
        for (index, wrong) in [(0, None), (0, Some("2025-06-18")), (1, None), (1, Some("tools/list")), (2, None)] {
            let mut headers = good;
            headers[index] = wrong;
            assert_eq!(generation(&body, headers), Err(FaultKind::HeaderMismatch), "{headers:?}");
        }
    }

    #[test]
    fn missing_meta_is_told_before_wrong_headers_and_those_before_a_wrong_version() {
        assert_eq!(generation(DISCOVER, [Some("2026-07-28"), None, None]), Err(FaultKind::MetaMissing));
        assert_eq!(generation(LIST, [Some("v999"), None, None]), Err(FaultKind::MetaMissing));
        assert_eq!(generation(&call("7", "{}"), [None; 3]), Err(FaultKind::MetaMissing));
        assert_eq!(generation(&call(r#""2026-07-28""#, "[]"), [None; 3]), Err(FaultKind::MetaMissing));
        let unknown = call(r#""v999""#, "{}");
        let headers = |version| [Some(version), Some("tools/call"), Some("ä")];
        assert_eq!(generation(&unknown, headers("2026-07-28")), Err(FaultKind::HeaderMismatch));
        assert_eq!(generation(&unknown, headers("v999")), Err(FaultKind::UnsupportedVersion));
    }

    #[test]
    fn base64_is_padded() {
        let encoded = ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes()));
        assert_eq!(encoded, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
    }
}

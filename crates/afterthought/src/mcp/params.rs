//! The parameters of a request: what a method reads of them, and what the stateless generation demands.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::error::Fault;
use super::generation::{Generation, STATELESS_VERSION};
use super::headers::{Headers, same};
use super::message::{Request, is_object, string};
use super::method::Method;

const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

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
            return match headers.shown_generation(&request.method) {
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

    /// Which generation a request belongs to. For the stateless one it is also checked, in the order its clients
    /// expect: what `_meta` must carry, that the headers say the same, that the version is spoken here.
    pub(super) fn generation(&self, request: &Request<'_>, headers: &Headers<'_>) -> Result<Generation, Fault> {
        let meta = self.meta()?;
        if meta.version.is_none() && headers.shown_generation(&request.method) == Generation::Handshake {
            return Ok(Generation::Handshake);
        }
        let Some(version) = meta.version.and_then(string) else { return Err(Fault::meta_missing(META_VERSION)) };
        if !meta.capabilities.is_some_and(|capabilities| is_object(capabilities.get())) {
            return Err(Fault::meta_missing(META_CAPABILITIES));
        }
        same("MCP-Protocol-Version", headers.protocol_version.as_deref(), &version)?;
        same("Mcp-Method", headers.method.as_deref(), &request.method)?;
        if request.method == "tools/call" {
            match self.name.and_then(string) {
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
        Ok(Generation::Stateless)
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

#[cfg(test)]
mod tests {
    use super::super::error::FaultKind;
    use super::super::generation::HANDSHAKE_VERSIONS;
    use super::super::message::{Message, decode};
    use super::*;

    fn generation(body: &str, headers: [Option<&str>; 3]) -> Result<Generation, FaultKind> {
        let Ok(Message::Request(request)) = decode(body.as_bytes()) else { panic!("{body}") };
        let [version, method, name] = headers.map(|header| header.map(Into::into));
        let headers = Headers { protocol_version: version, method, name };
        let params = Params::of(&request, &headers).expect("params are an object");
        params.generation(&request, &headers).map_err(|fault| fault.kind)
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
}

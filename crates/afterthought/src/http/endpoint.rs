//! `POST /api/mcp`: lets a request in or refuses it, in one fixed order, and hands it on.
//!
//! The order is part of the interface: method, `Host` and `Origin`, key, rate limit, `Accept`, `Content-Type`, size, then
//! what MCP checks. Nothing of the body is read before the key has been found good.

use std::borrow::Cow;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::ACCESS_CONTROL_REQUEST_METHOD;
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, Request};
use tracing::error;

use model::Caller;
use service::auth::Keyring;

use super::bearer::bearer_token;
use super::exchange::Exchange;
use super::origin::Allowed;
use super::rate::RateLimit;
use super::refusal::Refusal;
use super::reply::{self, Format};
use super::settings::Settings;
use super::{body, negotiate};
use crate::mcp::{self, Answer, Mcp};

/// What stands between a connection and MCP.
pub(super) struct McpEndpoint {
    mcp: Mcp,
    keyring: Keyring,
    allowed: Allowed,
    rate_limit: Arc<RateLimit>,
    body_bytes_max: usize,
    body_timeout: Duration,
}

impl McpEndpoint {
    /// Puts the checks in front of MCP, for a service that listens on `address`.
    pub(super) fn new(
        mcp: Mcp,
        keyring: Keyring,
        rate_limit: Arc<RateLimit>,
        settings: &Settings,
        address: SocketAddr,
    ) -> Self {
        Self {
            mcp,
            keyring,
            allowed: Allowed::new(settings, address),
            rate_limit,
            body_bytes_max: settings.body_bytes_max,
            body_timeout: settings.body_timeout,
        }
    }

    /// Serves one request at the MCP endpoint.
    pub(super) async fn exchange(&self, request: Request<Incoming>) -> Exchange {
        let (head, body) = request.into_parts();
        // A browser hands a page only what says that the page may have it, and asks for that beforehand.
        let Some(page) = self.allowed.page(&head) else { return self.answer(&head, body).await };
        let mut exchange = match is_preflight(&head) {
            true => Exchange { reply: reply::preflight(), key: None, method: None, outcome: "ok" },
            false => self.answer(&head, body).await,
        };
        reply::let_page_read(&mut exchange.reply, page);
        exchange
    }

    async fn answer(&self, head: &Parts, mut body: Incoming) -> Exchange {
        let caller = match self.let_in(head).await {
            Ok(caller) => caller,
            Err(refusal) => {
                body::discard(&head.headers, body);
                return Exchange::refused(&refusal, None);
            }
        };
        match self.carry_out(&caller, &head.headers, &mut body).await {
            Ok((answer, format)) => Exchange::answered(answer, format, caller.key),
            Err(refusal) => {
                body::discard(&head.headers, body);
                Exchange::refused(&refusal, caller.key)
            }
        }
    }

    /// Who is asking, if they may.
    async fn let_in(&self, head: &Parts) -> Result<Caller, Refusal> {
        if head.method != Method::POST {
            return Err(Refusal::Method { allowed: "POST" });
        }
        self.allowed.check(head)?;
        let token = bearer_token(&head.headers)?;
        match self.keyring.verify(token).await {
            Ok(Some(caller)) => Ok(caller),
            Ok(None) => Err(Refusal::KeyInvalid),
            Err(error) => {
                error!(error = &error as &dyn std::error::Error, "cannot check a key");
                Err(Refusal::KeyUnchecked)
            }
        }
    }

    async fn carry_out(
        &self,
        caller: &Caller,
        headers: &HeaderMap,
        body: &mut Incoming,
    ) -> Result<(Answer, Format), Refusal> {
        self.rate_limit.check(caller)?;
        let format = negotiate::format(headers)?;
        negotiate::check_content(headers)?;
        let body = body::read(body, self.body_bytes_max, self.body_timeout).await?;
        let answer = self.mcp.answer(caller, &mcp_headers(headers), &body).await;
        Ok((answer, format))
    }
}

/// Whether a browser asks if a page may send the request it wants to send.
fn is_preflight(head: &Parts) -> bool {
    head.method == Method::OPTIONS && head.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

fn mcp_headers(headers: &HeaderMap) -> mcp::Headers<'_> {
    mcp::Headers {
        protocol_version: joined(headers, "mcp-protocol-version"),
        method: joined(headers, "mcp-method"),
        name: joined(headers, "mcp-name"),
    }
}

/// All values of a header as one, as HTTP defines it; several values therefore equal no single one.
fn joined<'a>(headers: &'a HeaderMap, name: &'static str) -> Option<Cow<'a, str>> {
    headers
        .get_all(name)
        .iter()
        .map(|value| String::from_utf8_lossy(value.as_bytes()))
        .reduce(|all, next| Cow::Owned(format!("{all}, {next}")))
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    #[test]
    fn several_lines_of_a_header_equal_no_single_value() {
        let mut headers = HeaderMap::new();
        assert_eq!(joined(&headers, "mcp-method"), None);
        headers.append("mcp-method", HeaderValue::from_static("ping"));
        assert_eq!(joined(&headers, "mcp-method").as_deref(), Some("ping"));
        headers.append("mcp-method", HeaderValue::from_static("ping"));
        assert_eq!(joined(&headers, "mcp-method").as_deref(), Some("ping, ping"));
    }
}

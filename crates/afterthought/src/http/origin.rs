//! Which hosts and origins may reach the service, so that a web page cannot do so behind its user's back.
//!
//! A page can make a browser call an address on the user's own machine, under a name of the page's choosing. Such a call
//! carries that name as its `Host` and the page as its `Origin`; neither is let in unless it was allowed.

use std::net::{IpAddr, SocketAddr};

use hyper::header::{HOST, HeaderName, HeaderValue, ORIGIN};
use hyper::http::request::Parts;

use super::refusal::Refusal;
use super::settings::Settings;

/// What is let in besides loopback.
#[derive(Debug)]
pub(super) struct Allowed {
    hosts: Vec<String>,
    origins: Vec<String>,
    /// The address listened on, if it is one a client can name.
    address: Option<IpAddr>,
}

impl Allowed {
    pub(super) fn new(settings: &Settings, listening: SocketAddr) -> Self {
        let address = Some(listening.ip()).filter(|ip| !ip.is_unspecified());
        Self { hosts: settings.allowed_hosts.clone(), origins: settings.allowed_origins.clone(), address }
    }

    /// Checks every `Host` and `Origin` of a request; an absent one is fine, since browsers always send theirs.
    pub(super) fn check(&self, request: &Parts) -> Result<(), Refusal> {
        if !hosts(request).iter().all(|host| self.admits_host(host)) {
            return Err(Refusal::Host);
        }
        if !values(request, ORIGIN).all(|origin| self.admits_origin(origin)) {
            return Err(Refusal::Origin);
        }
        Ok(())
    }

    /// Checks that a request comes from a page of this service, or from no page at all; whatever others are allowed does not count.
    pub(super) fn check_own_page(&self, request: &Parts) -> Result<(), Refusal> {
        let mut hosts = hosts(request);
        if !hosts.iter().all(|host| self.admits_host(host)) {
            return Err(Refusal::Host);
        }
        let host = hosts.pop().unwrap_or_default();
        let is_own = |origin: &str| {
            let schemes = ["http://", "https://"];
            let named = schemes.iter().find_map(|scheme| origin.strip_prefix(scheme));
            named.is_some_and(|named| named.eq_ignore_ascii_case(host))
        };
        let mut origins = values(request, ORIGIN);
        // What a browser says of its own accord, and no page can make it say otherwise.
        let mut sites = values(request, HeaderName::from_static("sec-fetch-site"));
        match origins.all(is_own) && sites.all(|site| matches!(site, "same-origin" | "none")) {
            true => Ok(()),
            false => Err(Refusal::Origin),
        }
    }

    /// The web page that asks, if it is one that is let in.
    pub(super) fn page(&self, request: &Parts) -> Option<HeaderValue> {
        let origin = request.headers.get(ORIGIN)?;
        self.check(request).is_ok().then(|| origin.clone())
    }

    fn admits_host(&self, host: &str) -> bool {
        let Some(name) = name_of(host) else { return false };
        let allowed =
            |entry: &String| entry == "*" || entry.eq_ignore_ascii_case(host) || entry.eq_ignore_ascii_case(name);
        is_loopback(name)
            || (self.address.is_some() && address_of(name) == self.address)
            || self.hosts.iter().any(allowed)
    }

    fn admits_origin(&self, origin: &str) -> bool {
        let loopback = ["http://", "https://"]
            .iter()
            .filter_map(|scheme| origin.strip_prefix(scheme))
            .any(|host| name_of(host).is_some_and(is_loopback));
        let allowed = |entry: &String| entry == "*" || entry.trim_end_matches('/').eq_ignore_ascii_case(origin);
        loopback || self.origins.iter().any(allowed)
    }
}

/// Every host a request names.
fn hosts(request: &Parts) -> Vec<&str> {
    let named = request.uri.authority().map(|authority| authority.as_str());
    named.into_iter().chain(values(request, HOST)).collect()
}

/// The values of a header; one that is no text is an empty one.
fn values(request: &Parts, name: HeaderName) -> impl Iterator<Item = &str> {
    request.headers.get_all(name).iter().map(|value| value.to_str().unwrap_or_default())
}

/// The name in `name`, `name:port`, `[address]` or `[address]:port`; `None` for anything else.
fn name_of(host: &str) -> Option<&str> {
    let (name, rest) = match host.strip_prefix('[') {
        Some(bracketed) => {
            let end = bracketed.find(']')?;
            (&host[..end + 2], &bracketed[end + 1..])
        }
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let port_fits = match rest.strip_prefix(':') {
        Some(port) => port.parse::<u16>().is_ok(),
        None => rest.is_empty(),
    };
    (port_fits && !name.is_empty()).then_some(name)
}

fn address_of(name: &str) -> Option<IpAddr> {
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    bare.parse().ok()
}

fn is_loopback(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost") || address_of(name).is_some_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn allowed(hosts: &[&str], origins: &[&str], listening: &str) -> Allowed {
        let settings = Settings {
            allowed_hosts: hosts.iter().copied().map(str::to_owned).collect(),
            allowed_origins: origins.iter().copied().map(str::to_owned).collect(),
            ..Settings::default()
        };
        Allowed::new(&settings, listening.parse().unwrap())
    }

    #[test]
    fn loopback_is_let_in_with_any_port() {
        let allowed = allowed(&[], &[], "127.0.0.1:8720");
        for host in ["localhost", "LOCALHOST:1", "127.0.0.1:8720", "127.8.8.8", "[::1]", "[::1]:8720"] {
            assert!(allowed.admits_host(host), "{host}");
            assert!(allowed.admits_origin(&format!("http://{host}")), "{host}");
            assert!(allowed.admits_origin(&format!("https://{host}")), "{host}");
        }
    }

    #[test]
    fn strangers_and_lookalikes_are_not_let_in() {
        let allowed = allowed(&[], &[], "127.0.0.1:8720");
        for host in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "localhost:x",
            "localhost:1:2",
            "user@localhost",
            "::1",
            "[::1",
            "[::1]x",
            "192.168.1.5",
            "localhost:99999",
            "0.0.0.0",
        ] {
            assert!(!allowed.admits_host(host), "{host}");
            assert!(!allowed.admits_origin(&format!("http://{host}")), "{host}");
        }
        for origin in ["null", "", "localhost", "file://", "ftp://localhost", "http://localhost/path"] {
            assert!(!allowed.admits_origin(origin), "{origin}");
        }
    }

    #[test]
    fn configured_names_are_let_in() {
        let allowed = allowed(&["memory.example", "api.example:8443"], &["https://app.example/"], "0.0.0.0:8720");
        for host in ["memory.example", "Memory.Example:99", "api.example:8443"] {
            assert!(allowed.admits_host(host), "{host}");
        }
        assert!(!allowed.admits_host("api.example"));
        assert!(allowed.admits_origin("https://app.example"));
        assert!(!allowed.admits_origin("http://app.example"));
    }

    #[test]
    fn the_address_listened_on_is_let_in() {
        assert!(allowed(&[], &[], "192.168.1.5:8720").admits_host("192.168.1.5:8720"));
        assert!(!allowed(&[], &[], "0.0.0.0:8720").admits_host("192.168.1.5:8720"));
    }

    fn asked(headers: &[(&str, &str)]) -> Parts {
        let request =
            headers.iter().fold(hyper::Request::get("/"), |request, (name, value)| request.header(*name, *value));
        request.body(()).unwrap().into_parts().0
    }

    #[test]
    fn the_apps_own_page_is_the_only_one() {
        let allowed = allowed(&["memory.example"], &["*"], "127.0.0.1:8720");
        for headers in [
            &[("host", "127.0.0.1:8720")][..],
            &[("host", "localhost:8720"), ("origin", "http://localhost:8720")],
            &[("host", "Memory.example"), ("origin", "https://memory.example"), ("sec-fetch-site", "same-origin")],
            &[("host", "localhost:8720"), ("sec-fetch-site", "none")],
        ] {
            assert!(allowed.check_own_page(&asked(headers)).is_ok(), "{headers:?}");
        }
        for (origin, site) in [
            ("http://localhost:3000", "same-origin"),
            ("https://evil.example", "same-origin"),
            ("null", "same-origin"),
            ("", "none"),
            ("localhost:8720", "same-origin"),
            ("http://localhost:8720", "same-site"),
            ("http://localhost:8720", "cross-site"),
        ] {
            let headers = [("host", "localhost:8720"), ("origin", origin), ("sec-fetch-site", site)];
            assert!(matches!(allowed.check_own_page(&asked(&headers)), Err(Refusal::Origin)), "{headers:?}");
        }
        let rebound = asked(&[("host", "evil.example:8720"), ("origin", "http://evil.example:8720")]);
        assert!(matches!(allowed.check_own_page(&rebound), Err(Refusal::Host)));
    }

    #[test]
    fn a_star_lets_everyone_in() {
        let allowed = allowed(&["*"], &["*"], "0.0.0.0:1");
        assert!(allowed.admits_host("any.example") && allowed.admits_origin("https://any.example"));
    }

    proptest! {
        #[test]
        fn no_host_makes_it_panic(host in "[\\[\\]:.a-z0-9é@]{0,20}") {
            let _ = allowed(&[], &[], "127.0.0.1:1").admits_host(&host);
        }
    }
}

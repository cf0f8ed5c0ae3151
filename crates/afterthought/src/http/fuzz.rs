//! Headers nobody would send: each is understood or refused.

use fuzz::Target;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HOST, HeaderValue, ORIGIN};
use hyper::{HeaderMap, Request};

use super::bearer::bearer_token;
use super::negotiate;
use super::origin::Allowed;
use super::settings::Settings;

const WORDS: &[&str] = &[
    "application/json",
    "text/event-stream",
    "*/*",
    ";q=",
    ";charset=utf-8",
    "gzip",
    "localhost",
    "127.0.0.1",
    "[::1]",
    ":8720",
    "http://",
    "Bearer ",
    "sec-fetch-site",
    "\n",
];

#[test]
fn any_header_is_understood_or_refused() {
    let settings = Settings { allowed_hosts: vec!["memory.example".into()], ..Settings::default() };
    let allowed = Allowed::new(&settings, "127.0.0.1:8720".parse().unwrap());
    Target::new("http-headers", &["headers", "texts"]).words(WORDS).try_bytes(|bytes| {
        let mut headers = HeaderMap::new();
        let names = [ACCEPT, CONTENT_TYPE, CONTENT_ENCODING, HOST, ORIGIN, AUTHORIZATION];
        for (name, line) in names.into_iter().cycle().zip(bytes.split(|byte| *byte == b'\n').take(20)) {
            // Whatever is no value is refused before it gets here.
            if let Ok(value) = HeaderValue::from_bytes(line) {
                headers.append(name, value);
            }
        }
        let (mut parts, ()) = Request::new(()).into_parts();
        parts.headers = headers;
        let format = negotiate::format(&parts.headers).is_ok();
        (
            format,
            negotiate::check_content(&parts.headers).is_ok(),
            allowed.check(&parts).is_ok(),
            allowed.page(&parts).is_some(),
            allowed.check_own_page(&parts).is_ok(),
            bearer_token(&parts.headers).is_ok(),
        )
    });
}

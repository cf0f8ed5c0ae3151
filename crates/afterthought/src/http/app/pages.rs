//! The files of the app's page: part of the program, the same for everybody, and with nothing of anybody in them.

use std::io::Write;
use std::sync::OnceLock;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, ETAG, HeaderName, HeaderValue,
    IF_NONE_MATCH, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use hyper::{HeaderMap, StatusCode};
use rustc_hash::{FxHashMap, FxHasher};

use crate::http::reply::{self, Reply};

/// Every file with its path below the folder.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// What the page may do: run and load what comes from here, and nothing else. What agents have written is shown on it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

/// A file as it is sent.
struct Page {
    content_type: &'static str,
    plain: Bytes,
    /// The same compressed, where that is shorter.
    compressed: Option<Bytes>,
    etag: HeaderValue,
}

/// The file that is served at a path, if there is one.
pub(crate) fn page(path: &str, headers: &HeaderMap) -> Option<Reply> {
    let name = match path {
        "/" => "index.html",
        _ => path.strip_prefix("/app/")?,
    };
    let page = pages().get(name)?;
    let mut reply = match headers.get_all(IF_NONE_MATCH).iter().any(|tags| names(tags, &page.etag)) {
        true => reply::empty(StatusCode::NOT_MODIFIED),
        false => match page.compressed.as_ref().filter(|_| takes_gzip(headers)) {
            Some(compressed) => {
                let mut reply = reply::typed(StatusCode::OK, page.content_type, compressed.clone());
                reply.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                reply
            }
            None => reply::typed(StatusCode::OK, page.content_type, page.plain.clone()),
        },
    };
    let same = HeaderValue::from_static("same-origin");
    let headers = reply.headers_mut();
    headers.insert(ETAG, page.etag.clone());
    // A new version of the program is seen at once: the tag tells whether anything has changed.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(HeaderName::from_static("cross-origin-opener-policy"), same.clone());
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), same);
    Some(reply)
}

/// All files by their paths, compressed once.
fn pages() -> &'static FxHashMap<&'static str, Page> {
    static PAGES: OnceLock<FxHashMap<&'static str, Page>> = OnceLock::new();
    PAGES.get_or_init(|| FILES.iter().map(|(name, bytes)| (*name, Page::new(name, bytes))).collect())
}

impl Page {
    fn new(name: &str, bytes: &'static [u8]) -> Self {
        let plain = Bytes::from_static(bytes);
        let compressed = compressed(bytes).filter(|compressed| compressed.len() < plain.len());
        Self { content_type: content_type(name), etag: etag(bytes), plain, compressed }
    }
}

fn compressed(bytes: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok().map(Bytes::from)
}

/// Tells versions of a file apart; nobody gains anything by making two that look the same.
fn etag(bytes: &[u8]) -> HeaderValue {
    let mut hasher = FxHasher::default();
    std::hash::Hasher::write(&mut hasher, bytes);
    let tag = format!("\"{:016x}{:08x}\"", std::hash::Hasher::finish(&hasher), bytes.len());
    HeaderValue::try_from(tag).expect("digits are a header")
}

fn names(tags: &HeaderValue, etag: &HeaderValue) -> bool {
    let (Ok(tags), Ok(etag)) = (tags.to_str(), etag.to_str()) else { return false };
    tags.split(',').any(|tag| tag.trim().trim_start_matches("W/") == etag)
}

fn takes_gzip(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|coding| {
        let (name, quality) = coding.split_once(';').unwrap_or((coding, ""));
        let refused = quality.trim().strip_prefix("q=").is_some_and(|q| q.parse::<f32>().is_ok_and(|q| q == 0.0));
        name.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "ico" => "image/x-icon",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        _ => "text/plain; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn compression_is_for_those_who_take_it() {
        for taken in ["gzip", "deflate, GZIP;q=0.5, br", "gzip;q=1"] {
            assert!(takes_gzip(&headers(ACCEPT_ENCODING, taken)), "{taken}");
        }
        for not in ["", "br", "gzip;q=0", "identity"] {
            assert!(!takes_gzip(&headers(ACCEPT_ENCODING, not)), "{not}");
        }
    }

    #[test]
    fn a_tag_is_recognised_among_others() {
        let etag = etag(b"tea");
        let known = etag.to_str().unwrap();
        assert!(names(&HeaderValue::from_str(&format!("\"x\", W/{known}")).unwrap(), &etag));
        assert!(!names(&HeaderValue::from_static("\"x\""), &etag));
    }

    #[test]
    fn a_path_leads_to_a_file_or_nowhere() {
        for path in ["/app", "/app/", "/app/../build.rs", "/app//index.html", "/index.html", "/app/tsconfig.json"] {
            assert!(page(path, &HeaderMap::new()).is_none(), "{path}");
        }
    }
}

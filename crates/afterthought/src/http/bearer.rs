//! What a request shows to be let in.

use hyper::HeaderMap;
use hyper::header::AUTHORIZATION;

use super::refusal::Refusal;

/// The token of the one `Authorization: Bearer` header.
pub(super) fn bearer_token(headers: &HeaderMap) -> Result<&str, Refusal> {
    let mut lines = headers.get_all(AUTHORIZATION).iter();
    let Some(line) = lines.next() else { return Err(Refusal::KeyMissing) };
    // Two of them contradict each other, and a proxy may have checked the other one.
    if lines.next().is_some() {
        return Err(Refusal::KeyInvalid);
    }
    let Some((scheme, token)) = line.to_str().ok().and_then(|line| line.trim().split_once(' ')) else {
        return Err(Refusal::KeyInvalid);
    };
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(Refusal::KeyMissing);
    }
    Ok(token.trim())
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    fn token(lines: &[&'static str]) -> Result<String, &'static str> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(AUTHORIZATION, HeaderValue::from_static(line));
        }
        bearer_token(&headers).map(str::to_owned).map_err(|refusal| match refusal {
            Refusal::KeyMissing => "missing",
            _ => "invalid",
        })
    }

    #[test]
    fn the_scheme_may_be_written_in_any_case() {
        for line in ["Bearer aft_x", "bearer aft_x", "BEARER  aft_x", " Bearer aft_x "] {
            assert_eq!(token(&[line]), Ok("aft_x".to_owned()), "{line}");
        }
    }

    #[test]
    fn anything_but_one_bearer_token_is_refused() {
        assert_eq!(token(&[]), Err("missing"));
        assert_eq!(token(&["Basic YTpi"]), Err("missing"));
        for line in ["Bearer", "aft_x", ""] {
            assert_eq!(token(&[line]), Err("invalid"), "{line}");
        }
        assert_eq!(token(&["Bearer aft_x", "Bearer aft_x"]), Err("invalid"));
    }
}

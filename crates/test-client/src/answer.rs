//! What comes back.

use serde_json::Value;

/// How much is read at a time: most answers at once.
pub(crate) const PIECE_BYTES: usize = 16 * 1024;

/// An HTTP response, read whole.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    head: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// Takes the first answer out of what has been read; `None` while some of it is missing.
    pub(crate) fn take(read: &mut Vec<u8>, has_body: bool) -> Option<Self> {
        let head_bytes = read.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
        let head = std::str::from_utf8(&read[..head_bytes]).expect("the head of an answer is text");
        let length = value_of(head, "content-length").filter(|_| has_body);
        let body_bytes = length.map_or(0, |length| length.parse().expect("a length is a number"));
        if read.len() < head_bytes + body_bytes {
            return None;
        }
        let mut body = read.split_off(head_bytes);
        let rest = body.split_off(body_bytes);
        let head = String::from_utf8(std::mem::replace(read, rest)).expect("it was text before");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Some(Self { status: status.unwrap_or_else(|| panic!("no status in {head}")), head, body })
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        value_of(&self.head, name)
    }

    /// The body as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("the body of an answer is text")
    }

    /// The body as JSON, or the data of the one event it consists of.
    pub fn json(&self) -> Value {
        let text = match self.header("content-type") {
            Some("application/json") => Some(self.text()),
            Some("text/event-stream") => {
                let data = self.text().strip_prefix("event: message\ndata: ");
                data.and_then(|data| data.strip_suffix("\n\n"))
            }
            _ => None,
        };
        let json = text.and_then(|text| serde_json::from_str(text).ok());
        json.unwrap_or_else(|| panic!("no JSON: {}{}", self.head, self.text()))
    }

    /// The code of the JSON-RPC error.
    pub fn error_code(&self) -> i64 {
        self.json()["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error in {}", self.text()))
    }

    /// The same answer; panics unless what was asked was done, by the tool as well.
    #[must_use]
    pub fn succeeded(self) -> Self {
        // Whoever measures does not want to pay for reading JSON.
        let is_refusal = self.body.windows(14).any(|window| window == b"\"isError\":true");
        assert!(self.status == 200 && !is_refusal, "{}{}", self.head, self.text());
        self
    }
}

fn value_of<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = head.lines().filter_map(|line| line.split_once(':'));
    lines.find(|(each, _)| each.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\ncontent-length: 2\r\n\r\n{}";

    #[test]
    fn an_answer_is_taken_once_all_of_it_is_there() {
        for bytes in 0..GOOD.len() {
            assert!(Answer::take(&mut GOOD[..bytes].to_vec(), true).is_none());
        }
        let answer = Answer::take(&mut GOOD.to_vec(), true).expect("it is whole");
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
        assert_eq!(answer.json(), serde_json::json!({}));
    }

    #[test]
    fn what_follows_an_answer_is_left_for_the_next() {
        let mut read = [b"HTTP/1.1 100 Continue\r\n\r\n", GOOD, b"HTTP"].concat();
        let statuses = [(); 2].map(|()| Answer::take(&mut read, true).expect("it is whole").status);
        assert_eq!((statuses, read.as_slice()), ([100, 200], &b"HTTP"[..]));
    }

    #[test]
    fn an_answer_to_head_has_no_body_whatever_its_length_says() {
        let head = &GOOD[..GOOD.len() - 2];
        assert_eq!(Answer::take(&mut head.to_vec(), false).expect("it is whole").body, b"");
    }
}

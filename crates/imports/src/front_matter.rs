//! The lines between `---` at the top of a Markdown file: the few that matter here, as people and programs write them.

/// What the front matter of a file says, and where its body begins.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct FrontMatter {
    pub(crate) title: Option<String>,
    pub(crate) permalink: Option<String>,
    /// `created`, else `date`.
    pub(crate) created: Option<String>,
    pub(crate) tags: Vec<String>,
}

/// Takes a file apart into its front matter and its body.
pub(crate) fn split(text: &str) -> (FrontMatter, &str) {
    let text = text.trim_start_matches('\u{feff}');
    let none = || (FrontMatter::default(), text);
    let Some(rest) = text.strip_prefix("---") else { return none() };
    let Some(rest) = rest.trim_start_matches([' ', '\t']).strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n"))
    else {
        return none();
    };
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            return (parse(&rest[..end]), &rest[end + line.len()..]);
        }
        end += line.len();
    }
    none()
}

fn parse(lines: &str) -> FrontMatter {
    let mut front = FrontMatter::default();
    let mut date = None;
    let mut key = "";
    for line in lines.lines() {
        if let Some(item) = line.trim_start().strip_prefix("- ") {
            if key == "tags" {
                front.tags.push(unquoted(item));
            }
            continue;
        }
        let Some((name, value)) = line.split_once(':').filter(|_| !line.starts_with([' ', '\t', '#'])) else {
            continue;
        };
        key = name.trim();
        let value = value.trim();
        if value.is_empty() {
            continue;
        }
        match key {
            "title" => front.title = Some(unquoted(value)),
            "permalink" => front.permalink = Some(unquoted(value)),
            "created" => front.created = Some(unquoted(value)),
            "date" => date = Some(unquoted(value)),
            "tags" | "tag" => front.tags.extend(list(value)),
            _ => {}
        }
    }
    front.created = front.created.or(date);
    front
}

/// A list in brackets, or words with commas or spaces between them.
fn list(value: &str) -> Vec<String> {
    let inner = value.strip_prefix('[').and_then(|value| value.strip_suffix(']')).unwrap_or(value);
    let items = match inner.contains(',') || inner.len() < value.len() {
        true => inner.split(',').map(unquoted).collect::<Vec<_>>(),
        false => inner.split_whitespace().map(unquoted).collect(),
    };
    items.into_iter().filter(|item| !item.is_empty()).collect()
}

fn unquoted(value: &str) -> String {
    let value = value.trim();
    let inner = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
    inner.unwrap_or(value).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_is_read_however_it_is_written() {
        let text = "---\r\ntitle: \"Tea: a note\"\r\ntags: [green tea, '#hot']\r\ndate: 2026-03-01\r\ncssclass: x\r\n---\r\nBody\r\n";
        let (front, body) = split(text);
        assert_eq!((front.title.as_deref(), front.created.as_deref()), (Some("Tea: a note"), Some("2026-03-01")));
        assert_eq!((front.tags, body), (vec!["green tea".to_owned(), "#hot".to_owned()], "Body\r\n"));
        let (front, _) = split("---\ntags:\n  - a\n- b c\naliases:\n  - not this\npermalink: x/y\n---\n");
        assert_eq!((front.tags, front.permalink.as_deref()), (vec!["a".to_owned(), "b c".to_owned()], Some("x/y")));
        assert_eq!(split("---\ntags: a #b\n---\n").0.tags, ["a", "#b"]);
    }

    #[test]
    fn a_text_without_front_matter_is_body() {
        for text in ["", "Body", "---\nno end", "--- x\n---\n", "text\n---\ntitle: x\n---\n"] {
            assert_eq!(split(text), (FrontMatter::default(), text), "{text}");
        }
    }
}

//! Markdown as prose: its title, its first paragraph, its paragraphs and items.

/// The first heading, if nothing but blank lines comes before it.
pub(crate) fn heading(body: &str) -> Option<&str> {
    let first = body.lines().map(str::trim).find(|line| !line.is_empty())?;
    let title = first.strip_prefix("# ")?.trim();
    (!title.is_empty()).then_some(title)
}

/// The first paragraph that is neither a heading nor a rule.
pub(crate) fn lead(body: &str) -> String {
    blocks(body).into_iter().next().unwrap_or_default()
}

/// The paragraphs and the items of lists, each by itself; headings and rules are left out.
pub(crate) fn statements(text: &str) -> Vec<String> {
    let mut statements = Vec::new();
    for block in blocks(text) {
        let mut statement = String::new();
        for line in block.lines() {
            let item = item(line);
            if item.is_some() && !statement.is_empty() {
                statements.push(std::mem::take(&mut statement));
            }
            if !statement.is_empty() {
                statement.push('\n');
            }
            statement.push_str(item.unwrap_or(line.trim_end()));
        }
        statements.push(statement);
    }
    statements.retain(|statement| !is_heading(statement) && statement.chars().any(char::is_alphanumeric));
    statements
}

/// Stretches between blank lines, without headings and rules.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks = vec![String::new()];
    for line in text.lines() {
        let current = blocks.last_mut().expect("there is always one");
        if line.trim().is_empty() || is_heading(line) {
            if !current.is_empty() {
                blocks.push(String::new());
            }
            continue;
        }
        if !current.is_empty() {
            current.push('\n');
        }
        current.push_str(line.trim_end());
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}

/// What stands after the mark of an item.
fn item(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let numbered = || {
        let digits = line.chars().take_while(char::is_ascii_digit).count();
        line[digits..].strip_prefix(". ").filter(|_| digits > 0)
    };
    ["- ", "* ", "+ ", "• "].iter().find_map(|mark| line.strip_prefix(mark)).or_else(numbered).map(str::trim)
}

/// Whether the line is a heading, one in bold, or a rule.
fn is_heading(line: &str) -> bool {
    let line = line.trim();
    let hashes = line.chars().take_while(|character| *character == '#').count();
    let in_bold = || line.strip_prefix("**")?.trim_end_matches(':').strip_suffix("**");
    let is_bold = in_bold().is_some_and(|inner| !inner.contains("**"));
    let is_rule = line.len() >= 3 && line.chars().all(|character| "-*_=".contains(character));
    ((1..=6).contains(&hashes) && line[hashes..].starts_with(' ')) || is_bold || is_rule
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_has_a_title_and_a_lead() {
        let body = "\n# Tea\n\n## Why\n\nBecause it\nis warm.\n\nMore.";
        assert_eq!((heading(body), lead(body).as_str()), (Some("Tea"), "Because it\nis warm."));
        assert_eq!((heading("text\n# Tea"), lead("# Tea")), (None, String::new()));
        assert_eq!(lead("#tag and more"), "#tag and more");
    }

    #[test]
    fn prose_falls_into_statements() {
        let text = "**Work context**\n\nAna builds ships.\nShe likes it.\n\n## Personal\n- drinks tea\n* two\n  lines\n1. first\n---\n**Note:** this stays.";
        let statements = statements(text);
        let expected =
            ["Ana builds ships.\nShe likes it.", "drinks tea", "two\n  lines", "first", "**Note:** this stays."];
        assert_eq!(statements, expected);
    }
}

//! Tables: a row for new cells, and the cell that a row and a column meet in.

use std::ops::Range;

use super::super::{
    find::{self, New, content},
    page::{Page, key, keys},
    phrase::Phrase,
    sentence, vocabulary,
    words::Word,
};

/// The lines of a text that have cells, the first of them the head.
struct Table {
    /// The cells of each line, without the rule under the head.
    rows: Vec<Vec<Range<usize>>>,
    /// Where the last line ends.
    end: usize,
    /// Whether cells are shut at both ends of a line.
    closed: bool,
}

fn read(page: &Page) -> Option<Table> {
    let lines: Vec<Range<usize>> =
        sentence::lines(&page.text).into_iter().filter(|line| page.at(line).contains('|')).collect();
    let is_rule = |line: &str| line.contains("--") && line.chars().all(|c| "|-: +".contains(c));
    let rows: Vec<Vec<Range<usize>>> =
        lines.iter().filter(|line| !is_rule(page.at(line))).map(|line| cells(page, line)).collect();
    let width = rows.first()?.len();
    (rows.len() > 1 && width > 1 && rows.iter().all(|row| row.len() == width)).then(|| Table {
        closed: page.at(&lines[0]).trim().starts_with('|'),
        end: lines.last().map_or(0, |line| line.end),
        rows,
    })
}

fn cells(page: &Page, line: &Range<usize>) -> Vec<Range<usize>> {
    let body = page.at(line);
    let inner = body.trim().trim_start_matches('|').trim_end_matches('|');
    let mut at = line.start + body.find(inner).unwrap_or(0);
    inner
        .split('|')
        .map(|cell| {
            let start = at + cell.len() - cell.trim_start().len();
            at += cell.len() + 1;
            start..start + cell.trim().len()
        })
        .collect()
}

/// Whether a text has a table with a head.
fn is_headed(page: &Page) -> bool {
    let ruled = page.text.lines().any(|line| line.contains("--") && line.chars().all(|c| "|-: +".contains(c)));
    let mut lines = page.text.lines().filter(|line| line.trim().starts_with('|'));
    let named = lines.next().is_some_and(|line| !line.contains(|c: char| c.is_ascii_digit()));
    ruled || named && lines.next().is_some()
}

/// `a row for Fri with 12 km`, `a row for room 305, guest Andersson, 5 nights`: the text with that row, if it has a cell for each column.
pub(super) fn with_row(page: &Page, what: Phrase<'_, '_>) -> Option<String> {
    let table = read(page)?;
    let what = what.unmarked();
    let row = what.words.iter().take(3).position(|word| word.is_any("row|line|entry"))?;
    let rest = what.from(row + 1);
    let rest = rest.strip("for|with|saying|:").unwrap_or(rest);
    // `after Wed`
    let beside = rest.words.iter().rposition(|word| word.is_any("after|before")).filter(|at| *at > 0);
    let (rest, place) = match beside {
        Some(at) => {
            let named = content(rest.from(at + 1).words);
            let has = |row: &usize| {
                let words = table.rows[*row].iter().flat_map(|cell| page.words_in(cell));
                let words: Vec<&str> = words.map(|word| word.key.as_str()).collect();
                !named.is_empty() && named.iter().all(|key| words.contains(&key.as_str()))
            };
            let row = (usize::from(is_headed(page))..table.rows.len()).find(has)?;
            (rest.to(at), Some((row, rest.words[at].is("after"))))
        }
        None => (rest, None),
    };
    let columns: Vec<Vec<String>> = table.rows[0].iter().map(|cell| keys(page.at(cell))).collect();
    let joint = |word: &Word<'_>| word.is_any(",|:|with|and|;|–|-");
    let parts: Vec<Phrase<'_, '_>> = rest
        .words
        .split(joint)
        .filter(|words| !words.is_empty())
        .map(|words| Phrase { request: rest.request, words })
        .collect();
    if parts.len() != columns.len() || parts.iter().any(|part| part.words.len() > 6) {
        return None;
    }
    let mut new: Vec<Option<String>> = vec![None; columns.len()];
    for (at, part) in parts.iter().enumerate() {
        let named = |column: &usize| {
            !columns[*column].is_empty() && part.words.iter().any(|word| columns[*column].contains(&key(word.raw)))
        };
        let column = (0..columns.len()).find(named).filter(|_| is_headed(page)).unwrap_or(at);
        let is_name = |word: &&Word<'_>| !is_headed(page) || !columns[column].contains(&key(word.raw));
        let said: Vec<&Word<'_>> =
            part.words.iter().filter(is_name).skip_while(|word| word.is_any("the|a|an|as")).collect();
        let (first, last) = (said.first()?, said.last()?);
        let cell = part.request[first.start..last.end].to_owned();
        new[column].replace(cell).is_none().then_some(())?;
    }
    let new: Vec<String> = new.into_iter().collect::<Option<_>>()?;
    let (open, close) = if table.closed { ("| ", " |") } else { ("", "") };
    let line_of =
        |row: usize| sentence::lines(&page.text).into_iter().find(|line| line.contains(&table.rows[row][0].start));
    let end = match place {
        Some((row, true)) => line_of(row)?.end,
        Some((row, false)) => line_of(row.checked_sub(1)?)?.end,
        None => table.end,
    };
    let (before, after) = page.text.split_at(end);
    Some(format!("{before}\n{open}{}{close}{after}", new.join(" | ")))
}

/// The text with a new value in the cell that the words of `said` point to: its row by a word no other row has, its column by the
/// name or the kind of what it holds.
pub(super) fn with_cell(page: &Page, said: Phrase<'_, '_>, told: Option<Phrase<'_, '_>>) -> Option<String> {
    let table = read(page).filter(|_| is_headed(page))?;
    if let Some(new) = with_word(page, &table, said) {
        return Some(new);
    }
    let spans = super::fact::all_values(said);
    let [span] = spans.as_slice() else { return None };
    let new = New::of(said.to(span.end).from(span.start))?;
    let value = new.values.first()?;
    let mut known = content(said.words);
    let rows = |keys: &[String]| -> Vec<usize> {
        (1..table.rows.len())
            .filter(|row| {
                table.rows[*row].iter().any(|cell| page.words_in(cell).iter().any(|word| keys.contains(&word.key)))
            })
            .collect()
    };
    if rows(&known).is_empty() {
        known.extend(told.map(|told| content(told.words)).unwrap_or_default());
    }
    let found = rows(&known);
    let [row] = found.as_slice() else { return None };
    if known.contains(&key("quantity")) {
        known.push("qty".to_owned());
    }
    let columns: Vec<usize> = (0..table.rows[0].len())
        .filter(|column| keys(page.at(&table.rows[0][*column])).iter().any(|key| known.contains(key)))
        .collect();
    let kind = |cell: &Range<usize>| page.values().iter().find(|old| old.start == cell.start).map(|old| old.kind);
    let alike: Vec<usize> =
        (0..table.rows[*row].len()).filter(|column| kind(&table.rows[*row][*column]) == Some(value.kind)).collect();
    let column = match (columns.as_slice(), alike.as_slice()) {
        ([only], _) | ([], [only]) => *only,
        _ => return None,
    };
    let cell = &table.rows[*row][column];
    // What names the row is no news.
    if table.rows[*row].iter().any(|cell| keys(page.at(cell)) == keys(&new.text)) {
        return None;
    }
    let number =
        value.end - value.start == page.at(cell).len() || page.at(cell).bytes().all(|byte| byte.is_ascii_digit());
    let put = if number { &new.text[value.start..value.end] } else { new.text.as_str() };
    let whether = !put.is_empty() && keys(put) != keys(page.at(cell)) && vocabulary::length(said.words, "remove") == 0;
    whether.then(|| find::applied(&page.text, &vec![(cell.clone(), put.to_owned())]))
}

/// `the result for A2 came back negative`: a word for the cell of a row and a column that are named.
fn with_word(page: &Page, table: &Table, said: Phrase<'_, '_>) -> Option<String> {
    const IS: &str = "is now|is|are|was|came back|came out|turned out|should be|becomes|became";
    let said = said.unmarked();
    let at = said.find(IS).filter(|at| *at > 0)?;
    let new = said.from(at).strip(IS)?.unmarked();
    let new = new.strip_end("now|after all").unwrap_or(new);
    let plain = (1..=3).contains(&new.words.len()) && !new.words.iter().any(|word| word.is_any("not|,|and|or"));
    plain.then(|| in_cell(page, table, said.to(at), new.raw()))?
}

/// The text with `value` in the cell whose row and column `described` names.
pub(super) fn with_named_cell(page: &Page, described: Phrase<'_, '_>, value: &str) -> Option<String> {
    let table = read(page).filter(|_| is_headed(page))?;
    in_cell(page, &table, described, value)
}

fn in_cell(page: &Page, table: &Table, described: Phrase<'_, '_>, value: &str) -> Option<String> {
    let described = content(described.words);
    let known = |cell: &Range<usize>| {
        let keys = keys(page.at(cell));
        !keys.is_empty() && keys.iter().all(|key| described.contains(key))
    };
    let columns: Vec<usize> = (0..table.rows[0].len()).filter(|column| known(&table.rows[0][*column])).collect();
    let rows: Vec<usize> = (1..table.rows.len()).filter(|row| table.rows[*row].iter().take(2).any(known)).collect();
    let ([row], [column]) = (rows.as_slice(), columns.as_slice()) else { return None };
    let cell = &table.rows[*row][*column];
    let changed = *column > 0 && value != page.at(cell) && !known(cell);
    changed.then(|| find::applied(&page.text, &vec![(cell.clone(), value.to_owned())]))
}

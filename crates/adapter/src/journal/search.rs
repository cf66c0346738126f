//! Finding words. What a user types is never read as a query language: every word is quoted, the last one may go on.

use iris_core::protocol::frame::SearchHit;
use rusqlite::{Connection, params};

/// Places at most.
const MAX_HITS: usize = 50;
/// More words than that make no better search.
const MAX_WORDS: usize = 16;
/// Words around what was found.
const AROUND: u32 = 16;
/// What marks the matched words within a snippet. [`plain`] keeps them out of the texts themselves.
const OPEN: char = '\u{2}';
const CLOSE: char = '\u{3}';

/// A text as it is indexed.
pub(crate) fn plain(text: &str) -> String {
    text.replace([OPEN, CLOSE, '\0'], " ")
}

/// The places where all of these words stand, the best first and of equals the newest.
pub(super) fn search(db: &Connection, query: &str) -> rusqlite::Result<Vec<SearchHit>> {
    let Some(expression) = expression(query) else { return Ok(Vec::new()) };
    let found: Vec<(i64, String, u64)> = db
        .prepare_cached(
            "SELECT words.rowid, chats.id, frames.seq FROM words \
             JOIN frames ON frames.id = words.rowid JOIN chats ON chats.key = frames.chat \
             WHERE words MATCH ? ORDER BY round(rank, 1), frames.seq DESC LIMIT ?",
        )?
        .query_map(params![expression, MAX_HITS], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<Result<_, _>>()?;
    let mut snippet = db.prepare_cached(
        "SELECT snippet(words, 0, ?2, ?3, '…', ?4) FROM words WHERE words MATCH ?1 AND rowid = ?5",
    )?;
    let mut hits = Vec::new();
    for (id, chat, seq) in found {
        let marks = params![expression, OPEN.to_string(), CLOSE.to_string(), AROUND, id];
        let text: String = snippet.query_row(marks, |row| row.get(0))?;
        let (before, matched, after) = parts(&text);
        hits.push(SearchHit { chat: chat.into(), seq, before, matched, after });
    }
    Ok(hits)
}

/// The words as an expression of FTS5. `None`: there is nothing to look for.
fn expression(query: &str) -> Option<String> {
    let words = query.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric));
    let quoted: Vec<_> =
        words.take(MAX_WORDS).map(|word| format!("\"{}\"", plain(word).replace('"', "\"\""))).collect();
    (!quoted.is_empty()).then(|| quoted.join(" ") + "*")
}

/// A snippet, taken apart at its first match. White space is one space: a hit is a line.
fn parts(snippet: &str) -> (String, String, String) {
    let line = |text: &str| {
        let mut line = String::with_capacity(text.len());
        for c in text.replace([OPEN, CLOSE], "").chars() {
            match c.is_whitespace() {
                true if line.ends_with(' ') => {}
                true => line.push(' '),
                false => line.push(c),
            }
        }
        line
    };
    let (before, rest) = snippet.split_once(OPEN).unwrap_or(("", snippet));
    let (matched, after) = rest.split_once(CLOSE).unwrap_or((rest, ""));
    (line(before), line(matched), line(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_words_and_never_syntax() {
        for (query, expected) in [
            ("the repo", Some("\"the\" \"repo\"*")),
            ("say \"hi\" OR", Some("\"say\" \"\"\"hi\"\"\" \"OR\"*")),
            ("a* NEAR(b) -c", Some("\"a*\" \"NEAR(b)\" \"-c\"*")),
            ("text:x\0y", Some("\"text:x y\"*")),
            ("\" ' * -- ()", None),
            ("", None),
        ] {
            assert_eq!(expression(query).as_deref(), expected, "{query}");
        }
    }

    #[test]
    fn a_snippet_is_taken_apart_at_its_first_match() {
        let check = |snippet: &str, expected: (&str, &str, &str)| {
            let (before, matched, after) = parts(snippet);
            assert_eq!((before.as_str(), matched.as_str(), after.as_str()), expected);
        };
        check("…see\n\nthe \u{2}repo\u{3} of \u{2}repo\u{3}s", ("…see the ", "repo", " of repos"));
        check("\u{2}x\u{3}", ("", "x", ""));
        check("no mark", ("", "no mark", ""));
    }
}

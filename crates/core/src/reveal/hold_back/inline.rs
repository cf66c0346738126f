//! What stands inside of a line: code, emphasis, links, images, tags, entities, escapes and formulas, each as a whole.

/// The longest that is shown as a whole, characters: more at once would be no typing.
const LIMIT: usize = 80;

/// What stands at a place of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// So many bytes that may be cut anywhere.
    Text(usize),
    /// So many bytes that are shown as a whole.
    Whole(usize),
    /// The beginning of something whose end has not arrived.
    Open,
}

/// What stands at byte `at` of `line`; `grows`: more of the line may come.
pub(super) fn piece(line: &str, at: usize, grows: bool) -> Piece {
    let (before, rest) = line.split_at_checked(at).unwrap_or((line, ""));
    let before = before.chars().next_back();
    let found = match rest.as_bytes().first() {
        Some(b'`') => code(rest),
        Some(b'*' | b'_' | b'~') => emphasis(before, rest, grows),
        Some(b'[') => link(rest, 0, grows),
        Some(b'!') => image(rest, grows),
        Some(b'<') => tag(rest),
        Some(b'&') => entity(rest),
        Some(b'\\') => escape(rest),
        Some(b'$') => dollars(before, rest),
        Some(b'h' | b'w') if !before.is_some_and(char::is_alphanumeric) => address(rest, grows),
        _ => Piece::Text(plain(rest)),
    };
    // What is never closed is the characters that it is made of.
    if found == Piece::Open && !grows { Piece::Text(run(rest)) } else { found }
}

/// How many bytes there are before the next one that may begin something.
fn plain(rest: &str) -> usize {
    let special = |byte: u8| {
        matches!(byte, b'`' | b'*' | b'_' | b'~' | b'[' | b'!' | b'<' | b'&' | b'\\' | b'$' | b'h' | b'w')
    };
    let next = rest.bytes().skip(1).position(special);
    next.map_or(rest.len(), |skipped| skipped + 1)
}

/// How often the first character is repeated.
pub(super) fn run(rest: &str) -> usize {
    rest.chars().next().map_or(0, |first| rest.len() - rest.trim_start_matches(first).len())
}

/// How many bytes belong to the end of something that may end at the beginning of this text, after this character.
type Ends<'f> = dyn FnMut(&str, Option<char>) -> Option<usize> + 'f;

/// Finds where something ends in the text after its beginning.
///
/// `end` gets what follows each place and answers how many bytes belong to the end, if it is one. Escaped characters
/// and code are passed over.
fn close(rest: &str, opener: usize, limit: usize, end: &mut Ends<'_>) -> Piece {
    let (mut at, mut left, mut before) = (opener, limit, None);
    while let Some(next) = rest.get(at..).and_then(|rest| rest.chars().next()) {
        let here = rest.get(at..).unwrap_or_default();
        if let Some(length) = end(here, before) {
            return Piece::Whole(at + length);
        }
        let Some(fewer) = left.checked_sub(1) else { return Piece::Text(opener.max(1)) };
        left = fewer;
        let skipped = match next {
            '\\' => 1 + here.chars().nth(1).map_or(0, char::len_utf8),
            '`' => match code(here) {
                Piece::Whole(length) | Piece::Text(length) => length,
                Piece::Open => return Piece::Open,
            },
            // A run is one thing: its second half ends nothing.
            '*' | '_' | '~' => run(here),
            _ => next.len_utf8(),
        };
        before = Some(next);
        at += skipped;
    }
    Piece::Open
}

/// Code between runs of back-ticks of one length.
fn code(rest: &str) -> Piece {
    let ticks = run(rest);
    let (mut at, mut left) = (ticks, LIMIT);
    while let Some(here) = rest.get(at..).filter(|here| !here.is_empty()) {
        let found = if here.starts_with('`') { run(here) } else { 0 };
        if found == ticks {
            return Piece::Whole(at + found);
        }
        let Some(fewer) = left.checked_sub(1) else { return Piece::Text(ticks) };
        left = fewer;
        at += if found > 0 { found } else { here.chars().next().map_or(1, char::len_utf8) };
    }
    Piece::Open
}

fn emphasis(before: Option<char>, rest: &str, grows: bool) -> Piece {
    let marks = run(rest);
    let mark = rest.chars().next();
    let Some(first) = rest.get(marks..).and_then(|rest| rest.chars().next()) else { return Piece::Open };
    let in_word = before.is_some_and(char::is_alphanumeric) && (marks == 1 || mark == Some('_'));
    if first.is_whitespace() || in_word || marks > 3 {
        return Piece::Text(marks);
    }
    close(rest, marks, LIMIT, &mut |here, before| {
        let ends = here.chars().next() == mark && !before.is_some_and(char::is_whitespace);
        let length = if ends { run(here) } else { 0 };
        let after = here.get(length..).and_then(|rest| rest.chars().next());
        let in_word = mark == Some('_') && after.is_some_and(char::is_alphanumeric);
        // At the end of what is known it may become a longer run.
        let whole = after.is_some() || !grows;
        ((length == marks || length > 2) && whole && !in_word).then_some(length)
    })
}

fn image(rest: &str, grows: bool) -> Piece {
    match rest.as_bytes().get(1) {
        None => Piece::Open,
        Some(b'[') => link(rest, 1, grows),
        Some(_) => Piece::Text(1),
    }
}

/// `[words](address "title")` and `[words][label]`; words in brackets by themselves may be a link too.
fn link(rest: &str, bracket: usize, grows: bool) -> Piece {
    let mut depth = 0_usize;
    let words = close(rest, bracket, LIMIT, &mut |here, _| {
        depth += usize::from(here.starts_with('['));
        depth -= usize::from(here.starts_with(']'));
        (depth == 0).then_some(1)
    });
    let Piece::Whole(length) = words else { return words };
    let mut label = |here: &str, _| here.starts_with(']').then_some(1);
    match rest.as_bytes().get(length) {
        None if grows => Piece::Open,
        Some(b'(') => destination(rest, length),
        Some(b'[') => close(rest, length + 1, LIMIT, &mut label),
        _ => words,
    }
}

/// The address and the title of a link; what is not shown may be long.
fn destination(rest: &str, at: usize) -> Piece {
    let (mut depth, mut until) = (0_usize, None);
    close(rest, at, usize::MAX, &mut |here, before| {
        let next = here.chars().next()?;
        match until {
            Some(end) => until = (next != end).then_some(end),
            None if next == '<' && before == Some('(') => until = Some('>'),
            None if matches!(next, '"' | '\'') && before.is_some_and(char::is_whitespace) => {
                until = Some(next)
            }
            None => {
                depth += usize::from(next == '(');
                depth -= usize::from(next == ')');
            }
        }
        (depth == 0 && until.is_none() && next == ')').then_some(1)
    })
}

/// A tag or an address between angle brackets.
fn tag(rest: &str) -> Piece {
    match rest.as_bytes().get(1) {
        None => Piece::Open,
        Some(byte) if byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!' | b'?') => {
            let end = rest.bytes().skip(1).position(|byte| matches!(byte, b'<' | b'>'));
            match end.map(|skipped| skipped + 1) {
                None => Piece::Open,
                Some(end) if rest.as_bytes().get(end) == Some(&b'>') => Piece::Whole(end + 1),
                Some(end) => Piece::Text(end),
            }
        }
        Some(_) => Piece::Text(1),
    }
}

fn entity(rest: &str) -> Piece {
    const LONGEST: usize = 32;
    let name = rest.bytes().skip(1).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    match rest.as_bytes().get(1 + name) {
        None if name < LONGEST => Piece::Open,
        Some(b';') if name > 0 => Piece::Whole(name + 2),
        _ => Piece::Text(1 + name),
    }
}

/// A character that is meant literally, or the brackets of a formula.
fn escape(rest: &str) -> Piece {
    let end = match rest.chars().nth(1) {
        None => return Piece::Open,
        Some('(') => r"\)",
        Some('[') => r"\]",
        Some(next) => return Piece::Whole(1 + next.len_utf8()),
    };
    match close(rest, 2, LIMIT, &mut |here, _| here.starts_with(end).then_some(2)) {
        Piece::Text(_) => Piece::Whole(2),
        found => found,
    }
}

/// A formula; a price is none, but might end one if nothing came after its sign.
fn dollars(before: Option<char>, rest: &str) -> Piece {
    let marks = run(rest);
    let Some(first) = rest.get(marks..).and_then(|rest| rest.chars().next()) else { return Piece::Open };
    let price = Piece::Whole(marks + first.len_utf8());
    let in_word = before.is_some_and(char::is_alphanumeric);
    if marks > 2 || (marks == 1 && (first.is_whitespace() || in_word)) {
        return price;
    }
    let found = close(rest, marks, LIMIT, &mut |here, before| {
        let after = here.get(marks..).and_then(|rest| rest.chars().next());
        let price = before.is_some_and(char::is_whitespace) || after.is_some_and(|c| c.is_ascii_digit());
        (here.starts_with('$') && run(here) == marks && (marks == 2 || !price)).then_some(marks)
    });
    match found {
        Piece::Open if first.is_ascii_digit() => price,
        Piece::Text(_) => price,
        found => found,
    }
}

/// An address in the text; it becomes a link with the first letter of its host.
fn address(rest: &str, grows: bool) -> Piece {
    let schemes = ["https://", "http://", "www."];
    let scheme = schemes.into_iter().find(|scheme| rest.starts_with(scheme)).unwrap_or_default().len();
    let host =
        rest.get(scheme..).and_then(|host| host.chars().next()).filter(|first| first.is_alphanumeric());
    let Some(first) = host.filter(|_| scheme > 0) else { return Piece::Text(plain(rest)) };
    let short = rest.chars().nth(LIMIT).is_none();
    let end =
        rest.char_indices().take(LIMIT).find(|(_, c)| c.is_whitespace() || *c == '<').map(|(end, _)| end);
    match end.or((short && !grows).then_some(rest.len())) {
        // Full stops and the like at its end are not part of it.
        Some(end) => {
            let address = rest.get(..end).unwrap_or_default();
            let after = address.bytes().rev().take_while(|byte| byte.is_ascii_punctuation() && *byte != b'/');
            Piece::Whole(end - after.count())
        }
        None if short => Piece::Open,
        None => Piece::Whole(scheme + first.len_utf8()),
    }
}

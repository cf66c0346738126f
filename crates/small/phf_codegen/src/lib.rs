//! What comrak's build script calls to lay down its map of HTML's named characters: the writing half of the `phf` beside this
//! crate, which has the format and the reason. Runs while comrak is built, so that what it cannot write stops the build.

use std::{
    collections::BTreeSet,
    fmt::{self, Display, Formatter},
};

/// Collects a map's entries.
#[derive(Debug, Default)]
pub struct Map {
    /// In the order they are written in: neighbours in Unicode are near each other, so that the steps are short.
    entries: BTreeSet<(String, String)>,
}

impl Map {
    /// An empty map.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a name, and its characters as a string literal of Rust, the way `{:?}` writes it.
    ///
    /// # Panics
    /// If `value` is anything else.
    #[expect(clippy::panic, reason = "a build script has no other way to say it")]
    pub fn entry(&mut self, key: &str, value: String) -> &mut Self {
        let Some(characters) = unquoted(&value) else { panic!("not a string literal: {value}") };
        self.entries.insert((characters, key.to_owned()));
        self
    }

    /// The map as an expression of Rust.
    #[must_use]
    pub fn build(&self) -> DisplayMap {
        let mut map = DisplayMap { names: String::new(), steps: Vec::new() };
        let mut last = 0;
        for (characters, name) in &self.entries {
            map.names.push_str(name);
            map.names.push('\n');
            let mut rest = characters.chars().map(u32::from).peekable();
            // Sorted by characters: the first is never below that of the name before.
            let first = rest.next().unwrap_or_default();
            map.push_step(first - last, rest.peek().is_some());
            last = first;
            while let Some(code) = rest.next() {
                map.push_step(code, rest.peek().is_some());
            }
        }
        map
    }
}

/// Prints the expression.
#[derive(Debug)]
pub struct DisplayMap {
    names: String,
    steps: Vec<u8>,
}

impl DisplayMap {
    fn push_step(&mut self, number: u32, more: bool) {
        let mut rest = number << 1 | u32::from(more);
        while let high @ 1.. = rest >> 7 {
            self.steps.push(rest.to_le_bytes()[0] & 0x7f | 0x80);
            rest = high;
        }
        self.steps.push(rest.to_le_bytes()[0]);
    }
}

impl Display for DisplayMap {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "::phf::Map::packed({:?}, &{:?})", self.names, self.steps)
    }
}

/// Reads a string literal of Rust with the escapes that `{:?}` uses.
fn unquoted(literal: &str) -> Option<String> {
    let inside = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::new();
    let mut rest = inside.chars();
    while let Some(c) = rest.next() {
        text.push(if c == '\\' { escaped(&mut rest)? } else { c });
    }
    Some(text)
}

fn escaped(rest: &mut std::str::Chars<'_>) -> Option<char> {
    match rest.next()? {
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        '0' => Some('\0'),
        c @ ('\\' | '"' | '\'') => Some(c),
        'u' => {
            let (code, after) = rest.as_str().strip_prefix('{')?.split_once('}')?;
            *rest = after.chars();
            char::from_u32(u32::from_str_radix(code, 16).ok()?)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use phf::Map as Reader;

    /// Writes the entries and reads them with the map that the expression would make.
    fn check(entries: &[(&str, &str)]) {
        let mut map = Map::new();
        for (name, characters) in entries {
            map.entry(name, format!("{characters:?}"));
        }
        let built = map.build();
        let read = Reader::packed(built.names.leak(), built.steps.leak());
        for (name, characters) in entries {
            assert_eq!(read.get(name), Some(characters), "{name}");
        }
        assert_eq!(read.entries().count(), entries.len());
        assert_eq!(read.get("absent"), None);
    }

    #[test]
    fn what_is_written_is_read() {
        check(&[]);
        check(&[("amp", "&"), ("AMP", "&"), ("Afr", "\u{1d504}"), ("NewLine", "\n"), ("quot", "\"")]);
        check(&[("bsol", "\\"), ("apos", "'"), ("Tab", "\t"), ("ZeroWidthSpace", "\u{200b}")]);
    }

    #[test]
    fn a_name_may_stand_for_several_characters() {
        check(&[("nvlt", "<\u{20d2}"), ("lt", "<"), ("NotEqualTilde", "\u{2242}\u{338}"), ("x", "abc")]);
    }

    #[test]
    fn the_expression_is_one_call() {
        let mut map = Map::new();
        map.entry("lt", r#""<""#.to_owned()).entry("gt", r#""\u{3e}""#.to_owned());
        assert_eq!(map.build().to_string(), r#"::phf::Map::packed("lt\ngt\n", &[120, 4])"#);
    }

    #[test]
    #[should_panic(expected = "not a string literal: 1")]
    fn what_is_no_string_stops_the_build() {
        Map::new().entry("one", "1".to_owned());
    }
}

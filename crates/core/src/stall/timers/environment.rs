//! The environment's variables, read as Hermes reads them.
//!
//! Owns Python's idea of a number in text, because that is what decides whether a variable counts.

use super::{Place, Setting, Source};

/// One variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnvEntry {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Where it is written.
    pub place: Option<Place>,
}

/// The variables; the last one of a name counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Env {
    entries: Vec<EnvEntry>,
}

impl Env {
    /// An environment of these.
    pub fn new(entries: Vec<EnvEntry>) -> Self {
        Self { entries }
    }

    /// All of them, in the order in which they are written.
    pub fn entries(&self) -> &[EnvEntry] {
        &self.entries
    }

    /// The variable that counts.
    pub fn get(&self, name: &str) -> Option<&EnvEntry> {
        self.entries.iter().rev().find(|entry| entry.name == name)
    }

    /// Whether it is there, even if it is empty.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// A number, as Hermes' `env_float` reads it: what is empty or no number counts as not set.
    pub fn float(&self, name: &str) -> Setting {
        self.number(name, python_float, "it is not a number")
    }

    /// A whole number, as Hermes' `env_int` reads it.
    pub fn int(&self, name: &str) -> Setting {
        self.number(name, |text| python_int(text).map(|number| number as f64), "it is not a whole number")
    }

    fn number(&self, name: &str, parse: impl Fn(&str) -> Option<f64>, why: &str) -> Setting {
        let Some(entry) = self.get(name) else { return Setting::Unset };
        let source = Source { name: name.to_owned(), place: entry.place };
        if entry.value.trim().is_empty() {
            return Setting::Ignored(source, "it is empty".to_owned());
        }
        match parse(&entry.value) {
            Some(number) => Setting::Given(number, source),
            None => Setting::Ignored(source, why.to_owned()),
        }
    }
}

/// Python's `float(text)`: blanks around it, `inf`, `nan` and single underscores between digits are fine.
pub fn python_float(text: &str) -> Option<f64> {
    without_underscores(text.trim())?.parse().ok()
}

/// Python's `int(text)`, in the range of a 64-bit number.
pub fn python_int(text: &str) -> Option<i64> {
    without_underscores(text.trim())?.parse().ok()
}

/// The digits without the underscores that may stand between two of them; `None` if one stands elsewhere.
fn without_underscores(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '_' {
            let between = out.ends_with(|c: char| c.is_ascii_digit())
                && characters.peek().is_some_and(char::is_ascii_digit);
            if !between {
                return None;
            }
        } else {
            out.push(character);
        }
    }
    Some(out)
}

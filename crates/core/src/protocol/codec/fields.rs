//! Takes typed fields out of a JSON object; whatever is wrong is said with the frame's type and the field's name.
//!
//! `null` counts as absent, fields that nobody asks for are ignored.
//!
//! No reader here fails: it notes what is wrong and answers with an empty value, and whoever began the frame asks at its end
//! whether anything was noted. A way out after each of a hundred fields, with everything read before it to drop, would be
//! most of the code.

use std::cell::OnceCell;

use serde_json::{Map, Value};

use super::{DecodeError, words};
use crate::ids::ToolIndex;
use crate::protocol::frame::Tokens;

/// What is wrong with a frame: the first thing, in the order in which its fields are read.
pub(super) struct Report<'a> {
    kind: &'a str,
    first: OnceCell<DecodeError>,
}

impl<'a> Report<'a> {
    pub(super) fn of(kind: &'a str) -> Self {
        Self { kind, first: OnceCell::new() }
    }

    /// What was read, if nothing was wrong with it.
    pub(super) fn end<T>(self, read: T) -> Result<T, DecodeError> {
        match self.first.into_inner() {
            None => Ok(read),
            Some(error) => Err(error),
        }
    }

    fn note(&self, error: DecodeError) {
        // Set before: there is an earlier error, which stays.
        let _ = self.first.set(error);
    }
}

/// The fields of one object that have not been taken yet.
pub(super) struct Fields<'a> {
    report: &'a Report<'a>,
    /// Where this object is inside the frame: empty, or `chats[0].`.
    path: String,
    map: Map<String, Value>,
}

impl<'a> Fields<'a> {
    pub(super) fn of(report: &'a Report<'a>, map: Map<String, Value>) -> Self {
        Self { report, path: String::new(), map }
    }

    fn take(&mut self, field: &str) -> Option<Value> {
        self.map.remove(field).filter(|value| !value.is_null())
    }

    /// What must be there; empty when it is not.
    pub(super) fn need<T: Default>(&self, field: &str, value: Option<T>) -> T {
        if value.is_none() {
            self.missing(field);
        }
        value.unwrap_or_default()
    }

    #[inline(never)]
    fn missing(&self, field: &str) {
        self.report.note(DecodeError::Missing { kind: self.report.kind.to_owned(), field: self.name(field) });
    }

    /// `expected` completes "must be …".
    fn wrong(&self, field: &str, expected: &'static str, value: &Value) {
        self.not(field, expected, name_of(value));
    }

    #[inline(never)]
    fn not(&self, field: &str, expected: &'static str, found: &'static str) {
        let kind = self.report.kind.to_owned();
        self.report.note(DecodeError::Wrong { kind, field: self.name(field), expected, found });
    }

    fn name(&self, field: &str) -> String {
        [&self.path, field].concat()
    }

    #[inline(never)]
    pub(super) fn text_or_none(&mut self, field: &str) -> Option<String> {
        match self.take(field)? {
            Value::String(text) => Some(text),
            other => {
                self.wrong(field, "a string", &other);
                None
            }
        }
    }

    #[inline(never)]
    pub(super) fn text(&mut self, field: &str) -> String {
        let text = self.text_or_none(field);
        self.need(field, text)
    }

    /// A text that is empty when it is absent.
    #[inline(never)]
    pub(super) fn text_or_empty(&mut self, field: &str) -> String {
        self.text_or_none(field).unwrap_or_default()
    }

    pub(super) fn id_or_none<T: From<String>>(&mut self, field: &str) -> Option<T> {
        self.text_or_none(field).map(T::from)
    }

    pub(super) fn id<T: From<String>>(&mut self, field: &str) -> T {
        T::from(self.text(field))
    }

    /// A number that `read` accepts.
    fn number<T>(&mut self, field: &str, expected: &'static str, read: fn(&Value) -> Option<T>) -> Option<T> {
        let value = self.take(field)?;
        let number = read(&value);
        if number.is_none() {
            self.wrong(field, expected, &value);
        }
        number
    }

    #[inline(never)]
    pub(super) fn whole_or_none(&mut self, field: &str) -> Option<u64> {
        self.number(field, "a whole number, 0 or more", Value::as_u64)
    }

    #[inline(never)]
    pub(super) fn whole(&mut self, field: &str) -> u64 {
        let whole = self.whole_or_none(field);
        self.need(field, whole)
    }

    #[inline(never)]
    pub(super) fn u32_or_none(&mut self, field: &str) -> Option<u32> {
        let read = |value: &Value| value.as_u64().and_then(|whole| u32::try_from(whole).ok());
        self.number(field, "a whole number from 0 to 4294967295", read)
    }

    #[inline(never)]
    pub(super) fn u32(&mut self, field: &str) -> u32 {
        let small = self.u32_or_none(field);
        self.need(field, small)
    }

    pub(super) fn i32_or_none(&mut self, field: &str) -> Option<i32> {
        let read = |value: &Value| value.as_i64().and_then(|whole| i32::try_from(whole).ok());
        self.number(field, "a whole number of 32 bits", read)
    }

    pub(super) fn number_or_none(&mut self, field: &str) -> Option<f64> {
        self.number(field, "a number", Value::as_f64)
    }

    #[inline(never)]
    pub(super) fn flag_or_none(&mut self, field: &str) -> Option<bool> {
        self.number(field, "true or false", Value::as_bool)
    }

    #[inline(never)]
    pub(super) fn flag(&mut self, field: &str) -> bool {
        let flag = self.flag_or_none(field);
        self.need(field, flag)
    }

    pub(super) fn tool_index(&mut self) -> ToolIndex {
        ToolIndex(self.u32("index"))
    }

    /// One of the fixed words of a table; `None` has been noted.
    pub(super) fn word<T: Copy>(
        &mut self,
        field: &str,
        table: &[(&'static str, T)],
        expected: &'static str,
    ) -> Option<T> {
        let value = self.word_or_none(field, table, expected);
        if value.is_none() {
            self.missing(field);
        }
        value
    }

    pub(super) fn word_or_none<T: Copy>(
        &mut self,
        field: &str,
        table: &[(&'static str, T)],
        expected: &'static str,
    ) -> Option<T> {
        let word = self.text_or_none(field)?;
        let value = words::value(table, &word);
        if value.is_none() {
            self.not(field, expected, "another word");
        }
        value
    }

    /// An object; empty when absent.
    #[inline(never)]
    pub(super) fn map(&mut self, field: &str) -> Map<String, Value> {
        match self.take(field) {
            None => Map::new(),
            Some(Value::Object(map)) => map,
            Some(other) => {
                self.wrong(field, "an object", &other);
                Map::new()
            }
        }
    }

    /// An object with fields of its own that must be there.
    pub(super) fn inner_needed(&mut self, field: &str) -> Fields<'a> {
        if self.map.get(field).is_none_or(Value::is_null) {
            self.missing(field);
        }
        self.inner(field)
    }

    /// An object with fields of its own; all of them absent when it is.
    #[inline(never)]
    pub(super) fn inner(&mut self, field: &str) -> Fields<'a> {
        let map = self.map(field);
        Fields { report: self.report, path: [&self.path, field, "."].concat(), map }
    }

    #[inline(never)]
    pub(super) fn list(&mut self, field: &str) -> Vec<Value> {
        match self.take(field) {
            None => Vec::new(),
            Some(Value::Array(list)) => list,
            Some(other) => {
                self.wrong(field, "an array", &other);
                Vec::new()
            }
        }
    }

    /// An array of strings; empty when absent.
    #[inline(never)]
    pub(super) fn texts(&mut self, field: &str) -> Vec<String> {
        let mut out = Vec::new();
        for value in self.list(field) {
            match value {
                Value::String(text) => out.push(text),
                other => self.wrong(field, "an array of strings", &other),
            }
        }
        out
    }

    /// An array of objects; empty when absent.
    pub(super) fn objects<T>(&mut self, field: &str, read: fn(&mut Fields<'a>) -> T) -> Vec<T> {
        let mut out = Vec::new();
        for (at, value) in self.list(field).into_iter().enumerate() {
            if let Some(mut fields) = self.element(field, at, value) {
                out.push(read(&mut fields));
            }
        }
        out
    }

    #[inline(never)]
    fn element(&self, field: &str, at: usize, value: Value) -> Option<Fields<'a>> {
        match value {
            Value::Object(map) => {
                Some(Fields { report: self.report, path: format!("{}{field}[{at}].", self.path), map })
            }
            other => {
                self.wrong(field, "an array of objects", &other);
                None
            }
        }
    }

    /// Tokens: a bare number is the total, an object has the parts.
    #[inline(never)]
    pub(super) fn tokens(&mut self) -> Option<Tokens> {
        match self.map.get("tokens") {
            None | Some(Value::Null) => return None,
            Some(Value::Object(_)) => {}
            Some(other) => {
                let total = other.as_u64();
                if total.is_none() {
                    self.wrong("tokens", "a whole number or an object", other);
                }
                return Some(Tokens { total, ..Tokens::default() });
            }
        }
        let mut parts = self.inner("tokens");
        Some(Tokens {
            input: parts.whole_or_none("input"),
            output: parts.whole_or_none("output"),
            total: parts.whole_or_none("total"),
            cache_read: parts.whole_or_none("cache_read"),
            cache_write: parts.whole_or_none("cache_write"),
        })
    }
}

/// What a value is, for an error.
pub(super) fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(number) if number.is_f64() => "a fraction",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

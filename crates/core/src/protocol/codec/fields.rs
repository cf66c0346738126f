//! Takes typed fields out of a JSON object; whatever is wrong is said with the frame's type and the field's name.
//!
//! `null` counts as absent, fields that nobody asks for are ignored.

use serde_json::{Map, Value};

use super::{DecodeError, words};
use crate::ids::ToolIndex;
use crate::protocol::frame::Tokens;

type Read<T> = Result<T, DecodeError>;

/// The fields of one object that have not been taken yet.
pub(super) struct Fields<'a> {
    kind: &'a str,
    /// Where this object is inside the frame: empty, or `chats[0].`.
    path: String,
    map: Map<String, Value>,
}

impl<'a> Fields<'a> {
    pub(super) fn of(kind: &'a str, map: Map<String, Value>) -> Self {
        Self { kind, path: String::new(), map }
    }

    /// An optional field, turned into `T` by `read`; `expected` completes "must be …".
    fn take<T>(
        &mut self,
        field: &str,
        expected: &'static str,
        read: fn(Value) -> Result<T, Value>,
    ) -> Read<Option<T>> {
        match self.map.remove(field) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => read(value).map(Some).map_err(|value| self.wrong(field, expected, &value)),
        }
    }

    fn need<T>(&self, field: &str, value: Option<T>) -> Read<T> {
        value.ok_or_else(|| DecodeError::Missing { kind: self.kind.to_owned(), field: self.name(field) })
    }

    fn wrong(&self, field: &str, expected: &'static str, value: &Value) -> DecodeError {
        DecodeError::Wrong {
            kind: self.kind.to_owned(),
            field: self.name(field),
            expected,
            found: name_of(value),
        }
    }

    fn name(&self, field: &str) -> String {
        format!("{}{field}", self.path)
    }

    pub(super) fn text_or_none(&mut self, field: &str) -> Read<Option<String>> {
        self.take(field, "a string", |value| match value {
            Value::String(text) => Ok(text),
            other => Err(other),
        })
    }

    pub(super) fn text(&mut self, field: &str) -> Read<String> {
        let text = self.text_or_none(field)?;
        self.need(field, text)
    }

    pub(super) fn id_or_none<T: From<String>>(&mut self, field: &str) -> Read<Option<T>> {
        Ok(self.text_or_none(field)?.map(T::from))
    }

    pub(super) fn id<T: From<String>>(&mut self, field: &str) -> Read<T> {
        self.text(field).map(T::from)
    }

    pub(super) fn whole_or_none(&mut self, field: &str) -> Read<Option<u64>> {
        self.take(field, "a whole number, 0 or more", |value| value.as_u64().ok_or(value))
    }

    pub(super) fn whole(&mut self, field: &str) -> Read<u64> {
        let whole = self.whole_or_none(field)?;
        self.need(field, whole)
    }

    pub(super) fn u32_or_none(&mut self, field: &str) -> Read<Option<u32>> {
        self.take(field, "a whole number from 0 to 4294967295", |value| {
            value.as_u64().and_then(|whole| u32::try_from(whole).ok()).ok_or(value)
        })
    }

    pub(super) fn u32(&mut self, field: &str) -> Read<u32> {
        let small = self.u32_or_none(field)?;
        self.need(field, small)
    }

    pub(super) fn i32_or_none(&mut self, field: &str) -> Read<Option<i32>> {
        self.take(field, "a whole number of 32 bits", |value| {
            value.as_i64().and_then(|whole| i32::try_from(whole).ok()).ok_or(value)
        })
    }

    pub(super) fn number_or_none(&mut self, field: &str) -> Read<Option<f64>> {
        self.take(field, "a number", |value| value.as_f64().ok_or(value))
    }

    pub(super) fn flag_or_none(&mut self, field: &str) -> Read<Option<bool>> {
        self.take(field, "true or false", |value| value.as_bool().ok_or(value))
    }

    pub(super) fn flag(&mut self, field: &str) -> Read<bool> {
        let flag = self.flag_or_none(field)?;
        self.need(field, flag)
    }

    pub(super) fn tool_index(&mut self) -> Read<ToolIndex> {
        self.u32("index").map(ToolIndex)
    }

    /// One of the fixed words of a table.
    pub(super) fn word<T: Copy>(
        &mut self,
        field: &str,
        table: &[(&'static str, T)],
        expected: &'static str,
    ) -> Read<T> {
        let value = self.word_or_none(field, table, expected)?;
        self.need(field, value)
    }

    pub(super) fn word_or_none<T: Copy>(
        &mut self,
        field: &str,
        table: &[(&'static str, T)],
        expected: &'static str,
    ) -> Read<Option<T>> {
        let Some(word) = self.text_or_none(field)? else { return Ok(None) };
        words::value(table, &word).map(Some).ok_or_else(|| DecodeError::Wrong {
            kind: self.kind.to_owned(),
            field: self.name(field),
            expected,
            found: "another word",
        })
    }

    /// An object; empty when absent.
    pub(super) fn map(&mut self, field: &str) -> Read<Map<String, Value>> {
        let map = self.take(field, "an object", |value| match value {
            Value::Object(map) => Ok(map),
            other => Err(other),
        })?;
        Ok(map.unwrap_or_default())
    }

    /// An object with fields of its own that must be there.
    pub(super) fn inner_needed(&mut self, field: &str) -> Read<Fields<'a>> {
        let there = self.map.get(field).filter(|value| !value.is_null()).map(|_| ());
        self.need(field, there)?;
        self.inner(field)
    }

    /// An object with fields of its own; all of them absent when it is.
    pub(super) fn inner(&mut self, field: &str) -> Read<Fields<'a>> {
        let map = self.map(field)?;
        Ok(Fields { kind: self.kind, path: format!("{}{field}.", self.path), map })
    }

    pub(super) fn list(&mut self, field: &str) -> Read<Vec<Value>> {
        let list = self.take(field, "an array", |value| match value {
            Value::Array(list) => Ok(list),
            other => Err(other),
        })?;
        Ok(list.unwrap_or_default())
    }

    /// An array of strings; empty when absent.
    pub(super) fn texts(&mut self, field: &str) -> Read<Vec<String>> {
        let list = self.list(field)?;
        let text = |value| match value {
            Value::String(text) => Ok(text),
            other => Err(self.wrong(field, "an array of strings", &other)),
        };
        list.into_iter().map(text).collect()
    }

    /// An array of objects; empty when absent.
    pub(super) fn objects<T>(&mut self, field: &str, read: fn(&mut Fields<'a>) -> Read<T>) -> Read<Vec<T>> {
        let mut out = Vec::new();
        for (at, value) in self.list(field)?.into_iter().enumerate() {
            let Value::Object(map) = value else {
                return Err(self.wrong(field, "an array of objects", &value));
            };
            out.push(read(&mut Fields {
                kind: self.kind,
                path: format!("{}{field}[{at}].", self.path),
                map,
            })?);
        }
        Ok(out)
    }

    /// Tokens: a bare number is the total, an object has the parts.
    pub(super) fn tokens(&mut self) -> Read<Option<Tokens>> {
        if let Some(total) = self.map.get("tokens").and_then(Value::as_u64) {
            return Ok(Some(Tokens { total: Some(total), ..Tokens::default() }));
        }
        match self.map.get("tokens") {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Object(_)) => {}
            Some(other) => return Err(self.wrong("tokens", "a whole number or an object", other)),
        }
        let mut parts = self.inner("tokens")?;
        Ok(Some(Tokens {
            input: parts.whole_or_none("input")?,
            output: parts.whole_or_none("output")?,
            total: parts.whole_or_none("total")?,
            cache_read: parts.whole_or_none("cache_read")?,
            cache_write: parts.whole_or_none("cache_write")?,
        }))
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

//! Writes one flat JSON object. Absent and empty fields are left out; nothing is copied but into the text.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::protocol::frame::Tokens;

/// An object being written.
pub(super) struct Writer {
    out: Vec<u8>,
}

impl Writer {
    /// Begins a frame.
    pub(super) fn frame(kind: &str) -> Self {
        Self { out: vec![b'{'] }.text("type", kind)
    }

    /// Begins an object inside a frame.
    pub(super) fn object() -> Self {
        Self { out: vec![b'{'] }
    }

    /// Ends it.
    pub(super) fn end(mut self) -> String {
        self.out.push(b'}');
        String::from_utf8(self.out).unwrap_or_default()
    }

    fn value(mut self, field: &'static str, value: &(impl Serialize + ?Sized)) -> Self {
        // No value here can fail to serialise (string keys, no foreign types); if one did, `null` keeps it valid JSON.
        let json = serde_json::to_string(value);
        self.raw(field, json.as_deref().unwrap_or("null"));
        self
    }

    /// A value that is JSON already.
    fn raw(&mut self, field: &'static str, json: &str) {
        if self.out.len() > 1 {
            self.out.push(b',');
        }
        self.out.push(b'"');
        self.out.extend_from_slice(field.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.out.extend_from_slice(json.as_bytes());
    }

    pub(super) fn text(self, field: &'static str, text: &str) -> Self {
        self.value(field, text)
    }

    pub(super) fn text_or_none(self, field: &'static str, text: Option<&str>) -> Self {
        match text {
            Some(text) => self.value(field, text),
            None => self,
        }
    }

    pub(super) fn whole(self, field: &'static str, whole: u64) -> Self {
        self.value(field, &whole)
    }

    pub(super) fn whole_or_none(self, field: &'static str, whole: Option<u64>) -> Self {
        match whole {
            Some(whole) => self.value(field, &whole),
            None => self,
        }
    }

    pub(super) fn i32_or_none(self, field: &'static str, whole: Option<i32>) -> Self {
        match whole {
            Some(whole) => self.value(field, &whole),
            None => self,
        }
    }

    /// A number; whole ones as JavaScript writes them, without a `.0`.
    pub(super) fn number(self, field: &'static str, number: f64) -> Self {
        if number.fract() == 0.0 && number.abs() < 9.0e15 {
            self.value(field, &(number as i64))
        } else {
            self.value(field, &number)
        }
    }

    pub(super) fn number_or_none(self, field: &'static str, number: Option<f64>) -> Self {
        match number {
            Some(number) => self.number(field, number),
            None => self,
        }
    }

    pub(super) fn flag(self, field: &'static str, flag: bool) -> Self {
        self.value(field, &flag)
    }

    pub(super) fn flag_or_none(self, field: &'static str, flag: Option<bool>) -> Self {
        match flag {
            Some(flag) => self.value(field, &flag),
            None => self,
        }
    }

    pub(super) fn map(self, field: &'static str, map: &Map<String, Value>) -> Self {
        if map.is_empty() { self } else { self.value(field, map) }
    }

    pub(super) fn texts(self, field: &'static str, texts: &[String]) -> Self {
        if texts.is_empty() { self } else { self.value(field, texts) }
    }

    /// An object that was written before; left out when it has no field.
    pub(super) fn inner(mut self, field: &'static str, object: Writer) -> Self {
        if object.out.len() > 1 {
            self.raw(field, &object.end());
        }
        self
    }

    pub(super) fn objects<T>(mut self, field: &'static str, items: &[T], write: fn(&T) -> Writer) -> Self {
        if !items.is_empty() {
            let items: Vec<String> = items.iter().map(|item| write(item).end()).collect();
            self.raw(field, &format!("[{}]", items.join(",")));
        }
        self
    }

    /// Tokens; a bare number when only the total is known.
    pub(super) fn tokens(mut self, tokens: Option<&Tokens>) -> Self {
        let Some(tokens) = tokens else { return self };
        if let Tokens { input: None, output: None, total: Some(total), cache_read: None, cache_write: None } =
            tokens
        {
            return self.whole("tokens", *total);
        }
        let parts = Writer::object()
            .whole_or_none("input", tokens.input)
            .whole_or_none("output", tokens.output)
            .whole_or_none("total", tokens.total)
            .whole_or_none("cache_read", tokens.cache_read)
            .whole_or_none("cache_write", tokens.cache_write);
        self.raw("tokens", &parts.end());
        self
    }
}

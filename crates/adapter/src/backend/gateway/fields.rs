//! Reading fields out of a JSON object that nobody promised anything about: absent and of the wrong type are the same.

use serde_json::{Map, Value};

/// A JSON object of a call, a metadata or a hook's arguments.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a Map<String, Value>);

impl<'a> Fields<'a> {
    /// A string.
    pub(super) fn text(self, name: &str) -> Option<&'a str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// A string, owned, empty when absent.
    pub(super) fn string(self, name: &str) -> String {
        self.text(name).unwrap_or_default().to_owned()
    }

    /// A string, owned, if it is there and not empty.
    pub(super) fn non_empty(self, name: &str) -> Option<String> {
        self.text(name).filter(|text| !text.is_empty()).map(str::to_owned)
    }

    /// A whole number that is not negative.
    pub(super) fn count(self, name: &str) -> Option<u64> {
        self.0.get(name).and_then(Value::as_u64)
    }

    /// Whether the field is `true`.
    pub(super) fn is_true(self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool) == Some(true)
    }

    /// An object.
    pub(super) fn object(self, name: &str) -> Option<Fields<'a>> {
        self.0.get(name).and_then(Value::as_object).map(Fields)
    }

    /// Whether the field is a list with something in it.
    pub(super) fn has_any(self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_array).is_some_and(|list| !list.is_empty())
    }

    /// An object, owned, empty when absent.
    pub(super) fn map(self, name: &str) -> Map<String, Value> {
        self.object(name).map(|fields| fields.0.clone()).unwrap_or_default()
    }
}

//! JSON, read and written by the browser's own parser. Ours would be a tenth of what a visitor downloads.
//!
//! A lone surrogate, which the Rust parser refuses, arrives as U+FFFD like everywhere else on the page.

use js_sys::{Array, Function, JsString, Object, Reflect};
use serde_json::{Map, Number, Value};
use wasm_bindgen::{JsCast, JsValue};

/// Deeper nesting is refused: the same limit as the adapter's parser has.
const MAX_DEPTH: u32 = 128;

/// Whole numbers up to here are exact in JavaScript.
const MAX_EXACT: f64 = 9_007_199_254_740_991.0;

/// Parses a text. An error says why, without the text.
pub fn parse(text: &JsString) -> Result<Value, String> {
    let json = namespace();
    let parse: Function = member(&json, "parse").ok_or("this browser has no JSON parser")?;
    // The browser's message quotes the text, which is nobody's to show.
    let parsed = parse.call1(&json, text).map_err(|_| "the browser could not parse it")?;
    from_js(&parsed, 0).ok_or_else(|| format!("nested deeper than {MAX_DEPTH}"))
}

/// Writes a value in one line.
pub fn line(value: &Value) -> String {
    stringify(value, 0)
}

/// Writes a value laid out for reading.
pub fn pretty(value: &Value) -> String {
    stringify(value, 2)
}

fn stringify(value: &Value, indent: u32) -> String {
    let json = namespace();
    let write: Option<Function> = member(&json, "stringify");
    let text = write.and_then(|write| write.call3(&json, &to_js(value), &JsValue::NULL, &indent.into()).ok());
    text.and_then(|text| text.as_string()).unwrap_or_default()
}

fn namespace() -> JsValue {
    Reflect::get(&js_sys::global(), &JsValue::from_str("JSON")).unwrap_or(JsValue::UNDEFINED)
}

fn member(object: &JsValue, name: &str) -> Option<Function> {
    Reflect::get(object, &JsValue::from_str(name)).ok()?.dyn_into().ok()
}

/// `None` when it is nested too deep.
fn from_js(js: &JsValue, depth: u32) -> Option<Value> {
    if depth > MAX_DEPTH {
        return None;
    }
    if let Some(text) = js.as_string() {
        return Some(Value::String(text));
    }
    if let Some(number) = js.as_f64() {
        return Some(from_number(number));
    }
    if let Some(flag) = js.as_bool() {
        return Some(Value::Bool(flag));
    }
    if let Some(array) = js.dyn_ref::<Array>() {
        return array
            .iter()
            .map(|item| from_js(&item, depth + 1))
            .collect::<Option<Vec<_>>>()
            .map(Value::Array);
    }
    match js.dyn_ref::<Object>() {
        Some(object) => from_object(object, depth).map(Value::Object),
        None => Some(Value::Null),
    }
}

fn from_object(object: &Object, depth: u32) -> Option<Map<String, Value>> {
    let mut map = Map::new();
    for entry in Object::entries(object).iter() {
        let entry: Array = entry.unchecked_into();
        map.insert(entry.get(0).as_string()?, from_js(&entry.get(1), depth + 1)?);
    }
    Some(map)
}

fn from_number(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() <= MAX_EXACT {
        return if number < 0.0 { Value::from(number as i64) } else { Value::from(number as u64) };
    }
    Number::from_f64(number).map_or(Value::Null, Value::Number)
}

fn to_js(value: &Value) -> JsValue {
    match value {
        Value::Null => JsValue::NULL,
        Value::Bool(flag) => JsValue::from_bool(*flag),
        Value::Number(number) => number.as_f64().map_or(JsValue::NULL, JsValue::from_f64),
        Value::String(text) => JsValue::from_str(text),
        Value::Array(items) => items.iter().map(to_js).collect::<Array>().into(),
        Value::Object(map) => {
            // Entries, since setting a property called `__proto__` would do something else.
            let entries: Array =
                map.iter().map(|(key, value)| Array::of2(&JsValue::from_str(key), &to_js(value))).collect();
            Object::from_entries(&entries).map_or(JsValue::NULL, JsValue::from)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn what_is_read_is_what_the_rust_parser_reads() {
        for text in [
            r#"{"b":1,"a":[true,false,null,-2,0.5,1e300,9007199254740991],"s":"\u00e9\n\"","o":{"__proto__":{"x":1},"":""}}"#,
            "[]",
            "{}",
            "\"x\"",
            "5",
        ] {
            let expected: Value = serde_json::from_str(text).unwrap_or_default();
            assert_eq!(parse(&text.into()), Ok(expected.clone()), "{text}");
            let again = serde_json::from_str::<Value>(&line(&expected)).unwrap_or_default();
            assert_eq!(again, expected, "{text}");
        }
    }

    #[wasm_bindgen_test]
    fn half_an_emoji_costs_no_message_and_what_is_no_json_is_an_error() {
        assert_eq!(parse(&r#"{"text":"ok \ud83d"}"#.into()), Ok(serde_json::json!({"text": "ok \u{fffd}"})));
        for text in ["", "{", "not json", "{\"a\":}"] {
            assert!(parse(&text.into()).is_err(), "{text}");
        }
    }

    #[wasm_bindgen_test]
    fn what_is_nested_too_deep_is_refused() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(parse(&nested(100).as_str().into()).is_ok());
        for depth in [200, 10_000] {
            assert!(parse(&nested(depth).as_str().into()).is_err(), "{depth}");
        }
    }

    #[wasm_bindgen_test]
    fn a_value_is_laid_out_for_reading() {
        assert_eq!(pretty(&serde_json::json!({"a": [1]})), "{\n  \"a\": [\n    1\n  ]\n}");
    }
}

//! The two short texts of a tool card: what the tool does (from its arguments) and what it said (from its result).
//! Shared by every source of turns. Owns bounding them; how they look is the app's matter.

use serde_json::{Map, Value};

/// The longest output preview, in characters.
pub const MAX_OUTPUT_CHARS: usize = 1_000;
/// The longest argument preview, in characters.
pub const MAX_PREVIEW_CHARS: usize = 120;

/// Arguments that say best what a tool does, most telling first.
const TELLING: [&str; 12] = [
    "command",
    "path",
    "file_path",
    "query",
    "pattern",
    "url",
    "code",
    "question",
    "prompt",
    "task",
    "name",
    "text",
];
/// Fields of a JSON result that hold what a person would have seen, most telling first.
const OUTPUT_FIELDS: [&str; 4] = ["output", "content", "error", "message"];

/// One line that says what a call with these arguments does.
pub fn args_preview(args: &Map<String, Value>) -> Option<String> {
    let told = TELLING.iter().find_map(|name| args.get(*name).and_then(Value::as_str));
    let text = told.or_else(|| args.values().find_map(Value::as_str))?;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!line.is_empty()).then(|| bounded(&line, MAX_PREVIEW_CHARS))
}

/// The beginning of what a tool said. Hermes' tools return JSON around it, which may have been cut in the middle.
pub fn output_preview(result: &str) -> Option<String> {
    let text = match serde_json::from_str::<Value>(result) {
        Ok(Value::Object(object)) => from_object(&object).unwrap_or_else(|| result.to_owned()),
        Ok(Value::String(text)) => text,
        Ok(_) => result.to_owned(),
        Err(_) => from_cut_json(result).unwrap_or_else(|| result.to_owned()),
    };
    let text = text.trim_end().trim_start_matches('\n');
    (!text.is_empty()).then(|| bounded(text, MAX_OUTPUT_CHARS))
}

/// The first telling field with text in it. One that is there but empty means that there was no output.
fn from_object(object: &Map<String, Value>) -> Option<String> {
    let mut texts =
        OUTPUT_FIELDS.iter().filter_map(|name| object.get(*name).and_then(Value::as_str)).peekable();
    texts.peek()?;
    Some(texts.find(|text| !text.trim().is_empty()).unwrap_or_default().to_owned())
}

/// `{"output": "1\n2\n3…` without its end.
fn from_cut_json(result: &str) -> Option<String> {
    let inside = result.trim_start().strip_prefix('{')?.trim_start();
    let name = OUTPUT_FIELDS.iter().find(|name| inside.starts_with(&format!("\"{name}\"")))?;
    let value =
        inside.get(name.len() + 2..)?.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    let mut raw = value.strip_suffix("...").unwrap_or(value);
    // The cut may stand inside an escape: at most `\u12` of it is left over, and a surrogate pair is two of them.
    for _ in 0..12 {
        if let Ok(text) = serde_json::from_str::<String>(&format!("\"{raw}\"")) {
            return Some(text);
        }
        let (end, _) = raw.char_indices().next_back()?;
        raw = raw.get(..end)?;
    }
    None
}

fn bounded(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(result: &str, expected: Option<&str>) {
        assert_eq!(output_preview(result).as_deref(), expected, "{result}");
    }

    #[test]
    fn a_result_is_shown_without_the_json_around_it() {
        output(r#"{"output": "a\nb\n", "exit_code": 0, "error": null}"#, Some("a\nb"));
        output(r##"{"content": "1|# demo", "total_lines": 3}"##, Some("1|# demo"));
        output(r#"{"output": "", "exit_code": 0, "error": null}"#, None);
        output(r#"{"output": "", "error": "no such tool"}"#, Some("no such tool"));
        output(r#"{"files": 3}"#, Some(r#"{"files": 3}"#));
        output("plain words", Some("plain words"));
        output(r#""a JSON string""#, Some("a JSON string"));
        output("[1, 2]", Some("[1, 2]"));
        output("", None);
    }

    #[test]
    fn a_result_that_was_cut_is_read_as_far_as_it_goes() {
        output(r#"{"output": "1\n2\n3\..."#, Some("1\n2\n3"));
        output(r#"{"output": "caf\u00..."#, Some("caf"));
        output(r#"{"content": "a \"b\" c..."#, Some("a \"b\" c"));
        output(r#"{"files": ["a", "b..."#, Some(r#"{"files": ["a", "b..."#));
    }

    #[test]
    fn previews_are_bounded_at_a_character() {
        let long = "é".repeat(5_000);
        let preview = output_preview(&long).unwrap();
        assert_eq!(preview.chars().count(), MAX_OUTPUT_CHARS + 1);
        assert!(preview.ends_with('…'));
    }

    #[test]
    fn the_most_telling_argument_becomes_the_preview() {
        let args =
            |json: &str| args_preview(serde_json::from_str::<Value>(json).unwrap().as_object().unwrap());
        assert_eq!(args(r#"{"timeout": 3, "command": "ls\n  -la"}"#).as_deref(), Some("ls -la"));
        assert_eq!(args(r#"{"depth": 3, "where": "here"}"#).as_deref(), Some("here"));
        assert_eq!(args(r#"{"depth": 3}"#), None);
        assert_eq!(args(r#"{"command": ""}"#), None);
    }
}

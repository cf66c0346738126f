//! What a file is: one of the two formats, or something else, named if it can be recognised. Owns the sentences.

use serde_json::{Map, Value};

use crate::protocol::codec::SERVER_TYPES;

/// The first line of an export of ours carries this field; its value is [`EXPORT`].
pub const EXPORT_FIELD: &str = "iris";
/// What stands in it.
pub const EXPORT: &str = "frames";

/// How the lines of a file are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// `hermes chat --format stream-json`.
    StreamJson,
    /// Frames, as Iris exports them.
    Frames,
}

impl Format {
    /// The format that an object belongs to, as far as it alone tells.
    pub(super) fn of(object: &Map<String, Value>) -> Option<Self> {
        if object.get(EXPORT_FIELD).and_then(Value::as_str) == Some(EXPORT) {
            return Some(Self::Frames);
        }
        match object.get("type").and_then(Value::as_str)? {
            "system" | "text" | "tool_use" | "tool_result" | "result" => Some(Self::StreamJson),
            kind if SERVER_TYPES.contains(&kind) => Some(Self::Frames),
            _ => None,
        }
    }
}

/// Why a file cannot be played: a sentence for people that says what it is, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found} {EXPECTED}")]
pub struct Refusal {
    /// What the file is.
    pub found: &'static str,
}

/// What was expected.
pub const EXPECTED: &str = "Expected the output of `hermes chat -q … --format stream-json`, or a recording that Iris \
                            exported: text, one JSON object a line.";

/// How much of a file's beginning tells what it is, bytes.
pub(super) const BEGINNING: usize = 4_096;

/// What a file is that cannot be a run, from its first bytes.
pub(super) fn refuse_by_magic(beginning: &[u8]) -> Option<Refusal> {
    const MAGIC: [(&[u8], &str); 14] = [
        (b"\x1f\x8b", "This file is compressed with gzip: unpack it first (`gunzip FILE`)."),
        (b"\x28\xb5\x2f\xfd", "This file is compressed with zstd: unpack it first (`unzstd FILE`)."),
        (b"\xfd7zXZ", "This file is compressed with xz: unpack it first (`unxz FILE`)."),
        (b"BZh", "This file is compressed with bzip2: unpack it first (`bunzip2 FILE`)."),
        (b"PK\x03\x04", "This is a ZIP archive: unpack it first."),
        (b"SQLite format 3\0", "This is a SQLite database, perhaps Hermes' state.db."),
        (b"\x89PNG", "This is a picture."),
        (b"\xff\xd8\xff", "This is a picture."),
        (b"GIF8", "This is a picture."),
        (b"%PDF", "This is a PDF document."),
        (b"\xff\xfe", "This text is written in UTF-16, as older PowerShells do: save it as UTF-8."),
        (b"\xfe\xff", "This text is written in UTF-16: save it as UTF-8."),
        (b"\x7fELF", "This is a program."),
        (b"\0asm", "This is a program."),
    ];
    let found = MAGIC.iter().find(|(magic, _)| beginning.starts_with(magic)).map(|(_, found)| *found);
    found.map(|found| Refusal { found })
}

/// What a text is in which no line was of a run.
pub(super) fn refuse(beginning: &[u8], objects: u64) -> Refusal {
    let cut = match std::str::from_utf8(beginning) {
        Ok(text) => Some(text),
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(beginning.get(..error.valid_up_to()).unwrap_or_default()).ok()
        }
        Err(_) => None,
    };
    let text =
        cut.map(|text| text.trim_start_matches('\u{feff}').trim_matches(['\0', ' ', '\t', '\r', '\n']));
    Refusal { found: text.map_or("These bytes are no text.", |text| recognise(text, objects)) }
}

fn recognise(text: &str, objects: u64) -> &'static str {
    let first = text.lines().next().unwrap_or_default();
    let lower = text.get(..text.len().min(64)).unwrap_or(first).to_ascii_lowercase();
    let all = |is: fn(&str) -> bool| text.lines().take(5).all(is);
    match text {
        "" => "This file is empty.",
        _ if lower.starts_with("<!doctype html") || lower.starts_with("<html") => "This is a web page.",
        _ if text.starts_with('<') => "This is XML.",
        _ if is_array(text) => "This is a JSON array.",
        _ if text.starts_with('{') && text.contains("\"messages\"") => {
            "This is a JSON document with messages, perhaps an exported session: it has no times to play by."
        }
        _ if objects > 0 => "These are JSON objects, but none that Hermes or Iris writes.",
        _ if text.starts_with('{') => "This is a JSON document over several lines.",
        _ if all(is_listing) => "This is the listing of a folder.",
        _ if all(is_log) => "This is a log: the log reader says what happened in it.",
        _ if first.starts_with("session_id:") => "This is what Hermes wrote to standard error.",
        _ if all(is_yaml) => "This looks like a configuration: the doctor reads it.",
        _ => "This is text of another kind.",
    }
}

/// `[` and something that may stand in an array; `[section]` begins a configuration.
fn is_array(text: &str) -> bool {
    text.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with(['{', '[', '"', ']']))
}

fn is_listing(line: &str) -> bool {
    let permissions = line.get(..10).is_some_and(|word| {
        word.starts_with(['d', '-', 'l']) && word.chars().skip(1).all(|c| "rwxstST-".contains(c))
    });
    permissions || (line.starts_with("total ") && line.chars().skip(6).all(|c| c.is_ascii_digit()))
}

fn is_log(line: &str) -> bool {
    let date: String = line.chars().take(10).map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    date == "0000-00-00" || line.starts_with([' ', '\t'])
}

fn is_yaml(line: &str) -> bool {
    let line = line.trim();
    let key = line.split(':').next().unwrap_or_default();
    let named = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    line.is_empty() || line.starts_with(['#', '-']) || (named && line.contains(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(file: &[u8], expected: &str) {
        let objects =
            file.split(|b| *b == b'\n').filter(|line| serde_json::from_slice::<Map<_, _>>(line).is_ok());
        let refusal = refuse_by_magic(file).unwrap_or_else(|| refuse(file, objects.count() as u64));
        assert!(refusal.found.contains(expected), "{} has no {expected:?}", refusal.found);
        assert!(refusal.to_string().ends_with("one JSON object a line."));
    }

    #[test]
    fn what_is_no_run_is_named() {
        check(b"", "empty");
        check(b"\r\n \n", "empty");
        check(b"\x1f\x8b\x08\0\0", "gzip");
        check(b"\x89PNG\r\n\x1a\n", "picture");
        check(b"SQLite format 3\0\x10", "state.db");
        check(b"\xff\xfe{\0", "UTF-16");
        check(b"[{\"type\":\"text\"}]", "JSON array");
        check(b"[package]\nname = \"x\"\n", "another kind");
        check(b"{\"messages\": [{\"role\": \"user\"}]}", "exported session");
        check(b"{\n  \"a\": 1\n}", "several lines");
        check(b"{\"a\":1}\n{\"a\":2}\n", "none that Hermes or Iris writes");
        check(b"<!DOCTYPE html><p>", "web page");
        check(
            b"total 8\ndrwxr-xr-x 2 root root 4096 Nov 30 a\n-rw-r--r-- 1 root root 1 b\n",
            "listing of a folder",
        );
        check(b"2026-11-30 12:00:00,123 INFO agent: started\n", "log reader");
        check(b"# Hermes\nmodel:\n  default: demo\n", "doctor");
        check(b"\nsession_id: 20261130_120000\n", "standard error");
        check(b"Hello, world, said the file", "another kind");
        check(b"\x01\x02\x80\x81\xff", "no text");
    }

    #[test]
    fn a_beginning_that_ends_inside_a_character_is_text_all_the_same() {
        check(&"Über".repeat(9).as_bytes()[..9], "another kind");
        check(&"é".as_bytes()[..1], "empty");
    }
}

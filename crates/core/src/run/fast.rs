//! The short way for the line that nearly all lines of a run are: a delta, as Hermes writes it. Owns nothing but speed: what
//! it reads it reads as the long way does, and everything else it leaves to that.

use serde_json::Value;

use super::decoder::Input;
use crate::stream_json::clock::stamp_ms;
use crate::stream_json::event::{Event, TimedEvent};

/// `{"type": "text", "text": "…", "timestamp": 1796040000000}`, with or without the spaces.
pub(super) fn delta(line: &[u8]) -> Option<Input> {
    let line = std::str::from_utf8(line.trim_ascii()).ok()?;
    let rest = field(line.strip_prefix('{')?, "\"type\"")?.strip_prefix("\"text\"")?;
    let rest = field(rest.strip_prefix(',')?, "\"text\"")?;
    let (text, rest) = string(rest)?;
    let rest = field(rest.strip_prefix(',')?, "\"timestamp\"")?;
    let digits = rest.strip_suffix('}')?.trim_ascii_end();
    // JSON has no number that begins with a zero.
    let number = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    let stamp: u64 = if number { digits.parse().ok()? } else { return None };
    Some(Input::Event(TimedEvent { timestamp: stamp_ms(&Value::from(stamp)), event: Event::Text { text } }))
}

/// What follows a field's name and colon.
fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    Some(text.trim_ascii_start().strip_prefix(name)?.trim_ascii_start().strip_prefix(':')?.trim_ascii_start())
}

/// The string that the text begins with, and what follows it.
fn string(text: &str) -> Option<(String, &str)> {
    let mut bytes = text.bytes().enumerate().skip(1);
    let (mut escaped, mut end) = (false, None);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => {
                end = Some(at);
                break;
            }
            b'\\' => {
                escaped = true;
                bytes.next();
            }
            0..0x20 => return None,
            _ => {}
        }
    }
    let end = end.filter(|_| text.starts_with('"'))?;
    let quoted = text.get(..=end)?;
    let inside = text.get(1..end)?;
    let string = if escaped { serde_json::from_str(quoted).ok()? } else { inside.to_owned() };
    Some((string, text.get(end + 1..)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stream_json::event::read;

    /// What the long way reads.
    fn long_way(line: &str) -> Option<Input> {
        let Ok(Value::Object(map)) = serde_json::from_str(line) else { return None };
        read(&map).ok().map(Input::Event)
    }

    #[test]
    fn hermes_own_lines_take_the_short_way() {
        for line in [
            r#"{"type": "text", "text": "Let me", "timestamp": 1796035354984}"#,
            r#"{"type":"text","text":"\n\n\"é\" \ud83d\ude00 {}","timestamp":1796035354}"#,
        ] {
            assert!(delta(line.as_bytes()).is_some(), "{line}");
            assert_eq!(delta(line.as_bytes()), long_way(line), "{line}");
        }
    }

    #[test]
    fn anything_else_takes_the_long_way() {
        for line in [
            r#"{"type":"text","text":"a","timestamp":1,"more":1}"#,
            r#"{"type":"text","text":"a","timestamp":01}"#,
            r#"{"type":"text","text":"a","timestamp":-1}"#,
            r#"{"type":"text","text":"a","timestamp":}"#,
            r#"{"type":"text","text":"a"}"#,
            r#"{"type":"text","text":"\ud83d","timestamp":1}"#,
            r#"{"type":"text","text":3,"timestamp":1}"#,
            r#"{"type":"text","text":"a","timestamp":1}{"#,
            "{\"type\":\"text\",\"text\":\"a\tb\",\"timestamp\":1}",
            r#"{"type":"text","text":"a"#,
            r#"{"type":"text","text":"a\"#,
            "",
        ] {
            assert_eq!(delta(line.as_bytes()), None, "{line}");
        }
    }

    proptest! {
        #[test]
        fn both_ways_read_the_same(text in ".{0,40}", stamp: u64, junk in "[ \\\\\"{},:a0-9-]{0,3}", at in 0..80usize) {
            let json = serde_json::json!({"type": "text", "text": text, "timestamp": stamp}).to_string();
            prop_assert_eq!(delta(json.as_bytes()), if stamp == 0 { None } else { long_way(&json) });
            let at = (0..=at.min(json.len())).rev().find(|at| json.is_char_boundary(*at)).unwrap();
            let (before, after) = json.split_at(at);
            let spoilt = format!("{before}{junk}{after}");
            if let Some(read) = delta(spoilt.as_bytes()) {
                prop_assert_eq!(Some(read), long_way(&spoilt));
            }
        }
    }
}

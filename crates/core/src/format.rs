//! Numbers, durations and foreign strings as a reader should see them. Pure: values in, text out.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;

use serde_json::{Map, Value};

use crate::graphemes;
use crate::protocol::frame::Tokens;

/// Arguments that say best what a call does, the most telling first.
const TELLING: [&str; 14] = [
    "command",
    "cmd",
    "code",
    "query",
    "pattern",
    "path",
    "file_path",
    "filename",
    "url",
    "question",
    "goal",
    "name",
    "text",
    "prompt",
];

/// The longest preview of arguments, characters.
const MAX_PREVIEW: usize = 200;

/// A foreign string with everything in it that would act unseen taken out (terminal escapes) or made visible (control
/// characters, characters that reverse the direction of text, invisible ones). Line breaks and tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_suspect) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut before = None;
    let mut in_flag = false;
    while let Some(c) = chars.next() {
        // A regional flag (Scotland's, say) is a black flag with invisible letters behind it.
        in_flag = c == '\u{1f3f4}' || (in_flag && is_tag(c));
        match c {
            '\u{1b}' => skip_escape(&mut chars),
            '\u{9b}' => skip_csi(&mut chars),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\u{200c}' | '\u{200d}' if joins(before) => out.push(c),
            _ if in_flag || !is_suspect(c) => out.push(c),
            '\u{7f}' => out.push('\u{2421}'),
            '\0'..' ' => out.extend(char::from_u32(0x2400 + c as u32)),
            _ => out.push_str(&format!("[U+{:04X}]", c as u32)),
        }
        before = Some(c);
    }
    Cow::Owned(out)
}

/// Whether a character is one that nobody sees and that does something.
fn is_suspect(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\0'..' ' | '\u{7f}'..='\u{9f}' => true,
        '\u{200b}'..='\u{200d}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => true,
        c => is_tag(c),
    }
}

fn is_tag(c: char) -> bool {
    ('\u{e0000}'..='\u{e007f}').contains(&c)
}

/// Whether a joiner makes sense behind this character: in emoji and in scripts that join letters, not in ASCII.
fn joins(before: Option<char>) -> bool {
    before.is_some_and(|c| !c.is_ascii() && !is_suspect(c))
}

/// Skips what follows ESC: a control sequence, an operating system command (a link, a title), or a single character.
fn skip_escape(chars: &mut Peekable<Chars<'_>>) {
    match chars.peek() {
        Some('[') => {
            chars.next();
            skip_csi(chars);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => skip_string(chars),
        // Intermediate characters, then a final one.
        _ => {
            while chars.next_if(|c| ('\u{20}'..='\u{2f}').contains(c)).is_some() {}
            chars.next_if(|c| ('\u{30}'..='\u{7e}').contains(c));
        }
    }
}

/// Skips the parameters and the final character of a control sequence.
fn skip_csi(chars: &mut Peekable<Chars<'_>>) {
    while chars.next_if(|c| ('\u{20}'..='\u{3f}').contains(c)).is_some() {}
    chars.next_if(|c| ('\u{40}'..='\u{7e}').contains(c));
}

/// Skips to BEL or ESC `\`; a string that never ends loses its line only.
fn skip_string(chars: &mut Peekable<Chars<'_>>) {
    while let Some(c) = chars.next_if(|c| *c != '\n') {
        if c == '\u{7}' || (c == '\u{1b}' && chars.next_if_eq(&'\\').is_some()) {
            return;
        }
    }
}

/// One line of at most `max` characters as a reader sees them: white space collapsed, shortened with `…`.
pub fn one_line(text: &str, max: usize) -> String {
    // Far more than can be shown need not be looked at.
    let beginning = text
        .char_indices()
        .nth(max.saturating_mul(16))
        .map_or(text, |(at, _)| text.get(..at).unwrap_or(text));
    let text = visible(beginning).split_whitespace().collect::<Vec<_>>().join(" ");
    match graphemes::nth(&text, max) {
        None => text,
        Some(_) => {
            let end = graphemes::nth(&text, max.saturating_sub(1)).unwrap_or(0);
            format!("{}…", text.get(..end).unwrap_or_default().trim_end())
        }
    }
}

/// A span of time: `0.4 s`, `12 s`, `2 min 5 s`, `1 h 3 min`.
pub fn duration(seconds: f64) -> String {
    let seconds = if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
    // Whole numbers: the remainder of floats would be 2 kB of the app.
    let tenths = (seconds * 10.0).round() as u64;
    if seconds > 0.0 && tenths < 1 {
        return "<0.1 s".to_owned();
    }
    if tenths < 100 && !tenths.is_multiple_of(10) {
        return format!("{} s", decimal(seconds, 1));
    }
    let whole = seconds.round() as u64;
    match (whole / 3_600, whole / 60 % 60, whole % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, min, 0) => format!("{min} min"),
        (0, min, s) => format!("{min} min {s} s"),
        (h, 0, _) => format!("{h} h"),
        (h, min, _) => format!("{h} h {min} min"),
    }
}

/// A number that is not negative, with so many decimal places (at most 9), rounded half up: `0.4`.
///
/// The standard library's formatting of floats would cost every visitor 10 kB, for digits that nobody reads here.
pub fn decimal(number: f64, places: u32) -> String {
    let scale = 10u64.pow(places.min(9));
    let scaled = (number * scale as f64).round() as u64;
    let width = places.min(9) as usize;
    match places {
        0 => scaled.to_string(),
        _ => format!("{}.{:0width$}", scaled / scale, scaled % scale),
    }
}

/// A number with its thousands apart: `2,220`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && at % 3 == first {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How many tokens in all: `2,220 tokens`, `12.4k tokens`; nothing when nobody counted.
pub fn tokens(tokens: &Tokens) -> Option<String> {
    let parts = [tokens.input, tokens.output, tokens.cache_read, tokens.cache_write];
    let known = parts.iter().flatten().copied().reduce(u64::saturating_add);
    let total = tokens.total.or(known)?;
    let (number, noun) = (short(total), if total == 1 { "token" } else { "tokens" });
    Some(format!("{number} {noun}"))
}

/// A number that need not be exact when it is large: `9,999`, `12.4k`, `1.2M`.
fn short(number: u64) -> String {
    match number {
        0..10_000 => count(number),
        10_000..999_950 => format!("{}k", decimal(number as f64 / 1e3, 1)).replace(".0k", "k"),
        _ => format!("{}M", decimal(number as f64 / 1e6, 1)).replace(".0M", "M"),
    }
}

/// The length of a file, with its unit: `512 bytes`, `20 kB`, `1.4 MB`.
pub fn bytes(length: u64) -> String {
    match length {
        1 => "1 byte".to_owned(),
        0..1_000 => format!("{length} bytes"),
        1_000..999_500 => format!("{} kB", decimal(length as f64 / 1e3, 0)),
        999_500..999_950_000 => format!("{} MB", decimal(length as f64 / 1e6, 1)),
        _ => format!("{} GB", decimal(length as f64 / 1e9, 1)),
    }
}

/// How long ago something was, as one says it: `just now`, `5 min ago`, `3 h ago`, `2 days ago`.
pub fn ago(ms: u64) -> String {
    let minutes = ms / 60_000;
    let (number, unit) = match minutes {
        0 => return "just now".to_owned(),
        1..60 => (minutes, "min"),
        60..1_440 => (minutes / 60, "h"),
        1_440..20_160 => (minutes / 1_440, "day"),
        20_160..87_840 => (minutes / 10_080, "week"),
        87_840..525_600 => (minutes / 43_920, "month"),
        _ => (minutes / 525_600, "year"),
    };
    let s = if number > 1 && minutes >= 1_440 { "s" } else { "" };
    format!("{number} {unit}{s} ago")
}

/// The emoji that Hermes gives a tool.
pub fn tool_emoji(name: &str) -> &'static str {
    match name {
        "terminal" => "💻",
        "execute_code" => "🐍",
        "read_file" => "📖",
        "write_file" => "✍️",
        "patch" => "🔧",
        "search_files" => "🔎",
        "web_search" | "session_search" => "🔍",
        "web_extract" => "📄",
        "memory" => "🧠",
        "todo_list" => "📋",
        "skill_view" | "skills_list" => "📚",
        "skill_manage" => "📝",
        "delegate_task" => "🔀",
        "clarify" => "❓",
        "cronjob_manage" => "⏰",
        "vision_analyze" => "👁️",
        "image_generate" => "🎨",
        "text_to_speech" => "🔊",
        "browser_click" => "👆",
        "browser_type" => "⌨️",
        _ if name.starts_with("browser_") => "🌐",
        _ => "⚙️",
    }
}

/// What a call does, from its arguments, in one line; `json` writes out a value that is no string.
pub fn args_preview(args: &Map<String, Value>, json: impl Fn(&Value) -> String) -> Option<String> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Null => None,
        other => Some(json(other)),
    };
    let telling =
        TELLING.iter().filter_map(|name| args.get(*name)).find_map(Value::as_str).map(str::to_owned);
    let first =
        || args.values().find_map(Value::as_str).map(str::to_owned).or_else(|| args.values().find_map(text));
    let line = one_line(&telling.or_else(first)?, MAX_PREVIEW);
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests;

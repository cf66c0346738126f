//! The lines of a `.env` file, or of a shell that exports the same.

use crate::stall::timers::{Env, EnvEntry, File, Place};

/// The longest file that is read, in bytes; what is after it is not looked at.
pub(super) const MAX_BYTES: usize = 1 << 18;

/// Reads the variables. What is no `NAME=value` is passed over.
pub(super) fn parse(text: &str) -> Env {
    let end = (0..=MAX_BYTES.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    let text = text.get(..end).unwrap_or(text);
    Env::new(text.lines().enumerate().filter_map(|(index, line)| entry(index, line)).collect())
}

fn entry(index: usize, line: &str) -> Option<EnvEntry> {
    let written = line.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let assignment = written.strip_prefix("export ").unwrap_or(written).trim_start();
    let (name, value) = assignment.split_once('=')?;
    let name = name.trim_end();
    let is_name = !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    if !is_name {
        return None;
    }
    let before = line.chars().count().saturating_sub(assignment.chars().count());
    let number = |value: usize| u32::try_from(value.saturating_add(1)).unwrap_or(u32::MAX);
    let place = Place { file: File::Env, line: number(index), column: number(before) };
    Some(EnvEntry { name: name.to_owned(), value: unquoted(value), place: Some(place) })
}

/// The value without its quotes, or without the remark after it.
fn unquoted(value: &str) -> String {
    let value = value.trim();
    for quote in ['"', '\''] {
        if let Some((inside, _)) = value.strip_prefix(quote).and_then(|rest| rest.split_once(quote)) {
            return inside.to_owned();
        }
    }
    let end = value.find(" #").unwrap_or(value.len());
    value.get(..end).unwrap_or(value).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_a_shell_or_a_dotenv_file_would() {
        let check = |line: &str, expected: Option<(&str, &str, u32)>| {
            let env = parse(line);
            let found = env
                .entries()
                .first()
                .map(|entry| (entry.name.as_str(), entry.value.as_str(), entry.place.unwrap().column));
            assert_eq!(found, expected, "{line}");
        };
        check("A=1", Some(("A", "1", 1)));
        check("  export A=\"1 2\" # why", Some(("A", "1 2", 10)));
        check("A = 'x'", Some(("A", "x", 1)));
        check("A=1 # why", Some(("A", "1", 1)));
        check("A=a#b", Some(("A", "a#b", 1)));
        check("# A=1", None);
        check("1A=1", None);
        check("nothing", None);
        check("A=", Some(("A", "", 1)));
    }
}

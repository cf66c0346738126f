//! Lone surrogates in JSON escapes. JavaScript and Python write them for half an emoji; Rust strings cannot hold them.

const REPLACEMENT: &str = "\\ufffd";

/// The text with every lone `\ud800`…`\udfff` escape replaced by `\ufffd`; `None` if there is none.
pub(super) fn repair(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut copied = 0;
    let mut at = 0;
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        if byte != b'\\' {
            at += 1;
            continue;
        }
        let unit = escape_at(bytes, at);
        let low = unit.filter(is_high).and_then(|_| escape_at(bytes, at + 6)).filter(is_low);
        match (unit, low) {
            (Some(_), Some(_)) => at += 12,
            (Some(unit), None) if is_high(&unit) || is_low(&unit) => {
                out.push_str(text.get(copied..at)?);
                out.push_str(REPLACEMENT);
                at += 6;
                copied = at;
            }
            (Some(_), _) => at += 6,
            // `\\`, `\n` and the like: the second byte is part of the escape, whatever it is.
            (None, _) => at += 2,
        }
    }
    if copied == 0 {
        return None;
    }
    out.push_str(text.get(copied..)?);
    Some(out)
}

/// The code unit of the `\uXXXX` that starts here.
fn escape_at(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6)?;
    let hex = escape.strip_prefix(b"\\u")?;
    hex.iter().try_fold(0u16, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)? as u16))
}

fn is_high(unit: &u16) -> bool {
    (0xd800..0xdc00).contains(unit)
}

fn is_low(unit: &u16) -> bool {
    (0xdc00..0xe000).contains(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expected: Option<&str>) {
        assert_eq!(repair(input).as_deref(), expected, "{input}");
    }

    /// B071 of the complaints about other clients: half an emoji costs no message, title or argument of a tool.
    #[test]
    fn a_lone_surrogate_becomes_the_replacement_character() {
        check(r#"{"text":"ok \ud83d"}"#, Some(r#"{"text":"ok \ufffd"}"#));
        check(r#""\ude00 low first""#, Some(r#""\ufffd low first""#));
        check(r#""\uD83D\uD83D\uDE00""#, Some(r#""\ufffd\uD83D\uDE00""#));
        check(r#""\ud83d\n""#, Some(r#""\ufffd\n""#));
    }

    #[test]
    fn pairs_and_escaped_backslashes_stay() {
        check(r#""\ud83d\ude00""#, None);
        check(r#""\\ud83d""#, None);
        check(r#""\\\ud83d""#, Some(r#""\\\ufffd""#));
        check(r#""\u00e9 plain""#, None);
    }

    #[test]
    fn a_cut_escape_is_left_to_the_parser() {
        check(r#""\ud8"#, None);
        check("\"\\", None);
        check("\"\\uzzzz é\"", None);
    }
}

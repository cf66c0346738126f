//! What must never be repeated: a report may leave the machine, a key may not.

/// Parts of a name that make its value a secret.
const NAMES: [&str; 12] = [
    "key",
    "token",
    "secret",
    "password",
    "passwd",
    "credential",
    "cookie",
    "bearer",
    "authorization",
    "webhook",
    "dsn",
    "private",
];

/// Whether a value of this name is a secret.
pub(super) fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    // Numbers of tokens are no tokens.
    let counts =
        ["max_tokens", "_tokens", "tokens_"].iter().any(|part| name.contains(part)) || name == "tokens";
    !counts && NAMES.iter().any(|part| name.contains(part))
}

/// The longest line that is quoted, in characters.
const LONGEST: usize = 160;

/// The line as it may be quoted: not at all when it could hold a secret.
pub(super) fn quotable(line: &str) -> Option<String> {
    let name = line.split([':', '=']).next().unwrap_or(line);
    let value = line.get(name.len()..).unwrap_or_default();
    let harmless = !is_secret(name)
        && !NAMES.iter().any(|part| value.to_lowercase().contains(part))
        && !looks_random(value)
        && !value.contains('@');
    harmless.then(|| line.trim_end().chars().take(LONGEST).collect())
}

/// A run of 20 letters and digits with both in it: what keys look like.
fn looks_random(text: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+'))).any(|run| {
        run.len() >= 20
            && run.chars().any(|c| c.is_ascii_digit())
            && run.chars().any(|c| c.is_ascii_alphabetic())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_a_secret_is_not_quoted() {
        for line in [
            "  api_key: sk-demo",
            "TELEGRAM_BOT_TOKEN=1:x",
            "x: sk-0123456789abcdefghij",
            "base_url: https://me:pass@host",
            "{api_key: a}",
        ] {
            assert_eq!(quotable(line), None, "{line}");
        }
        for line in [
            "  edit_interval: 0.8",
            "HERMES_STREAM_RETRIES=2",
            "max_tokens: 4096",
            "base_url: http://127.0.0.1:1/v1",
        ] {
            assert!(quotable(line).is_some(), "{line}");
        }
    }
}

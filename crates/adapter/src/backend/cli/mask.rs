//! Takes secrets out of what a process wrote beside its answer, before anybody sees it. It knows the shapes of keys and
//! the words that stand before them; what it cannot know, it leaves.

/// What stands in a secret's place.
const MASK: &str = "[hidden]";
/// Beginnings of keys and tokens of well-known services.
const KEY_PREFIXES: [&str; 15] = [
    "sk-",
    "sk_",
    "pk-",
    "rk_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xox",
    "AKIA",
    "AIza",
    "hf_",
    "eyJ",
    "ya29.",
];
/// Words after which a secret stands.
const NAMES: [&str; 8] =
    ["key", "token", "secret", "password", "passwd", "authorization", "bearer", "credential"];
/// A word of one of the well-known shapes is at least so long.
const KEY_CHARS: usize = 12;
/// So long, with letters and digits mixed, no word of a language is.
const RANDOM_CHARS: usize = 40;
/// After a telling name, so much is a secret and not a word of the sentence.
const NAMED_CHARS: usize = 6;

/// The text with its secrets hidden; `known` are secrets that are known by their value.
pub(super) fn mask(text: &str, known: &[String]) -> String {
    let mut text = text.to_owned();
    for secret in known.iter().filter(|secret| secret.len() >= KEY_CHARS) {
        text = text.replace(secret.as_str(), MASK);
    }
    let mut out = String::with_capacity(text.len());
    let mut named = false;
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if word.is_empty() {
            let mut chars = after.chars();
            out.extend(chars.next());
            rest = chars.as_str();
            continue;
        }
        // `KEY=value` is one word to `is_word` only without its `=`, so a name and its value are always two.
        out.push_str(if is_secret(word, named) { MASK } else { word });
        named = is_name(word) || (named && is_joint(word));
        rest = after;
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | '/' | '~')
}

fn is_secret(word: &str, named: bool) -> bool {
    let chars = word.chars().count();
    let known_shape = chars >= KEY_CHARS && KEY_PREFIXES.iter().any(|prefix| word.starts_with(prefix));
    let has = |test: fn(char) -> bool| word.chars().any(test);
    let mixed = has(|c| c.is_ascii_digit()) && has(|c| c.is_ascii_alphabetic());
    let random = chars >= RANDOM_CHARS && mixed && !word.contains('/');
    let after_name = named && chars >= NAMED_CHARS && (mixed || chars >= KEY_CHARS);
    known_shape || random || (after_name && !is_name(word))
}

fn is_name(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    NAMES.iter().any(|name| word.ends_with(name))
}

/// Words between a name and its value: `Authorization: Bearer …`, `key is …`.
fn is_joint(word: &str) -> bool {
    matches!(word.to_ascii_lowercase().as_str(), "bearer" | "basic" | "is" | "provided")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(mask(text, &["correct horse battery".to_owned()]), expected);
    }

    #[test]
    fn keys_and_tokens_are_hidden() {
        check("Incorrect API key provided: sk-demo-1234567890.", "Incorrect API key provided: [hidden]");
        check("OPENROUTER_API_KEY=abc123def", "OPENROUTER_API_KEY=[hidden]");
        check("Authorization: Bearer abc123def456", "Authorization: Bearer [hidden]");
        check(r#"{"password": "hunter2hunter2"}"#, r#"{"password": "[hidden]"}"#);
        check("https://x.test/?token=a1b2c3d4&x=1", "https://x.test/?token=[hidden]&x=1");
        check("said correct horse battery staple", "said [hidden] staple");
        check(&format!("got {}", "a1".repeat(20)), "got [hidden]");
    }

    #[test]
    fn what_explains_a_failure_stays() {
        for text in [
            "session_id: 20261130_152739_41351b",
            "FileNotFoundError: [Errno 2] No such file: '/home/demo/.hermes/plugins/some/very/long/path/a1b2c3.py'",
            "Unknown provider. No key is set; run hermes setup",
            "the token is missing",
            "ünïcode → stays 🦀",
        ] {
            check(text, text);
        }
    }
}

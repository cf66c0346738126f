//! Reads the lines with which Hermes shows tools in a chat that has no cards: one line or block a call, starts only, no
//! ends. Used when the hooks that say it better are absent.

use serde_json::{Map, Value};

/// The highest `(×N)` that is believed.
const MAX_REPEAT: usize = 50;
/// How many cards one bubble may make.
const MAX_CALLS: usize = 500;

/// One call, as its line tells it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ToolLine {
    /// The tool's name, as Hermes has it.
    pub(super) name: String,
    /// What it does, shortened by Hermes.
    pub(super) preview: Option<String>,
    /// Its arguments; only `verbose` lines have them.
    pub(super) args: Map<String, Value>,
}

/// The verbs of the built-in tools; those that begin another stand after it. `📄 Reading` is a web page.
const VERBS: [(&str, &str); 22] = [
    ("Searching the web", "web_search"),
    ("Searching files", "search_files"),
    ("Searching past sessions", "session_search"),
    ("Reading skill", "skill_view"),
    ("Reading", "read_file"),
    ("Browsing", "browser_navigate"),
    ("Clicking", "browser_click"),
    ("Typing", "browser_type"),
    ("Writing", "write_file"),
    ("Editing", "patch"),
    ("Running code", "execute_code"),
    ("Running", "terminal"),
    ("Generating image", "image_generate"),
    ("Generating video", "video_generate"),
    ("Generating speech", "text_to_speech"),
    ("Looking at the image", "vision_analyze"),
    ("Listing skills", "skills_list"),
    ("Updating skill", "skill_manage"),
    ("Delegating", "delegate_task"),
    ("Scheduling", "cronjob_manage"),
    ("Updating memory", "memory"),
    ("Updating tasks", "todo_list"),
];

/// Reads a whole bubble of tool lines; `None` when any part of it is something else.
pub(super) fn parse(content: &str) -> Option<Vec<ToolLine>> {
    let mut lines = content.lines().peekable();
    let mut calls: Vec<ToolLine> = Vec::new();
    while let Some(line) = lines.next() {
        let (line, times) = repeated(line);
        // `thinking_progress` puts the model's thoughts among the tools.
        if line.is_empty() || line.starts_with("💬 ") {
            continue;
        }
        let call = if line == "```" {
            // Consecutive commands share one header.
            ToolLine { name: "terminal".to_owned(), preview: block(&mut lines)?, ..ToolLine::default() }
        } else if let Some(name) = header(line).filter(|_| lines.peek() == Some(&"```")) {
            lines.next();
            ToolLine { name: name.to_owned(), preview: block(&mut lines)?, ..ToolLine::default() }
        } else if let Some(name) = verbose(line) {
            let args = lines.next_if(|next| next.starts_with('{')).and_then(object).unwrap_or_default();
            ToolLine { name: name.to_owned(), args, preview: None }
        } else {
            one_line(line)?
        };
        calls.extend(std::iter::repeat_n(call, times.min(MAX_CALLS.saturating_sub(calls.len()))));
    }
    (!calls.is_empty()).then_some(calls)
}

/// `line (×3)` stands for three calls.
fn repeated(line: &str) -> (&str, usize) {
    let count = line.strip_suffix(')').and_then(|line| line.rsplit_once(" (×"));
    match count.and_then(|(line, count)| Some((line, count.parse().ok()?))) {
        // A count beyond reason is text that the model wrote.
        Some((line, times @ 1..=MAX_REPEAT)) => (line, times),
        _ => (line, 1),
    }
}

/// The lines up to the closing fence, as one; `None` when it is missing.
fn block<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Option<Option<String>> {
    let mut body = Vec::new();
    for line in lines {
        if line == "```" {
            return Some(Some(body.join(" ")).filter(|text| !text.is_empty()));
        }
        body.push(line);
    }
    None
}

/// `💻 terminal` → `terminal`.
fn header(line: &str) -> Option<&str> {
    after_emoji(line).filter(|name| is_name(name))
}

/// `💻 terminal(['command'])` → `terminal`.
fn verbose(line: &str) -> Option<&str> {
    let (name, keys) = after_emoji(line)?.split_once("([")?;
    (keys.ends_with("])") && is_name(name)).then_some(name)
}

fn object(line: &str) -> Option<Map<String, Value>> {
    serde_json::from_str(line).ok()
}

/// `💻 Running ls -la`, `⚙️ mcp_tool: "preview"`, `⚙️ mcp_tool...`
fn one_line(line: &str) -> Option<ToolLine> {
    let said = after_emoji(line)?;
    by_verb(line, said).or_else(|| by_name(said))
}

fn by_verb(line: &str, said: &str) -> Option<ToolLine> {
    let (name, rest) = VERBS.iter().find_map(|(verb, name)| {
        let rest = said.strip_prefix(verb)?;
        (rest.is_empty() || rest.starts_with(' ')).then_some((*name, rest))
    })?;
    let name = if name == "read_file" && line.starts_with('📄') { "web_extract" } else { name };
    let rest = rest.trim_start();
    let preview = if name.ends_with("search") || name == "search_files" {
        rest.strip_prefix("for ").unwrap_or(rest)
    } else {
        rest
    };
    Some(ToolLine { name: name.to_owned(), preview: non_empty(preview), args: Map::new() })
}

fn by_name(said: &str) -> Option<ToolLine> {
    let (name, preview) = match said.split_once(": \"") {
        Some((name, preview)) => (name, non_empty(preview.strip_suffix('"')?)),
        None => (said.strip_suffix("...")?, None),
    };
    is_name(name).then(|| ToolLine { name: name.to_owned(), preview, args: Map::new() })
}

/// The line without the symbol before its first space.
fn after_emoji(line: &str) -> Option<&str> {
    let (symbol, rest) = line.split_once(' ')?;
    let is_symbol = !symbol.is_empty() && symbol.chars().all(|c| !c.is_ascii() && !c.is_alphanumeric());
    is_symbol.then_some(rest)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'))
}

fn non_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `expected`: one `name|preview|args` a call.
    fn check(content: &str, expected: &[&str]) {
        let calls = parse(content).unwrap_or_else(|| panic!("no tool lines: {content:?}"));
        let told: Vec<_> = calls
            .iter()
            .map(|call| {
                let args = if call.args.is_empty() {
                    String::new()
                } else {
                    Value::from(call.args.clone()).to_string()
                };
                format!("{}|{}|{args}", call.name, call.preview.as_deref().unwrap_or_default())
            })
            .collect();
        assert_eq!(told, expected, "{content:?}");
    }

    #[test]
    fn a_verb_names_a_built_in_tool() {
        check("💻 Running ls -la", &["terminal|ls -la|"]);
        check("🐍 Running code print(1)", &["execute_code|print(1)|"]);
        check("📖 Reading README.md", &["read_file|README.md|"]);
        check("📄 Reading https://example.com/a", &["web_extract|https://example.com/a|"]);
        check("🔍 Searching the web for rust 2024", &["web_search|rust 2024|"]);
        check("🔎 Searching files for TODO", &["search_files|TODO|"]);
        check("🔍 Searching past sessions", &["session_search||"]);
        check("📚 Listing skills", &["skills_list||"]);
        check("📚 Reading skill deploy", &["skill_view|deploy|"]);
        check("✍️ Writing src/main.rs", &["write_file|src/main.rs|"]);
        check("🔧 Editing src/main.rs", &["patch|src/main.rs|"]);
        check("👆 Clicking #send", &["browser_click|#send|"]);
        check("👁️ Looking at the image a.png", &["vision_analyze|a.png|"]);
        check("📋 Updating tasks", &["todo_list||"]);
        check("🔀 Delegating write the tests", &["delegate_task|write the tests|"]);
        check("💻 Running sleep 0.3 + 1 command", &["terminal|sleep 0.3 + 1 command|"]);
    }

    #[test]
    fn another_tool_has_its_own_name() {
        check("⚙️ mcp_github_search: \"open issues\"", &["mcp_github_search|open issues|"]);
        check("⚙️ my-tool: \"a \"quoted\" word\"", &["my-tool|a \"quoted\" word|"]);
        check("⚙️ mcp_ping...", &["mcp_ping||"]);
    }

    #[test]
    fn a_bubble_holds_many_calls() {
        check(
            "💻 Running ls -la\n💻 Running cat missing.txt\n📖 Reading a",
            &["terminal|ls -la|", "terminal|cat missing.txt|", "read_file|a|"],
        );
        check("💻 Running make (×3)", &["terminal|make|", "terminal|make|", "terminal|make|"]);
        check("💬 Let me think.\n💻 Running make", &["terminal|make|"]);
    }

    #[test]
    fn a_bubble_cannot_make_cards_without_end() {
        check("💻 Running echo (×9999)", &["terminal|echo (×9999)|"]);
        assert_eq!(parse(&"💻 Running make (×50)\n".repeat(1_000)).map(|calls| calls.len()), Some(MAX_CALLS));
    }

    #[test]
    fn a_block_is_a_command() {
        check("💻 terminal\n```\nls -la\n```", &["terminal|ls -la|"]);
        check(
            "```\ncat missing.txt\n```\n📖 Reading README.md",
            &["terminal|cat missing.txt|", "read_file|README.md|"],
        );
        check("💻 terminal\n```\nls\n```\n```\npwd\n```", &["terminal|ls|", "terminal|pwd|"]);
    }

    #[test]
    fn a_verbose_line_has_its_arguments() {
        check("💻 terminal(['command'])\n{\"command\": \"ls -la\"}", &[r#"terminal||{"command":"ls -la"}"#]);
        check(
            "📖 read_file(['path'])\n{\"path\": \"a\"}\n⚙️ ping([])",
            &[r#"read_file||{"path":"a"}"#, "ping||"],
        );
    }

    #[test]
    fn anything_else_is_no_tool_line() {
        for content in [
            "",
            "ola",
            "Running ls",
            "⏳ Working — 3 min",
            "⚠️ No response from provider for 6s (model: m, context: ~1 tokens). Reconnecting...",
            "💻 terminal\n```\nnever closed",
            "💻 Running ls\nand prose after it",
            "demo-model · 1% · /home/demo/project",
            "✅ Command approved. The agent is resuming...",
        ] {
            assert_eq!(parse(content), None, "{content:?}");
        }
    }
}

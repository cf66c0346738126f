//! A chat as Markdown that reads well as text and in any viewer. What a tool was given and said, and what the agent
//! thought, is folded away in code blocks, so that nothing in it can become markup.

use super::{About, words};
use crate::format::{bytes, one_line};
use crate::protocol::frame::FileInfo;
use crate::timeline::{Answer, Ask, Item, ItemKind, Notice, Tool};

/// Writes the rows.
pub fn export(about: &About, rows: &[Item]) -> String {
    let mut out = format!("# {}\n\n*{}*\n", plain(&about.title()), about.line());
    let mut author = None;
    for row in rows {
        let by = matches!(row.kind, ItemKind::User(_));
        if author != Some(by) {
            out.push_str(if by { "\n## You\n" } else { "\n## Hermes\n" });
            author = Some(by);
        }
        out.push('\n');
        out.push_str(&one_row(&row.kind));
    }
    out
}

fn one_row(kind: &ItemKind) -> String {
    match kind {
        ItemKind::User(message) => {
            let files: String = message.attachments.iter().map(file).collect();
            let text = if message.text.is_empty() { String::new() } else { quoted(&message.text) };
            format!("{text}{files}")
        }
        ItemKind::Answer(message) => answer(message),
        ItemKind::Commentary { text } => quoted(text),
        ItemKind::Tools(tools) => tools.iter().map(tool).collect(),
        ItemKind::Notice(told) => notices(told),
        ItemKind::Ask(asked) => ask(asked),
        ItemKind::File(sent) => {
            let caption = sent.caption.as_deref().map(|caption| format!("\n{caption}\n"));
            format!("{}{}", file(&sent.file), caption.unwrap_or_default())
        }
    }
}

fn answer(answer: &Answer) -> String {
    let mut out = String::new();
    if !answer.reasoning.is_empty() {
        out.push_str(&folded("💭 Reasoning", &[&answer.reasoning]));
        out.push('\n');
    }
    out.push_str(&complete(&answer.text));
    if let Some(footer) = words::footer(&answer.footer, answer.cut) {
        out.push_str(&format!("\n*{}*\n", plain(&footer)));
    }
    out
}

fn tool(tool: &Tool) -> String {
    let arguments = words::arguments(tool);
    let parts: Vec<&str> = [&arguments, &tool.output].into_iter().flatten().map(String::as_str).collect();
    folded(&words::tool(tool), &parts)
}

fn notices(row: &Notice) -> String {
    let left_out = words::left_out(row).map(|words| format!("> *{words}*\n"));
    let said = words::said(row).map(|(notice, text)| {
        let detail = notice.detail.as_deref().map(|detail| format!(" ({})", one_line(detail, 300)));
        let text = format!("{}{}", one_line(&text, 1_000), detail.unwrap_or_default());
        format!("> **{}:** {}\n", words::level(notice), plain(&text))
    });
    left_out.into_iter().chain(said).collect::<Vec<_>>().join(">\n")
}

fn ask(ask: &Ask) -> String {
    let mut out = quoted(&format!("**Question:** {}", ask.text));
    if let Some(command) = &ask.command {
        out.push_str(&format!("\n{}", fenced(command)));
    }
    let outcome = ask.outcome.as_deref().unwrap_or("not answered");
    out.push_str(&format!("\n*Answer: {}*\n", plain(&one_line(outcome, 300))));
    out
}

/// A file by its name: where it is kept is nobody's business.
fn file(file: &FileInfo) -> String {
    format!("\n📎 {} ({})\n", plain(&one_line(&file.name, 200)), bytes(file.size))
}

fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("> {line}").trim_end().to_owned() + "\n").collect()
}

/// Something that unfolds; its parts are code.
fn folded(summary: &str, parts: &[&str]) -> String {
    let summary = summary.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let parts: String = parts.iter().map(|part| format!("{}\n", fenced(part))).collect();
    format!("<details><summary>{summary}</summary>\n\n{parts}</details>\n")
}

/// A text as code, whatever fences stand in it.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.saturating_add(1).max(3));
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}text\n{text}{end}{fence}\n")
}

/// The text of an answer, with a code block closed that it leaves open: what follows is not code.
fn complete(text: &str) -> String {
    let mut open: Option<(char, usize)> = None;
    for line in text.lines() {
        let line = line.trim_start();
        let Some(mark) = line.chars().next().filter(|mark| matches!(mark, '`' | '~')) else { continue };
        let length = line.chars().take_while(|c| *c == mark).count();
        let rest = line.get(length..).unwrap_or_default();
        match open {
            None if length >= 3 && !(mark == '`' && rest.contains('`')) => open = Some((mark, length)),
            Some((with, least)) if mark == with && length >= least && rest.trim().is_empty() => open = None,
            _ => {}
        }
    }
    let fence = open.map(|(mark, length)| format!("\n{}", mark.to_string().repeat(length)));
    format!("{}{}\n", text.trim_end_matches('\n'), fence.unwrap_or_default())
}

/// Words that are no markup.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::rows;
    use crate::protocol::decode_server;

    #[track_caller]
    fn check(frames: &[&str], expected: &str) {
        let frames: Vec<_> = frames.iter().map(|frame| decode_server(frame).unwrap()).collect();
        let about = About { title: "The *repo*".into(), exported_ms: Some(1_796_040_000_000) };
        let text = export(&about, &rows(&frames));
        let head = "# The \\*repo\\*\n\n*Exported from Iris on 2026-11-30 12:00 UTC*\n";
        assert_eq!(text.strip_prefix(head), Some(expected), "{text}");
    }

    #[test]
    fn a_turn_reads_from_top_to_bottom() {
        check(
            &[
                r#"{"type":"user.message","message_id":"u1","text":"Summarize\nthe repo","attachments":[{"id":"f1","name":"plan_b.png","media_type":"image/png","size":20480}]}"#,
                r#"{"type":"turn.start","turn":"t1"}"#,
                r#"{"type":"tool.start","index":1,"name":"terminal","preview":"ls <a>","args":{"command":"ls <a>"}}"#,
                r#"{"type":"tool.end","index":1,"name":"terminal","ok":false,"duration":0.4,"output_preview":"```\nno"}"#,
                r#"{"type":"message.stop","message_id":"m1","final_text":"It is:\n```rust\nfn main() {}","reasoning":"Hm.</details>"}"#,
                r#"{"type":"turn.end","turn":"t1","status":"complete","model":"demo","tokens":42,"duration_ms":1500}"#,
            ],
            "\n## You\n\n> Summarize\n> the repo\n\n📎 plan\\_b.png (20 kB)\n\
             \n## Hermes\n\n<details><summary>💻 terminal: ls &lt;a&gt; (failed, 0.4 s)</summary>\n\n\
             ```text\n{\n  \"command\": \"ls <a>\"\n}\n```\n\n````text\n```\nno\n````\n\n</details>\n\
             \n<details><summary>💭 Reasoning</summary>\n\n```text\nHm.</details>\n```\n\n</details>\n\n\
             It is:\n```rust\nfn main() {}\n```\n\n*demo · 42 tokens · 1.5 s*\n",
        );
    }

    #[test]
    fn a_burst_of_notices_is_told_in_order_and_in_full() {
        check(
            &[
                r#"{"type":"turn.start","turn":"t1"}"#,
                r#"{"type":"notice","level":"warning","code":"reconnecting","text":"Dropped","detail":"EOF"}"#,
                r#"{"type":"notice","level":"warning","code":"reconnecting","text":"Dropped","detail":"EOF"}"#,
                r#"{"type":"notice","level":"error","code":"gave_up","text":"Gave up"}"#,
            ],
            "\n## Hermes\n\n> **Warning:** Dropped · 2 times (EOF)\n>\n> **Error:** Gave up\n",
        );
    }

    #[test]
    fn a_notice_and_a_question_say_what_became_of_them() {
        check(
            &[
                r#"{"type":"turn.start","turn":"t1"}"#,
                r#"{"type":"notice","level":"warning","code":"retrying","text":"No answer","detail":"HTTP 500"}"#,
                r#"{"type":"ask","ask_id":"q1","kind":"approval","text":"May it?","command":"rm -r build"}"#,
                r#"{"type":"ask.closed","ask_id":"q1","outcome":"Approved once"}"#,
            ],
            "\n## Hermes\n\n> **Warning:** No answer (HTTP 500)\n\n> **Question:** May it?\n\n```text\nrm -r build\n```\n\n\
             *Answer: Approved once*\n",
        );
    }
}

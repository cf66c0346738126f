//! A summary as a person reads it in a terminal, with a bar of where the time went. Pure: a summary and a style in, text
//! out. Everything out of the file goes through `visible`, so that none of it can act on the terminal.

use iris_core::{
    format::{count, duration, one_line},
    run::{
        Summary,
        summary::{Counts, Ended, Run, Tool, Total},
    },
};

/// The widest line, however wide the terminal is.
const WIDEST: usize = 100;
const NARROWEST: usize = 24;
/// So many skipped lines are named.
const NAMED: usize = 5;

/// How it may look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Characters a line.
    pub(super) width: usize,
    /// Colours and characters beyond ASCII; a file, a log or a person who said NO_COLOR has neither.
    pub(super) rich: bool,
}

impl Style {
    /// For where it is written to.
    pub(super) fn of(terminal: bool) -> Self {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let width = if terminal { terminal_width() } else { None };
        Self { width: width.unwrap_or(80).clamp(NARROWEST, WIDEST), rich: terminal && !no_color && !dumb }
    }
}

#[cfg(unix)]
fn terminal_width() -> Option<usize> {
    let size = |terminal: &dyn std::os::fd::AsFd| rustix::termios::tcgetwinsize(terminal).ok();
    let size = size(&std::io::stdout()).or_else(|| size(&std::io::stderr()))?;
    (size.ws_col > 0).then_some(size.ws_col.into())
}

#[cfg(not(unix))]
fn terminal_width() -> Option<usize> {
    None
}

/// One part of the time: what it is called, its character without colours, its colour, how long.
type Part = (&'static str, char, &'static str, u64);

/// The whole report; `heading` names the file when there are several.
pub(super) fn text(summary: &Summary, heading: Option<&str>, style: Style) -> String {
    let mut out = String::new();
    if let Some(heading) = heading {
        out.push_str(&format!("{heading}\n\n"));
    }
    for run in &summary.runs {
        out.push_str(&one_run(run));
    }
    out.push_str(&time(&summary.total, style));
    out.push_str(&tools(&summary.total.tools));
    if let Some(tokens) = &summary.total.tokens {
        out.push_str(&line("Tokens", &token_counts(tokens)));
    }
    out.push_str(&skipped(summary));
    out.push('\n');
    out
}

fn line(name: &str, text: &str) -> String {
    format!("{name:<9} {text}\n")
}

fn one_run(run: &Run) -> String {
    let known = |text: &Option<String>| text.as_deref().map(|text| one_line(text, 60));
    let mut out = String::new();
    let model = known(&run.model).unwrap_or_else(|| "unknown".to_owned());
    let session = known(&run.session).map(|session| format!(", session {session}")).unwrap_or_default();
    out.push_str(&line("Model", &format!("{model}{session}")));
    let ended = match run.ended {
        Ended::Complete => "complete",
        Ended::Error => "failed",
        Ended::Interrupted => "stopped",
        Ended::CutOff => "cut off: its end is not in the file",
    };
    let code = run.exit_code.map(|code| format!(", exit code {code}")).unwrap_or_default();
    out.push_str(&line("Ended", &format!("{ended}{code}")));
    if let Some(error) = run.error.as_deref() {
        out.push_str(&line("Why", &one_line(error, 300)));
    }
    let first = run.first_text_ms.map(|ms| format!(", first text after {}", span(ms)));
    let first = first.unwrap_or_else(|| ", no text".to_owned());
    out.push_str(&line("Took", &format!("{}{first}", span(run.duration_ms))));
    out.push('\n');
    out
}

fn span(ms: u64) -> String {
    duration(ms as f64 / 1_000.0)
}

fn time(total: &Total, style: Style) -> String {
    let parts: [Part; 3] = [
        ("waiting for the model", '.', "\x1b[33m", total.waiting_ms),
        ("the model writes", '=', "\x1b[32m", total.writing_ms),
        ("tools", '#', "\x1b[34m", total.tools_ms),
    ];
    if total.duration_ms == 0 {
        return "No times were recorded.\n\n".to_owned();
    }
    let mut out = format!("Where the time went\n  {}\n", bar(&parts, total.duration_ms, style));
    for (name, plain, colour, ms) in parts {
        let mark = if style.rich { format!("{colour}\u{2588}\x1b[0m") } else { plain.to_string() };
        let percent = u128::from(ms) * 100 / u128::from(total.duration_ms);
        out.push_str(&format!("  {mark} {name:<22} {:>12} {percent:>3} %\n", span(ms)));
    }
    out.push('\n');
    out
}

/// Every part that took any time at all has at least one character.
fn bar(parts: &[Part], whole: u64, style: Style) -> String {
    let width = style.width.saturating_sub(4);
    let share = |ms: u64| (u128::from(ms) * width as u128 / u128::from(whole.max(1))) as usize;
    let mut lengths: Vec<usize> =
        parts.iter().map(|part| share(part.3).max(usize::from(part.3 > 0))).collect();
    // What rounding took or added goes to the longest.
    let sum: usize = lengths.iter().sum();
    if let Some(longest) = lengths.iter_mut().max() {
        *longest = (*longest + width).saturating_sub(sum);
    }
    let drawn = parts.iter().zip(lengths).map(|((_, plain, colour, _), length)| match style.rich {
        true => format!("{colour}{}\x1b[0m", "\u{2588}".repeat(length)),
        false => plain.to_string().repeat(length),
    });
    let drawn: String = drawn.collect();
    if style.rich { drawn } else { format!("[{drawn}]") }
}

fn tools(tools: &[Tool]) -> String {
    if tools.is_empty() {
        return String::new();
    }
    let names: Vec<String> = tools.iter().map(|tool| one_line(&tool.name, 30)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(5);
    let mut out =
        format!("{:<width$}  {:>5}  {:>6}  {:>10}  {:>10}\n", "Tools", "calls", "failed", "total", "longest");
    for (tool, name) in tools.iter().zip(names) {
        let (total, longest) = (span(tool.total_ms), span(tool.longest_ms));
        let unfinished = match tool.unfinished {
            0 => String::new(),
            unfinished => format!("  ({unfinished} without an end)"),
        };
        out.push_str(&format!(
            "{name:<width$}  {:>5}  {:>6}  {total:>10}  {longest:>10}{unfinished}\n",
            tool.count, tool.failed
        ));
    }
    out.push('\n');
    out
}

fn token_counts(tokens: &Counts) -> String {
    format!(
        "{} (input {}, output {}, read from cache {}, written to cache {})",
        count(tokens.total),
        count(tokens.input),
        count(tokens.output),
        count(tokens.cache_read),
        count(tokens.cache_write)
    )
}

fn skipped(summary: &Summary) -> String {
    if summary.damaged_count == 0 {
        return String::new();
    }
    let lines = if summary.damaged_count == 1 { "line was" } else { "lines were" };
    let mut out = line("Skipped", &format!("{} {lines} damaged", count(summary.damaged_count)));
    for damage in summary.damaged.iter().take(NAMED) {
        out.push_str(&format!("  line {}: {}\n", damage.line, one_line(&damage.problem, 100)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style { width: 24, rich: false };

    fn parts(ms: [u64; 3]) -> [Part; 3] {
        [("a", '.', "", ms[0]), ("b", '=', "", ms[1]), ("c", '#', "", ms[2])]
    }

    #[test]
    fn the_bar_is_as_wide_as_it_may_be_and_shows_every_part() {
        let check = |ms: [u64; 3], expected: &str| {
            assert_eq!(bar(&parts(ms), ms.iter().sum(), PLAIN), expected, "{ms:?}");
        };
        check([50, 25, 25], "[..........=====#####]");
        check([1, 0, 0], "[....................]");
        check([1, 1, 100_000], "[.=##################]");
        check([u64::MAX / 4, 0, u64::MAX / 4], "[..........##########]");
        let rich = bar(&parts([1, 1, 2]), 4, Style { rich: true, ..PLAIN });
        assert_eq!(rich.matches('\u{2588}').count(), 20);
    }

    #[test]
    fn nothing_in_a_file_acts_on_the_terminal() {
        let file = concat!(
            r#"{"type":"system","subtype":"init","model":"m\u001b[2J","session_id":"\u202es","timestamp":1796040000000}"#,
            "\n",
            r#"{"type":"tool_use","name":"t\u0007\nx","timestamp":1796040000100}"#,
            "\n",
            r#"{"type":"result","exit_code":1,"error":"\u001b]0;title\u0007bad","timestamp":1796040001000}"#,
            "\n\u{1b}[31moops\n",
        );
        let mut indexer = iris_core::run::Indexer::new();
        indexer.push(file.as_bytes());
        indexer.finish();
        let text = text(&indexer.summary(), None, PLAIN);
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
        assert!(text.is_ascii() || text.contains('\u{2407}'), "{text:?}");
        assert!(text.contains("(1 without an end)") && text.contains("failed, exit code 1"), "{text}");
    }
}

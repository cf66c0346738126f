//! Frames as text that a person can review: one line a frame, a run of growing texts as its first and its last.

use iris_core::protocol::ServerFrame;
use iris_core::protocol::frame::Facts;
use serde_json::Value;

use crate::load::Timed;

/// Longer texts are shown by their beginning and end.
const LONG: usize = 150;

/// Writes the frames down.
pub(crate) fn compact(frames: &[Timed]) -> String {
    let mut lines = Vec::new();
    let mut at = 0;
    while let Some((t_ms, frame)) = frames.get(at) {
        let run = run(&frames[at..]);
        let text = match (run, growing(frame)) {
            (2.., Some((kind, id, first))) => {
                let (_, _, last) = growing(&frames[at + run - 1].1).unwrap();
                format!("{kind} {id} ×{run} {} … {}", quoted(first), quoted(last))
            }
            _ => line(frame),
        };
        lines.push(format!("{t_ms:>6} {text}"));
        at += run;
    }
    lines.join("\n")
}

/// How many of the first frames are the same text, growing.
fn run(frames: &[Timed]) -> usize {
    let grows = |pair: &&[Timed]| match (growing(&pair[0].1), growing(&pair[1].1)) {
        (Some((a, a_id, before)), Some((b, b_id, after))) => {
            a == b && a_id == b_id && after.starts_with(before)
        }
        _ => false,
    };
    1 + frames.windows(2).take_while(grows).count()
}

fn growing(frame: &ServerFrame) -> Option<(&'static str, &str, &str)> {
    match frame {
        ServerFrame::MessageUpdate { message_id, text } => {
            Some(("message.update", message_id.as_str(), text))
        }
        ServerFrame::ReasoningUpdate { message_id, text } => {
            Some(("reasoning.update", message_id.as_str(), text))
        }
        _ => None,
    }
}

/// One frame, without its time.
pub(crate) fn line(frame: &ServerFrame) -> String {
    use ServerFrame as F;
    match frame {
        F::UserMessage { message_id, text, .. } => format!("user.message {message_id} {}", quoted(text)),
        F::TurnStart { turn } => format!("turn.start {turn}"),
        F::TurnEnd { turn, status, exit_code, error, model, tokens, duration_ms } => format!(
            "turn.end {turn} {status:?}{}{}{}{}{}",
            extra("exit", exit_code.map(|code| code.to_string())),
            extra("error", error.as_deref().map(quoted)),
            extra("model", model.clone()),
            extra("tokens", tokens.and_then(|tokens| tokens.total).map(|total| total.to_string())),
            extra("ms", duration_ms.map(|ms| ms.to_string())),
        ),
        F::Typing { on } => format!("typing {on}"),
        F::MessageStart { message_id, .. } => format!("message.start {message_id}"),
        F::MessageUpdate { message_id, text } => format!("message.update {message_id} {}", quoted(text)),
        F::ReasoningUpdate { message_id, text } => format!("reasoning.update {message_id} {}", quoted(text)),
        F::MessageStop { message_id, final_text, reasoning, model, tokens } => format!(
            "message.stop {message_id} {}{}",
            quoted(final_text.as_deref().unwrap_or("(as shown)")),
            credits(reasoning.as_deref(), model.as_deref(), tokens.and_then(|tokens| tokens.total)),
        ),
        F::Message { message_id, text, reasoning, model, tokens } => format!(
            "message {message_id} {}{}",
            quoted(text),
            credits(reasoning.as_deref(), model.as_deref(), tokens.and_then(|tokens| tokens.total)),
        ),
        F::Commentary { message_id, text } => format!("commentary {message_id} {}", quoted(text)),
        F::ToolStart { index, name, preview, args } => format!(
            "tool.start {} {name}{} {}",
            index.0,
            extra("preview", preview.as_deref().map(quoted)),
            Value::from(args.clone())
        ),
        F::ToolEnd { index, name, ok, duration, output_preview } => format!(
            "tool.end {} {name} ok={}{}{}",
            index.0,
            ok.map_or("?".to_owned(), |ok| ok.to_string()),
            extra("s", duration.map(|seconds| seconds.to_string())),
            extra("output", output_preview.as_deref().map(quoted)),
        ),
        F::Notice { level, code, text, detail, facts } => {
            format!(
                "notice {level:?} {code} {}{}{}",
                quoted(text),
                extra("detail", detail.as_deref().map(quoted)),
                numbers(facts)
            )
        }
        F::Ask { ask_id, kind, text, command, choices } => {
            let choices: Vec<_> =
                choices.iter().map(|choice| format!("{}={}", choice.id, choice.label)).collect();
            let command = extra("command", command.as_deref().map(quoted));
            format!("ask {ask_id} {kind:?} {}{command} [{}]", quoted(text), choices.join(", "))
        }
        F::AskClosed { ask_id, outcome } => format!("ask.closed {ask_id} {}", quoted(outcome)),
        other => format!("{other:?}"),
    }
}

fn credits(reasoning: Option<&str>, model: Option<&str>, tokens: Option<u64>) -> String {
    format!(
        "{}{}{}",
        extra("reasoning", reasoning.map(quoted)),
        extra("model", model.map(str::to_owned)),
        extra("tokens", tokens.map(|total| total.to_string())),
    )
}

fn numbers(facts: &Facts) -> String {
    let Facts { watchdog, silent, after, next, attempt, of } = facts;
    let number = |name: &str, number: &Option<u32>| extra(name, number.map(|number| number.to_string()));
    extra("watchdog", watchdog.clone())
        + &number("silent", silent)
        + &number("after", after)
        + &number("next", next)
        + &number("attempt", attempt)
        + &number("of", of)
}

fn extra(name: &str, value: Option<String>) -> String {
    value.map(|value| format!(" {name}={value}")).unwrap_or_default()
}

fn quoted(text: &str) -> String {
    let count = text.chars().count();
    if count <= LONG {
        return format!("{text:?}");
    }
    let first: String = text.chars().take(LONG / 2).collect();
    let last: String = text.chars().skip(count - LONG / 2).collect();
    format!("{first:?}…{last:?} ({count})")
}

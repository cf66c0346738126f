//! The lines that Hermes 0.22.2 writes about its calls: what they contain, and what they mean.

use super::line::Line;
use super::{LogEvent, LogKind, Numbers, Weight};
use crate::protocol::frame::Level;
use crate::stall::said;
use crate::stall::timers::TimerId;
use LogKind::*;
use Weight::{Error, Info, Warning};

/// Where a number stands.
#[derive(Clone, Copy)]
enum Find {
    /// Seconds after a mark.
    Seconds(&'static str),
    /// The timer's value after a mark.
    Threshold(&'static str),
    /// Seconds until it goes on, after a mark.
    Wait(&'static str),
    /// `a/b` after a mark.
    Pair(&'static str),
    /// A count after a mark.
    Count(&'static str),
}
use Find::{Count, Pair, Seconds, Threshold, Wait};

struct Pattern {
    /// All of it must be in the line.
    marks: &'static [&'static str],
    kind: LogKind,
    weight: Weight,
    timer: Option<TimerId>,
    /// `{s}`, `{t}`, `{n}`, `{of}` and `{w}` become the numbers.
    title: &'static str,
    why: &'static str,
    numbers: &'static [Find],
}

const fn entry(
    marks: &'static [&'static str],
    kind: LogKind,
    weight: Weight,
    title: &'static str,
    why: &'static str,
    numbers: &'static [Find],
) -> Pattern {
    Pattern { marks, kind, weight, timer: None, title, why, numbers }
}

const fn by(timer: TimerId, pattern: Pattern) -> Pattern {
    Pattern { timer: Some(timer), ..pattern }
}

/// The first that fits counts: what is more particular comes first.
#[rustfmt::skip]
const PATTERNS: &[Pattern] = &[
    // The breaker's sentence is part of the failed call's line.
    by(TimerId::StaleGiveup, entry(&["Provider has been unresponsive"], Breaker, Error, "The breaker stopped the call: {n} stale attempts in a row",
        "Every attempt counts, not every turn. The provider was not asked again; a new session, another model or an answer closes the breaker.", &[Count("response received) for ")])),
    by(TimerId::StreamMaxLifetime, entry(&["cut by agent.stream_max_lifetime"], Cut, Warning, "The stream was cut after {s} s although text still came", "It had lived longer than its longest life.", &[Seconds("streaming after ")])),
    // What a timer did.
    by(TimerId::NonStreamStale, entry(&["on-streaming API call stale for"], Cut, Warning, "A call without streaming had no answer for {s} s and was cut", "", &[Seconds("stale for "), Threshold("threshold ")])),
    by(TimerId::StreamStale, entry(&["Bedrock stream stale for"], Cut, Warning, "The Bedrock stream said nothing for {s} s and was cut", "", &[Seconds("stale for "), Threshold("threshold ")])),
    by(TimerId::StreamStale, entry(&["Stream stale for"], Cut, Warning, "The stream said nothing for {s} s and was cut", "A keep-alive is no part of an answer: it does not hold this timer up.", &[Seconds("stale for "), Threshold("threshold ")])),
    by(TimerId::CodexTtfb, entry(&["no parsed stream event within TTFB cutoff"], Cut, Warning, "The Responses stream had no event for {s} s and was cut", "The provider took the request and sent nothing.", &[Seconds("cutoff ("), Threshold(" > ")])),
    by(TimerId::CodexFirstProgress, entry(&["no substantive model progress"], Cut, Warning, "The Responses stream had events but no progress for {s} s and was cut", "", &[Seconds("progress for "), Threshold("threshold ")])),
    by(TimerId::CodexIdle, entry(&["produced no SSE events for"], Cut, Warning, "The Responses stream stopped for {s} s and was cut", "", &[Seconds("events for "), Threshold("threshold ")])),
    by(TimerId::TurnLiveness, entry(&["Turn liveness watchdog aborted"], TurnFailed, Error, "The turn made no progress for {s} s and was ended", "", &[Seconds("no progress for ")])),
    by(TimerId::TurnLiveness, entry(&["Turn liveness watchdog fired"], Cut, Warning, "The turn made no progress for {s} s and is interrupted", "", &[Seconds("no progress for ")])),
    // What broke. The reason comes from the line's own fields.
    entry(&["Stream drop mid tool-call on attempt"], Dropped, Warning, "The connection was lost in the middle of a tool call, attempt {n} of {of}", "", &[Pair("on attempt "), Seconds("elapsed=")]),
    entry(&["Stream drop on attempt"], Dropped, Warning, "Attempt {n} of {of} was lost after {s} s, and the stream is opened again", "", &[Pair("on attempt "), Seconds("elapsed=")]),
    entry(&["Stream exhausted on attempt"], AttemptsSpent, Warning, "The last attempt, {n} of {of}, was lost after {s} s", "The call has no attempts left; whether there is another call is for the next line to say.", &[Pair("on attempt "), Seconds("elapsed=")]),
    entry(&["Streaming failed after partial delivery"], PartialText, Warning, "The stream broke after text had come, so this attempt is not repeated", "", &[]),
    entry(&["Partial stream dropped tool call"], ToolLost, Error, "A tool call was lost with its stream and was not executed", "", &[]),
    entry(&["Partial stream delivered before error"], PartialText, Warning, "The text so far ({n} characters) is kept, and the model is asked to go on from there", "It may say the same again: the text then stands there twice.", &[Count("stub with ")]),
    entry(&["Stream died after deltas but before any visible text"], Dropped, Warning, "The stream broke before any visible text", "It counts as not delivered and is tried again.", &[]),
    entry(&["Streaming failed before delivery"], Dropped, Warning, "The stream failed before any text came", "", &[]),
    // Calls and turns.
    entry(&["API call failed after"], TurnFailed, Error, "The turn failed: every call failed ({n})", "", &[Count("failed after ")]),
    entry(&["API call failed (attempt", "not retryable"], CallFailed, Error, "Call {n} of {of} failed, and another one would not help", "", &[Pair("(attempt ")]),
    entry(&["API call failed (attempt"], CallFailed, Warning, "Call {n} of {of} failed", "", &[Pair("(attempt ")]),
    by(TimerId::ApiMaxRetries, entry(&["Retrying API call in"], Retrying, Info, "Hermes calls again in {w} s, after call {n} of {of}", "", &[Wait("call in "), Pair("(attempt ")])),
    by(TimerId::AutoRecoveryCycles, entry(&["auto-recovery cycle"], Recovering, Warning, "Hermes waits {w} s and begins again, cycle {n} of {of}", "Only while nothing of the answer has come.", &[Pair("cycle "), Wait("retrying in ")])),
    entry(&["Non-retryable client error"], TurnFailed, Error, "The turn failed: another call would not help", "", &[]),
    by(TimerId::StaleGiveup, entry(&["Interrupted provider wait counted as stale after"], Counted, Info, "A wait of {s} s that was stopped counts for the breaker, which is at {n}", "A stop counts when nothing came for 30 s.", &[Seconds("stale after "), Count("attempts=")])),
    by(TimerId::StaleGiveup, entry(&["Local model server answers its health check"], Notice, Info, "The local server answers, so one more attempt is made after {n} stale ones", "", &[Count("after ")])),
    // What was changed or left out.
    by(TimerId::CodexTtfb, entry(&["no-event TTFB watchdog raised from"], TimerChanged, Info, "The endpoint is local: the wait for the first event is {t} s instead of {s} s", "It holds for Responses streams only; Hermes writes this line for others too.", &[Seconds("raised from "), Threshold("s to ")])),
    by(TimerId::CodexTtfb, entry(&["Scaling codex-responses no-event TTFB"], TimerChanged, Info, "The request is large: the wait for the first event is {t} s instead of {s} s", "", &[Seconds("watchdog from "), Threshold("s to ")])),
    by(TimerId::CodexTtfb, entry(&["Capping codex-responses no-event TTFB"], TimerChanged, Info, "The wait for the first event is lowered from {s} s to {t} s", "", &[Seconds("timeout from "), Threshold("s to ")])),
    entry(&["to non-streaming for this session"], StreamingOff, Warning, "Streaming is off for the rest of the session", "The provider answered a request for a stream with something else; the next calls are made without.", &[]),
    entry(&["using non-streaming converse() for this session"], StreamingOff, Warning, "Streaming is off for the rest of the session", "The account may not stream on Bedrock.", &[]),
    entry(&["Computer slept for"], Slept, Info, "The computer slept for {s} s; the timer leaves that out", "", &[Seconds("slept for ")]),
    entry(&["Ignoring persisted custom api_mode"], SettingIgnored, Warning, "`model.api_mode` is not used for this endpoint", "For an endpoint of your own it has to stand under its provider: `providers.<name>.api_mode`.", &[]),
    entry(&["Invalid model.streaming"], SettingIgnored, Warning, "`model.streaming` is no switch, and Hermes streams", "", &[]),
    entry(&["has a formatting error"], SettingIgnored, Error, "Hermes could not read its configuration and went on with its defaults", "Nothing in the file counts until it is mended; the doctor shows the line.", &[]),
    entry(&["conversation turn:"], TurnStarted, Info, "A turn began", "", &[]),
    entry(&["Turn ended:"], TurnEnded, Info, "The turn ended with an answer", "", &[]),
];

/// What a line says, if it says something about a call. The line's number is for the caller.
pub(super) fn event(line: &Line<'_>) -> Option<LogEvent> {
    let text = line.text.as_ref();
    let found = PATTERNS.iter().find(|pattern| pattern.marks.iter().all(|mark| text.contains(mark)));
    let event = match found {
        Some(pattern) => from_pattern(pattern, text),
        None => from_words(text)?,
    };
    Some(LogEvent { at: line.at.clone(), session: line.session.clone(), ..event })
}

fn blank(kind: LogKind, weight: Weight, title: String) -> LogEvent {
    LogEvent {
        line: 0,
        at: None,
        session: None,
        kind,
        weight,
        title,
        why: String::new(),
        timer: None,
        numbers: Numbers::default(),
        times: 1,
    }
}

fn from_pattern(pattern: &Pattern, text: &str) -> LogEvent {
    let numbers = numbers(pattern.numbers, text);
    let mut event = blank(pattern.kind, pattern.weight, fill(pattern.title, &numbers));
    event.why = pattern.why.to_owned();
    event.timer = pattern.timer;
    event.numbers = numbers;
    match pattern.kind {
        Dropped | AttemptsSpent => broke(&mut event, text),
        CallFailed | TurnFailed => event.why = reason(text).unwrap_or_default(),
        TurnEnded if text.contains("interrupted") => "The turn was stopped".clone_into(&mut event.title),
        _ => {}
    }
    event
}

/// Why a connection broke, from the fields of the line: which timer, and whether anything had come.
fn broke(event: &mut LogEvent, text: &str) {
    let field =
        |name: &str| text.split_once(name).map(|(_, rest)| rest.split([' ', '(']).next().unwrap_or_default());
    let chain = text.split_once("chain=").map_or(text, |(_, rest)| rest);
    if let Some(status) = number_after(text, "Error code: ") {
        event.why = format!("The provider answered with an error, {status}.");
        return;
    }
    let (timer, why) = if text.contains("was superseded") {
        (None, "It is the attempt that was cut before: cutting it is what broke the connection.")
    } else if chain.contains("ConnectTimeout") {
        (Some(TimerId::SocketConnect), "No connection came about in time.")
    } else if chain.contains("ReadTimeout") {
        (Some(TimerId::SocketRead), "Not a single byte came for as long as the socket waits.")
    } else if chain.contains("WriteTimeout") {
        (Some(TimerId::SocketWrite), "The request could not be sent in time.")
    } else if text.contains("ConnectError")
        || text.contains("Connection refused")
        || text.contains("Connection error")
    {
        (None, "Nobody answers at this address, or something on the way refuses.")
    } else {
        (None, "The provider, or something on the way to it, ended the connection; no timer of Hermes did.")
    };
    event.timer = timer;
    why.clone_into(&mut event.why);
    if field("chunks=") == Some("0") && timer.is_none() {
        event.why.push_str(" Nothing of the answer had come.");
    }
}

/// What the line gives as its reason, as far as it may be repeated: what a provider says can hold a key.
fn reason(text: &str) -> Option<String> {
    let (_, said) = text.split_once("summary=").or_else(|| text.split_once("retries. "))?;
    let said = said.split(" | ").next()?.trim();
    (!said.is_empty() && !looks_secret(said)).then(|| said.chars().take(200).collect())
}

fn looks_secret(text: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).any(|run| {
        run.starts_with("sk-")
            || (run.len() >= 20
                && run.chars().any(|c| c.is_ascii_digit())
                && run.chars().any(|c| c.is_ascii_alphabetic()))
    })
}

/// What Hermes tells a user, in a terminal or a chat.
fn from_words(text: &str) -> Option<LogEvent> {
    let said = said::said(text)?;
    let weight = match said.level {
        Level::Info => Info,
        Level::Warning => Warning,
        Level::Error => Error,
    };
    // The line's own words, from its first sign on.
    let words = text.find(['⏳', '⚠', '❌', '⏱', '⚙']).and_then(|at| text.get(at..)).unwrap_or(text);
    let mut event = blank(Notice, weight, words.trim().chars().take(200).collect());
    event.timer = match said.facts.watchdog.as_deref() {
        Some("stale") => Some(TimerId::StreamStale),
        Some("first_event") => Some(TimerId::CodexTtfb),
        Some("progress") => Some(TimerId::CodexFirstProgress),
        Some("idle") => Some(TimerId::CodexIdle),
        Some("call") => Some(TimerId::NonStreamStale),
        Some("lifetime") => Some(TimerId::StreamMaxLifetime),
        Some("breaker") => Some(TimerId::StaleGiveup),
        _ => None,
    };
    event.numbers = Numbers {
        seconds: said.facts.silent.or(said.facts.after).map(f64::from),
        threshold: None,
        attempt: said.facts.attempt.map(u64::from),
        of: said.facts.of.map(u64::from),
        wait: said.facts.next.map(f64::from),
    };
    Some(event)
}

fn numbers(finds: &[Find], text: &str) -> Numbers {
    let mut numbers = Numbers::default();
    for find in finds {
        match *find {
            Seconds(mark) => numbers.seconds = number_after(text, mark),
            Threshold(mark) => numbers.threshold = number_after(text, mark),
            Wait(mark) => numbers.wait = number_after(text, mark).map(|wait| (wait * 10.0).round() / 10.0),
            Count(mark) => numbers.attempt = number_after(text, mark).map(|count| count as u64),
            Pair(mark) => {
                numbers.attempt = number_after(text, mark).map(|count| count as u64);
                let after =
                    text.split_once(mark).and_then(|(_, rest)| rest.split_once('/')).map(|(_, rest)| rest);
                numbers.of = after.and_then(|rest| number_after(rest, "")).map(|count| count as u64);
            }
        }
    }
    numbers
}

/// The number right after `mark`, below a million: what is larger is no duration.
fn number_after(text: &str, mark: &str) -> Option<f64> {
    let (_, rest) = text.split_once(mark)?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    rest.get(..end)?.trim_end_matches('.').parse().ok().filter(|number: &f64| *number < 1e6)
}

/// The title with its numbers; a number that is not there is a question mark.
fn fill(title: &str, numbers: &Numbers) -> String {
    let shown = |number: Option<f64>| {
        number.map_or_else(|| "?".to_owned(), |number| format!("{}", (number * 10.0).round() / 10.0))
    };
    let count = |number: Option<u64>| number.map_or_else(|| "?".to_owned(), |number| number.to_string());
    title
        .replace("{s}", &shown(numbers.seconds))
        .replace("{t}", &shown(numbers.threshold))
        .replace("{w}", &shown(numbers.wait))
        .replace("{of}", &count(numbers.of))
        .replace("{n}", &count(numbers.attempt))
}

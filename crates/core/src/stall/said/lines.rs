//! The lines that Hermes 0.22.2 says, as a table.

use super::numbers::Number;
use crate::protocol::frame::Level;
use Level::{Error, Info, Warning};
use Number::{After, AfterMinutes, Attempt, Next, NextMinutes, Pair, Silent, SilentMinutes};

/// One of them.
#[derive(Debug)]
pub(super) struct Line {
    /// What the line must contain, all of it.
    pub(super) marks: &'static [&'static str],
    pub(super) code: &'static str,
    pub(super) level: Level,
    /// The timer that acted, where the line does not name it.
    pub(super) watchdog: Option<&'static str>,
    pub(super) numbers: &'static [Number],
}

const fn line(
    marks: &'static [&'static str],
    code: &'static str,
    level: Level,
    numbers: &'static [Number],
) -> Line {
    Line { marks, code, level, watchdog: None, numbers }
}

const fn cut(
    marks: &'static [&'static str],
    code: &'static str,
    watchdog: &'static str,
    numbers: &'static [Number],
) -> Line {
    let level = if matches!(code.as_bytes(), b"breaker") { Error } else { Warning };
    Line { marks, code, level, watchdog: Some(watchdog), numbers }
}

/// The first that fits wins: what is more particular, and what ends a turn, comes first.
pub(super) const LINES: &[Line] = &[
    // What a watchdog did.
    cut(&["agent.stream_max_lifetime"], "capped", "lifetime", &[After("after ")]),
    cut(&["consecutive stale attempts"], "breaker", "breaker", &[Attempt("for ")]),
    cut(&["No first stream event from provider"], "stale", "first_event", &[Silent("provider in ")]),
    cut(&["made no model progress"], "stale", "progress", &[Silent("progress for ")]),
    cut(&["Codex stream sent no events"], "stale", "idle", &[Silent("no events for ")]),
    cut(&["No events from Bedrock"], "stale", "stale", &[Silent("Bedrock for ")]),
    cut(&["No response from provider for", "(non-streaming"], "stale", "call", &[Silent("provider for ")]),
    cut(&["No response from provider for"], "stale", "stale", &[Silent("provider for ")]),
    cut(&["no output from provider"], "stale", "stale", &[Silent("provider for ")]),
    cut(&["no response from provider in"], "stale", "first_event", &[Silent("provider in ")]),
    // What broke by itself.
    line(&["stream drop mid tool-call"], "tool_cut", Warning, &[After("after "), Pair("attempt ")]),
    line(&["Connection dropped mid tool-call"], "tool_cut", Warning, &[]),
    line(&["Stream interrupted mid tool-call"], "tool_cut", Warning, &[Pair("retrying (")]),
    line(&["mid tool-call", "the action was not executed"], "tool_lost", Error, &[]),
    line(&["stream drop", "reconnecting"], "reconnecting", Warning, &[After("after "), Pair("attempt ")]),
    line(&["empty keepalive frame"], "keepalive", Warning, &[]),
    line(&["Could not open a stream"], "unreachable", Error, &[Attempt("after ")]),
    line(&["malformed streaming data"], "malformed", Error, &[Attempt("after ")]),
    line(&["empty response stream"], "empty_stream", Error, &[Attempt("after ")]),
    line(&["Stream interrupted", "using delivered content"], "partial", Warning, &[]),
    // What Hermes does about it.
    line(&["retrying automatically in"], "recovering", Warning, &[Next("automatically in "), Pair("cycle ")]),
    line(&["Automatic recovery gave up"], "recovery_over", Error, &[Attempt("after ")]),
    line(&["Empty response from model"], "retrying", Warning, &[Next(" in "), Pair("retrying (")]),
    line(&["retrying in "], "retrying", Warning, &[Next("retrying in "), Pair("attempt ")]),
    line(&["Retrying in "], "retrying", Warning, &[Next("Retrying in "), Pair("attempt ")]),
    line(&["Waiting ", "(attempt "], "retrying", Warning, &[Next("Waiting "), Pair("attempt ")]),
    line(&["asking it to continue"], "continuing", Info, &[Pair("continue (")]),
    line(&["prefilling to continue"], "continuing", Info, &[Pair("continue (")]),
    line(&["re-prompting ("], "continuing", Info, &[Pair("re-prompting (")]),
    line(&["trying fallback"], "fallback", Warning, &[]),
    line(&["switching to fallback"], "fallback", Warning, &[]),
    line(&["Switched to fallback"], "fallback", Warning, &[]),
    line(&["Primary model restored"], "fallback", Info, &[]),
    // Where it ends.
    line(&["Rate limited after"], "rate_limited", Error, &[Attempt("after ")]),
    line(&["Billing or credits exhausted"], "no_credit", Error, &[]),
    line(&["usage/credit exhaustion"], "no_credit", Error, &[]),
    line(&["rejected the request and retrying won't help"], "rejected", Error, &[]),
    line(&["API failed after"], "gave_up", Error, &[Attempt("after ")]),
    line(&["AI model service kept failing"], "gave_up", Error, &[]),
    line(&["didn't answer after all retries"], "gave_up", Error, &[]),
    line(&["exceeded for invalid responses"], "gave_up", Error, &[Attempt("Max retries (")]),
    line(&["no content after all retries"], "gave_up", Error, &[]),
    line(&["no visible response after all retries"], "gave_up", Error, &[]),
    line(&["declined to respond"], "refused", Warning, &[]),
    line(&["Iteration budget exhausted"], "budget", Warning, &[Pair("exhausted (")]),
    line(&["I couldn't finish this reply"], "failed", Error, &[]),
    // Silence that nobody has acted on yet.
    line(&["waiting on ", "s waiting for the"], "silent", Info, &[Silent("— "), Next("watchdog in ")]),
    line(&["waiting on ", "stream open; "], "silent", Info, &[Silent("open; "), Next("watchdog in ")]),
    line(&["waiting on ", "stream active; "], "silent", Info, &[Silent("active; "), Next("watchdog in ")]),
    line(&["processing prompt"], "loading", Info, &[]),
    line(
        &["I seem to be stuck"],
        "stuck",
        Warning,
        &[SilentMinutes("no activity for "), NextMinutes("in the next ")],
    ),
    line(&["stopped making progress"], "stuck", Warning, &[Silent("progress (")]),
    line(&["aborted by the liveness watchdog"], "inactive", Error, &[Silent("watchdog (")]),
    line(&["Agent inactive for "], "inactive", Error, &[SilentMinutes("inactive for ")]),
    line(&["Another Hermes process is using this session"], "session_busy", Info, &[]),
    line(&["waiting for the other Hermes process"], "session_busy", Info, &[After("session (")]),
    line(&["Session is free; loading"], "session_free", Info, &[]),
    line(&["Working — "], "working", Info, &[AfterMinutes("Working — "), Pair("iteration ")]),
    // The context.
    line(&["Compacting context"], "compacting", Info, &[]),
    line(&["Preflight compression"], "compacting", Info, &[]),
    line(&["Pre-API compression"], "compacting", Info, &[]),
    line(&["idle — compacting"], "compacting", Info, &[]),
    line(&["Context too large", "compressing ("], "compacting", Warning, &[Pair("compressing (")]),
    line(&["Context compaction complete"], "compacted", Info, &[]),
    line(&["Context reduced to", "retrying"], "compacted", Info, &[]),
    line(&["Compressed ", ", retrying"], "compacted", Info, &[]),
    line(&["over the compression threshold"], "context_full", Warning, &[]),
    // Answers to what the user said or did.
    line(&["No home channel is set"], "home_channel", Info, &[]),
    line(&["Redirected current run"], "redirected", Info, &[Pair("iteration ")]),
    line(&["Interrupting current task"], "interrupting", Info, &[]),
    line(&["Steered into current run"], "steered", Info, &[]),
    line(&["Steer queued into current"], "steered", Info, &[]),
    line(&["Queued for the next turn"], "queued", Info, &[]),
    line(&["Stopped. You can continue"], "stopped", Info, &[]),
    line(&["Stopped. The agent hadn't started"], "stopped", Info, &[]),
    line(&["No active task to stop"], "nothing_to_stop", Info, &[]),
    line(&["interrupted before processing started"], "not_started", Warning, &[]),
    line(&["Approval timed out"], "approval_timeout", Warning, &[]),
];

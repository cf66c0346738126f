use super::*;
use Level::{Error, Info, Warning};

/// The numbers of facts in the order watchdog, silent, after, next, attempt, of.
fn check(line: &str, level: Level, code: &str, facts: &str) {
    let said = said(line).unwrap_or_else(|| panic!("unknown: {line}"));
    assert_eq!((said.level, said.code), (level, code), "{line}");
    let Facts { watchdog, silent, after, next, attempt, of } = said.facts;
    let number = |name: &str, number: Option<u32>| number.map(|n| format!(" {name}={n}")).unwrap_or_default();
    let told = format!(
        "{}{}{}{}{}{}",
        watchdog.unwrap_or_default(),
        number("silent", silent),
        number("after", after),
        number("next", next),
        number("attempt", attempt),
        number("of", of)
    );
    assert_eq!(told.trim(), facts, "{line}");
}

#[test]
fn what_a_watchdog_did_is_known_with_its_numbers() {
    check(
        "⚠️ No response from provider for 6s (model: demo-model, context: ~10,653 tokens). Reconnecting...",
        Warning,
        "stale",
        "stale silent=6",
    );
    check("⚠ no output from provider for 181s — reconnecting...", Warning, "stale", "stale silent=181");
    check(
        "⚠️ No first stream event from provider in 120s (codex stream, model: gpt-5.6). Reconnecting.",
        Warning,
        "stale",
        "first_event silent=120",
    );
    check(
        "⚠ no response from provider in 120s — reconnecting...",
        Warning,
        "stale",
        "first_event silent=120",
    );
    check(
        "⚠️ Codex stream opened but made no model progress for 60s (model: m). Reconnecting.",
        Warning,
        "stale",
        "progress silent=60",
    );
    check(
        "⚠️ Codex stream sent no events for 180s after first event (model: m). Reconnecting.",
        Warning,
        "stale",
        "idle silent=180",
    );
    check(
        "⚠️ No response from provider for 90s (non-streaming, model: m). Aborting call.",
        Warning,
        "stale",
        "call silent=90",
    );
    check("⚠️ No events from Bedrock for 180s (model: m). Aborting...", Warning, "stale", "stale silent=180");
    check(
        "Response still streaming after 600s, cut by agent.stream_max_lifetime",
        Warning,
        "capped",
        "lifetime after=600",
    );
    check(
        "❌ custom rejected the request and retrying won't help: Provider has been unresponsive (no response received) for 3 consecutive stale attempts — aborting this call to avoid an indefinite stall.",
        Error,
        "breaker",
        "breaker attempt=3",
    );
}

#[test]
fn what_broke_and_what_is_done_about_it_is_known() {
    check(
        "⚠️ custom stream drop (RemoteProtocolError) after 6.3s — attempt 1/3 dropped, reconnecting",
        Warning,
        "reconnecting",
        "after=6 attempt=1 of=3",
    );
    check(
        "⚠️ custom stream drop mid tool-call (ReadError) after 41.0s — attempt 2/3 dropped, reconnecting",
        Warning,
        "tool_cut",
        "after=41 attempt=2 of=3",
    );
    check("⚠ Connection dropped mid tool-call; reconnecting…", Warning, "tool_cut", "");
    check(
        "⚠ Stream stalled mid tool-call (terminal); the action was not executed. Ask me to retry if you want to continue.",
        Error,
        "tool_lost",
        "",
    );
    check(
        "❌ Could not open a stream to 127.0.0.1 after 3 attempts; the endpoint looks unreachable — try again in a moment.",
        Error,
        "unreachable",
        "attempt=3",
    );
    check(
        "❌ Provider returned malformed streaming data after 3 attempts. The provider may be experiencing issues — try again in a moment.",
        Error,
        "malformed",
        "attempt=3",
    );
    check(
        "❌ Provider returned an empty response stream after 3 attempts. …",
        Error,
        "empty_stream",
        "attempt=3",
    );
    check(
        "⚠️ Provider stream returned an empty keepalive frame — retrying this turn without streaming (streaming stays off for this session).",
        Warning,
        "keepalive",
        "",
    );
    check(
        "⏳ Provider temporarily unavailable — retrying automatically in 15s (cycle 1/5)",
        Warning,
        "recovering",
        "next=15 attempt=1 of=5",
    );
    check("⏳ Retrying in 2.4s (attempt 1/3)...", Warning, "retrying", "next=2 attempt=1 of=3");
    check(
        "⏳ waiting on provider — retrying in 4s (attempt 2/3)",
        Warning,
        "retrying",
        "next=4 attempt=2 of=3",
    );
    check(
        "⏱️ Rate limited. Resets in 3m. Waiting 60.0s (attempt 2/3)...",
        Warning,
        "retrying",
        "next=60 attempt=2 of=3",
    );
    check(
        "⏳ Automatic recovery gave up after 5 cycles — the provider is still unavailable.",
        Error,
        "recovery_over",
        "attempt=5",
    );
    check("❌ API failed after 3 retries — HTTP 500: oops", Error, "gave_up", "attempt=3");
    check(
        "⚠️ The AI model service kept failing. Use /retry to try again, or /model to switch models.",
        Error,
        "gave_up",
        "",
    );
    check(
        "↻ model returned reasoning with no final answer — asking it to continue (2/3)",
        Info,
        "continuing",
        "attempt=2 of=3",
    );
}

#[test]
fn silence_that_nobody_acted_on_says_when_somebody_will() {
    check(
        "⏳ waiting on demo-model — 60s waiting for the first stream chunk (auto-reconnect: stream stale watchdog in 120s)",
        Info,
        "silent",
        "stale silent=60 next=120",
    );
    check(
        "⏳ still waiting on demo-model — stream open; 168s without stream output (auto-reconnect: stream stale watchdog in 12s)",
        Info,
        "silent",
        "stale silent=168 next=12",
    );
    check(
        "⏳ waiting on gpt-5.6 — 60s waiting for the first provider event (auto-reconnect: TTFB watchdog in 60s)",
        Info,
        "silent",
        "first_event silent=60 next=60",
    );
    check(
        "⏳ waiting on m — 60s waiting for the first stream chunk (auto-reconnect: new watchdog in 1s)",
        Info,
        "silent",
        "silent=60 next=1",
    );
    check("⏳ waiting on m — 90s waiting for the first stream chunk", Info, "silent", "silent=90");
    check("⏳ Working — 3 min — iteration 3/20, terminal", Info, "working", "after=180 attempt=3 of=20");
    check(
        "⚠️ I seem to be stuck (no activity for 15 min). If nothing happens in the next 15 min I'll give up",
        Warning,
        "stuck",
        "silent=900 next=900",
    );
    check(
        "⏳ Still waiting for the other Hermes process on this session (12s)...",
        Info,
        "session_busy",
        "after=12",
    );
    check("⏱️ Agent inactive for 30 min — no tool calls or API responses.", Error, "inactive", "silent=1800");
}

#[test]
fn the_answers_to_what_the_user_did_are_known() {
    for (line, code) in [
        ("↪ Redirected current run (iteration 1/20). I'll adjust using your correction.", "redirected"),
        ("⚡ Interrupting current task…. I'll respond to your message shortly.", "interrupting"),
        ("⏩ Steered into current run…. Your message arrives after the next tool call.", "steered"),
        ("⏩ Steer queued into current run — arrives after the next tool call: 'hello'", "steered"),
        ("⏳ Queued for the next turn…. I'll respond once the current task finishes.", "queued"),
        ("Queued for the next turn. (2 queued)", "queued"),
        ("⚡ Stopped. You can continue this session.", "stopped"),
        ("⚡ Stopped. The agent hadn't started yet — you can continue this session.", "stopped"),
        ("No active task to stop.", "nothing_to_stop"),
        ("📬 No home channel is set for Iris. A home channel is where…", "home_channel"),
        ("⌛ Approval timed out after 5 minutes — the command was NOT run.", "approval_timeout"),
    ] {
        assert_eq!(said(line).map(|said| said.code), Some(code), "{line}");
    }
    assert_eq!(said("ola"), None);
    assert_eq!(said("I am waiting on you"), None);
}

#[test]
fn a_number_that_is_none_or_too_large_is_absent() {
    check("no output from provider for some time", Warning, "stale", "stale");
    check("no output from provider for 99999999999s", Warning, "stale", "stale");
    check("stream drop (X) — attempt x/y dropped, reconnecting", Warning, "reconnecting", "");
    check("I seem to be stuck (no activity for 4294967295 min)", Warning, "stuck", "");
}

#[test]
fn what_hermes_writes_into_an_answer_is_taken_out_of_it() {
    let taken = |text: &str| take_inside(text);
    let drop = INSIDE[0].0;
    let lost = "⚠ Stream stalled mid tool-call (terminal, patch); the action was not executed. Ask me to retry if you want to continue.";
    assert_eq!(
        taken(&format!("Let me look.\n\n{drop}\n\nLet me look.")),
        Some(("Let me look.\n\nLet me look.".to_owned(), vec![drop.to_owned()]))
    );
    assert_eq!(taken(&format!("Done.\n\n{lost}")), Some(("Done.".to_owned(), vec![lost.to_owned()])));
    assert_eq!(taken(lost), Some((String::new(), vec![lost.to_owned()])));
    assert_eq!(taken("It said: ⚠ Connection dropped mid tool-call; reconnecting… and went on."), None);
    assert_eq!(taken("⚠ Stream stalled mid tool-call (a bug); how odd"), None);
    assert_eq!(taken("nothing"), None);
}

#[test]
fn the_document_lists_every_word() {
    let document = include_str!("../../../../../docs/protocol.md");
    let (_, section) = document.split_once("\n## The codes of Hermes' own words\n").expect("its heading");
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let listed: Vec<&str> = section
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`').map(|(code, _)| code))
        .collect();
    let missing: Vec<&str> = codes().filter(|code| !listed.contains(code)).collect();
    assert!(missing.is_empty(), "not in docs/protocol.md: {missing:?}");
    let unknown: Vec<&&str> = listed.iter().filter(|code| !codes().any(|known| known == **code)).collect();
    assert!(unknown.is_empty(), "not in the code: {unknown:?}");
}

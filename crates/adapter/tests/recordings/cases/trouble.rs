//! Failures, and what Hermes says about itself.

use serde_json::json;

use super::{done, edit, hook, last, live, send, status, turn, whole};

#[test]
fn a_heartbeat_is_one_notice_that_changes() {
    let beat = json!({"_interim_send": true});
    turn(
        &[
            send("h", "⏳ Working — 3 min — iteration 3/20, terminal", beat.clone()),
            edit("h", "⏳ Working — 3 min — iteration 3/20, terminal"),
            edit("h", "⏳ Working — 6 min — iteration 4/20, terminal"),
            send("g", "still on it", beat),
        ],
        &[
            "notice Info working \"Working — 3 min — iteration 3/20, terminal\" after=180 attempt=3 of=20",
            "notice Info working \"Working — 6 min — iteration 4/20, terminal\" after=360 attempt=4 of=20",
            "notice Info working \"still on it\"",
        ],
    );
}

#[test]
fn a_failure_in_another_language_is_known_by_its_hook() {
    turn(
        &[
            hook("api_request_error", json!({"error": {"message": "HTTP 500"}})),
            whole("Der Dienst ist gerade nicht erreichbar."),
            done("success"),
        ],
        &["typing false", "turn.end x-t1 Error error=\"Der Dienst ist gerade nicht erreichbar.\" ms=4"],
    );
}

#[test]
fn a_request_that_recovers_is_no_failure() {
    turn(
        &[
            hook("api_request_error", json!({"error": {"message": "HTTP 500"}})),
            hook("on_stream_start", json!({"iteration": 1})),
            hook("on_stream_end", json!({"iteration": 1, "final_text": "ola", "error": null})),
            whole("ola"),
            done("success"),
        ],
        &["message x-m2 \"ola\"", "typing false", "turn.end x-t1 Complete ms=6"],
    );
}

#[test]
fn a_failure_without_words_says_what_the_provider_said() {
    turn(
        &[hook("api_request_error", json!({"error": {"message": "HTTP 500"}})), done("failure")],
        &["typing false", "turn.end x-t1 Error error=\"HTTP 500\" ms=3"],
    );
    turn(&[done("failure")], &["typing false", "turn.end x-t1 Error error=\"Hermes failed\" ms=2"]);
}

#[test]
fn an_answer_that_speaks_of_errors_is_an_answer() {
    for text in [
        "⚠️ No response from provider means a stall.",
        "💻 Running ls lists files.",
        "demo · 1% · /x",
        "❓ Why?",
    ] {
        turn(&[whole(text)], &[&format!("message x-m2 {text:?}")]);
    }
}

#[test]
fn what_hermes_writes_into_an_answer_is_a_notice_and_no_part_of_it() {
    let cut = "Let me look.\n\n⚠ Connection dropped mid tool-call; reconnecting…";
    let lost = "⚠ Stream stalled mid tool-call (terminal); the action was not executed. Ask me to retry if you want to continue.";
    turn(
        &[
            live("b", "Let me look. ▉"),
            edit("b", &format!("{cut} ▉")),
            edit("b", &format!("{cut}\n\nLet me ▉")),
            last("b", &format!("{cut}\n\nLet me look.\n\n{lost}")),
            done("success"),
        ],
        &[
            "message.start x-m2",
            "message.update x-m2 \"Let me look.\"",
            "notice Warning tool_cut \"Connection dropped mid tool-call; reconnecting…\"",
            "message.update x-m2 \"Let me look.\\n\\nLet me\"",
            "notice Error tool_lost \"Stream stalled mid tool-call (terminal); the action was not executed. Ask me to retry if you want to continue.\"",
            "message.update x-m2 \"Let me look.\\n\\nLet me look.\"",
            "message.stop x-m2 \"Let me look.\\n\\nLet me look.\"",
            "typing false",
            "turn.end x-t1 Complete ms=6",
        ],
    );
}

#[test]
fn a_failure_is_told_once_and_what_was_given_up_on_the_way_too() {
    let gave_up = status("s", "❌ API failed after 3 retries — HTTP 500: oops");
    let failure = "custom returned a server error.\n\nYour request was not processed. Send it again if you still want me to carry it out.";
    turn(
        &[gave_up.clone(), whole(failure), done("success")],
        &["typing false", &format!("turn.end x-t1 Error error={failure:?} ms=4")],
    );
    turn(
        &[gave_up, live("b1", "Hello ▉"), last("b1", "Hello"), done("success")],
        &[
            "notice Error gave_up \"API failed after 3 retries — HTTP 500: oops\" attempt=3",
            "message.start x-m2",
            "message.update x-m2 \"Hello\"",
            "message.stop x-m2 \"Hello\"",
            "typing false",
            "turn.end x-t1 Complete ms=5",
        ],
    );
}

#[test]
fn what_a_turn_was_given_up_with_ends_it_and_is_no_message() {
    let ending = "Your request was not processed. Send it again if you still want me to carry it out.";
    for lead in [
        "custom rate-limited every one of 3 attempts.",
        "custom reported it was overloaded on all 3 attempts.",
        "custom returned a server error on all 3 attempts.",
        "custom didn't respond in time on any of 3 attempts.",
        "custom didn't answer after 3 attempts.",
        "demo was thinking for so long that the connection timed out.",
    ] {
        turn(
            &[whole(&format!("{lead}\n\n{ending}")), done("success")],
            &["typing false", &format!("turn.end x-t1 Error error=\"{lead}\\n\\n{ending}\" ms=3")],
        );
    }
}

//! Calls that no recording has, but Hermes' source says may come. Each test is the calls and the frames they mean.

use iris_adapter::backend::gateway::{Machine, parse_line};
use serde_json::{Value, json};

use crate::compact::line;

/// Plays the calls; an object without `t_ms` comes one millisecond after the one before.
fn frames(calls: &[Value]) -> Vec<String> {
    let mut machine = Machine::new("x");
    let mut lines = Vec::new();
    for (at, call) in calls.iter().enumerate() {
        let mut call = call.clone();
        call["t_ms"] = json!(at);
        let timed = parse_line(at + 1, &call.to_string()).unwrap();
        lines.extend(machine.call(timed.t_ms, &timed.call).iter().map(line));
    }
    lines
}

/// A turn with these calls inside; expected without the frames that every turn begins with.
fn turn(inside: &[Value], expected: &[&str]) {
    let mut calls = vec![inbound("u1", "go"), start("go")];
    calls.extend_from_slice(inside);
    let frames = frames(&calls);
    assert_eq!(&frames[..3], ["user.message x-m1 \"go\"", "turn.start x-t1", "typing true"]);
    assert_eq!(&frames[3..], expected);
}

fn inbound(id: &str, text: &str) -> Value {
    json!({"call": "inbound", "message_id": id, "text": text})
}

fn start(text: &str) -> Value {
    json!({"call": "on_processing_start", "text": text})
}

fn done(outcome: &str) -> Value {
    json!({"call": "on_processing_complete", "outcome": outcome})
}

fn send(id: &str, content: &str, metadata: Value) -> Value {
    json!({"call": "send", "content": content, "metadata": metadata, "returns": id})
}

/// The first snapshot of a bubble.
fn live(id: &str, content: &str) -> Value {
    send(id, content, json!({"reply_to_message_id": "u1", "expect_edits": true}))
}

fn status(id: &str, content: &str) -> Value {
    send(id, content, Value::Null)
}

fn whole(content: &str) -> Value {
    send("w", content, json!({"notify": true}))
}

fn edit(id: &str, content: &str) -> Value {
    json!({"call": "edit_message", "message_id": id, "content": content, "finalize": false})
}

fn last(id: &str, content: &str) -> Value {
    json!({"call": "edit_message", "message_id": id, "content": content, "finalize": true})
}

fn hook(name: &str, kwargs: Value) -> Value {
    json!({"call": format!("hook:{name}"), "kwargs": kwargs})
}

fn delta(iteration: u64, kind: &str, delta: &str) -> Value {
    hook("on_stream_delta", json!({"iteration": iteration, "kind": kind, "delta": delta}))
}

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
fn a_bubble_sealed_in_the_middle_of_a_line_goes_on_without_a_seam() {
    let first = "x".repeat(3_994);
    let frames = frames(&[
        inbound("u1", "go"),
        start("go"),
        live("b1", &format!("{first} ▉")),
        last("b1", &first),
        live("b2", "yyy ▉"),
        last("b2", "yyy"),
        done("success"),
    ]);
    let stop = frames.iter().find(|line| line.starts_with("message.stop")).unwrap();
    assert!(stop.contains("(3997)"), "{stop}");
    assert_eq!(frames.iter().filter(|line| line.starts_with("message.start")).count(), 1);
}

#[test]
fn a_long_remark_before_a_tool_does_not_run_into_the_answer() {
    let remark = "x".repeat(2_500);
    let frames = frames(&[
        inbound("u1", "go"),
        start("go"),
        live("b1", &format!("{remark} ▉")),
        last("b1", &remark),
        live("b2", "\n\nthe answer ▉"),
        last("b2", "the answer"),
        done("success"),
    ]);
    assert_eq!(frames.iter().filter(|line| line.starts_with("message.stop")).count(), 2);
}

#[test]
fn reasoning_that_leads_to_a_tool_stands_before_it() {
    turn(
        &[
            hook("on_stream_start", json!({"iteration": 1, "model": "m"})),
            delta(1, "reasoning", "First the files."),
            hook("on_stream_end", json!({"iteration": 1, "final_text": ""})),
            hook("pre_tool_call", json!({"tool_name": "ls", "args": {}, "tool_call_id": "c1"})),
            hook(
                "post_tool_call",
                json!({"tool_name": "ls", "tool_call_id": "c1", "result": "a", "duration_ms": 5, "status": "ok"}),
            ),
            hook("on_stream_start", json!({"iteration": 2})),
            delta(2, "reasoning", "Now the answer."),
            delta(2, "text", "\n\nola"),
            send("b", "ola", json!({"reply_to_message_id": "u1", "notify": true})),
            done("success"),
        ],
        &[
            "reasoning.update x-m2 \"First the files.\"",
            "message.stop x-m2 \"\" reasoning=\"First the files.\"",
            "tool.start 1 ls {}",
            "tool.end 1 ls ok=true s=0.005 output=\"a\"",
            "reasoning.update x-m3 \"Now the answer.\"",
            "message.start x-m3",
            "message.update x-m3 \"ola\"",
            "message.stop x-m3 \"ola\" reasoning=\"Now the answer.\" model=m",
            "typing false",
            "turn.end x-t1 Complete model=m ms=11",
        ],
    );
}

#[test]
fn a_request_that_is_tried_again_thinks_anew() {
    turn(
        &[
            hook("on_stream_start", json!({"iteration": 1})),
            delta(1, "reasoning", "Half a tho"),
            hook("on_stream_start", json!({"iteration": 1})),
            delta(1, "reasoning", "A whole thought."),
        ],
        &["reasoning.update x-m2 \"Half a tho\"", "reasoning.update x-m2 \"A whole thought.\""],
    );
}

#[test]
fn a_redirected_agent_thinks_anew() {
    turn(
        &[
            hook("on_stream_start", json!({"iteration": 1})),
            live("b", "1 2 3 ▉"),
            status("r", "↪ Redirected current run (iteration 1/20). I'll adjust using your correction."),
            hook("on_stream_start", json!({"iteration": 1})),
            delta(1, "reasoning", "A greeting, then."),
            edit("b", "1 2 3ola ▉"),
            last("b", "ola"),
            done("success"),
        ],
        &[
            "message.start x-m2",
            "message.update x-m2 \"1 2 3\"",
            "message.stop x-m2 \"1 2 3\"",
            "notice Info redirected \"Redirected current run (iteration 1/20). I'll adjust using your correction.\" attempt=1 of=20",
            "reasoning.update x-m3 \"A greeting, then.\"",
            "message.start x-m3",
            "message.update x-m3 \"ola\"",
            "message.stop x-m3 \"ola\" reasoning=\"A greeting, then.\"",
            "typing false",
            "turn.end x-t1 Complete ms=9",
        ],
    );
}

#[test]
fn reasoning_that_led_to_nothing_closes_with_the_turn() {
    turn(
        &[hook("on_stream_start", json!({"iteration": 1})), delta(1, "reasoning", "Hm."), done("cancelled")],
        &[
            "reasoning.update x-m2 \"Hm.\"",
            "message.stop x-m2 \"\" reasoning=\"Hm.\"",
            "typing false",
            "turn.end x-t1 Interrupted ms=4",
        ],
    );
}

#[test]
fn a_bubble_that_comes_after_the_next_request_began_keeps_its_own_reasoning() {
    turn(
        &[
            hook("on_stream_start", json!({"iteration": 1})),
            delta(1, "reasoning", "one"),
            delta(1, "text", "first text"),
            hook("on_stream_start", json!({"iteration": 2})),
            delta(2, "reasoning", "two"),
            live("b1", "first te ▉"),
            last("b1", "first text"),
            delta(2, "text", "\n\nsecond"),
            live("b2", "\n\nsecond ▉"),
            last("b2", "second"),
            done("success"),
        ],
        &[
            "reasoning.update x-m2 \"one\"",
            "reasoning.update x-m3 \"two\"",
            "message.start x-m2",
            "message.update x-m2 \"first te\"",
            "message.update x-m2 \"first text\"",
            "message.stop x-m2 \"first text\" reasoning=\"one\"",
            "message.start x-m3",
            "message.update x-m3 \"second\"",
            "message.stop x-m3 \"second\" reasoning=\"two\"",
            "typing false",
            "turn.end x-t1 Complete ms=12",
        ],
    );
}

#[test]
fn a_reply_that_was_not_streamed_has_its_live_reasoning_too() {
    turn(
        &[
            hook("on_stream_start", json!({"iteration": 1})),
            delta(1, "reasoning", "Greet."),
            delta(1, "text", "ola"),
            hook("post_api_request", json!({"response_model": "m", "usage": {"total_tokens": 7}})),
            whole("ola"),
            done("success"),
        ],
        &[
            "reasoning.update x-m2 \"Greet.\"",
            "message x-m2 \"ola\" reasoning=\"Greet.\" model=m tokens=7",
            "typing false",
            "turn.end x-t1 Complete model=m tokens=7 ms=7",
        ],
    );
}

#[test]
fn a_remark_leaves_its_reasoning_standing_before_it() {
    let remark = json!({"_interim_send": true, "reply_to_message_id": "u1"});
    turn(
        &[
            hook("on_stream_start", json!({"iteration": 1})),
            delta(1, "reasoning", "Look first."),
            delta(1, "text", "Let me look."),
            send("c", "Let me look.", remark),
        ],
        &[
            "reasoning.update x-m2 \"Look first.\"",
            "message.stop x-m2 \"\" reasoning=\"Look first.\"",
            "commentary x-m3 \"Let me look.\"",
        ],
    );
}

#[test]
fn a_tool_whose_start_was_lost_gets_its_card_at_the_end_and_none_gets_two() {
    let end = hook(
        "post_tool_call",
        json!({"tool_name": "ls", "args": {"path": "a"}, "tool_call_id": "c1", "result": "", "status": "error"}),
    );
    turn(
        &[
            end.clone(),
            hook("pre_tool_call", json!({"tool_name": "ls", "args": {}, "tool_call_id": "c1"})),
            end,
        ],
        &["tool.start 1 ls preview=\"a\" {\"path\":\"a\"}", "tool.end 1 ls ok=false"],
    );
}

#[test]
fn a_text_that_is_broken_off_has_all_that_the_model_said() {
    let check = |said: &str, text: &str| {
        let stop = format!("message.stop x-m2 {text:?}");
        turn(
            &[
                hook("on_stream_start", json!({"iteration": 1})),
                live("b", "1 2 3 ▉"),
                hook("on_stream_end", json!({"iteration": 1, "final_text": said})),
                done("cancelled"),
            ],
            &[
                "message.start x-m2",
                "message.update x-m2 \"1 2 3\"",
                &stop,
                "typing false",
                "turn.end x-t1 Interrupted ms=5",
            ],
        );
    };
    check("1 2 3 4 5 ", "1 2 3 4 5");
    check("1 2 3", "1 2 3");
    check("Something else", "1 2 3");
}

#[test]
fn a_tool_that_never_ends_is_closed_with_its_turn() {
    turn(
        &[
            hook("pre_tool_call", json!({"tool_name": "ls", "args": {}, "tool_call_id": "c1"})),
            done("cancelled"),
        ],
        &["tool.start 1 ls {}", "tool.end 1 ls ok=?", "typing false", "turn.end x-t1 Interrupted ms=3"],
    );
}

#[test]
fn repeated_lines_are_counted_once_each() {
    turn(
        &[
            status("t", "💻 Running make"),
            edit("t", "💻 Running make (×2)"),
            edit("t", "💻 Running make (×2)\n⚙️ mcp_ping..."),
        ],
        &[
            "tool.start 1 terminal preview=\"make\" {}",
            "tool.end 1 terminal ok=?",
            "tool.start 2 terminal preview=\"make\" {}",
            "tool.end 2 terminal ok=?",
            "tool.start 3 mcp_ping {}",
        ],
    );
}

#[test]
fn a_preview_that_is_taken_back_leaves_an_empty_message() {
    turn(
        &[live("b", "SILEN ▉"), json!({"call": "delete_message", "message_id": "b"}), done("success")],
        &[
            "message.start x-m2",
            "message.update x-m2 \"SILEN\"",
            "message.stop x-m2 \"\"",
            "typing false",
            "turn.end x-t1 Complete ms=4",
        ],
    );
}

#[test]
fn a_snapshot_that_comes_late_takes_nothing_back() {
    turn(
        &[
            live("b", "one ▉"),
            edit("b", "one two ▉"),
            edit("b", "one ▉"),
            last("b", "one two three"),
            edit("b", "one two ▉"),
            done("success"),
        ],
        &[
            "message.start x-m2",
            "message.update x-m2 \"one\"",
            "message.update x-m2 \"one two\"",
            "message.update x-m2 \"one two three\"",
            "message.stop x-m2 \"one two three\"",
            "typing false",
            "turn.end x-t1 Complete ms=7",
        ],
    );
}

#[test]
fn an_unfinished_snapshot_after_the_final_edit_is_late_whatever_it_says() {
    turn(
        &[live("b", "draft ▉"), last("b", "final"), edit("b", "draft one ▉")],
        &["message.start x-m2", "message.update x-m2 \"draft\"", "message.update x-m2 \"final\""],
    );
}

#[test]
fn a_final_edit_that_comes_after_the_next_bubble_has_the_last_word() {
    turn(
        &[live("a", "fir ▉"), live("b", "\n\nsec ▉"), last("a", "first")],
        &[
            "message.start x-m2",
            "message.update x-m2 \"fir\"",
            "message.stop x-m2 \"fir\"",
            "message.start x-m3",
            "message.update x-m3 \"sec\"",
            "message.stop x-m2 \"first\"",
        ],
    );
}

#[test]
fn a_final_reply_that_repeats_an_unfinished_bubble_finishes_it() {
    turn(
        &[live("b", "Let me lo ▉"), whole("Let me look at it. Done."), done("success")],
        &[
            "message.start x-m2",
            "message.update x-m2 \"Let me lo\"",
            "message.stop x-m2 \"Let me look at it. Done.\"",
            "typing false",
            "turn.end x-t1 Complete ms=4",
        ],
    );
}

#[test]
fn the_beginning_of_a_word_that_is_no_tag_is_shown_when_it_is_clear() {
    turn(
        &[live("b", "The\n\nMED ▉"), edit("b", "The\n\nMEDIAN ▉"), last("b", "The\n\nMEDIAN")],
        &["message.start x-m2", "message.update x-m2 \"The\"", "message.update x-m2 \"The\\n\\nMEDIAN\""],
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

const APPROVAL: &str = "⚠️ **OK?**\n```\nrm a\n```\nWhy: delete\n\nReply `/approve`";

#[test]
fn an_approval_that_nobody_answers_says_so() {
    let prompt = json!({"is_approval_prompt": true, "_interim_send": true});
    let ask = "ask x-a1 Approval \"OK?\\nWhy: delete\" command=\"rm a\" [once=Run once, session=Allow for this session, always=Always allow, deny=Deny]";
    turn(
        &[
            send("a", APPROVAL, prompt.clone()),
            status("s", "⌛ Approval timed out after 5 minutes — the command was NOT run."),
        ],
        &[
            ask,
            "ask.closed x-a1 \"Timed out\"",
            "notice Warning approval_timeout \"Approval timed out after 5 minutes — the command was NOT run.\"",
        ],
    );
    turn(
        &[send("a", APPROVAL, prompt), done("cancelled")],
        &[ask, "ask.closed x-a1 \"No longer waiting\"", "typing false", "turn.end x-t1 Interrupted ms=3"],
    );
}

#[test]
fn an_approval_in_plain_words_is_closed_by_its_hook() {
    let request = hook("pre_approval_request", json!({"command": "rm a", "description": "delete"}));
    let response = hook("post_approval_response", json!({"choice": "once"}));
    let frames = frames(&[inbound("u1", "go"), start("go"), request, inbound("u2", "yes"), response]);
    assert_eq!(frames[4..], ["user.message x-m2 \"yes\"", "ask.closed x-a1 \"Approved once\""]);
}

#[test]
fn a_confirmation_is_answered_after_its_command_is_done() {
    let confirm = "⚠️ **Confirm /new**\n\nThis starts afresh.\n\nChoose:\n• **Approve Once** — now\n• **Always Approve** — ever\n• **Cancel** — no\n\n_Text fallback: reply `/approve`, `/always`, or `/cancel`._";
    let mut reply = whole("✨ New session.");
    reply["reply_to"] = json!("u2");
    let frames = frames(&[
        inbound("u1", "/new"),
        start("/new"),
        whole(confirm),
        done("success"),
        inbound("u2", "/approve"),
        start("/approve"),
        reply,
        done("success"),
    ]);
    assert_eq!(
        frames,
        [
            "user.message x-m1 \"/new\"",
            "typing true",
            "ask x-a1 Confirm \"Confirm /new\\nThis starts afresh.\" [approve=Approve Once, always=Always Approve, cancel=Cancel]",
            "typing false",
            "ask.closed x-a1 \"Approve Once\"",
            "typing true",
            "notice Info command \"New session.\"",
            "typing false",
        ]
    );
}

#[test]
fn a_command_that_makes_the_agent_work_is_a_turn() {
    let frames = frames(&[
        inbound("u1", "/retry"),
        start("/retry"),
        live("b", "ola a ▉"),
        last("b", "ola again"),
        done("success"),
    ]);
    assert_eq!(frames[1..4], ["typing true", "turn.start x-t1", "message.start x-m2"]);
    assert!(frames.last().unwrap().starts_with("turn.end x-t1 Complete"));
}

#[test]
fn a_queued_message_is_answered_in_the_next_turn() {
    let mut queued = whole("⏳ Queued for the next turn…. I'll respond once the current task finishes.");
    queued["reply_to"] = json!("u2");
    let mut answer = whole("second");
    answer["reply_to"] = json!("u2");
    let frames = frames(&[
        inbound("u1", "one"),
        start("one"),
        inbound("u2", "two"),
        queued,
        whole("first"),
        done("success"),
        start("two"),
        answer,
        done("success"),
    ]);
    assert_eq!(
        frames[3..],
        [
            "user.message x-m2 \"two\"",
            "notice Info queued \"Queued for the next turn…. I'll respond once the current task finishes.\"",
            "message x-m3 \"first\"",
            "typing false",
            "turn.end x-t1 Complete ms=5",
            "turn.start x-t2",
            "typing true",
            "message x-m4 \"second\"",
            "typing false",
            "turn.end x-t2 Complete ms=6",
        ]
    );
}

#[test]
fn a_turn_whose_end_was_lost_ends_when_the_next_begins() {
    let frames =
        frames(&[inbound("u1", "one"), start("one"), live("b", "ola ▉"), inbound("u2", "two"), start("two")]);
    assert_eq!(
        frames[5..],
        [
            "user.message x-m3 \"two\"",
            "message.stop x-m2 \"ola\"",
            "typing false",
            "turn.end x-t1 Lost ms=4",
            "turn.start x-t2",
            "typing true"
        ]
    );
}

#[test]
fn a_message_that_breaks_a_turn_off_ends_it_as_its_own_loop_ended() {
    for (how, status) in [("interrupted", "Interrupted"), ("failed", "Error"), ("completed", "Complete")] {
        let ended = hook("on_session_end", json!({ how: true }));
        let frames = frames(&[
            inbound("u1", "one"),
            start("one"),
            ended,
            start("two"),
            done("success"),
            done("success"),
        ]);
        let ends: Vec<_> = frames.iter().filter(|frame| frame.starts_with("turn.end")).collect();
        assert_eq!(ends.len(), 2, "{frames:?}");
        assert!(ends[0].starts_with(&format!("turn.end x-t1 {status}")), "{ends:?}");
        assert!(ends[1].starts_with("turn.end x-t2 Complete"), "{ends:?}");
    }
}

#[test]
fn a_session_that_hermes_wakes_is_a_turn_once_it_does_something() {
    let frames = frames(&[start(""), done("success"), start(""), live("b", "ola ▉")]);
    assert_eq!(
        frames[..5],
        ["typing true", "typing false", "typing true", "turn.start x-t1", "message.start x-m1"]
    );
}

#[test]
fn what_comes_while_nothing_runs_is_shown() {
    let frames = frames(&[
        status("c", "Good morning.\nHere is the news."),
        status("n", "⚠️ Something new."),
        edit("c", "late"),
    ]);
    assert_eq!(
        frames,
        ["message x-m1 \"Good morning.\\nHere is the news.\"", "notice Warning warning \"Something new.\""]
    );
}

#[test]
fn a_bubble_whose_beginning_nobody_saw_is_adopted() {
    turn(
        &[edit("b", "half a sen ▉"), last("b", "half a sentence")],
        &[
            "message.start x-m2",
            "message.update x-m2 \"half a sen\"",
            "message.update x-m2 \"half a sentence\"",
        ],
    );
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
fn files_of_any_kind_are_told() {
    turn(
        &[
            json!({"call": "send_document", "file_path": "/tmp/a.pdf", "caption": "the paper"}),
            json!({"call": "send_voice", "audio_path": "C:\\tmp\\b.ogg"}),
            json!({"call": "send_image", "image_url": "https://example.com/c.png"}),
            json!({"call": "send_poll", "question": "?"}),
        ],
        &[
            "notice Info attachment \"Hermes sent a file (document): a.pdf\" detail=\"the paper\"",
            "notice Info attachment \"Hermes sent a file (voice): b.ogg\"",
            "notice Info attachment \"Hermes sent a file (image): https://example.com/c.png\"",
        ],
    );
}

/// A response that says this and calls a tool.
fn calling(text: &str) -> Value {
    let said = json!({"content": text, "tool_calls": [{"name": "terminal"}]});
    hook("post_api_request", json!({"response": {"assistant_message": said}}))
}

fn tool(id: &str) -> [Value; 2] {
    let call = json!({"tool_name": "terminal", "tool_call_id": id, "result": "", "status": "ok"});
    [hook("pre_tool_call", call.clone()), hook("post_tool_call", call)]
}

#[test]
fn what_was_said_before_a_tool_stands_above_it_however_late_its_bubble_is() {
    let ([start1, end1], [start2, end2]) = (tool("a"), tool("b"));
    turn(
        &[
            calling("Let me look."),
            start1,
            end1,
            calling("Let me look."),
            start2,
            live("b1", "Let me ▉"),
            last("b1", "Let me look."),
            live("b2", "\n\nLet me look. ▉"),
            end2,
            last("b2", "\n\nLet me look."),
            live("b3", "\n\nFound it. ▉"),
            last("b3", "Found it."),
            done("success"),
        ],
        &[
            "message.start x-m2",
            "message.update x-m2 \"Let me look.\"",
            "tool.start 1 terminal {}",
            "tool.end 1 terminal ok=true",
            "message.stop x-m2 \"Let me look.\"",
            "message.start x-m3",
            "message.update x-m3 \"Let me look.\"",
            "tool.start 2 terminal {}",
            "tool.end 2 terminal ok=true",
            "message.stop x-m3 \"Let me look.\"",
            "message.start x-m4",
            "message.update x-m4 \"Found it.\"",
            "message.stop x-m4 \"Found it.\"",
            "typing false",
            "turn.end x-t1 Complete ms=14",
        ],
    );
}

#[test]
fn what_a_bubble_shows_already_is_not_said_again() {
    let [start, end] = tool("a");
    turn(
        &[live("b1", "Let ▉"), calling("Let me look."), start, last("b1", "Let me look."), end],
        &[
            "message.start x-m2",
            "message.update x-m2 \"Let\"",
            "tool.start 1 terminal {}",
            "message.update x-m2 \"Let me look.\"",
            "message.stop x-m2 \"Let me look.\"",
            "tool.end 1 terminal ok=true",
        ],
    );
}

#[test]
fn a_remark_before_a_tool_stands_once_whichever_comes_first() {
    let remark = send("b1", "Let me look.", json!({"reply_to_message_id": "u1", "_interim_send": true}));
    let [start, end] = tool("a");
    turn(
        &[calling("Let me look."), start.clone(), remark.clone(), end.clone()],
        &[
            "message.start x-m2",
            "message.update x-m2 \"Let me look.\"",
            "tool.start 1 terminal {}",
            "message.stop x-m2 \"Let me look.\"",
            "tool.end 1 terminal ok=true",
        ],
    );
    turn(
        &[calling("Let me look."), remark, start, end],
        &["commentary x-m2 \"Let me look.\"", "tool.start 1 terminal {}", "tool.end 1 terminal ok=true"],
    );
}

#[test]
fn what_hermes_never_shows_is_complete_when_something_else_follows() {
    let [start, end] = tool("a");
    turn(
        &[calling("Let me look."), start, end, whole("Let me look. There it is."), done("success")],
        &[
            "message.start x-m2",
            "message.update x-m2 \"Let me look.\"",
            "tool.start 1 terminal {}",
            "tool.end 1 terminal ok=true",
            "message.stop x-m2 \"Let me look.\"",
            "message x-m3 \"Let me look. There it is.\"",
            "typing false",
            "turn.end x-t1 Complete ms=6",
        ],
    );
}

#[test]
fn a_text_that_hermes_edits_waits_for_its_bubble() {
    let [start, end] = tool("a");
    turn(
        &[calling("<think>Hm.</think>Let me look."), start, live("b1", "Let me look. ▉"), end],
        &[
            "tool.start 1 terminal {}",
            "message.start x-m2",
            "message.update x-m2 \"Let me look.\"",
            "tool.end 1 terminal ok=true",
        ],
    );
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

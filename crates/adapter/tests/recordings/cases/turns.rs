//! Where a turn begins and ends, its questions, and what stands outside of any.

use serde_json::json;

use super::{done, edit, frames, hook, inbound, last, live, send, start, status, turn, whole};

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

//! What the model thinks, before and between what it says and does.

use serde_json::json;

use super::{delta, done, edit, frames, hook, inbound, last, live, send, start, status, turn, whole};

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

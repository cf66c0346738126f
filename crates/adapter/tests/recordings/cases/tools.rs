//! Tools, and what is said before them.

use serde_json::{Value, json};

use super::{done, edit, hook, last, live, send, status, turn, whole};

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

//! Bubbles that are late, sealed, taken back or seen only in part.

use serde_json::json;

use super::{done, edit, frames, inbound, last, live, start, turn, whole};

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

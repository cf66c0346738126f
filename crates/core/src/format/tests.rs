//! What a reader sees, as data.

use proptest::prelude::*;
use serde_json::json;
use unicode_segmentation::UnicodeSegmentation;

use super::*;

fn check_visible(input: &str, expected: &str) {
    assert_eq!(visible(input), expected, "{input:?}");
}

#[test]
fn ordinary_text_is_not_touched() {
    for text in ["", "plain\ttext\nwith lines", "中文 é 👩‍👩‍👧 🏴󠁧󠁢󠁳󠁣󠁴󠁿 می‌خواهم क्‍ष", "a → b"]
    {
        assert!(
            matches!(visible(text), Cow::Borrowed(_)) || visible(text) == text,
            "{text:?} became {:?}",
            visible(text)
        );
    }
}

#[test]
fn terminal_escapes_are_taken_out() {
    check_visible("\u{1b}[31mred\u{1b}[0m", "red");
    check_visible("\u{1b}[2J\u{1b}[1;1Hcleared", "cleared");
    check_visible("\u{1b}]8;;javascript:alert(1)\u{1b}\\click\u{1b}]8;;\u{1b}\\", "click");
    check_visible("\u{1b}]0;title\u{7}text", "text");
    check_visible("\u{9b}31mred", "red");
    check_visible("\u{1b}]never ends\nnext line", "\nnext line");
    check_visible("end\u{1b}", "end");
    check_visible("\u{1b}(Bx\u{1b}[", "x");
}

#[test]
fn what_acts_unseen_is_made_visible() {
    check_visible("exe.\u{202e}gnp", "exe.[U+202E]gnp");
    check_visible("\u{2066}x\u{2069}", "[U+2066]x[U+2069]");
    check_visible("a\u{200b}b\u{feff}c\u{2060}d", "a[U+200B]b[U+FEFF]c[U+2060]d");
    check_visible("ok\u{e0041}\u{e0042}", "ok[U+E0041][U+E0042]");
    check_visible("pay\u{200d}pal", "pay[U+200D]pal");
    check_visible("\0bell\u{7}\u{7f}", "␀bell␇␡");
    check_visible("\u{85}", "[U+0085]");
}

#[test]
fn line_ends_of_every_kind_stay_line_ends() {
    check_visible("a\r\nb", "a\nb");
    check_visible("10%\r20%", "10%␍20%");
}

#[test]
fn one_line_is_one_line() {
    for (input, max, expected) in [
        ("ls -la", 40, "ls -la"),
        ("  a\n\tb  c ", 40, "a b c"),
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("abc def", 5, "abc…"),
        ("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 2, "👩‍👩‍👧…"),
        ("\u{1b}[1mbold\u{1b}[0m", 10, "bold"),
        ("", 0, ""),
    ] {
        assert_eq!(one_line(input, max), expected, "{input:?} in {max}");
    }
    assert_eq!(one_line(&"x".repeat(1_000_000), 10), "xxxxxxxxx…");
}

#[test]
fn a_span_of_time_is_short_and_true() {
    for (seconds, expected) in [
        (0.0, "0 s"),
        (0.04, "<0.1 s"),
        (0.4, "0.4 s"),
        (3.0, "3 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (12.4, "12 s"),
        (59.7, "1 min"),
        (125.0, "2 min 5 s"),
        (3_600.0, "1 h"),
        (3_780.0, "1 h 3 min"),
        (-5.0, "0 s"),
        (f64::NAN, "0 s"),
        (f64::INFINITY, "0 s"),
    ] {
        assert_eq!(duration(seconds), expected, "{seconds}");
    }
}

#[test]
fn counts_are_readable() {
    for (number, expected) in
        [(0, "0"), (999, "999"), (2_220, "2,220"), (100_000, "100,000"), (1_234_567, "1,234,567")]
    {
        assert_eq!(count(number), expected);
    }
    assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
}

#[test]
fn tokens_are_the_total_or_the_sum_of_what_is_known() {
    let total = |n| Tokens { total: Some(n), ..Tokens::default() };
    for (given, expected) in [
        (total(1), Some("1 token")),
        (total(2_220), Some("2,220 tokens")),
        (total(12_400), Some("12.4k tokens")),
        (total(12_000), Some("12k tokens")),
        (total(999_960), Some("1M tokens")),
        (total(1_250_000), Some("1.3M tokens")),
        (Tokens { input: Some(2), output: Some(40), ..Tokens::default() }, Some("42 tokens")),
        (Tokens::default(), None),
    ] {
        assert_eq!(tokens(&given).as_deref(), expected);
    }
}

#[test]
fn arguments_are_told_by_what_says_most() {
    for (args, expected) in [
        (json!({"timeout": 5, "command": "ls\n-la"}), Some("ls -la")),
        (json!({"path": "a.rs", "limit": 5}), Some("a.rs")),
        (json!({"limit": 5, "other": "word"}), Some("word")),
        (json!({"limit": [1, 2]}), Some("[1,2]")),
        (json!({"command": 5}), Some("5")),
        (json!({"command": ""}), None),
        (json!({"a": null}), None),
        (json!({}), None),
    ] {
        assert_eq!(args_preview(args.as_object().unwrap(), Value::to_string).as_deref(), expected, "{args}");
    }
}

#[test]
fn every_tool_has_an_emoji() {
    for (name, emoji) in
        [("terminal", "💻"), ("browser_navigate", "🌐"), ("browser_click", "👆"), ("mcp_x", "⚙️"), ("", "⚙️")]
    {
        assert_eq!(tool_emoji(name), emoji);
    }
}

proptest! {
    #[test]
    fn nothing_suspect_is_left_but_what_joins(text in "\\PC*|[\\x00-\\x1f\\x7f-\\x9f\u{1b}\u{202e}\u{200b}a-z\\[\\];m]*", max in 0usize..50) {
        let shown = visible(&text);
        prop_assert!(!shown.chars().any(|c| c.is_control() && c != '\n' && c != '\t'), "{shown:?}");
        prop_assert!(one_line(&text, max).graphemes(true).count() <= max.max(1));
    }
}

#[test]
fn decimals_are_rounded_half_up_and_padded() {
    for (number, places, expected) in [
        (0.4, 1, "0.4"),
        (0.35, 1, "0.4"),
        (12.04, 2, "12.04"),
        (0.999, 2, "1.00"),
        (7.5, 0, "8"),
        (-3.0, 1, "0.0"),
        (f64::NAN, 1, "0.0"),
    ] {
        assert_eq!(decimal(number, places), expected, "{number} to {places}");
    }
}

#[test]
fn a_length_has_the_unit_that_reads_well() {
    let check = |length: u64, expected: &str| assert_eq!(bytes(length), expected, "{length}");
    check(0, "0 bytes");
    check(1, "1 byte");
    check(999, "999 bytes");
    check(1_000, "1 kB");
    check(20_480, "20 kB");
    check(999_499, "999 kB");
    check(999_500, "1.0 MB");
    check(1_430_000, "1.4 MB");
    check(999_949_999, "999.9 MB");
    check(2_000_000_000, "2.0 GB");
    check(u64::MAX, "18446744073.7 GB");
}

#[test]
fn a_moment_is_as_long_ago_as_one_would_say() {
    const MINUTE: u64 = 60_000;
    const DAY: u64 = 1_440 * MINUTE;
    let check = |ms: u64, expected: &str| assert_eq!(ago(ms), expected, "{ms}");
    check(0, "just now");
    check(MINUTE - 1, "just now");
    check(MINUTE, "1 min ago");
    check(59 * MINUTE, "59 min ago");
    check(60 * MINUTE, "1 h ago");
    check(23 * 60 * MINUTE, "23 h ago");
    check(DAY, "1 day ago");
    check(13 * DAY, "13 days ago");
    check(14 * DAY, "2 weeks ago");
    check(60 * DAY, "8 weeks ago");
    check(61 * DAY, "2 months ago");
    check(364 * DAY, "11 months ago");
    check(365 * DAY, "1 year ago");
    check(800 * DAY, "2 years ago");
}

//! Vector 22: what no Hermes should write. Each is bounded, and the user gets one end of the turn.

use iris_core::protocol::frame::TurnStatus::{self, Complete, Error, Lost};

use crate::support::Talk;

async fn check(scene: &str, status: TurnStatus, texts: &[&str], said: &str) {
    let mut talk = Talk::new(scene);
    talk.say("hello").await;
    let end = talk.end().await;
    assert_eq!(end.status, status, "{scene}: {end:?}");
    assert!(end.error.as_deref().unwrap_or_default().contains(said), "{scene}: {end:?}");
    assert_eq!(talk.texts(), texts, "{scene}");
    // The line is still good: the next turn is one too, and nothing of the first comes after its end.
    talk.scene("init; text next; result 0 next");
    talk.say("again").await;
    assert_eq!(talk.end().await.status, Complete, "{scene}");
    assert_eq!(talk.turns(), (2, 2), "{scene}");
}

#[tokio::test]
async fn html_is_no_event() {
    let page = "<!doctype html><title>502 Bad Gateway</title>";
    check(&format!("echo '{page}'; exit 1"), Error, &[], page).await;
    check(&format!("init; echo '{page}'; text fine; result 0 fine"), Complete, &["fine"], "").await;
}

#[tokio::test]
async fn half_an_event_is_none() {
    check(r#"init; text one; printf '{"type":"text","te'"#, Lost, &["one"], r#"{"type":"text","te"#).await;
    check(r#"init; echo '{"type":"text","te'; text one; result 0 one"#, Complete, &["one"], "").await;
}

#[tokio::test]
async fn json_that_is_no_event_is_none() {
    let lines =
        r#"echo '[1]'; echo 5; echo '{"type":7}'; echo '{"type":"later","x":1}'; echo '{"type":"text"}'"#;
    check(&format!("init; {lines}; text one; result 0 one"), Complete, &["one"], "").await;
    let nested = "[".repeat(10_000);
    check(&format!("init; echo '{nested}'; result 0 one"), Complete, &["one"], "").await;
}

#[tokio::test]
async fn a_second_result_and_whatever_follows_the_first_is_ignored() {
    check("init; text one; result 0 one; result 1 '' no; text more; init; text x", Complete, &["one"], "")
        .await;
    check("init; result 1 '' first; result 0 second; text more; exit 1", Error, &[], "first").await;
}

#[tokio::test]
async fn a_second_beginning_is_ignored() {
    check("init; text one; init s2; text ' two'; result 0 'one two'", Complete, &["one two"], "").await;
}

#[tokio::test]
async fn bytes_that_are_no_text_are_replaced() {
    check(r#"init; printf '{"type":"text","text":"a\377b"}\n'; result 0 ''"#, Complete, &["a\u{fffd}b"], "")
        .await;
    check(r#"init; printf '\000\001\377\n'; exit 1"#, Error, &[], "could not finish").await;
}

#[tokio::test]
async fn a_line_of_a_gigabyte_is_left_out_and_costs_no_memory() {
    let before = memory_kb();
    let scene = r#"init; text one
        printf '{"type":"text","text":"'; dd if=/dev/zero bs=1M count=1024 2>/dev/null | tr '\0' x; printf '"}\n'
        text ' two'; result 0 'one two'"#;
    check(scene, Complete, &["one two"], "").await;
    let grown = memory_kb().saturating_sub(before);
    assert!(grown < 64 * 1024, "{grown} kB more");
}

#[tokio::test]
async fn a_gigabyte_beside_the_answer_is_bounded_too() {
    let scene = "init; dd if=/dev/zero bs=1M count=256 2>/dev/null | tr '\\0' x >&2; echo ' end' >&2; exit 1";
    check(scene, Error, &[], "(a line of 26843").await;
}

/// The most memory that this process ever had, on Linux; elsewhere the test only checks the turn.
fn memory_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
}

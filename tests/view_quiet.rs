//! Silent turns on the page, by a clock of the test's own: recorded stalls at full length, tools, bursts of notices, and
//! that nothing moves once a turn is over.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod view;

use iris::store::Session;
use iris_core::protocol::decode_server;
use leptos::prelude::*;
use view::{Page, settle};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// A recorded stall as frames with their times, and the reviewed table of what the line says at every second.
macro_rules! stall {
    ($name:literal) => {
        (
            include_str!(concat!("stalls/", $name, ".frames")),
            include_str!(concat!("../crates/adapter/tests/recordings/snapshots/quiet__", $name, ".snap")),
        )
    };
}

const STALLS: [(&str, &str); 10] = [
    stall!("gateway-hang-no-delta"),
    stall!("gateway-hang-again-breaker"),
    stall!("gateway-hang-third-breaker"),
    stall!("gateway-stall-after-two-deltas"),
    stall!("tui-silence-notices"),
    stall!("tui-stall-after-two-deltas"),
    stall!("tui-stalls"),
    stall!("hooks-hang"),
    stall!("hooks-stall"),
    stall!("hooks-breaker"),
];

/// A page with a clock, fed as the socket feeds it.
struct Clocked {
    page: Page,
    session: Session,
    now: ArcRwSignal<f64>,
}

impl Clocked {
    fn open() -> Self {
        let now = ArcRwSignal::new(0.0);
        let page = Page::open_at(now.clone());
        Self { session: Session::new(page.store.clone()), page, now }
    }

    fn frame(&mut self, t_ms: f64, json: &str) {
        self.session.frame(decode_server(json).unwrap(), t_ms);
    }

    /// The clock says so many seconds.
    async fn at(&self, second: u32) {
        self.now.set(f64::from(second) * 1_000.0);
        settle().await;
    }

    /// What the line says, with `~` in front when its dots move; empty without a line.
    fn line(&self) -> String {
        let moves = if self.page.all(".dots:not(.still)").is_empty() { ' ' } else { '~' };
        format!("{moves} {}", self.page.text(".working").unwrap_or_default()).trim_end().to_owned()
    }

    fn assert_nothing_moves(&self) {
        let moving = "[data-action=stop], .working, .dots, [data-state=running], .tool-mark.running";
        assert!(self.page.all(moving).is_empty(), "{}", self.page.host.inner_html());
    }
}

#[wasm_bindgen_test]
async fn the_page_says_at_every_second_of_a_recorded_stall_what_the_reviewed_table_says() {
    for (frames, table) in STALLS {
        let mut clocked = Clocked::open();
        let mut frames = frames.lines().map(|line| line.split_once(' ').unwrap()).peekable();
        for row in table.lines().filter(|row| row.trim_start().starts_with(|c: char| c.is_ascii_digit())) {
            let (second, expected) = row.trim_start().split_once(' ').unwrap_or((row.trim_start(), ""));
            let second: u32 = second.parse().unwrap();
            let due = |t_ms: &str| t_ms.parse::<f64>().unwrap() <= f64::from(second) * 1_000.0;
            while let Some((t_ms, json)) = frames.next_if(|(t_ms, _)| due(t_ms)) {
                clocked.frame(t_ms.parse().unwrap(), json);
            }
            clocked.at(second).await;
            assert_eq!(clocked.line().trim_start(), expected.trim_start(), "at {second} s");
        }
        assert!(frames.peek().is_none(), "the table ends after the recording");
        clocked.assert_nothing_moves();
    }
}

#[wasm_bindgen_test]
async fn a_screen_reader_hears_of_a_silence_when_its_kind_changes_and_at_no_other_time() {
    let mut clocked = Clocked::open();
    let mut frames = STALLS[4].0.lines().map(|line| line.split_once(' ').unwrap()).peekable();
    let mut heard: Vec<String> = Vec::new();
    for second in 0..120 {
        while let Some((t_ms, json)) =
            frames.next_if(|(t_ms, _)| t_ms.parse::<f64>().unwrap() <= f64::from(second) * 1_000.0)
        {
            clocked.frame(t_ms.parse().unwrap(), json);
        }
        clocked.at(second).await;
        let said = clocked.page.text("[role=status]").unwrap();
        if heard.last() != Some(&said) {
            heard.push(said);
        }
    }
    assert_eq!(
        heard,
        [
            "",
            "Hermes is working",
            "Hermes is silent",
            "Waiting for the first words of demo-model",
            "The turn ended without a complete answer",
        ]
    );
}

#[wasm_bindgen_test]
async fn a_tool_counts_its_seconds_and_those_since_its_last_word() {
    let mut clocked = Clocked::open();
    clocked.frame(0.0, r#"{"type":"turn.start","turn":"t"}"#);
    clocked.frame(2_000.0, r#"{"type":"tool.start","index":1,"name":"terminal"}"#);
    let took = |clocked: &Clocked| clocked.page.text(".tool-took").unwrap();
    clocked.at(92).await;
    assert_eq!(took(&clocked), "1 min 30 s");
    assert_eq!(clocked.line(), "~ Running terminal · silent for 1 min 30 s", "its dots still move");
    clocked.frame(92_000.0, r#"{"type":"tool.progress","index":1,"name":"terminal","note":"half"}"#);
    clocked.at(100).await;
    assert_eq!(took(&clocked), "1 min 38 s");
    clocked.at(132).await;
    assert_eq!(took(&clocked), "2 min 10 s · silent for 40 s");
    clocked.frame(133_000.0, r#"{"type":"turn.end","turn":"t","status":"complete"}"#);
    clocked.at(300).await;
    assert_eq!(took(&clocked), "No result");
    clocked.assert_nothing_moves();
}

#[wasm_bindgen_test]
async fn of_a_tool_that_came_with_the_history_no_time_is_told() {
    let mut clocked = Clocked::open();
    for json in [
        r#"{"type":"sync.begin","chat":"c","reset":true,"to_seq":2}"#,
        r#"{"type":"turn.start","chat":"c","seq":1,"turn":"t"}"#,
        r#"{"type":"tool.start","chat":"c","seq":2,"index":1,"name":"terminal"}"#,
        r#"{"type":"sync.end","chat":"c"}"#,
    ] {
        clocked.frame(5_000.0, json);
    }
    clocked.at(9).await;
    assert_eq!(clocked.page.text(".tool-took").as_deref(), Some(""));
    assert_eq!(clocked.line(), "~ Running terminal");
}

#[wasm_bindgen_test]
async fn a_burst_is_one_row_that_opens_to_all_of_it_the_newest_first() {
    let mut clocked = Clocked::open();
    clocked.frame(0.0, r#"{"type":"turn.start","turn":"t"}"#);
    for n in 1..3 {
        let text = format!("custom stream drop after 6.3s — attempt {n}/3 dropped, reconnecting");
        clocked.frame(
            0.0,
            &format!(r#"{{"type":"notice","level":"warning","code":"reconnecting","text":"{text}","facts":{{"attempt":{n},"of":3}}}}"#),
        );
    }
    settle().await;
    assert_eq!(clocked.page.all("[data-row=notice]").len(), 1);
    assert!(clocked.page.text(".notice").unwrap().contains("attempt 2/3"), "how it stands is in front");
    assert_eq!(clocked.page.text(".notice-more").as_deref(), Some("2 messages"));
    let end = r#"{"type":"turn.end","turn":"t","status":"error","error":"Pick another model.\n\nProvider said: nothing"}"#;
    clocked.frame(1.0, end);
    settle().await;
    let rows = clocked.page.all("[data-row=notice]");
    assert_eq!((rows.len(), rows[0].class_name().as_str()), (1, "notice error"));
    let words = clocked.page.text(".notice").unwrap();
    assert!(words.starts_with("Hermes tried 3 times, then gave up\nPick another model."), "{words}");
    assert!(!words.contains("Provider said"), "{words}");
    clocked.page.click(".notice-more").await;
    let all = clocked.page.text(".notice .long-text").unwrap();
    let at = |what: &str| all.find(what).unwrap_or_else(|| panic!("{what} in {all}"));
    assert!(at("Provider said") < at("attempt 2/3") && at("attempt 2/3") < at("attempt 1/3"), "{all}");
    clocked.assert_nothing_moves();
}

#[wasm_bindgen_test]
async fn the_same_notice_twice_is_one_with_a_count() {
    let mut clocked = Clocked::open();
    for _ in 0..2 {
        clocked.frame(0.0, r#"{"type":"notice","level":"warning","code":"x","text":"Careful"}"#);
    }
    settle().await;
    assert_eq!(clocked.page.text(".notice-text").as_deref(), Some("Careful · 2 times"));
    assert!(clocked.page.all(".notice-more").is_empty(), "there is nothing more to see");
}

#[wasm_bindgen_test]
async fn an_error_ends_a_turn_that_nothing_ends_and_typing_alone_is_told_as_silence() {
    let mut clocked = Clocked::open();
    clocked.frame(0.0, r#"{"type":"typing","on":true}"#);
    clocked.frame(0.0, r#"{"type":"tool.start","index":1,"name":"terminal"}"#);
    clocked.frame(1_000.0, r#"{"type":"message","message_id":"m","text":"Well"}"#);
    clocked.at(40).await;
    assert_eq!(clocked.line().trim_start(), "Hermes is working · silent for 39 s · you can wait or stop");
    clocked.frame(41_000.0, r#"{"type":"error","code":"failed","text":"The adapter broke"}"#);
    clocked.at(50).await;
    assert_eq!(clocked.page.text(".notice.error .notice-text").as_deref(), Some("The adapter broke"));
    clocked.assert_nothing_moves();
}

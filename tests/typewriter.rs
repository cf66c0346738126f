//! An answer being written: the reveal's pace, and finishing as a state. Time is a number that the test passes in.

#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

mod drawing;

use drawing::{Watch, container, one_shot, picture};
use iris::render::cadence::Cadence;
use iris::render::typewriter::{Progress, Target, Typewriter};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::Element;

wasm_bindgen_test_configure!(run_in_browser);

const FRAME_MS: f64 = 1_000.0 / 60.0;

/// A typewriter and the time.
struct Desk {
    typewriter: Typewriter,
    container: Element,
    now_ms: f64,
    target: Target,
}

impl Desk {
    fn new(rate: f64) -> Self {
        let container = container();
        let target = Target { generation: 0, complete: false, at_once: false, rate };
        let typewriter = Typewriter::new(container.clone(), target).unwrap();
        Self { typewriter, container, now_ms: 0.0, target }
    }

    fn frame(&mut self, text: &str) -> Progress {
        self.now_ms += FRAME_MS;
        self.typewriter.tick(self.now_ms, text, self.target)
    }

    /// Frames until it rests; how it rests and how long that took.
    fn play(&mut self, text: &str) -> (Progress, f64) {
        let start = self.now_ms;
        for _ in 0..1_000 {
            let progress = self.frame(text);
            if progress != Progress::Busy {
                return (progress, self.now_ms - start);
            }
        }
        panic!("it never rests: {}", self.shown());
    }

    fn shown(&self) -> String {
        self.container.text_content().unwrap_or_default().replace('▉', "")
    }

    fn has_cursor(&self) -> bool {
        self.container.query_selector(".cursor").unwrap().is_some()
    }
}

#[wasm_bindgen_test]
fn text_appears_at_a_steady_pace_and_not_in_jumps() {
    let text = "word ".repeat(20);
    let mut desk = Desk::new(75.0);
    let mut lengths = vec![0];
    while desk.frame(&text) == Progress::Busy {
        lengths.push(desk.shown().len());
    }
    let steps: Vec<_> = lengths.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps.len() > 60, "{steps:?}");
    assert!(steps.iter().all(|&step| step <= 3), "{steps:?}");
}

#[wasm_bindgen_test]
fn the_reveal_plays_out_after_the_stop() {
    let text = "x".repeat(60);
    let mut desk = Desk::new(100.0);
    desk.frame(&text);
    desk.target.complete = true;
    assert_eq!(desk.frame(&text), Progress::Busy);
    assert!(desk.shown().len() < 10 && desk.has_cursor(), "the stop does not cut it short");
    let (progress, took) = desk.play(&text);
    assert_eq!((progress, desk.shown()), (Progress::Settled, text));
    assert!((400.0..700.0).contains(&took), "{took}");
    assert!(!desk.has_cursor());
}

#[wasm_bindgen_test]
fn a_backlog_of_more_than_two_seconds_is_shown_at_once() {
    let mut desk = Desk::new(75.0);
    desk.target.complete = true;
    assert_eq!(desk.frame(&"x".repeat(140)), Progress::Busy);
    let mut desk = Desk::new(75.0);
    desk.target.complete = true;
    assert_eq!(desk.frame(&"x".repeat(160)), Progress::Settled);
    assert_eq!(desk.shown().len(), 160);
}

#[wasm_bindgen_test]
fn the_speed_acts_on_the_running_bubble() {
    let text = "x".repeat(120);
    let mut slow = Desk::new(75.0);
    slow.target.complete = true;
    slow.frame(&text);
    slow.target.rate = 300.0;
    assert!(slow.play(&text).1 < 600.0);
}

#[wasm_bindgen_test]
fn what_has_no_use_for_a_pace_is_shown_at_once() {
    let mut desk = Desk::new(75.0);
    desk.target.at_once = true;
    desk.target.complete = true;
    let text = "# All\n\nof it";
    assert_eq!(desk.frame(text), Progress::Settled);
    assert_eq!(picture(&desk.container), one_shot(text));
    assert!(!desk.has_cursor());
}

#[wasm_bindgen_test]
fn a_rewrite_shows_the_new_text_and_goes_on_from_there() {
    let mut desk = Desk::new(100.0);
    desk.play("The *first* try");
    desk.target.generation += 1;
    desk.play("Another");
    assert_eq!(picture(&desk.container), one_shot("Another"));
    let longer = format!("Another text{}", " and more".repeat(5));
    assert_eq!(desk.frame(&longer), Progress::Busy);
    assert!(desk.shown().len() < longer.len(), "it types again");
    desk.target.complete = true;
    assert_eq!(desk.play(&longer).0, Progress::Settled);
    assert_eq!(picture(&desk.container), one_shot(&longer));
}

#[wasm_bindgen_test]
fn b050_a_rewrite_of_the_same_length_shows_the_new_text() {
    let mut desk = Desk::new(100.0);
    desk.play("The cat sat.");
    desk.target.generation += 1;
    desk.play("The dog sat.");
    assert_eq!(picture(&desk.container), one_shot("The dog sat."));
    // Even if nobody counted it.
    desk.play("The cow sat.");
    desk.target.complete = true;
    desk.play("The cow sat.");
    assert_eq!(picture(&desk.container), one_shot("The cow sat."));
}

#[wasm_bindgen_test]
fn what_a_frame_shows_stays() {
    let text = "Points:\n- **one** with [a link](https://example.org)\n- `two`\n\n\
        | a | b |\n|---|---|\n| c | *d* |\n\n```\nlet x;\n```\n\nThe end.";
    let mut desk = Desk::new(75.0);
    // All that is typed has arrived: nothing has a reason to be shown in half.
    desk.target.complete = true;
    let mut last = String::new();
    while desk.frame(text) == Progress::Busy {
        let shown = desk.shown();
        assert!(shown.starts_with(last.trim_end()), "{last:?} became {shown:?}");
        assert!(!shown.contains(['*', '`', '[', '|', '-']), "{shown:?}");
        last = shown;
    }
    assert_eq!(picture(&desk.container), one_shot(text));
}

#[wasm_bindgen_test]
fn a_settled_answer_is_not_touched_again() {
    let mut desk = Desk::new(100.0);
    desk.target.complete = true;
    desk.play("done");
    let watch = Watch::new();
    watch.add(&desk.container);
    assert_eq!(desk.frame("done"), Progress::Settled);
    assert_eq!(watch.changes().len(), 0);
}

#[wasm_bindgen_test]
fn a_message_that_was_over_may_go_on() {
    let mut desk = Desk::new(100.0);
    desk.target.complete = true;
    desk.play("It was over");
    desk.target.complete = false;
    let text = "It was over, and goes on";
    assert_eq!(desk.play(text).0, Progress::Waiting);
    assert!(desk.has_cursor());
    desk.target.complete = true;
    assert_eq!(desk.play(text).0, Progress::Settled);
    assert_eq!(picture(&desk.container), one_shot(text));
}

#[wasm_bindgen_test]
fn a_character_is_never_shown_in_parts() {
    let text = "👩‍👩‍👧 🇩🇪 e\u{301} 한국";
    let mut desk = Desk::new(75.0);
    desk.target.complete = true;
    let mut seen = Vec::new();
    while desk.frame(text) == Progress::Busy {
        seen.push(desk.shown());
    }
    seen.dedup();
    let whole = ["", "👩‍👩‍👧", "👩‍👩‍👧 🇩🇪", "👩‍👩‍👧 🇩🇪 e\u{301}", "👩‍👩‍👧 🇩🇪 e\u{301} 한", text];
    assert!(seen.iter().all(|shown| whole.contains(&shown.as_str())), "{seen:?}");
}

#[wasm_bindgen_test]
fn what_is_costly_to_parse_takes_a_quarter_of_the_time() {
    // So many bytes, drawn at 100 ms in so long: from when on may the next drawing come?
    let check = |cost: usize, took_ms: f64, due_ms: f64| {
        let mut cadence = Cadence::default();
        assert!(cadence.is_due(0.0));
        cadence.drew(100.0, took_ms, cost);
        assert_eq!(cadence.is_due(due_ms - 0.1), due_ms == 100.0, "{cost} bytes in {took_ms} ms");
        assert!(cadence.is_due(due_ms), "{cost} bytes in {took_ms} ms");
        cadence.drew(due_ms, 9.0, 0);
        assert!(cadence.is_due(due_ms), "what was costly is over");
    };
    check(0, 50.0, 100.0);
    check(4_095, 50.0, 100.0);
    check(4_096, 1.0, 104.0);
    check(20_000, 8.0, 132.0);
}

#[wasm_bindgen_test]
fn a_huge_paragraph_is_written_to_its_end() {
    let text = "words and *more* of them, ".repeat(800);
    let mut desk = Desk::new(75.0);
    desk.play(&text[..10]);
    let (mut shown, mut fed) = (0, 10);
    while fed < text.len() {
        fed = (fed + 40).min(text.len());
        desk.frame(&text[..fed]);
        let now = desk.shown().len();
        assert!(now >= shown, "nothing that was shown goes");
        shown = now;
    }
    desk.target.complete = true;
    assert_eq!(desk.play(&text).0, Progress::Settled);
    assert_eq!(picture(&desk.container), one_shot(&text));
}

//! An answer may be as long as it likes: what a frame does to the page depends on what came, and the reader's selection
//! outlives a thousand frames.

#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

mod drawing;

use drawing::texts::{fence, list, table};
use drawing::{Watch, assert_equals_one_shot, children, find, live, select, selection};
use iris::render::LiveText;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::MutationRecord;

wasm_bindgen_test_configure!(run_in_browser);

/// How many characters come with a frame.
const STEP: usize = 24;

/// Where the frames of a growing text end.
fn ends(text: &str, from: usize) -> impl Iterator<Item = usize> {
    let all = text.char_indices().map(|(at, _)| at).skip_while(move |&at| at <= from);
    all.step_by(STEP)
}

/// What is done to the page in `frames` frames from `from` on: changes, and nodes that came or went.
fn done(live: &mut LiveText, text: &str, from: usize, frames: usize) -> (u32, u32) {
    live.reveal_to(&text[..from]);
    let watch = Watch::new();
    watch.add(live.container());
    let (mut changes, mut nodes) = (0, 0);
    for end in ends(text, from).take(frames) {
        live.reveal_to(&text[..end]);
        let records = watch.changes();
        let moved = |record: &MutationRecord| record.added_nodes().length() + record.removed_nodes().length();
        changes += u32::try_from(records.len()).unwrap();
        nodes += records.iter().map(moved).sum::<u32>();
    }
    (changes, nodes)
}

/// As many frames near the beginning and near the end of a text do as much to the page, and little.
fn check_flat(text: &str, most_a_frame: u32) {
    let frames = 40;
    let boundary = |at: usize| (at..).find(|&at| text.is_char_boundary(at)).unwrap();
    let mut live = live("");
    let early = done(&mut live, text, boundary(text.len() / 10), frames);
    let late = done(&mut live, text, boundary(text.len() - (frames + 1) * STEP * 2), frames);
    // The same step meets other places of a line: a fifth more or less is nothing.
    let flat = |early: u32, late: u32| late <= early + early.div_ceil(5) + 2;
    assert!(flat(early.0, late.0) && flat(early.1, late.1), "{early:?} early, {late:?} late");
    let most = most_a_frame * u32::try_from(frames).unwrap();
    assert!(late.0 <= most && late.1 <= most, "{late:?} in {frames} frames");
    assert_equals_one_shot(&live, text.get(..late_end(text, frames, boundary)).unwrap());
    live.container().remove();
}

fn late_end(text: &str, frames: usize, boundary: impl Fn(usize) -> usize) -> usize {
    ends(text, boundary(text.len() - (frames + 1) * STEP * 2)).take(frames).last().unwrap()
}

#[wasm_bindgen_test]
fn a_fence_of_200_kilobytes_costs_the_same_at_its_end() {
    check_flat(&fence(200_000), 3);
}

#[wasm_bindgen_test]
fn a_table_of_500_rows_costs_the_same_at_its_end() {
    check_flat(&table(500), 12);
}

/// B018: tables with a link in each cell.
#[wasm_bindgen_test]
fn a_table_full_of_links_costs_the_same_at_its_end() {
    let row = |n| {
        format!(
            "|{}\n",
            (0..5).map(|c| format!(" [link {c}](https://example.org/{n}/{c}) |")).collect::<String>()
        )
    };
    check_flat(
        &format!("| a | b | c | d | e |\n|---|---|---|---|---|\n{}", (0..60).map(row).collect::<String>()),
        20,
    );
}

#[wasm_bindgen_test]
fn a_list_of_300_items_costs_the_same_at_its_end() {
    check_flat(&list(300), 12);
}

/// Grows a text by a thousand frames and more, with some words selected once they are there.
fn check_selection(text: &str, words: &str) {
    let mut live = live(&text[..text.find(words).unwrap() + words.len() + 1]);
    select(live.container(), words);
    let shown = text.find(words).unwrap() + words.len() + 1;
    let step = (text.len() - shown) / 1_000;
    let ends = text.char_indices().map(|(at, _)| at).skip_while(|&at| at <= shown).step_by(step.max(1));
    let mut frames = 0;
    for end in ends {
        live.reveal_to(&text[..end]);
        frames += 1;
        assert_eq!(String::from(selection().to_string()), words, "at {end}");
    }
    assert!(frames >= 1_000, "{frames} frames");
    live.settle();
    assert_eq!(String::from(selection().to_string()), words, "settled");
    live.container().remove();
}

#[wasm_bindgen_test]
fn a_selection_in_settled_text_outlives_a_thousand_frames() {
    let rest = format!("{}\n{}\n{}", list(8), table(8), fence(600));
    check_selection(&format!("The quick brown fox.\n\nIt jumps.\n\n{rest}"), "quick brown");
}

#[wasm_bindgen_test]
fn a_selection_in_the_tail_outlives_a_thousand_frames() {
    check_selection(&fence(4_000), "value_1 ");
    check_selection(&table(60), "item ");
    check_selection(&list(40), "item");
}

/// The pieces of the only code block, and its whole text.
fn chunks(live: &LiveText) -> (Vec<usize>, String) {
    let code = find(live.container(), "code");
    let lines = |chunk: &web_sys::Node| chunk.text_content().unwrap().matches('\n').count();
    (children(&code).iter().map(lines).collect(), code.text_content().unwrap())
}

#[wasm_bindgen_test]
fn code_stands_in_pieces_whose_text_is_the_source() {
    let code: String = (0..150).map(|line| format!("line {line}\n\n")).collect();
    let mut live = live(&format!("```\n{code}```\n"));
    live.settle();
    assert_eq!(chunks(&live), (vec![64, 64, 64, 64, 44], code));
    live.container().remove();
}

#[wasm_bindgen_test]
fn what_is_selected_across_pieces_of_code_reads_as_the_source() {
    let code: String = (0..100).map(|line| format!("line {line}\n")).collect();
    let mut live = live(&format!("```\n{code}```\n"));
    live.settle();
    let style = drawing::styled();
    selection().select_all_children(&find(live.container(), "code")).unwrap();
    assert_eq!(String::from(selection().to_string()).trim_end(), code.trim_end());
    style.remove();
    live.container().remove();
}

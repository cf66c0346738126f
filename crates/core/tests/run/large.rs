//! A large file: what is held of it, and what is read to go to its end. Sizes are counted, never the time; the ignored test
//! measures that.

use std::time::Instant;

use iris_core::protocol::encode_server;
use iris_core::protocol::frame::ServerFrame;
use iris_core::run::bound::MAX_TEXT_BYTES;
use iris_core::run::{Index, Indexer, Player, Poll, Speed};

use crate::desk::{Desk, texts};
use crate::exported::export as exported;

/// One run of about this many bytes: texts, and tools whose results are as long as Hermes lets them be.
fn large(bytes: usize) -> Vec<u8> {
    let mut at = 1_796_040_000_000u64;
    let mut out = format!(
        "{{\"type\":\"system\",\"subtype\":\"init\",\"model\":\"m\",\"session_id\":\"s\",\"timestamp\":{at}}}\n"
    );
    let output = "0123456789".repeat(500);
    let mut round = 0;
    while out.len() < bytes {
        round += 1;
        for word in 0..60 {
            at += 20;
            out.push_str(&format!("{{\"type\":\"text\",\"text\":\"word {word} \",\"timestamp\":{at}}}\n"));
        }
        out.push_str(&format!(
            "{{\"type\":\"tool_use\",\"name\":\"terminal\",\"input\":{{\"command\":\"step {round}\"}},\"timestamp\":{at}}}\n"
        ));
        at += if round % 50 == 0 { 60_000 } else { 300 };
        out.push_str(&format!(
            "{{\"type\":\"tool_result\",\"name\":\"terminal\",\"output\":\"{output}\",\"duration_ms\":300,\"is_error\":false,\"timestamp\":{at}}}\n"
        ));
    }
    out.push_str(&format!("{{\"type\":\"text\",\"text\":\"The end\",\"timestamp\":{at}}}\n"));
    out.push_str(&format!(
        "{{\"type\":\"result\",\"session_id\":\"s\",\"exit_code\":0,\"text\":\"The end\",\"duration_ms\":1,\"timestamp\":{at}}}\n"
    ));
    out.into_bytes()
}

#[test]
fn the_end_of_a_large_run_is_a_small_part_of_it() {
    let file = large(6 << 20);
    let mut indexer = Indexer::new();
    indexer.push(&file[..64 * 1024]);
    let mut early = Desk::new(&file, indexer.index());
    early.player.subscribe(None, early.index, 0);
    early.player.play(early.index, 0);
    early.settle();
    early.now_ms = 100;
    early.settle();
    let shown = |frame: &ServerFrame| matches!(frame, ServerFrame::MessageAppend { text, .. } if text.starts_with("word"));
    assert!(early.frames.iter().any(|envelope| shown(&envelope.frame)), "text long before the file is read");
    drop(early);
    indexer.push(&file[64 * 1024..]);
    indexer.finish();

    let index = indexer.index();
    assert!(index.places() > 50, "{}", index.places());
    let mut desk = Desk::new(&file, index);
    desk.player.subscribe(Some(100), index, 0);
    desk.player.set_speed(Speed::Instant, index, 0);
    desk.player.play(index, 0);
    desk.run();
    assert!(desk.read < 1_500_000, "{} bytes for the last rows", desk.read);
    assert!(texts(&desk.frames).contains(&"The end".to_owned()));
    assert!(desk.timeline.items().len() < 300 && !desk.timeline.running());
    let before = desk.read;
    let page = desk.timeline.before_seq().expect("there is more");
    desk.player.history(page, 100);
    desk.settle();
    assert!(desk.read - before < 1_500_000, "{} bytes for a page", desk.read - before);
}

/// `cargo test --release -p iris-core --test run -- --ignored --nocapture large`
#[test]
#[ignore = "measures the time that 100 MB take"]
fn a_hundred_megabytes() {
    let file = large(100 << 20);
    let (begin, mut first, mut now_ms) = (Instant::now(), None, 0);
    let mut indexer = Indexer::new();
    let mut player = Player::new("c1".into());
    player.subscribe(None, indexer.index(), 0);
    player.play(indexer.index(), 0);
    let is_text = |frame: &ServerFrame| matches!(frame, ServerFrame::MessageAppend { .. });
    for piece in file.chunks(256 * 1024) {
        indexer.push(piece);
        while first.is_none() {
            match player.poll(indexer.index(), now_ms) {
                Poll::Read(range) => {
                    player.give(range.start, &file[range.start as usize..range.end as usize])
                }
                Poll::Send(frames) if frames.iter().any(|played| is_text(&played.frame.frame)) => {
                    first = Some(begin.elapsed());
                }
                Poll::Send(_) => {}
                Poll::Wait(ms) => now_ms += ms,
                Poll::Idle => break,
            }
        }
    }
    indexer.finish();
    println!("{} bytes, first text after {first:?}, indexed after {:?}", file.len(), begin.elapsed());
    let index = indexer.index();
    println!(
        "{} places, {} tools, {} texts, {} gaps",
        index.places(),
        index.tools.len(),
        index.texts.len(),
        index.gaps.len()
    );
    let begin = Instant::now();
    let mut desk = Desk::new(&file, index);
    desk.player.subscribe(None, index, 0);
    desk.player.seek_time(u64::MAX, index, 0);
    desk.settle();
    println!("to the end: {:?}, {} bytes read, {} frames", begin.elapsed(), desk.read, desk.frames.len());
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        status
            .lines()
            .filter(|line| line.starts_with("VmHWM") || line.starts_with("VmRSS"))
            .for_each(|line| println!("{line} (of which the file is 100 MB)"));
    }
}

/// One text of this many bytes, in which there is no place to begin at.
fn one_text(bytes: usize) -> Vec<u8> {
    let mut at = 1_796_040_000_000u64;
    let mut out =
        format!("{{\"type\":\"system\",\"subtype\":\"init\",\"model\":\"m\",\"timestamp\":{at}}}\n");
    let words = "lorem ipsum ".repeat(40);
    while out.len() < bytes {
        at += 20;
        out.push_str(&format!("{{\"type\":\"text\",\"text\":\"{at} {words}\",\"timestamp\":{at}}}\n"));
    }
    out.into_bytes()
}

/// Goes to this part of a run; how many bytes the app is sent.
fn sent(file: &[u8], index: &Index, part: u64) -> usize {
    let mut desk = Desk::new(file, index);
    desk.player.subscribe(None, index, 0);
    desk.player.seek_time(index.end_ms / part, index, 0);
    desk.settle();
    let told = |frame: &ServerFrame| matches!(frame, ServerFrame::Notice { code, .. } if code == "shortened");
    let notices = desk.frames.iter().filter(|envelope| told(&envelope.frame)).count();
    assert_eq!(notices, 1, "what is left out is said");
    desk.frames.iter().map(|frame| encode_server(frame).len()).sum()
}

#[test]
fn of_one_text_without_an_end_only_so_much_is_played_and_the_rest_is_said_to_be_left_out() {
    for frames in [false, true] {
        let mut file = one_text(10 << 20);
        if frames {
            file = exported(&file);
        }
        let mut indexer = Indexer::new();
        indexer.push(&file);
        indexer.finish();
        let index = indexer.index();
        for part in [1, 2] {
            let bytes = sent(&file, index, part);
            let rest = bytes.abs_diff(MAX_TEXT_BYTES);
            assert!(rest < 10_000, "{bytes} bytes at 1/{part}");
        }
    }
}

/// `cargo test --release -p iris-core --test run -- --ignored --nocapture one_text`
#[test]
#[ignore = "measures the time that 100 MB of one text take"]
fn a_hundred_megabytes_of_one_text() {
    let file = one_text(100 << 20);
    let begin = Instant::now();
    let mut indexer = Indexer::new();
    file.chunks(256 * 1024).for_each(|piece| indexer.push(piece));
    indexer.finish();
    println!("{} bytes indexed after {:?}", file.len(), begin.elapsed());
    let begin = Instant::now();
    let bytes = sent(&file, indexer.index(), 1);
    println!("to the end: {:?}, {bytes} bytes sent", begin.elapsed());
}

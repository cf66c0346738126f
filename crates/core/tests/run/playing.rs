//! The player: what is on the screen at a time is the same on whatever way one gets there.

use iris_core::run::{GAP_PLAYED_MS, Speed, Wait};

use crate::desk::{Desk, directly, index, index_of_pieces, picture, recordings};

#[test]
fn every_recording_plays_to_its_end_and_shows_what_the_adapter_shows() {
    for (name, file) in recordings() {
        let indexer = index(&file);
        let mut desk = Desk::new(&file, indexer.index());
        desk.player.subscribe(None, desk.index, 0);
        desk.player.play(desk.index, 0);
        desk.run();
        assert!(desk.player.is_at_end(desk.index) && !desk.player.is_playing(), "{name}");
        assert_eq!(desk.now_ms, desk.index.end_ms, "{name} takes as long as it says");
        assert_eq!(picture(&desk.timeline), directly(&file), "{name}");
        assert!(!desk.timeline.running(), "{name}");
    }
}

#[test]
fn any_cut_of_the_bytes_gives_the_same_index() {
    for (name, file) in recordings() {
        let whole = format!("{:?}", index(&file).index());
        for size in [1, 7, 1_021, 65_536] {
            let pieces = index_of_pieces(file.chunks(size));
            assert_eq!(format!("{:?}", pieces.index()), whole, "{name} in pieces of {size}");
        }
    }
}

#[test]
fn a_seek_shows_what_playing_up_to_there_shows() {
    for (name, file) in recordings() {
        let indexer = index(&file);
        let index = indexer.index();
        for part in 0..=20 {
            let to = index.end_ms * part / 20;
            let played = Desk::played_to(to, &file, index);
            let mut sought = Desk::new(&file, index);
            sought.player.subscribe(Some(1), index, 0);
            sought.player.seek_time(to, index, 0);
            sought.settle();
            sought.all_history();
            assert_eq!(picture(&sought.timeline), picture(&played.timeline), "{name} at {to}");
            sought.player.play(index, 0);
            sought.run();
            assert_eq!(picture(&sought.timeline), directly(&file), "{name} from {to} to its end");
        }
    }
}

#[test]
fn a_gap_is_shortened_and_no_tool_is() {
    let file = concat!(
        r#"{"type":"system","subtype":"init","model":"m","timestamp":1796040001000}"#,
        "\n",
        r#"{"type":"tool_use","name":"terminal","timestamp":1796040002000}"#,
        "\n",
        r#"{"type":"tool_result","name":"terminal","output":"","duration_ms":59990,"timestamp":1796040062000}"#,
        "\n",
        r#"{"type":"text","text":"Done","timestamp":1796040362000}"#,
        "\n",
        r#"{"type":"result","exit_code":0,"text":"Done","timestamp":1796040362100}"#,
        "\n",
    );
    let file = file.as_bytes();
    let indexer = index(file);
    let index = indexer.index();
    let waits: Vec<_> =
        index.gaps.iter().map(|gap| (gap.from_ms, gap.recorded_ms, gap.wait.clone())).collect();
    assert_eq!(waits, [(1_000, 60_000, Wait::Tool("terminal".into())), (3_000, 300_000, Wait::Model)]);
    let tool = &index.tools[0];
    assert_eq!(
        (tool.from_ms, tool.to_ms, tool.duration_ms),
        (1_000, Some(1_000 + GAP_PLAYED_MS), Some(59_990))
    );
    assert_eq!((index.end_ms, index.recorded_ms), (5_100, 361_100));
    for (played, recorded) in
        [(0, 0), (1_000, 1_000), (2_000, 31_000), (3_000, 61_000), (5_000, 361_000), (5_100, 361_100)]
    {
        assert_eq!(index.recorded_at(played), recorded);
    }
    assert_eq!(index.gap_at(2_999), Some(&index.gaps[0]));
    assert_eq!(index.gap_at(5_000), None);
}

#[test]
fn a_player_keeps_its_pace_its_place_and_its_word() {
    let (_, file) = recordings().into_iter().find(|(name, _)| name == "tools3-one-failing").unwrap();
    let indexer = index(&file);
    let index = indexer.index();
    let took = |speed: Speed| {
        let mut desk = Desk::new(&file, index);
        desk.player.subscribe(None, index, 0);
        desk.player.set_speed(speed, index, 0);
        desk.player.play(index, 0);
        desk.run();
        assert_eq!(picture(&desk.timeline), directly(&file), "{speed:?}");
        desk.now_ms
    };
    assert_eq!(took(Speed::Original), index.end_ms);
    assert!(took(Speed::Double).abs_diff(index.end_ms / 2) <= 100);
    assert!(took(Speed::Tenfold).abs_diff(index.end_ms / 10) <= 100);
    assert_eq!(took(Speed::Instant), 0);

    let mut desk = Desk::new(&file, index);
    desk.player.subscribe(None, index, 0);
    desk.player.play(index, 0);
    desk.settle();
    desk.now_ms = 500;
    desk.settle();
    desk.player.pause(index, 500);
    desk.now_ms = 90_000;
    assert_eq!(desk.settle(), None, "a pause lasts");
    assert_eq!(desk.player.position(index, desk.now_ms), 500);
    desk.player.seek_tool(2, index, desk.now_ms);
    desk.settle();
    assert_eq!(desk.player.position(index, desk.now_ms), index.tools[2].from_ms);
    assert!(desk.timeline.running());
    desk.player.seek_time(u64::MAX, index, desk.now_ms);
    desk.settle();
    assert!(desk.player.is_at_end(index));
    desk.player.play(index, desk.now_ms);
    desk.settle();
    assert_eq!(desk.player.position(index, desk.now_ms), 0, "played again from the beginning");
}

#[test]
fn what_is_read_so_far_plays_and_the_clock_waits_for_the_rest() {
    let (_, file) = recordings().into_iter().find(|(name, _)| name == "long-answer").unwrap();
    let mut indexer = iris_core::run::Indexer::new();
    indexer.push(&file[..20_000]);
    let early = indexer.index().clone();
    indexer.push(&file[20_000..]);
    indexer.finish();
    let mut desk = Desk::new(&file, &early);
    desk.player.subscribe(None, &early, 0);
    desk.player.play(&early, 0);
    desk.run();
    assert!(desk.player.is_playing(), "it goes on as soon as it can");
    desk.now_ms += 60_000;
    assert_eq!(desk.settle(), None);
    assert_eq!(desk.player.position(&early, desk.now_ms), early.end_ms);
    desk.index = indexer.index();
    desk.run();
    assert_eq!(picture(&desk.timeline), directly(&file));
}

//! The reveal on a virtual clock: arrivals are data, every frame is checked, what comes out is when each part was shown.

use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use super::*;

/// What a run showed.
struct Run {
    /// Time and shown bytes of every frame.
    frames: Vec<(f64, usize)>,
    /// Time and length of every arrival.
    arrivals: Vec<(f64, usize)>,
    /// When the text was complete.
    finished_ms: f64,
}

impl Run {
    /// The longest that any part waited between its arrival and its showing, milliseconds.
    fn latency(&self) -> f64 {
        let shown_at =
            |len: usize| self.frames.iter().find(|(_, shown)| *shown >= len).expect("shown in the end").0;
        self.arrivals.iter().map(|(at, len)| shown_at(*len) - at).fold(0.0, f64::max)
    }

    /// When everything was shown, milliseconds after the text was complete.
    fn drain(&self) -> f64 {
        let end = self.arrivals.last().unwrap().1;
        self.frames.iter().find(|(_, shown)| *shown == end).expect("shown in the end").0 - self.finished_ms
    }

    fn shown_at(&self, ms: f64) -> usize {
        self.frames.iter().rfind(|(at, _)| *at <= ms).map_or(0, |(_, shown)| *shown)
    }

    /// The share of frames with a visible change, in a span of time.
    fn lively(&self, from: f64, to: f64) -> f64 {
        let span: Vec<_> = self.frames.windows(2).filter(|w| w[1].0 >= from && w[1].0 <= to).collect();
        span.iter().filter(|w| w[1].1 > w[0].1).count() as f64 / span.len() as f64
    }
}

/// Plays arrivals (time, text), then `finish` at `finished_ms`; frames until five seconds later.
fn play(cps: f64, arrivals: &[(f64, String)], finished_ms: f64) -> Run {
    let mut reveal = Reveal::new(cps);
    let mut run = Run { frames: Vec::new(), arrivals: Vec::new(), finished_ms };
    let (mut target, mut next, mut now, mut finished) = (String::new(), 0, 0.0, false);
    while now < finished_ms + 5_000.0 {
        while next < arrivals.len() && arrivals[next].0 <= now {
            target.push_str(&arrivals[next].1);
            run.arrivals.push((arrivals[next].0, target.len()));
            next += 1;
        }
        if now >= finished_ms && !finished {
            finished = true;
            reveal.finish();
        }
        let step = reveal.advance(now, &target, Open::Prose);
        assert!(step.shown >= run.frames.last().map_or(0, |(_, shown)| *shown), "shown text vanished");
        assert!(target.is_char_boundary(step.shown));
        assert_eq!(step.caught_up, step.shown == target.len());
        run.frames.push((now, step.shown));
        now += FRAME_MS;
    }
    assert_eq!(run.frames.last().unwrap().1, target.len(), "everything is shown in the end");
    run
}

/// `count` arrivals of `chars` characters, one each `every` milliseconds.
fn steady(chars: usize, every: f64, count: usize) -> Vec<(f64, String)> {
    (0..count).map(|n| (n as f64 * every, "x".repeat(chars))).collect()
}

#[test]
fn the_users_pace_is_kept_when_the_stream_is_slower_than_it() {
    for (cps, expected) in [(75.0, 75), (150.0, 150), (300.0, 300)] {
        let text = "x".repeat((1.9 * cps) as usize);
        let run = play(cps, &[(0.0, text)], 0.0);
        let shown = run.shown_at(1_000.0);
        assert!(shown.abs_diff(expected) <= 6, "{cps}: {shown} after one second");
    }
}

#[test]
fn a_provider_that_sends_85_characters_every_470_ms_reads_as_typing() {
    for cps in [75.0, 150.0] {
        let run = play(cps, &steady(85, 470.0, 20), 20.0 * 470.0);
        assert!(run.latency() < 1_150.0, "the first burst goes at the user's pace: {}", run.latency());
        let later = Run { arrivals: run.arrivals[3..].to_vec(), frames: run.frames.clone(), ..run };
        assert!(later.latency() < 560.0, "{cps}: {} ms behind", later.latency());
        assert!(
            later.lively(2_000.0, 9_000.0) > 0.9,
            "{cps}: {} of the frames change",
            later.lively(2_000.0, 9_000.0)
        );
        assert!(later.drain() < 500.0);
    }
}

#[test]
fn a_steady_stream_is_never_more_than_0_4_s_ahead() {
    for cps in [75.0, 150.0, 300.0] {
        let run = play(cps, &steady(24, 50.0, 100), 5_000.0);
        assert!(run.latency() < BEHIND_MS + 2.0 * FRAME_MS, "{cps}: {} ms behind", run.latency());
        assert!(run.lively(500.0, 4_900.0) > 0.95, "{cps}: {}", run.lively(500.0, 4_900.0));
        // No jerk: no frame shows more than three times its share.
        let most = run.frames.windows(2).map(|w| w[1].1 - w[0].1).max().unwrap();
        assert!(most <= 3 * 8, "{cps}: {most} in one frame");
        assert!(run.drain() < 450.0);
    }
}

#[test]
fn a_dump_of_4000_characters_is_shown_at_once() {
    let run = play(300.0, &[(100.0, "x".repeat(4_000))], 100.0);
    assert!(run.latency() <= FRAME_MS);
    let run = play(75.0, &[(0.0, "x".repeat(30)), (500.0, "x".repeat(4_000))], 10_000.0);
    assert!(run.shown_at(520.0) >= 4_029, "all but the cluster that may grow");
}

#[test]
fn a_stream_of_five_characters_a_second_is_not_delayed() {
    let run = play(75.0, &steady(1, 200.0, 30), 6_000.0);
    assert!(run.latency() <= PAUSE_MS + 2.0 * FRAME_MS, "{}", run.latency());
}

#[test]
fn twenty_frames_in_one_tick_count_as_one_arrival() {
    let arrivals: Vec<_> = (0..20).map(|n| (100.0 + n as f64 * 0.1, "word ".to_owned())).collect();
    let run = play(150.0, &arrivals, 110.0);
    assert!((550.0..=750.0).contains(&run.drain()), "100 characters at 150 a second: {}", run.drain());
}

#[test]
fn chinese_flows_at_the_same_pace_in_characters() {
    let run = play(150.0, &[(0.0, "中文没有空格".repeat(40))], 0.0);
    assert!((run.shown_at(1_000.0) / 3).abs_diff(150) <= 4, "{}", run.shown_at(1_000.0) / 3);
}

#[test]
fn after_stop_the_rest_plays_out_and_never_longer_than_two_seconds() {
    for (cps, chars) in [(75.0, 149), (150.0, 299), (300.0, 599)] {
        let run = play(cps, &[(0.0, "x".repeat(chars))], 0.0);
        assert!((1_800.0..2_050.0).contains(&run.drain()), "{cps}: {}", run.drain());
        let run = play(cps, &[(0.0, "x".repeat(chars + 2))], 0.0);
        assert!(run.drain() <= FRAME_MS, "{cps}: {}", run.drain());
    }
}

#[test]
fn the_last_letter_before_a_tool_is_shown_after_a_short_pause() {
    let mut reveal = Reveal::new(300.0);
    let mut shown = 0;
    for frame in 0..30 {
        shown = reveal.advance(frame as f64 * FRAME_MS, "Let me look", Open::Prose).shown;
        assert!(shown < 11 || frame as f64 * FRAME_MS >= PAUSE_MS, "held back until the pause");
    }
    assert_eq!(shown, 11);
}

#[test]
fn a_cluster_that_grows_after_a_pause_does_not_upset_the_cut() {
    let mut reveal = Reveal::new(300.0);
    let mut now = 0.0;
    let mut until = |reveal: &mut Reveal, target: &str, ms: f64| {
        let end = now + ms;
        let mut shown = 0;
        while now < end {
            shown = reveal.advance(now, target, Open::Prose).shown;
            now += FRAME_MS;
        }
        shown
    };
    assert_eq!(until(&mut reveal, "🇩", 300.0), 4, "half a flag, and nothing follows");
    assert_eq!(until(&mut reveal, "🇩🇪🇫🇷", 100.0), 8, "the flag is whole, the next may still grow");
    reveal.finish();
    assert_eq!(until(&mut reveal, "🇩🇪🇫🇷!", 100.0), 17);
}

#[test]
fn snap_shows_what_is_there_and_typing_goes_on_from_it() {
    let mut reveal = Reveal::new(75.0);
    let text = "x".repeat(140);
    assert!(reveal.advance(0.0, &text, Open::Prose).shown < 3);
    reveal.snap();
    assert_eq!(reveal.advance(16.0, &text, Open::Prose).shown, 139, "all but the cluster that may grow");
    let longer = "x".repeat(200);
    assert!(reveal.advance(32.0, &longer, Open::Prose).shown < 145);
    reveal.finish();
    reveal.snap();
    assert_eq!(reveal.advance(48.0, &longer, Open::Prose), Step { shown: 200, caught_up: true });
}

#[test]
fn a_rewrite_never_shows_less() {
    let mut reveal = Reveal::new(75.0);
    reveal.advance(0.0, "Hello world, this is", Open::Prose);
    reveal.restart();
    assert_eq!(reveal.advance(16.0, "Goodbye", Open::Prose).shown, 6);
    reveal.finish();
    assert_eq!(reveal.advance(32.0, "Goodbye", Open::Prose).shown, 7);
}

#[test]
fn a_target_that_shrinks_unannounced_is_survived() {
    let mut reveal = Reveal::new(300.0);
    reveal.snap();
    reveal.advance(0.0, "abc中文中文", Open::Prose);
    let step = reveal.advance(16.0, "abc中", Open::Prose);
    assert!("abc中".is_char_boundary(step.shown) && step.shown <= 6);
    reveal.finish();
    assert!((0..60).any(|n| reveal.advance(32.0 + n as f64 * FRAME_MS, "ab", Open::Prose).caught_up));
}

#[test]
fn a_change_of_speed_acts_at_once() {
    let text = "x".repeat(149);
    let mut reveal = Reveal::new(75.0);
    let shown = |reveal: &mut Reveal, from: usize| {
        (from..from + 30)
            .map(|n| reveal.advance(n as f64 * FRAME_MS, &text, Open::Prose).shown)
            .last()
            .unwrap()
    };
    let slow = shown(&mut reveal, 0);
    assert!(slow.abs_diff(37) <= 3, "{slow}");
    reveal.set_rate(200.0);
    let fast = shown(&mut reveal, 30) - slow;
    assert!(fast.abs_diff(100) <= 4, "{fast}");
}

#[test]
fn a_late_frame_counts_as_a_short_one() {
    let mut reveal = Reveal::new(75.0);
    reveal.advance(0.0, &"x".repeat(140), Open::Prose);
    assert!(reveal.advance(900.0, &"x".repeat(140), Open::Prose).shown <= 10);
}

#[test]
fn a_clock_that_is_no_number_or_runs_backwards_is_survived() {
    let mut reveal = Reveal::new(f64::NAN);
    for now in [5.0, f64::NAN, -10.0, f64::INFINITY, 0.0] {
        assert!(reveal.advance(now, "some text", Open::Prose).shown <= 9);
    }
}

#[test]
fn a_step_costs_what_it_shows_and_not_the_length_of_the_text() {
    let text = "word ".repeat(400_000);
    let mut reveal = Reveal::new(300.0);
    reveal.snap();
    reveal.advance(0.0, &text, Open::Prose);
    let started = std::time::Instant::now();
    for n in 0..100_000 {
        reveal.advance(f64::from(n), &text, Open::Prose);
    }
    assert!(started.elapsed().as_secs() < 2, "100,000 steps took {:?}", started.elapsed());
}

/// Pieces that clusters are made of.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z ]{1,12}",
        prop::sample::select(vec![
            "\r",
            "\n",
            "\u{200d}",
            "👩",
            "🏽",
            "\u{fe0f}",
            "❤",
            "🇩",
            "🇪",
            "e\u{301}",
            "\u{301}",
            "한",
            "ᄀ",
            "ᅡ",
            "ᆨ",
            "中",
            "क",
            "्",
            "ष",
            "\u{e0067}",
        ])
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn however_a_text_is_split_only_whole_clusters_are_shown(
        pieces in prop::collection::vec((piece(), 0u32..9), 1..40),
        cps in 75.0..300.0,
    ) {
        let mut reveal = Reveal::new(cps);
        let (mut target, mut now, mut last) = (String::new(), 0.0, 0);
        for (piece, frames) in &pieces {
            target.push_str(piece);
            // Fewer frames than make a pause: only then may a cluster be shown that grows later.
            for _ in 0..*frames {
                let shown = reveal.advance(now, &target, Open::Prose).shown;
                now += FRAME_MS;
                prop_assert!(shown >= last);
                prop_assert!(
                    shown == target.len() || target.grapheme_indices(true).any(|(at, _)| at == shown),
                    "{shown} cuts {target:?}"
                );
                last = shown;
            }
        }
        reveal.finish();
        let end = (0..400).map(|n| reveal.advance(now + f64::from(n) * FRAME_MS, &target, Open::Prose)).last();
        prop_assert_eq!(end, Some(Step { shown: target.len(), caught_up: true }));
    }
}

//! A reader in front of a screen: text arrives at given times, frames come, each is looked at.

use iris_core::markdown::{Document, Node, parse};
use iris_core::reveal::{Open, Reveal};

/// A usual screen.
pub(crate) const FRAME_MS: f64 = 1_000.0 / 60.0;

/// Text and when it came.
pub(crate) type Arrivals = Vec<(f64, String)>;

/// What was shown of a text.
pub(crate) struct Run {
    pub(crate) text: String,
    /// Time and shown bytes of every frame.
    pub(crate) frames: Vec<(f64, usize)>,
    /// Time and length of the text with each arrival.
    pub(crate) arrivals: Vec<(f64, usize)>,
    /// When the text was complete.
    pub(crate) stopped_ms: f64,
}

/// `text` by so many characters every so many milliseconds.
pub(crate) fn stream(text: &str, chars: usize, every_ms: f64) -> Arrivals {
    let all: Vec<char> = text.chars().collect();
    let pieces = all.chunks(chars).map(|piece| piece.iter().collect());
    pieces.enumerate().map(|(n, piece)| (n as f64 * every_ms, piece)).collect()
}

/// Plays arrivals to a typewriter of this pace; the text is complete when the last of it has come.
pub(crate) fn play(cps: f64, arrivals: &Arrivals) -> Run {
    play_at(cps, arrivals, FRAME_MS)
}

/// The same on a screen with another frame rate.
pub(crate) fn play_at(cps: f64, arrivals: &Arrivals, frame_ms: f64) -> Run {
    let (mut reveal, mut document) = (Reveal::new(cps), Document::new());
    let stopped_ms = arrivals.last().map_or(0.0, |(at, _)| *at);
    let mut run = Run { text: String::new(), frames: Vec::new(), arrivals: Vec::new(), stopped_ms };
    let (mut next, mut now) = (0, 0.0);
    while now < stopped_ms + 3_000.0 {
        while let Some((at, piece)) = arrivals.get(next).filter(|(at, _)| *at <= now) {
            run.text.push_str(piece);
            run.arrivals.push((*at, run.text.len()));
            next += 1;
        }
        if next == arrivals.len() {
            reveal.finish();
        }
        let step = reveal.advance(now, &run.text, Open::at_end(document.blocks()));
        assert!(step.shown >= document.text().len(), "shown text vanished");
        document.push(&run.text[document.text().len()..step.shown]);
        run.frames.push((now, step.shown));
        now += frame_ms;
    }
    assert_eq!(document.text(), run.text, "everything is shown in the end");
    run
}

impl Run {
    /// What each frame that showed more showed.
    pub(crate) fn shown(&self) -> Vec<&str> {
        let mut ends: Vec<usize> = self.frames.iter().map(|(_, shown)| *shown).collect();
        ends.dedup();
        ends.into_iter().map(|end| &self.text[..end]).collect()
    }

    /// The same as it looks: by the rule of the page, the one-shot tree of what is shown.
    pub(crate) fn pictures(&self) -> Vec<Vec<Node>> {
        self.shown().into_iter().map(parse).collect()
    }

    /// How long each arrival waited until all of it was shown, milliseconds.
    pub(crate) fn lags(&self) -> Vec<f64> {
        let shown_at = |len: usize| self.frames.iter().find(|(_, shown)| *shown >= len).expect("shown").0;
        self.arrivals.iter().map(|(at, len)| shown_at(*len) - at).collect()
    }

    /// The longest that anything waited that came from this time on.
    pub(crate) fn lag_from(&self, from_ms: f64) -> f64 {
        let lags = self.lags().into_iter().zip(&self.arrivals);
        lags.filter(|(_, (at, _))| *at >= from_ms).map(|(lag, _)| lag).fold(0.0, f64::max)
    }

    /// The longest time between two changes of the picture, of those that lie between these times.
    pub(crate) fn longest_rest(&self, from_ms: f64, to_ms: f64) -> f64 {
        let grows = self.frames.windows(2).filter(|pair| pair[1].1 > pair[0].1).map(|pair| pair[1].0);
        let changes: Vec<f64> = grows.filter(|at| (from_ms..to_ms).contains(at)).collect();
        changes.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max)
    }

    /// The most characters that one frame added.
    pub(crate) fn largest_jump(&self) -> usize {
        let added = |pair: &[(f64, usize)]| self.text[pair[0].1..pair[1].1].chars().count();
        self.frames.windows(2).map(added).max().unwrap_or_default()
    }

    /// How long after the stop the last of it was shown, milliseconds.
    pub(crate) fn drain(&self) -> f64 {
        self.lags().last().expect("arrivals") + self.arrivals.last().expect("arrivals").0 - self.stopped_ms
    }
}

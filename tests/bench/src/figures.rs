//! From what was observed in one run to the figures of the table, and from several runs to their medians.

use serde::Deserialize;

/// A turn of the screen at 60 Hz, in milliseconds.
const TURN: f64 = 1000.0 / 60.0;
/// What a task may take before it is in the way of a finger, in milliseconds.
const LONG: f64 = 50.0;

/// What the page noted in a timed run. Times are milliseconds.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Noted {
    /// Chunks written.
    pub frames: usize,
    /// Each call of `write`.
    pub writes: Vec<f64>,
    /// Each forced layout after it.
    pub layouts: Vec<f64>,
    /// When each frame began.
    pub starts: Vec<f64>,
    /// The tasks that the browser calls long.
    pub long: Vec<f64>,
    /// Bytes of memory beside the JavaScript heap.
    pub memory: f64,
}

/// What the watched run saw happen to the DOM.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Watched {
    /// Elements at the end.
    pub elements: usize,
    /// Elements that came, in all.
    pub added: usize,
    /// Elements that went, in all.
    pub removed: usize,
    /// Settled blocks that vanished.
    pub recreated: usize,
    /// Where what is shown at the end parts from what the same renderer draws in one go, if it does.
    pub difference: Option<String>,
    /// Selections in settled text that were still there.
    pub settled_kept: usize,
    /// Out of so many.
    pub settled_tried: usize,
    /// Selections in the text being written that were still there.
    pub tail_kept: usize,
    /// Out of so many.
    pub tail_tried: usize,
}

/// One timed run: what the page noted, and by how much Chromium's counters grew.
#[derive(Clone, Debug, Default)]
pub struct Timed {
    /// From the page.
    pub noted: Noted,
    /// Bytes of the text that was written.
    pub bytes: usize,
    /// Milliseconds of scripts.
    pub script: f64,
    /// Milliseconds of the main thread.
    pub task: f64,
    /// Bytes of the heap, when the garbage is gone.
    pub heap: f64,
}

/// How many times as long another one takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lead {
    /// So many times.
    pub times: f64,
    /// Or more: it was stopped before its end.
    pub at_least: bool,
}

impl Lead {
    /// The median of several; of bounds it is one itself.
    pub fn median(all: &[Self]) -> Self {
        Self {
            times: median(all.iter().map(|lead| lead.times).collect()),
            at_least: all.iter().any(|lead| lead.at_least),
        }
    }
}

/// The figures of one run, or the medians of several. Times are milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// In `write`, for a thousand bytes.
    pub per_kb: f64,
    /// In `write`, a frame of the first third.
    pub write_first: f64,
    /// And of the last.
    pub write_last: f64,
    /// In `write` and layout: 99 of a hundred frames take at most this.
    pub p99: f64,
    /// The longest of them.
    pub longest: f64,
    /// What long tasks took above their limit.
    pub blocking: f64,
    /// Layout, a frame of the first third.
    pub layout_first: f64,
    /// And of the last.
    pub layout_last: f64,
    /// Turns of the screen that passed without a new frame.
    pub dropped: f64,
    /// Scripts, by the browser's counter.
    pub script: f64,
    /// The main thread, by the browser's counter.
    pub task: f64,
    /// Bytes kept.
    pub heap: f64,
}

impl Timed {
    /// The figures of this run.
    pub fn figures(&self) -> Figures {
        let Noted { writes, layouts, starts, long, memory, .. } = &self.noted;
        let mut frames: Vec<f64> = writes.iter().zip(layouts).map(|(write, layout)| write + layout).collect();
        frames.sort_by(f64::total_cmp);
        let gaps = starts.iter().zip(starts.iter().skip(1)).map(|(one, next)| next - one);
        Figures {
            per_kb: writes.iter().sum::<f64>() / (count(self.bytes) / 1000.0),
            write_first: mean(first_third(writes)),
            write_last: mean(last_third(writes)),
            p99: at(&frames, 0.99),
            longest: at(&frames, 1.0),
            blocking: long.iter().map(|task| (task - LONG).max(0.0)).fold(0.0, |sum, one| sum + one),
            layout_first: mean(first_third(layouts)),
            layout_last: mean(last_third(layouts)),
            dropped: gaps.map(|gap| (gap / TURN).floor()).sum(),
            script: self.script,
            task: self.task,
            heap: self.heap + memory,
        }
    }

    /// What `write` took in all.
    pub fn written(&self) -> f64 {
        self.noted.writes.iter().sum()
    }

    /// By how much `other`, which has written all `frames`, is ahead of this in `write`.
    ///
    /// What took so many times as long for a part of the text as the other for all of it, takes at least that for all of it:
    /// nothing is extrapolated.
    pub fn behind(&self, other: &Self, frames: usize) -> Lead {
        let common = self.ratio_to(other);
        if self.noted.frames >= frames || other.noted.frames < frames {
            return Lead { times: common, at_least: self.noted.frames < frames };
        }
        Lead { times: common.max(self.written() / other.written()), at_least: true }
    }

    /// How much longer than `other` this took in `write`, over the part of the text that both have written.
    pub fn ratio_to(&self, other: &Self) -> f64 {
        let frames = self.noted.writes.len().min(other.noted.writes.len());
        let sum = |timed: &Self| timed.noted.writes.iter().take(frames).sum::<f64>();
        sum(self) / sum(other)
    }
}

impl Figures {
    /// Each figure's median over the runs.
    pub fn medians(runs: &[Self]) -> Self {
        let of = |figure: fn(&Self) -> f64| median(runs.iter().map(figure).collect());
        Self {
            per_kb: of(|run| run.per_kb),
            write_first: of(|run| run.write_first),
            write_last: of(|run| run.write_last),
            p99: of(|run| run.p99),
            longest: of(|run| run.longest),
            blocking: of(|run| run.blocking),
            layout_first: of(|run| run.layout_first),
            layout_last: of(|run| run.layout_last),
            dropped: of(|run| run.dropped),
            script: of(|run| run.script),
            task: of(|run| run.task),
            heap: of(|run| run.heap),
        }
    }
}

/// The middle one; of an even number the mean of the two in the middle.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let skip = middle.saturating_sub(usize::from(values.len().is_multiple_of(2)));
    mean(values.get(skip..=middle).unwrap_or_default())
}

/// The values between which the middle half lies.
pub fn quartiles(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    (at(&values, 0.25), at(&values, 0.75))
}

/// The value, out of sorted ones, that this share of them does not exceed.
fn at(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    let place = (0..last).find(|place| count(place + 1) >= share * count(sorted.len())).unwrap_or(last);
    sorted.get(place).copied().unwrap_or_default()
}

fn first_third(values: &[f64]) -> &[f64] {
    values.get(..values.len() / 3).unwrap_or_default()
}

fn last_third(values: &[f64]) -> &[f64] {
    values.get(values.len() - values.len() / 3..).unwrap_or_default()
}

fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / count(values.len()) }
}

/// A count as a number that can be divided. None here is anywhere near the limit.
#[allow(clippy::cast_precision_loss, reason = "counts of frames and bytes are below 2^52")]
pub fn count(value: usize) -> f64 {
    value as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_quartiles_are_those_of_the_textbook() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!(median(vec![7.0]), 7.0);
        assert_eq!(median(Vec::new()), 0.0);
        assert_eq!(quartiles(vec![5.0, 1.0, 2.0, 4.0, 3.0]), (2.0, 4.0));
    }

    #[test]
    fn the_figures_of_a_run_come_from_its_frames() {
        let noted = Noted {
            frames: 6,
            writes: vec![1.0, 3.0, 9.0, 9.0, 2.0, 6.0],
            layouts: vec![1.0, 1.0, 0.0, 0.0, 2.0, 4.0],
            starts: vec![0.0, 10.0, 20.0, 60.0, 70.0, 80.0],
            long: vec![60.0, 50.5],
            memory: 5.0,
        };
        let timed = Timed { noted, bytes: 3000, script: 31.0, task: 40.0, heap: 2.0 };
        let expected = Figures {
            per_kb: 10.0,
            write_first: 2.0,
            write_last: 4.0,
            p99: 10.0,
            longest: 10.0,
            blocking: 10.5,
            layout_first: 1.0,
            layout_last: 3.0,
            dropped: 2.0,
            script: 31.0,
            task: 40.0,
            heap: 7.0,
        };
        assert_eq!(timed.figures(), expected);
    }

    #[test]
    fn two_runs_are_compared_over_what_both_have_written() {
        let timed = |writes| Timed { noted: Noted { writes, ..Noted::default() }, ..Timed::default() };
        let (short, long) = (timed(vec![6.0, 4.0]), timed(vec![1.0, 1.0, 500.0]));
        assert_eq!(short.ratio_to(&long), 5.0);
        assert_eq!(long.ratio_to(&short), 0.2);
    }

    #[test]
    fn who_was_stopped_is_behind_by_what_its_part_took_of_the_others_whole() {
        let timed = |writes: Vec<f64>| Timed {
            noted: Noted { frames: writes.len(), writes, ..Noted::default() },
            ..Timed::default()
        };
        let whole = timed(vec![1.0, 1.0, 1.0, 1.0]);
        let lead = |writes, times, at_least| {
            assert_eq!(timed(writes).behind(&whole, 4), Lead { times, at_least });
        };
        lead(vec![4.0, 4.0, 4.0, 4.0], 4.0, false);
        // 3 times as long over what both have, and 6 milliseconds of the other's 4.
        lead(vec![3.0, 3.0], 3.0, true);
        lead(vec![30.0, 10.0], 20.0, true);
        let unfinished = timed(vec![1.0, 1.0]);
        assert_eq!(timed(vec![9.0, 9.0, 9.0]).behind(&unfinished, 4), Lead { times: 9.0, at_least: true });
        let medians = Lead::median(&[
            Lead { times: 3.0, at_least: false },
            Lead { times: 9.0, at_least: true },
            Lead { times: 4.0, at_least: false },
        ]);
        assert_eq!(medians, Lead { times: 4.0, at_least: true });
    }

    #[test]
    fn one_run_out_of_many_does_not_make_the_median() {
        let run = |script| Figures { script, ..Figures::default() };
        assert_eq!(Figures::medians(&[run(1.0), run(900.0), run(2.0)]).script, 2.0);
    }
}

//! The pace of the reveal.
//!
//! The user sets the pace: so many characters a second. Three things change it.
//! * A stream that is faster sets the pace itself: text that arrives while a stream flows is shown within [`BEHIND_MS`],
//!   or within the gap between two arrivals if that is longer, so that bursts read as typing. Each arrival has a time by
//!   which it is due, and the pace is the slowest that meets them all: it neither lags nor jerks.
//! * A backlog that would take longer than [`JUMP_S`] is shown at once.
//! * The last cluster of a text that still grows is held back, since more of it may come (a skin tone, the other half
//!   of a flag), until the stream pauses for [`PAUSE_MS`].
//!
//! What the pace allows is not always what is shown: a cut that would part what belongs together moves, as `hold_back`
//! says. If all of it is there, forwards, on credit; if not, backwards, for [`HOLD_MS`] or [`HOLD_CHARS`] at most.

use std::collections::VecDeque;

use super::boundary::{first_cluster, floor, last_cluster};
use super::hold_back::{Place, Unit};
use super::open::Open;

/// How far a steady stream may be ahead of what is shown.
const BEHIND_MS: f64 = 400.0;
/// A backlog of more than this is shown at once.
const JUMP_S: f64 = 2.0;
/// A stream that paused this long has said all it can for now (a tool starts, say): its last cluster is shown.
const PAUSE_MS: f64 = 150.0;

/// How long text may be held back, and how many characters of it, after the pace allows it.
const HOLD_MS: f64 = 150.0;
const HOLD_CHARS: usize = 80;
/// What is shown at once although it was not due costs at most so much time of typing.
const LONGEST_DEBT_MS: f64 = 200.0;

/// Arrivals closer than this are one burst.
const BURST_MS: f64 = 40.0;
/// Arrivals further apart than this are no stream.
const FLOWING_MS: f64 = 1_000.0;
/// One frame never counts for more than this, however late it is.
const LONGEST_FRAME_MS: f64 = 50.0;
/// A usual frame: what the first one counts for, and the shortest time that is left for what is due.
const FRAME_MS: f64 = 1_000.0 / 60.0;

/// How much of the text is shown now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Bytes of the target, always at a boundary between characters as a reader sees them.
    pub shown: usize,
    /// Everything is shown: no need for another frame before the text grows.
    pub caught_up: bool,
}

/// Text that arrived together and the time by which it should be shown.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    /// Characters that had arrived with it, counted from the beginning.
    end: u64,
    due_ms: f64,
}

/// Text that is held back although the pace allows it.
#[derive(Clone, Copy, Debug)]
struct Held {
    /// The byte at which it begins.
    start: usize,
    since_ms: f64,
}

/// The typewriter of one text that grows at its end. A step costs what it shows, never the length of the text.
#[derive(Clone, Debug)]
pub struct Reveal {
    user_cps: f64,
    streaming: bool,
    snap: bool,
    /// Bytes shown.
    shown: usize,
    held: Option<Held>,
    /// Bytes that the pace allows to be shown: all that is shown and what is held.
    paced: usize,
    /// A cluster boundary at or before `paced`; before it only when a pause made us allow an unfinished cluster.
    anchor: usize,
    /// Bytes of the target that were counted.
    seen: usize,
    paced_chars: u64,
    seen_chars: u64,
    /// Characters that the pace has earned and that are not used yet; less than none after a unit shown early.
    credit: f64,
    pace: f64,
    arrivals: VecDeque<Arrival>,
    /// When the text last grew.
    grown_ms: Option<f64>,
    /// When the current burst began, how long its text may wait, and the usual time between two bursts.
    burst_ms: Option<f64>,
    hold_ms: f64,
    gap_ms: f64,
    last_ms: Option<f64>,
}

impl Reveal {
    /// A typewriter for a text that streams in, at the user's pace in characters a second.
    pub fn new(cps: f64) -> Self {
        let cps = sane(cps);
        Self {
            user_cps: cps,
            streaming: true,
            snap: false,
            shown: 0,
            held: None,
            paced: 0,
            anchor: 0,
            seen: 0,
            paced_chars: 0,
            seen_chars: 0,
            credit: 0.0,
            pace: cps,
            arrivals: VecDeque::new(),
            grown_ms: None,
            burst_ms: None,
            hold_ms: 0.0,
            gap_ms: 0.0,
            last_ms: None,
        }
    }

    /// Changes the user's pace, from the next step on.
    pub fn set_rate(&mut self, cps: f64) {
        self.user_cps = sane(cps);
        self.pace = self.user_cps;
    }

    /// The next step shows everything that is there: the page was hidden, motion is unwanted, the user pressed Stop,
    /// the text comes from a sync.
    pub fn snap(&mut self) {
        self.snap = true;
    }

    /// The text is complete. What is not shown yet plays out.
    pub fn finish(&mut self) {
        self.streaming = false;
    }

    /// The text was replaced by another one. What is there of it is shown by the next step: to type it again would make
    /// text vanish that the reader has seen.
    pub fn restart(&mut self) {
        *self =
            Self { streaming: self.streaming, snap: true, last_ms: self.last_ms, ..Self::new(self.user_cps) };
    }

    /// Moves on to `now_ms`. `target` is all text so far; it only ever grows at its end, save after `restart`. `open`
    /// is what is open at the end of what the step before this one showed.
    pub fn advance(&mut self, now_ms: f64, target: &str, open: Open) -> Step {
        let dt = self.tick(now_ms);
        self.take_in(now_ms, target);
        let pending = self.seen_chars.saturating_sub(self.paced_chars) as f64;
        if self.snap || pending > JUMP_S * self.pace.max(self.user_cps) {
            self.allow_all(now_ms, target);
        } else {
            self.pace = self.pace_at(now_ms);
            self.credit = (self.credit + self.pace * dt / 1_000.0).min(pending);
            self.spend(now_ms, target);
        }
        let at_once = std::mem::take(&mut self.snap);
        self.shown = if at_once { self.paced } else { self.cut(now_ms, target, open) };
        Step { shown: self.shown, caught_up: self.shown >= target.len() }
    }

    fn tick(&mut self, now_ms: f64) -> f64 {
        let dt = match self.last_ms {
            Some(last) => (now_ms - last).clamp(0.0, LONGEST_FRAME_MS),
            None => FRAME_MS,
        };
        self.last_ms = Some(now_ms);
        if dt.is_finite() { dt } else { 0.0 }
    }

    /// Counts what is new in the target and notes when it is due.
    fn take_in(&mut self, now_ms: f64, target: &str) {
        if target.len() < self.seen || !target.is_char_boundary(self.seen) {
            self.shrink(target);
        }
        let new = target.get(self.seen..).unwrap_or_default().chars().count() as u64;
        if new == 0 {
            return;
        }
        self.seen = target.len();
        self.seen_chars += new;
        self.grown_ms = Some(now_ms);
        let hold = self.hold(now_ms);
        self.arrivals.push_back(Arrival { end: self.seen_chars, due_ms: now_ms + hold });
    }

    /// How long what arrives now may wait. What comes in one tick is one burst, however many frames it took.
    fn hold(&mut self, now_ms: f64) -> f64 {
        let gap = self.burst_ms.map_or(f64::INFINITY, |start| now_ms - start);
        if gap < BURST_MS {
            return self.hold_ms;
        }
        self.burst_ms = Some(now_ms);
        self.hold_ms = if gap <= FLOWING_MS {
            self.gap_ms = if self.gap_ms > 0.0 { 0.7 * self.gap_ms + 0.3 * gap } else { gap };
            (1.1 * self.gap_ms).clamp(BEHIND_MS, FLOWING_MS)
        } else {
            self.gap_ms = 0.0;
            JUMP_S * 1_000.0
        };
        self.hold_ms
    }

    /// A target that is not an extension although nobody said `restart`: keeps what still fits.
    fn shrink(&mut self, target: &str) {
        self.shown = floor(target, self.shown);
        self.held = None;
        self.paced = floor(target, self.paced);
        self.anchor = floor(target, self.anchor.min(self.paced));
        self.seen = floor(target, self.seen);
        self.paced_chars = 0;
        self.seen_chars = target.get(self.paced..self.seen).unwrap_or_default().chars().count() as u64;
        self.arrivals.clear();
    }

    /// The slowest pace that is no slower than the user's and allows everything by the time it is due.
    fn pace_at(&mut self, now_ms: f64) -> f64 {
        while self.arrivals.front().is_some_and(|arrival| arrival.end <= self.paced_chars) {
            self.arrivals.pop_front();
        }
        let needed = |arrival: &Arrival| {
            let left = (arrival.due_ms - now_ms).max(FRAME_MS);
            (arrival.end.saturating_sub(self.paced_chars) as f64 - self.credit) * 1_000.0 / left
        };
        self.arrivals.iter().map(needed).fold(self.user_cps, f64::max)
    }

    /// Allows as many whole clusters as the credit pays for.
    fn spend(&mut self, now_ms: f64, target: &str) {
        while let Some(end) = self.next_cluster(now_ms, target, self.anchor) {
            let added = target.get(self.paced..end).unwrap_or_default().chars().count();
            if added as f64 > self.credit {
                break;
            }
            self.credit -= added as f64;
            self.allow(target, end);
        }
    }

    /// Where the cluster at `at` ends, if there is one that may be shown: more of the last one may still arrive.
    fn next_cluster(&self, now_ms: f64, target: &str, at: usize) -> Option<usize> {
        let rest = target.get(at..).filter(|rest| !rest.is_empty())?;
        let end = at + first_cluster(rest);
        (end < target.len() || !self.streaming || (self.paused(now_ms) && end > self.paced)).then_some(end)
    }

    /// Text up to `end`, where a cluster ends for now, may be shown.
    fn allow(&mut self, target: &str, end: usize) {
        self.paced_chars += target.get(self.paced..end).unwrap_or_default().chars().count() as u64;
        self.paced = self.paced.max(end);
        if end < target.len() || !self.streaming {
            self.anchor = end;
        }
    }

    /// Where to cut, at or near what the pace allows.
    fn cut(&mut self, now_ms: f64, target: &str, open: Open) -> usize {
        let place = Place { target, grows: self.streaming, shown: self.shown, open };
        let Some(unit) = place.parted_by(self.paced) else {
            self.held = None;
            return self.paced;
        };
        if unit.end.is_some_and(|end| self.reach(now_ms, target, end)) || !self.may_hold(now_ms, target, unit)
        {
            self.held = None;
            return self.paced;
        }
        unit.start
    }

    /// Allows what is not due yet up to `end`, if all of it may be shown, and makes the pace pay for it later.
    fn reach(&mut self, now_ms: f64, target: &str, end: usize) -> bool {
        let mut at = self.anchor;
        while at < end {
            let Some(next) = self.next_cluster(now_ms, target, at) else { return false };
            at = next;
        }
        let before = self.paced_chars;
        self.allow(target, at);
        let early = (self.paced_chars - before) as f64;
        self.credit -= early.min(self.pace * LONGEST_DEBT_MS / 1_000.0);
        true
    }

    /// Whether a unit may be held back any longer.
    fn may_hold(&mut self, now_ms: f64, target: &str, unit: Unit) -> bool {
        let held = self.held.filter(|held| held.start == unit.start);
        let held = held.unwrap_or(Held { start: unit.start, since_ms: now_ms });
        self.held = Some(held);
        let text = target.get(unit.start..self.paced).unwrap_or_default();
        // A unit of one character has waited already, for what may come to that character.
        let waited = unit.start >= self.anchor || now_ms - held.since_ms >= HOLD_MS;
        !waited && text.chars().nth(HOLD_CHARS).is_none()
    }

    fn paused(&self, now_ms: f64) -> bool {
        self.grown_ms.is_some_and(|grown| now_ms - grown >= PAUSE_MS)
    }

    fn allow_all(&mut self, now_ms: f64, target: &str) {
        let rest = target.get(self.anchor..).unwrap_or_default();
        if self.streaming {
            self.anchor += last_cluster(rest);
            let end = if self.paused(now_ms) { target.len() } else { self.anchor };
            self.paced = self.paced.max(end);
        } else {
            self.anchor = target.len();
            self.paced = target.len();
        }
        let left = target.get(self.paced..).unwrap_or_default().chars().count() as u64;
        self.paced_chars = self.seen_chars.saturating_sub(left);
        self.credit = 0.0;
        self.arrivals.clear();
    }
}

/// A pace that makes sense: the slowest setting for whatever is no positive number.
fn sane(cps: f64) -> f64 {
    if cps.is_finite() && cps > 0.0 { cps } else { 75.0 }
}

#[cfg(test)]
mod tests;

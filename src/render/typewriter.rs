//! One answer being written: the reveal decides how much is due, `LiveText` draws it, and finishing is a state.
//!
//! Streaming → draining (complete, the reveal is behind) → settled. Time is passed in.

use iris_core::reveal::Reveal;
use wasm_bindgen::JsValue;
use web_sys::Element;

use super::cadence::Cadence;
use super::live::LiveText;
use crate::browser;

/// What an answer is at this moment, apart from its text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Counts the texts that were no extension of the one before.
    pub generation: u32,
    /// No more text will come.
    pub complete: bool,
    /// Show all of it now: nothing is gained by a steady pace.
    pub at_once: bool,
    /// The pace, in characters a second.
    pub rate: f64,
}

/// Where the writing stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// More is to be shown on the next frame.
    Busy,
    /// All of the text so far is shown; more may come.
    Waiting,
    /// All is shown, in its final form.
    Settled,
}

/// Writes one answer into its container.
#[derive(Debug)]
pub struct Typewriter {
    live: LiveText,
    reveal: Reveal,
    cadence: Cadence,
    last: Target,
    /// Generation and length of the text that was settled; a settled answer is drawn again only when it is another.
    settled: Option<(u32, usize)>,
}

impl Typewriter {
    /// Takes over an element.
    pub fn new(container: Element, target: Target) -> Result<Self, JsValue> {
        let reveal = Reveal::new(target.rate);
        Ok(Self {
            live: LiveText::new(container)?,
            reveal,
            cadence: Cadence::default(),
            last: target,
            settled: None,
        })
    }

    /// Shows what is due of `text` at this time.
    pub fn tick(&mut self, now_ms: f64, text: &str, target: Target) -> Progress {
        let this = Some((target.generation, text.len()));
        if target.complete && self.settled == this {
            return Progress::Settled;
        }
        self.settled = None;
        if !self.cadence.is_due(now_ms) && !target.at_once {
            return Progress::Busy;
        }
        let is_another = self.last.generation != target.generation;
        self.follow(target);
        let step = self.reveal.advance(now_ms, text, self.live.open());
        let started = browser::now_ms();
        let shown = text.get(..step.shown).unwrap_or(text);
        // A rewrite that nobody counted is found out at the end at the latest.
        let is_last = target.complete && step.caught_up;
        if is_another || is_last {
            self.live.reveal_to(shown)
        } else {
            self.live.grow_to(shown)
        }
        self.cadence.drew(now_ms, browser::now_ms() - started, self.live.pending_cost());
        if !step.caught_up {
            return Progress::Busy;
        }
        if !target.complete {
            return Progress::Waiting;
        }
        self.live.settle();
        self.settled = this;
        Progress::Settled
    }

    /// Tells the reveal what has changed.
    fn follow(&mut self, target: Target) {
        if self.last.complete && !target.complete {
            // A message that was over goes on: a reveal that was told of an end knows no way back.
            self.reveal = Reveal::new(target.rate);
            self.reveal.snap();
        }
        if self.last.generation != target.generation {
            self.reveal.restart();
        }
        if self.last.rate != target.rate {
            self.reveal.set_rate(target.rate);
        }
        if target.complete {
            self.reveal.finish();
        }
        if target.at_once {
            self.reveal.snap();
        }
        self.last = target;
    }
}

//! One answer being written: the reveal decides how much is due, `LiveText` draws it, and finishing is a state.
//!
//! Streaming → draining (complete, the reveal is behind) → settled. Time is passed in.

use wasm_bindgen::JsValue;
use web_sys::Element;

use super::live::LiveText;

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
    /// Generation and length of the text that was settled; a settled answer is drawn again only when it is another.
    settled: Option<(u32, usize)>,
}

impl Typewriter {
    /// Takes over an element.
    pub fn new(container: Element) -> Result<Self, JsValue> {
        Ok(Self { live: LiveText::new(container)?, settled: None })
    }

    /// Shows what is due of `text` at this time.
    pub fn tick(&mut self, _now_ms: f64, text: &str, target: Target) -> Progress {
        let this = Some((target.generation, text.len()));
        if target.complete && self.settled == this {
            return Progress::Settled;
        }
        self.settled = None;
        self.live.reveal_to(text);
        if !target.complete {
            return Progress::Waiting;
        }
        self.live.settle();
        self.settled = this;
        Progress::Settled
    }
}

//! [`Segment`]: a run of text between tools, which is one live message. Owns what is shown of it while it grows and what
//! stays of it. Taking a delta costs what the delta costs, however long the text is.

use super::to_frames::Growth;
use crate::ids::MessageId;
use crate::protocol::frame::{ServerFrame, Tokens, TurnStatus};

/// How many deltas a repetition must share with the segment's beginning before it counts as one.
const REPEAT_MIN: usize = 3;

/// How long a repetition must be before it is left out of a text that nothing else confirms.
const REPEAT_BYTES: usize = 16;

#[derive(Clone, Debug)]
pub(super) struct Segment {
    id: MessageId,
    /// Everything that came.
    text: String,
    /// Where each delta ends in it.
    ends: Vec<usize>,
    /// Blank lines at the beginning, which only lead the segment in.
    lead: usize,
    /// How far it is on the screen.
    shown: usize,
    /// How many of the newest deltas repeat the oldest.
    repeated: usize,
}

impl Segment {
    pub(super) fn new(id: MessageId) -> Self {
        Self { id, text: String::new(), ends: Vec::new(), lead: 0, shown: 0, repeated: 0 }
    }

    pub(super) fn push(&mut self, delta: &str) {
        let own = self.own();
        let repeats = own >= REPEAT_MIN && self.delta(self.repeated % own) == delta;
        if self.lead == self.text.len() {
            self.lead += delta.len() - delta.trim_start_matches('\n').len();
        }
        self.text.push_str(delta);
        self.ends.push(self.text.len());
        self.repeated = if repeats { self.repeated + 1 } else { 0 };
        self.shown = self.shown.max(self.lead);
    }

    /// How many deltas are no repetition.
    fn own(&self) -> usize {
        self.ends.len() - self.repeated
    }

    /// Where the first so many deltas end.
    fn end_of(&self, deltas: usize) -> usize {
        deltas.checked_sub(1).and_then(|last| self.ends.get(last)).copied().unwrap_or(0)
    }

    fn delta(&self, nth: usize) -> &str {
        self.text.get(self.end_of(nth)..self.end_of(nth + 1)).unwrap_or_default()
    }

    fn part(&self, end: usize) -> &str {
        self.text.get(self.lead..end.max(self.lead)).unwrap_or_default()
    }

    /// Everything that came, with no repetition taken out.
    pub(super) fn everything(&self) -> &str {
        self.part(self.text.len())
    }

    /// What came, without a repetition that is still under way. It only ever grows.
    fn once(&self) -> &str {
        self.part(self.end_of(self.own()))
    }

    /// Says what is new on the screen.
    pub(super) fn update(&mut self, growth: Growth, out: &mut Vec<ServerFrame>) {
        // Blank space at the end waits for what it separates: Hermes takes it off the final text, and a text that becomes
        // shorter would have to be drawn anew.
        let text = self.once().trim_end();
        let end = self.lead + text.len();
        if end <= self.shown {
            return;
        }
        let message_id = self.id.clone();
        out.push(match growth {
            Growth::Snapshots => ServerFrame::MessageUpdate { message_id, text: text.to_owned() },
            Growth::Appends => ServerFrame::MessageAppend {
                message_id,
                at: (self.shown - self.lead) as u64,
                text: self.text.get(self.shown..end).unwrap_or_default().to_owned(),
            },
        });
        self.shown = end;
    }

    /// The text that stays, given what `result` says.
    pub(super) fn settled(&self, result: &str, status: TurnStatus) -> String {
        // Only so much repeated text is surely a repetition; less may be the model's own.
        let repeated = self.text.len() - self.end_of(self.own());
        let is_repetition = self.repeated >= REPEAT_MIN && repeated >= REPEAT_BYTES;
        let shown = if is_repetition { self.once() } else { self.everything() };
        match status {
            TurnStatus::Complete if !result.trim().is_empty() => result,
            // The part that came, in the model's own words once.
            TurnStatus::Error if !result.is_empty() && self.everything().starts_with(result.trim()) => result,
            TurnStatus::Interrupted | TurnStatus::Error => shown,
            _ => self.everything(),
        }
        .to_owned()
    }

    pub(super) fn stop(
        self,
        text: Option<String>,
        model: Option<String>,
        tokens: Option<Tokens>,
    ) -> ServerFrame {
        let text = text.unwrap_or_else(|| self.everything().to_owned());
        ServerFrame::MessageStop {
            message_id: self.id,
            final_text: Some(text),
            reasoning: None,
            model,
            tokens,
        }
    }
}

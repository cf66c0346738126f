//! What many runs came to, in figures.

use std::time::Duration;

use crate::{run::Kind, world::Behind};

/// The runs of one kind.
#[derive(Clone, Debug)]
pub struct Figures {
    kind: Kind,
    behind: Behind,
    runs: usize,
    failed: usize,
    in_turn: usize,
    messages: usize,
    resent: usize,
    recoveries: Vec<Duration>,
}

impl Figures {
    /// None yet.
    pub fn new(kind: Kind, behind: Behind) -> Self {
        Self { kind, behind, runs: 0, failed: 0, in_turn: 0, messages: 0, resent: 0, recoveries: Vec::new() }
    }

    /// Counts a run that went well.
    pub fn went_well(&mut self, outcome: &crate::run::Outcome) {
        self.runs += 1;
        self.in_turn += usize::from(outcome.in_turn);
        self.messages += outcome.messages;
        self.resent += outcome.resent;
        self.recoveries.push(outcome.recovery);
    }

    /// Counts a run that did not.
    pub fn failed(&mut self) {
        self.runs += 1;
        self.failed += 1;
    }

    /// How many went wrong.
    pub fn failures(&self) -> usize {
        self.failed
    }

    /// One line.
    pub fn line(&self) -> String {
        let (kind, behind) =
            (format!("{:?}", self.kind).to_lowercase(), format!("{:?}", self.behind).to_lowercase());
        format!(
            "{kind:<8} {behind:<8} {:>4} runs, {:>3} failed, {:>4} in the middle of a turn, {:>5} messages each there once ({} sent again), \
             back after {} ms (median), {} ms (worst)",
            self.runs,
            self.failed,
            self.in_turn,
            self.messages,
            self.resent,
            self.share(50),
            self.share(100),
        )
    }

    /// The recovery that so many of a hundred did not exceed, milliseconds.
    fn share(&self, hundredths: usize) -> u128 {
        let mut sorted = self.recoveries.clone();
        sorted.sort_unstable();
        let at = (sorted.len() * hundredths).div_ceil(100).saturating_sub(1);
        sorted.get(at).map_or(0, Duration::as_millis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Outcome;

    #[test]
    fn the_line_has_the_figures() {
        let mut figures = Figures::new(Kind::Adapter, Behind::Demo);
        for ms in [30, 10, 20] {
            let outcome = Outcome {
                messages: 2,
                resent: 1,
                in_turn: ms > 10,
                recovery: Duration::from_millis(ms),
                log: Vec::new(),
            };
            figures.went_well(&outcome);
        }
        figures.failed();
        let line = figures.line();
        for part in [
            "adapter",
            "demo",
            "4 runs",
            "1 failed",
            "2 in the middle",
            "6 messages",
            "3 sent again",
            "20 ms (median)",
            "30 ms (worst)",
        ] {
            assert!(line.contains(part), "{line}");
        }
    }
}

//! Why a stream goes quiet or is cut, and which setting of Hermes decides it.
//!
//! Hermes guards a stream with many timers whose effective value is the end of a chain of rules. [`timers`] follows the chain,
//! [`doctor`] reads a configuration and names its traps, [`said`] knows what Hermes says of a stream meanwhile,
//! [`log`] reads what it wrote down afterwards, [`record`] says what cut each streamed reply.
//! [`quiet`] says of a running turn how silent it is and what it waits for, [`trouble`] what a notice means for that.
//! Nothing here knows a clock or a file: text and numbers in, explanations out.
//! The rules are those of Hermes Agent 0.22.2, most of them executed there (`tests/fixtures/stall`); [`Versions`] says so of each.

pub mod doctor;
pub mod log;
pub mod quiet;
pub mod record;
pub mod said;
pub mod timers;
pub mod trouble;

use serde::{Deserialize, Serialize};

/// How a rule came to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// Hermes' own code was run and gave this answer.
    Executed,
    /// Seen in a recorded run.
    Observed,
    /// Read in Hermes' source.
    Read,
    /// From a description of Hermes; nobody could check it.
    Described,
}

/// Which Hermes a rule is true for, and how that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// The versions, in words: `0.22.2`, or `after 0.22.2`.
    pub hermes: String,
    /// How it is known.
    pub evidence: Evidence,
}

impl Versions {
    fn of(evidence: Evidence) -> Self {
        Self { hermes: "0.22.2".to_owned(), evidence }
    }

    /// What only a later Hermes has, as its description says.
    fn later() -> Self {
        Self { hermes: "after 0.22.2".to_owned(), evidence: Evidence::Described }
    }
}

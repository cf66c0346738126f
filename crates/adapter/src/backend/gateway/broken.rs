//! A stream that broke off and what Hermes does next. In a chat Hermes keeps its lines about that to itself until the turn
//! fails, and drops them when it recovers; its hooks tell of each stream when it ends. So the reader hears it from here:
//! when another stream begins, for only then is it known that Hermes asks again.
//!
//! Nothing is said where something else said it already (a line of Hermes'), or where the user broke in, because a stream
//! that is cut for a new message ends with an error too.

use iris_core::format;
use iris_core::protocol::frame::{Facts, Level};
use iris_core::stall::record::{CutBy, cut_by};
use iris_core::stall::trouble::{ASKED_AGAIN, Kind};

use super::status::Status;

/// The most of an error that is shown, in characters.
const MAX_ERROR: usize = 300;

/// The streams of a turn, as far as they break off.
#[derive(Debug, Default)]
pub(super) struct Broken {
    /// When the newest began.
    began_ms: u64,
    /// How it broke off, while nobody has told that.
    untold: Option<Break>,
    /// How many broke off in a row.
    in_a_row: u32,
}

#[derive(Debug)]
struct Break {
    ran_ms: u64,
    error: String,
}

impl Broken {
    /// A stream begins. What there is to tell, if the one before it broke off; `spoke_ms` is when the user last spoke.
    pub(super) fn begins(&mut self, t_ms: u64, spoke_ms: Option<u64>) -> Option<Status> {
        let began_ms = std::mem::replace(&mut self.began_ms, t_ms);
        let broke = self.untold.take()?;
        if spoke_ms.is_some_and(|spoke_ms| spoke_ms > began_ms) {
            return None;
        }
        Some(told(&broke, self.in_a_row.saturating_add(1)))
    }

    /// It ends.
    pub(super) fn ends(&mut self, t_ms: u64, error: Option<&str>) {
        let Some(error) = error else {
            (self.untold, self.in_a_row) = (None, 0);
            return;
        };
        self.in_a_row = self.in_a_row.saturating_add(1);
        self.untold = Some(Break { ran_ms: t_ms.saturating_sub(self.began_ms), error: error.to_owned() });
    }

    /// Hermes says something of this code itself.
    pub(super) fn hermes_says(&mut self, code: &str) {
        if Kind::of(code).is_some_and(Kind::is_trouble) {
            self.untold = None;
        }
    }
}

fn told(broke: &Break, attempt: u32) -> Status {
    // Its own word for a stream that its watchdog cut.
    let by_hermes = broke.error.contains("superseded");
    let what = match cut_by(&broke.error) {
        _ if by_hermes => "Hermes cut the stream".to_owned(),
        Some(CutBy::Dropped) => "The connection to the model broke off".to_owned(),
        Some(CutBy::Timeout) => "The connection to the model timed out".to_owned(),
        Some(CutBy::Unreachable) => "The model could not be reached".to_owned(),
        Some(CutBy::Provider) => "The provider answered with an error".to_owned(),
        Some(CutBy::Malformed) => "The model's answer could not be read".to_owned(),
        Some(by @ (CutBy::Stale | CutBy::Watchdog | CutBy::Cap)) => {
            format!("The model's answer was cut by {}", by.words())
        }
        _ => "The model's answer broke off".to_owned(),
    };
    let after = u32::try_from(broke.ran_ms / 1_000).ok().filter(|seconds| *seconds > 0);
    let span =
        after.map_or(String::new(), |seconds| format!(" after {}", format::duration(f64::from(seconds))));
    let then = if by_hermes { " and asks again" } else { ". Hermes asks again" };
    let which = if attempt > 2 { format!(" (attempt {attempt})") } else { String::new() };
    Status {
        level: Level::Warning,
        code: ASKED_AGAIN,
        text: format!("{what}{span}{then}{which}."),
        detail: Some(format::one_line(&broke.error, MAX_ERROR)),
        facts: Facts { after, attempt: Some(attempt), ..Facts::default() },
    }
}

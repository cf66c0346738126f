//! The numbers of a line: each is found by the words in front of it.

use crate::protocol::frame::Facts;

/// Where a number stands, by the words before it, and what it counts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    /// Seconds without a sign of life.
    Silent(&'static str),
    /// The same in minutes.
    SilentMinutes(&'static str),
    /// Seconds that it had run.
    After(&'static str),
    /// Minutes that it had run.
    AfterMinutes(&'static str),
    /// Seconds until Hermes acts.
    Next(&'static str),
    /// The same in minutes.
    NextMinutes(&'static str),
    /// How many there were.
    Attempt(&'static str),
    /// `n/m`: which of how many.
    Pair(&'static str),
}

/// Reads them.
pub(super) fn read(line: &str, numbers: &[Number]) -> Facts {
    let mut facts = Facts::default();
    for number in numbers {
        match *number {
            Number::Silent(words) => facts.silent = after(line, words),
            Number::SilentMinutes(words) => facts.silent = seconds(after(line, words)),
            Number::After(words) => facts.after = after(line, words),
            Number::AfterMinutes(words) => facts.after = seconds(after(line, words)),
            Number::Next(words) => facts.next = after(line, words),
            Number::NextMinutes(words) => facts.next = seconds(after(line, words)),
            Number::Attempt(words) => facts.attempt = after(line, words),
            Number::Pair(words) => {
                if let Some((attempt, of)) = pair(line, words) {
                    facts.attempt = Some(attempt);
                    facts.of = Some(of);
                }
            }
        }
    }
    facts
}

/// The watchdog that a line names: `… (auto-reconnect: LABEL watchdog in 12s)`.
pub(super) fn watchdog(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("auto-reconnect: ")?;
    let (label, _) = rest.split_once(" watchdog")?;
    let name = match label {
        "stream stale" => "stale",
        "wall-clock stale" => "call",
        "TTFB" => "first_event",
        "first progress" => "progress",
        "stream idle" => "idle",
        _ => return None,
    };
    Some(name.to_owned())
}

fn seconds(minutes: Option<u32>) -> Option<u32> {
    minutes?.checked_mul(60)
}

/// The whole number that follows the first place where these words are followed by one. What comes after a decimal point
/// is dropped.
fn after(line: &str, words: &str) -> Option<u32> {
    line.match_indices(words).find_map(|(at, _)| whole(line.get(at..)?.strip_prefix(words)?))
}

fn whole(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.get(..end)?.parse().ok()
}

fn pair(line: &str, words: &str) -> Option<(u32, u32)> {
    line.match_indices(words).find_map(|(at, _)| {
        let rest = line.get(at..)?.strip_prefix(words)?;
        let (attempt, of) = rest.split_once('/')?;
        Some((attempt.parse().ok()?, whole(of)?))
    })
}

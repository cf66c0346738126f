//! What Iris promises, and whether the figures of this run keep it.

use crate::{
    figures::{Figures, Lead, Watched},
    peers,
    table::{Table, number},
};

/// At most so many times the script time of the floor, on the mixed texts.
const OF_FLOOR: f64 = 1.5;
/// Ahead of every exact renderer at least so many times.
pub const AHEAD: f64 = 10.0;
/// The last third of the frames may cost so many times the first.
const SLOPE: f64 = 1.2;
/// Milliseconds of the longest frame.
const FRAME: f64 = 8.0;

/// The medians of everybody on one text, by name, with Iris among them.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The text.
    pub trace: &'static str,
    /// Whose figures.
    pub figures: Vec<(&'static str, Figures)>,
    /// The next exact renderer, and by how much Iris is ahead of it in `write`.
    pub ahead: Option<(&'static str, Lead)>,
    /// What was seen of Iris' DOM.
    pub watched: Option<Watched>,
}

impl Standing {
    fn of(&self, name: &str) -> Option<Figures> {
        self.figures.iter().find(|(peer, _)| *peer == name).map(|(_, figures)| *figures)
    }
}

/// One line for each text: the figure and whether it is what was promised.
pub fn table(normal: &[Standing], slow: &[Standing]) -> Table {
    let mut table = Table::new(&[
        "Text",
        "script ÷ streaming-markdown",
        "ahead of the next exact renderer",
        "last third ÷ first",
        "longest frame, 1×",
        "long tasks, 4×",
        "settled blocks made again",
        "equal to one-shot",
        "main thread ÷ streaming-markdown",
    ]);
    for standing in normal {
        let slow = slow.iter().find(|other| other.trace == standing.trace);
        table.add(row(standing, slow));
    }
    table
}

fn row(standing: &Standing, slow: Option<&Standing>) -> Vec<String> {
    let none = || "–".to_owned();
    let iris = standing.of(peers::IRIS);
    let floor = standing.of(peers::FLOOR).zip(iris).map(|(floor, iris)| iris.script / floor.script);
    let task = standing.of(peers::FLOOR).zip(iris).map(|(floor, iris)| iris.task / floor.task);
    let mixed = standing.trace.starts_with("mixed");
    let blocking = slow.and_then(|slow| slow.of(peers::IRIS)).map(|iris| iris.blocking);
    vec![
        standing.trace.to_owned(),
        // Promised for the mixed texts alone.
        floor.map_or_else(none, |ratio| {
            if mixed { judged(ratio, ratio <= OF_FLOOR, "×") } else { format!("{}×", number(ratio)) }
        }),
        standing.ahead.map_or_else(none, |(name, lead)| format!("{} ({name})", ahead(lead))),
        iris.map_or_else(none, |iris| {
            let slope = iris.write_last / iris.write_first;
            judged(slope, slope <= SLOPE, "×")
        }),
        iris.map_or_else(none, |iris| judged(iris.longest, iris.longest <= FRAME, " ms")),
        blocking.map_or_else(none, |blocking| {
            if blocking > 0.0 { format!("{} ms ✗", number(blocking)) } else { "none ✓".to_owned() }
        }),
        standing.watched.as_ref().map_or_else(none, |seen| {
            format!("{} {}", seen.recreated, if seen.recreated == 0 { "✓" } else { "✗" })
        }),
        standing.watched.as_ref().map_or_else(none, |seen| {
            if seen.difference.is_none() { "✓".to_owned() } else { "✗".to_owned() }
        }),
        task.map_or_else(none, |ratio| format!("{}×", number(ratio))),
    ]
}

/// A renderer that was stopped before its end, and is not that far behind by then, proves nothing either way.
fn ahead(Lead { times, at_least }: Lead) -> String {
    match (times >= AHEAD, at_least) {
        (true, true) => format!("≥ {}× ✓", number(times)),
        (false, true) => format!("≥ {}× ?", number(times)),
        (kept, false) => judged(times, kept, "×"),
    }
}

fn judged(value: f64, kept: bool, unit: &str) -> String {
    format!("{}{unit} {}", number(value), if kept { "✓" } else { "✗" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(trace: &'static str, iris: Figures, ahead: f64) -> Standing {
        let figures =
            vec![(peers::IRIS, iris), (peers::FLOOR, Figures { script: 10.0, ..Figures::default() })];
        let ahead = Lead { times: ahead, at_least: false };
        Standing { trace, figures, ahead: Some(("marked", ahead)), watched: None }
    }

    fn check(iris: Figures, ahead: f64, expected: [&str; 5]) {
        let cells = row(&standing("mixed-17k", iris, ahead), Some(&standing("mixed-17k", iris, ahead)));
        assert_eq!(cells.get(1..6).unwrap(), expected);
    }

    #[test]
    fn who_was_stopped_is_behind_by_at_least_so_much() {
        for (times, at_least, expected) in [
            (12.0, true, "≥ 12.0× ✓"),
            (12.0, false, "12.0× ✓"),
            (7.0, true, "≥ 7.00× ?"),
            (7.0, false, "7.00× ✗"),
        ] {
            assert_eq!(ahead(Lead { times, at_least }), expected);
        }
    }

    #[test]
    fn what_is_promised_is_judged_by_the_figures() {
        let good = Figures {
            script: 12.0,
            per_kb: 1.0,
            write_first: 1.0,
            write_last: 1.1,
            longest: 7.0,
            ..Figures::default()
        };
        check(good, 10.0, ["1.20× ✓", "10.0× ✓ (marked)", "1.10× ✓", "7.00 ms ✓", "none ✓"]);
        let bad = Figures {
            script: 16.0,
            per_kb: 1.0,
            write_first: 1.0,
            write_last: 1.3,
            longest: 9.0,
            blocking: 3.0,
            ..Figures::default()
        };
        check(bad, 9.0, ["1.60× ✗", "9.00× ✗ (marked)", "1.30× ✗", "9.00 ms ✗", "3.00 ms ✗"]);
    }
}

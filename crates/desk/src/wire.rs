//! What the page and its worker tell each other beside the frames: orders one way, reports the other, each a line of JSON in
//! a message. Both ends are this program, of the same build.

use iris_core::run::{Speed, Summary};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// What the page wants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "order")]
pub enum Order {
    /// Read the files that come with the message.
    Open,
    /// Talk to the app over the port that comes with the message.
    Connect,
    /// Let the clock run.
    Play,
    /// Stop it.
    Pause,
    /// Play at another speed.
    Speed {
        /// Which.
        speed: Speed,
    },
    /// Go to a played time.
    Seek {
        /// Played milliseconds.
        to_ms: u64,
    },
    /// Go to the next or the last tool.
    Tool {
        /// The next one.
        forward: bool,
    },
}

/// What the worker says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "report")]
pub enum Report {
    /// It listens from now on.
    Ready,
    /// A file is no run, or cannot be read: a sentence says why.
    Refused {
        /// The file's name.
        name: String,
        /// Why.
        why: String,
    },
    /// A file is a run, and stands in the list of chats.
    Accepted,
    /// The app asks for another run.
    Wanted,
    /// The last run was taken away.
    Empty,
    /// How the run on screen stands.
    State(State),
    /// What the strip shows.
    Strip(Strip),
    /// What it came to.
    Summary(Box<Summary>),
}

/// How the run on screen stands at a moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Its name.
    pub title: String,
    /// Where the player stands, played milliseconds.
    pub position_ms: u64,
    /// How long it plays, as far as the file is read.
    pub end_ms: u64,
    /// How long it took when it was recorded.
    pub recorded_ms: u64,
    /// The clock runs.
    pub playing: bool,
    /// How fast.
    pub speed: Speed,
    /// The file is read.
    pub complete: bool,
    /// Bytes of the file that are read, and all of them.
    pub read: (u64, u64),
    /// Why the rest of the file cannot be read.
    pub trouble: Option<String>,
}

impl State {
    /// How much of the file is read, in hundredths.
    pub fn percent(&self) -> u64 {
        let (read, size) = self.read;
        read.min(size).saturating_mul(100).checked_div(size).unwrap_or(100)
    }
}

/// What the strip shows, in thousandths of the played time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Strip {
    /// Of each slice of the time, how much of it text came in, in hundredths.
    pub text: Vec<u8>,
    /// Where tools ran: from, to.
    pub tools: Vec<(u32, u32)>,
    /// Where tools ran that failed.
    pub failed: Vec<(u32, u32)>,
    /// The silences that are played shorter: from, to.
    pub gaps: Vec<(u32, u32)>,
    /// What each of them was.
    pub silences: Vec<Silence>,
    /// How many tools there are, and how many failed.
    pub tool_count: (usize, usize),
    /// The beginnings of the first tools, played milliseconds, and their names.
    pub names: Vec<(u64, String)>,
}

/// A silence that is played shorter than it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Silence {
    /// When it begins, played milliseconds.
    pub from_ms: u64,
    /// How long it was, milliseconds.
    pub recorded_ms: u64,
    /// What was waited for.
    pub wait: String,
}

/// One message.
pub fn write(value: &impl Serialize) -> String {
    // It fails only for maps whose keys are no strings: there are none.
    serde_json::to_string(value).unwrap_or_default()
}

/// One message; `None` for anything else.
pub fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for order in [Order::Open, Order::Speed { speed: Speed::Tenfold }, Order::Seek { to_ms: 7 }] {
            assert_eq!(read::<Order>(&write(&order)), Some(order));
        }
        let strip = Strip { tools: vec![(0, 10)], text: vec![3], ..Strip::default() };
        for report in [Report::Ready, Report::Strip(strip), Report::Summary(Box::default())] {
            assert_eq!(read::<Report>(&write(&report)), Some(report));
        }
        assert_eq!(read::<Order>("{}"), None);
    }
}

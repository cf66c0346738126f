//! What the agent is doing, as the newest rows tell it, in words for the eye and the ear. How long it has been silent at
//! it is `stall::quiet`.

use super::item::{Item, ItemKind, Phase, ToolState};
use crate::format::visible;

/// What the agent is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Activity {
    /// Nothing: no turn runs.
    #[default]
    Idle,
    /// A turn runs, and nothing more is known.
    Working,
    /// Reasoning arrives.
    Reasoning,
    /// An answer arrives.
    Answering,
    /// One tool runs.
    Tool(String),
    /// Several tools run.
    Tools(usize),
    /// It waits for the user.
    Asking,
    /// A turn ran when the connection went.
    OutOfSight,
}

/// As much of a row as tells what the agent is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Glimpse {
    /// The user's words: what stands above them is over.
    Ground,
    /// Something is under way in it.
    Doing(Activity),
    /// Nothing is.
    Nothing,
}

impl Activity {
    /// What the rows of a running turn tell, the newest of them first.
    pub fn newest(rows: &mut dyn Iterator<Item = Glimpse>) -> Self {
        for row in rows {
            match row {
                Glimpse::Ground => break,
                Glimpse::Doing(activity) => return activity,
                Glimpse::Nothing => {}
            }
        }
        Self::Working
    }

    /// The same for rows as data; `running`: a turn runs.
    pub fn of(items: &[Item], running: bool) -> Self {
        let mut rows = items.iter().rev().map(|item| glimpse(&item.kind));
        if running { Self::newest(&mut rows) } else { Self::Idle }
    }

    /// What the running ones of these tools are; `None` when none runs.
    pub fn tools(running: &mut dyn Iterator<Item = &str>) -> Option<Self> {
        let first = running.next()?;
        Some(match running.count() {
            0 => Self::Tool(first.to_owned()),
            more => Self::Tools(more + 1),
        })
    }

    /// A sentence without its full stop; empty when nothing happens.
    pub fn words(&self) -> String {
        match self {
            Self::Idle => String::new(),
            Self::Working => "Hermes is working".to_owned(),
            Self::Reasoning => "Hermes is reasoning".to_owned(),
            Self::Answering => "Hermes is answering".to_owned(),
            Self::Tool(name) => format!("Running {}", visible(name)),
            Self::Tools(count) => format!("Running {count} tools"),
            Self::Asking => "Hermes waits for your answer".to_owned(),
            Self::OutOfSight => "The connection was lost in mid-turn".to_owned(),
        }
    }

    /// Whether the agent itself is at work, as far as can be seen.
    pub fn is_work(&self) -> bool {
        !matches!(self, Self::Idle | Self::Asking | Self::OutOfSight)
    }

    /// Whether tools run.
    pub fn is_tool(&self) -> bool {
        matches!(self, Self::Tool(_) | Self::Tools(_))
    }
}

fn glimpse(kind: &ItemKind) -> Glimpse {
    let doing = match kind {
        ItemKind::User(_) => return Glimpse::Ground,
        ItemKind::Tools(tools) => {
            let running = tools.iter().filter(|tool| tool.state == ToolState::Running);
            Activity::tools(&mut running.map(|tool| tool.name.as_str()))
        }
        ItemKind::Ask(ask) => ask.outcome.is_none().then_some(Activity::Asking),
        ItemKind::Answer(answer) if answer.phase == Phase::Streaming => {
            match (answer.text.is_empty(), answer.reasoning_live) {
                (false, _) => Some(Activity::Answering),
                (true, true) => Some(Activity::Reasoning),
                (true, false) => None,
            }
        }
        _ => None,
    };
    doing.map_or(Glimpse::Nothing, Glimpse::Doing)
}

//! [`Index`]: what is known of a file without holding any of its text. Owns what the strip shows (turns, tools, texts, gaps)
//! and what is wrong with the file; `checkpoint.rs` owns the places from which playing can begin.

use std::sync::Arc;

use super::checkpoint::Checkpoints;
use super::kind::{Format, Refusal};
use super::time::GAP_PLAYED_MS;
use crate::ids::ToolIndex;
use crate::jsonl::Problem;
use crate::protocol::frame::TurnStatus;

/// So many damaged lines are listed; the rest is only counted.
pub const MAX_DAMAGE: usize = 1_000;

/// So many spans of one sort are kept; the rest is only counted. More could not be drawn apart.
pub const MAX_SPANS: usize = 50_000;

/// A line that was skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Its number, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub problem: Problem,
}

/// A turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// When it begins, played milliseconds.
    pub from_ms: u64,
    /// When it ends; `None` while it has not been seen to.
    pub to_ms: Option<u64>,
    /// How it ended. One without its end in the file is [`TurnStatus::Lost`] once the file is read.
    pub status: Option<TurnStatus>,
    /// Its model.
    pub model: Option<String>,
}

/// A tool call, for the strip. What it did is in the transcript, not here.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpan {
    /// The tool.
    pub name: Arc<str>,
    /// Its turn, counted from 0.
    pub turn: usize,
    /// Its number within that turn.
    pub index: ToolIndex,
    /// When it begins, played milliseconds.
    pub from_ms: u64,
    /// When it ends; `None` while it has not been seen to.
    pub to_ms: Option<u64>,
    /// Whether it worked; `None` when nobody says.
    pub ok: Option<bool>,
    /// How long it really took, milliseconds: as Hermes measured it, otherwise between the two lines. Shortened gaps
    /// change the span, never this.
    pub duration_ms: Option<u64>,
}

/// A text that grows, for the strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextSpan {
    /// When it begins, played milliseconds.
    pub from_ms: u64,
    /// When it last grew.
    pub to_ms: u64,
}

/// What was waited for in a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// The model: a turn runs, and no tool.
    Model,
    /// This tool, the oldest that runs.
    Tool(Arc<str>),
    /// Nothing: no turn runs.
    Nobody,
}

/// A silence that is played shorter than it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// When it begins, played milliseconds. It takes [`GAP_PLAYED_MS`].
    pub from_ms: u64,
    /// How long it was, milliseconds.
    pub recorded_ms: u64,
    /// What for.
    pub wait: Wait,
}

/// What is known of a file so far.
#[derive(Clone, Debug)]
pub struct Index {
    /// How its lines are read, once a line has told.
    pub format: Option<Format>,
    /// Why it cannot be played.
    pub refusal: Option<Refusal>,
    /// How much was read, bytes.
    pub bytes: u64,
    /// Everything was read.
    pub complete: bool,
    /// How many lines were complete.
    pub lines: u64,
    /// The first [`MAX_DAMAGE`] lines that were skipped.
    pub damaged: Vec<Damage>,
    /// How many were skipped in all.
    pub damaged_count: u64,
    /// The title that an export carries.
    pub title: Option<String>,
    /// When the recording began, milliseconds since 1970, if the file says so.
    pub began_ms: Option<u64>,
    /// The turns.
    pub turns: Vec<Turn>,
    /// The tools, in the order of their beginning.
    pub tools: Vec<ToolSpan>,
    /// The texts.
    pub texts: Vec<TextSpan>,
    /// The silences that are played shorter.
    pub gaps: Vec<Gap>,
    /// How many spans there were no room for.
    pub left_out: u64,
    /// How long it plays, milliseconds.
    pub end_ms: u64,
    /// How long it was, milliseconds.
    pub recorded_ms: u64,
    pub(super) points: Checkpoints,
}

impl Index {
    pub(super) fn new(spacing: u64) -> Self {
        Self {
            format: None,
            refusal: None,
            bytes: 0,
            complete: false,
            lines: 0,
            damaged: Vec::new(),
            damaged_count: 0,
            title: None,
            began_ms: None,
            turns: Vec::new(),
            tools: Vec::new(),
            texts: Vec::new(),
            gaps: Vec::new(),
            left_out: 0,
            end_ms: 0,
            recorded_ms: 0,
            points: Checkpoints::new(spacing),
        }
    }

    /// The gap that this played time lies in.
    pub fn gap_at(&self, played_ms: u64) -> Option<&Gap> {
        let gap = self.gaps.get(self.gaps_before(played_ms).checked_sub(1)?)?;
        (played_ms < gap.from_ms + GAP_PLAYED_MS).then_some(gap)
    }

    /// The time of the run at this played time, milliseconds since it began.
    pub fn recorded_at(&self, played_ms: u64) -> u64 {
        let begun = self.gaps.get(..self.gaps_before(played_ms)).unwrap_or_default();
        begun.iter().fold(played_ms, |at, gap| {
            let inside = (played_ms - gap.from_ms).min(GAP_PLAYED_MS);
            let extra = u128::from(gap.recorded_ms - GAP_PLAYED_MS) * u128::from(inside);
            let extra = u64::try_from(extra / u128::from(GAP_PLAYED_MS)).unwrap_or(u64::MAX);
            at.saturating_add(extra)
        })
    }

    /// When the turn began that runs at this played time, milliseconds of the run.
    pub(super) fn turn_began(&self, played_ms: u64) -> u64 {
        let before = self.turns.partition_point(|turn| turn.from_ms <= played_ms);
        let turn = before.checked_sub(1).and_then(|nth| self.turns.get(nth));
        self.recorded_at(turn.map_or(played_ms, |turn| turn.from_ms))
    }

    fn gaps_before(&self, played_ms: u64) -> usize {
        self.gaps.partition_point(|gap| gap.from_ms <= played_ms)
    }

    /// How many places there are from which playing can begin.
    pub fn places(&self) -> usize {
        self.points.len()
    }
}

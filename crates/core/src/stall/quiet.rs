//! How long a running turn has been silent, what it waits for, when something will be done about it, and what the reader
//! can do meanwhile. From frames and times only, milliseconds of the caller's clock; the one place of the words for it.
//!
//! # Decisions
//!
//! * **A sign of life** is whatever Hermes says of the running turn: text, reasoning, a tool, a remark, a question, a
//!   notice. `typing` is none: Hermes' gateway says it by a timer, whether the agent lives or not. What the user says, an
//!   acknowledgement, a queued message are none: they come from elsewhere.
//! * **Ten seconds** of silence are nothing to speak of ([`SPEAK_MS`]): models think. A *tool* may be silent for a minute
//!   ([`TOOL_MS`]): it says nothing by nature, and how long it runs stands there all the while. After half a minute
//!   ([`ADVISE_MS`]) the line also says what can be done.
//! * **What Hermes itself says it waits for** holds until the turn shows work again. What it says it *does* about a silence
//!   is shown once it has stood for a second ([`SETTLE_MS`]): the gateway keeps such lines back and sends all of them when
//!   the turn fails, just before its end, where they are no news.
//! * **History has no times.** What a sync brings was said some time before: no countdown is made of it, the time a turn
//!   took is not told, and the silence is counted from the sync's end, which is true as far as it goes.
//! * **A recording has times**, those of its history too, which its player tells; the silence is that of the run, however
//!   fast it is played and however short its gaps are made. The line says that it is recorded, and advises nothing.
//! * A question waits for the user, not for Hermes: its silence is not counted. Without a connection nothing is known.

use super::trouble::Kind;
use crate::format::{self, visible};
use crate::protocol::ServerFrame;
use crate::protocol::frame::Facts;
use crate::timeline::Activity;

/// Silence that is worth a word.
pub const SPEAK_MS: u64 = 10_000;
/// The same while a tool runs.
pub const TOOL_MS: u64 = 60_000;
/// After so much silence the line says what can be done.
pub const ADVISE_MS: u64 = 30_000;
/// What stands before the line of a recording: nothing of it happens now.
const RECORDED: &str = "Recorded: ";
/// What Hermes says it does about a silence is shown when it is that old.
pub const SETTLE_MS: u64 = 1_000;

/// When a chat's running turn was heard of, and what it said it waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    running: bool,
    syncing: bool,
    /// When the turn began; unknown when its beginning came with a history.
    began_ms: Option<u64>,
    heard_ms: u64,
    /// What Hermes said it waits for, and when; unknown when that came with a history.
    said: Option<(Said, Option<u64>)>,
    /// It takes the place of another that is shown, so it need not stand for a while first.
    at_once: bool,
    /// A message of the user waits for the turn's end.
    queued: bool,
    /// It is a recording: its history comes with the times at which it happened, and nothing can be done about it.
    recorded: bool,
}

/// What Hermes said it waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// What that is.
    pub kind: Kind,
    /// The numbers beside it.
    pub facts: Facts,
    /// The model that is waited for, if the notice named it.
    pub model: Option<String>,
    /// The model has said nothing at all.
    pub first: bool,
}

/// A silent turn at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quiet {
    /// What it waits for.
    pub waits_for: WaitsFor,
    /// Since the last sign of life, milliseconds; with [`WaitsFor::Provider`] of what Hermes waits for.
    pub silent_ms: u64,
    /// When something will be done about it, if Hermes said so, milliseconds from now.
    pub acts_in_ms: Option<u64>,
    /// A message of the user waits for the turn's end.
    pub queued: bool,
    /// It is a recording.
    pub recorded: bool,
}

/// What a silent turn waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitsFor {
    /// Nobody said; this is what it was seen doing last.
    Nothing(Activity),
    /// What Hermes said.
    Provider(Said),
}

/// What the reader can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Can {
    /// Wait.
    Wait,
    /// Stop the turn.
    Stop,
    /// Answer the question.
    Answer,
    /// Try the connection now.
    Reconnect,
}

/// The line by the composer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// What happens; empty when nothing does.
    pub what: String,
    /// How long, and what follows from it; empty, or with its separator in front.
    pub how_long: String,
    /// What a screen reader is told: changes only when something else happens.
    pub aloud: String,
    /// Something is under way, and may be drawn moving.
    pub moves: bool,
}

impl Watch {
    /// Of a recording that is played: every frame comes with the time at which it happened, those of a sync too.
    pub fn of_recording() -> Self {
        Self { recorded: true, ..Self::default() }
    }

    /// Takes a frame of the chat, `running` as the timeline has it after that frame. True when something else may have to
    /// be said at once; otherwise the next second is soon enough.
    pub fn frame(&mut self, frame: &ServerFrame, running: bool, now_ms: u64) -> bool {
        let spoke = self.said.is_some() || now_ms.saturating_sub(self.heard_ms) >= SPEAK_MS;
        match frame {
            ServerFrame::SyncBegin { reset, .. } => {
                if *reset {
                    *self = Self { recorded: self.recorded, ..Self::default() };
                }
                self.syncing = true;
            }
            ServerFrame::SyncEnd => {
                self.syncing = false;
                if !self.recorded {
                    self.heard_ms = now_ms;
                }
            }
            _ => {}
        }
        let turned = self.running(running, now_ms);
        let heard = running && self.hear(frame, now_ms);
        let synced = matches!(frame, ServerFrame::SyncEnd);
        turned || synced || (spoke && heard) || self.said.is_some()
    }

    /// The timeline has this to say of its turn, without a frame. True as with `frame`.
    pub fn running(&mut self, running: bool, now_ms: u64) -> bool {
        let turned = running != self.running;
        if turned {
            self.turn(running, now_ms);
        }
        turned
    }

    /// A turn begins or ends.
    fn turn(&mut self, running: bool, now_ms: u64) {
        let began_ms = self.known(now_ms).filter(|_| running);
        let Self { syncing, recorded, .. } = *self;
        *self = Self { running, syncing, recorded, began_ms, heard_ms: now_ms, ..Self::default() };
    }

    /// When something happened that is told now.
    fn known(&self, now_ms: u64) -> Option<u64> {
        (self.recorded || !self.syncing).then_some(now_ms)
    }

    /// Whether this is a sign of life.
    fn hear(&mut self, frame: &ServerFrame, now_ms: u64) -> bool {
        match frame {
            ServerFrame::Notice { code, .. } if code == "queued" => {
                self.queued = true;
                return false;
            }
            ServerFrame::Notice { code, text, facts, .. } => {
                if let Some(kind) = Kind::of(code) {
                    let settled = now_ms.saturating_sub(self.heard_ms) >= SETTLE_MS;
                    self.at_once = self.said.is_some() && (self.at_once || settled);
                    let said = Said::new(kind, text, facts);
                    self.said = (kind != Kind::Over).then(|| (said, self.known(now_ms)));
                } else if code != "working" {
                    self.said = None;
                }
            }
            ServerFrame::MessageStart { .. }
            | ServerFrame::MessageUpdate { .. }
            | ServerFrame::MessageAppend { .. }
            | ServerFrame::MessageStop { .. }
            | ServerFrame::Message { .. }
            | ServerFrame::ReasoningUpdate { .. }
            | ServerFrame::ReasoningAppend { .. }
            | ServerFrame::Commentary { .. }
            | ServerFrame::ToolStart { .. }
            | ServerFrame::ToolProgress { .. }
            | ServerFrame::ToolEnd { .. }
            | ServerFrame::Ask { .. }
            | ServerFrame::AskClosed { .. }
            | ServerFrame::File { .. }
            | ServerFrame::TurnStart { .. } => self.said = None,
            _ => return false,
        }
        self.heard_ms = now_ms;
        true
    }

    /// The turn's silence at this moment; `None` while there is nothing to say of it.
    pub fn quiet(&self, activity: &Activity, now_ms: u64) -> Option<Quiet> {
        if !self.running || self.syncing || !activity.is_work() {
            return None;
        }
        let silent_ms = now_ms.saturating_sub(self.heard_ms);
        let news = |said: &Said| self.at_once || said.kind.is_wait() || silent_ms >= SETTLE_MS;
        if let Some((said, at_ms)) = self.said.as_ref().filter(|(said, _)| news(said)) {
            let since = at_ms.map(|at| now_ms.saturating_sub(at));
            let from_then = |seconds: Option<u32>| Some((u64::from(seconds?) * 1_000, since?));
            let told = from_then(said.facts.silent).filter(|_| said.kind.is_wait());
            let due = from_then(said.facts.next).and_then(|(ms, since)| ms.checked_sub(since));
            return Some(Quiet {
                silent_ms: told.map_or(silent_ms, |(ms, since)| ms + since),
                acts_in_ms: due.filter(|ms| *ms > 0),
                waits_for: WaitsFor::Provider(said.clone()),
                queued: self.queued,
                recorded: self.recorded,
            });
        }
        let patience = if activity.is_tool() { TOOL_MS } else { SPEAK_MS };
        (silent_ms >= patience).then(|| Quiet {
            waits_for: WaitsFor::Nothing(activity.clone()),
            silent_ms,
            acts_in_ms: None,
            queued: self.queued,
            recorded: self.recorded,
        })
    }

    /// The line by the composer at this moment.
    pub fn line(&self, activity: &Activity, now_ms: u64) -> Line {
        let mut line = self.line_of(activity, now_ms);
        if self.recorded && !line.what.is_empty() {
            line.what.insert_str(0, RECORDED);
            line.aloud.insert_str(0, RECORDED);
        }
        line
    }

    fn line_of(&self, activity: &Activity, now_ms: u64) -> Line {
        if let Some(quiet) = self.quiet(activity, now_ms) {
            return quiet.line();
        }
        let ran_ms = self.began_ms.filter(|_| activity.is_work()).map(|began| now_ms.saturating_sub(began));
        Line {
            what: activity.words(),
            how_long: ran_ms.filter(|ms| *ms >= 1_000).map_or(String::new(), |ms| format!(" · {}", span(ms))),
            aloud: activity.words(),
            moves: activity.is_work(),
        }
    }
}

impl Said {
    fn new(kind: Kind, text: &str, facts: &Facts) -> Self {
        let named = text.split_once("waiting on ").and_then(|(_, rest)| Some(rest.split_once(" — ")?.0));
        Self {
            kind,
            facts: facts.clone(),
            model: named.map(str::to_owned),
            first: text.contains("for the first"),
        }
    }
}

impl Quiet {
    fn line(&self) -> Line {
        let what = self.what();
        let aloud = match &self.waits_for {
            WaitsFor::Nothing(activity) if !activity.is_tool() => "Hermes is silent".to_owned(),
            _ => what.clone(),
        };
        Line { what, how_long: self.how_long(), aloud, moves: self.moves() }
    }

    /// What it waits for: a sentence without its full stop, and without a time.
    pub fn what(&self) -> String {
        let said = match &self.waits_for {
            WaitsFor::Nothing(activity) => return activity.words(),
            WaitsFor::Provider(said) => said,
        };
        let words = match said.kind {
            Kind::Silent => {
                let model = said.model.as_deref().map_or("the model".into(), visible);
                return match said.first {
                    true => format!("Waiting for the first words of {model}"),
                    false => format!("Waiting for {model} to go on"),
                };
            }
            Kind::Loading => "The model reads the prompt",
            Kind::Reconnecting => "The provider fell silent, Hermes reconnects",
            Kind::Dropped => "The stream was dropped, Hermes reconnects",
            Kind::ToolCut => "The connection dropped in a tool call, Hermes reconnects",
            Kind::AskedAgain => "The stream broke off, Hermes asked again",
            Kind::Retrying => "The call failed, Hermes tries again",
            Kind::Recovering => "The provider does not answer, Hermes tries again",
            Kind::Capped => "The stream was cut at its longest time",
            Kind::KeepAlive => "Hermes tries again without streaming",
            Kind::Fallback => "Hermes turns to another model",
            Kind::Continuing => "Hermes asks the model to go on",
            Kind::Compacting => "Hermes shortens the conversation",
            Kind::SessionBusy => "Another Hermes uses this session",
            Kind::Stuck => "Hermes sees no activity and may be stuck",
            Kind::Over => "It failed",
        };
        let which = said.facts.attempt.zip(said.facts.of).map(|(n, of)| format!(" ({n} of {of})"));
        format!("{words}{}", which.unwrap_or_default())
    }

    /// For how long, what comes next and what can be done, each with ` · ` in front.
    fn how_long(&self) -> String {
        let kind = match &self.waits_for {
            WaitsFor::Nothing(_) => Kind::Silent,
            WaitsFor::Provider(said) => said.kind,
        };
        let tries = matches!(kind, Kind::Retrying | Kind::Recovering);
        let mut out = String::new();
        if self.silent_ms >= 1_000 && !(tries && self.acts_in_ms.is_some()) {
            let silent = if kind.is_wait() { "silent for " } else { "" };
            out.push_str(&format!(" · {silent}{}", span(self.silent_ms)));
        }
        if let Some(ms) = self.acts_in_ms {
            let acts = match kind {
                _ if tries => "in about",
                Kind::Stuck => "gives up in",
                _ => "reconnects in",
            };
            // Never 0: until then there is something left of the last second.
            out.push_str(&format!(" · {acts} {}", span(ms.saturating_add(999))));
        }
        if self.queued {
            out.push_str(" · your message is next");
        }
        if self.silent_ms >= ADVISE_MS && !self.moves() && !self.recorded {
            out.push_str(" · you can wait or stop");
        }
        out
    }

    /// Whether something is known to be under way. Nothing may be drawn moving on a guess.
    pub fn moves(&self) -> bool {
        match &self.waits_for {
            WaitsFor::Nothing(activity) => activity.is_tool(),
            WaitsFor::Provider(said) => !said.kind.is_wait(),
        }
    }
}

/// What the reader can do now.
pub fn can(activity: &Activity) -> &'static [Can] {
    match activity {
        Activity::Idle => &[],
        Activity::Asking => &[Can::Answer, Can::Stop],
        Activity::OutOfSight => &[Can::Reconnect],
        _ => &[Can::Wait, Can::Stop],
    }
}

/// How long a running tool takes, and how long ago it last said something, when that is worth a word. Both in
/// milliseconds; `None` when nobody knows, or it never said anything.
pub fn tool(running_ms: Option<u64>, noted_ms: Option<u64>) -> String {
    let running = running_ms.filter(|ms| *ms >= 1_000).map(span);
    let silent = noted_ms.filter(|ms| *ms >= ADVISE_MS).map(|ms| format!("silent for {}", span(ms)));
    [running, silent].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// Whole seconds that have passed.
fn span(ms: u64) -> String {
    format::duration((ms / 1_000) as f64)
}

#[cfg(test)]
mod tests;

//! What is on its way to Hermes: kept until Hermes has it, handed in again when the line was down. The plugin takes each
//! id once, so that handing in twice does no harm. Pure: who asks says what time it is.
//!
//! A message that is to wait for the running turn waits here and not in Hermes' own queue, which a `/stop` empties and
//! which dies with the gateway.

use std::{collections::VecDeque, time::Duration};

use iris_core::{ids::MessageId, protocol::frame::SendMode};
use tokio::time::Instant;

use super::super::bridge::Handed;
use super::spoken::{spoken, word};
use crate::backend::Said;

/// How long Hermes may leave a message that it has without taking it up, before the next one is handed in.
const TAKING_UP: Duration = Duration::from_secs(10);

/// The messages of one chat that Hermes does not have yet.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    waiting: VecDeque<Waiting>,
    /// A message was handed in that Hermes has not taken up yet.
    underway: Option<Underway>,
}

/// A message between being handed in and being worked on.
#[derive(Debug, PartialEq, Eq)]
struct Underway {
    id: String,
    /// When Hermes had it.
    taken: Option<Instant>,
}

#[derive(Debug)]
struct Waiting {
    what: What,
    handed: bool,
    /// The line was down when it was said: it breaks nothing off that it could not know of.
    patient: bool,
    /// The user was told that it waits.
    told: bool,
}

#[derive(Debug)]
enum What {
    /// A message of the user.
    Said(Said),
    /// A word to the running turn: an answer, `/stop`.
    Word { id: String, text: String },
}

/// What there is to do.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Due {
    /// What can be handed in.
    pub(super) handed: Vec<Handed>,
    /// How many messages wait for the running turn, as was asked for, that did not before.
    pub(super) queued: usize,
}

impl Waiting {
    fn id(&self) -> &str {
        match &self.what {
            What::Said(said) => &said.message_id.0,
            What::Word { id, .. } => id,
        }
    }

    /// Whether it lets a running turn come to its end first.
    fn gives_way(&self) -> bool {
        let What::Said(said) = &self.what else { return false };
        let queues = match said.mode {
            Some(SendMode::Queue) => true,
            // A steering word is text alone.
            Some(SendMode::Steer) => !said.files.is_empty(),
            Some(SendMode::Interrupt) => false,
            None => self.patient,
        };
        queues && !is_command(said)
    }
}

/// A command is answered beside the turn.
fn is_command(said: &Said) -> bool {
    said.text.starts_with('/')
}

impl Outbox {
    /// The user says something; `up`: the line is.
    pub(super) fn say(&mut self, said: Said, up: bool) {
        if !self.waiting.iter().any(|waiting| waiting.id() == said.message_id.0) {
            let what = What::Said(said);
            self.waiting.push_back(Waiting { what, handed: false, patient: !up, told: false });
        }
    }

    /// A word to what runs goes before what is only to be said next.
    pub(super) fn word(&mut self, id: String, text: String) {
        let at = self.waiting.iter().position(|waiting| !waiting.handed).unwrap_or(self.waiting.len());
        let what = What::Word { id, text };
        self.waiting.insert(at, Waiting { what, handed: false, patient: false, told: true });
    }

    /// What there is to do now that the line is up.
    pub(super) fn due(&mut self, chat: &str, working: bool, now: Instant) -> Due {
        if self.wake_at().is_some_and(|at| at <= now) {
            self.underway = None;
        }
        let mut due = Due::default();
        for waiting in self.waiting.iter_mut().filter(|waiting| !waiting.handed) {
            let busy = working || self.underway.is_some();
            if busy && waiting.gives_way() {
                let asked = matches!(&waiting.what, What::Said(said) if said.mode.is_some());
                due.queued += usize::from(asked && !std::mem::replace(&mut waiting.told, true));
                continue;
            }
            waiting.handed = true;
            due.handed.push(match &waiting.what {
                What::Word { id, text } => word(chat, id, text),
                What::Said(said) => spoken(chat, said, busy),
            });
            if let What::Said(said) = &waiting.what
                && !is_command(said)
            {
                self.underway = Some(Underway { id: said.message_id.0.clone(), taken: None });
            }
        }
        due
    }

    /// When to ask again though nothing has happened.
    pub(super) fn wake(&self) -> Option<Instant> {
        self.wake_at().filter(|_| self.waiting.iter().any(|waiting| !waiting.handed))
    }

    fn wake_at(&self) -> Option<Instant> {
        self.underway.as_ref()?.taken.map(|taken| taken + TAKING_UP)
    }

    /// Hermes has this message. The user's own is to be told to the hub.
    pub(super) fn taken(&mut self, id: &str, now: Instant) -> Option<MessageId> {
        if let Some(underway) = self.underway.as_mut().filter(|underway| underway.id == id) {
            underway.taken.get_or_insert(now);
        }
        let at = self.waiting.iter().position(|waiting| waiting.handed && waiting.id() == id)?;
        match self.waiting.remove(at)?.what {
            What::Said(said) => Some(said.message_id),
            What::Word { .. } => None,
        }
    }

    /// Hermes takes something up, or is done with it. What it does not have yet cannot be what it takes up.
    pub(super) fn began(&mut self) {
        self.underway.take_if(|underway| underway.taken.is_some());
    }

    /// The line is down: nobody knows what arrived.
    pub(super) fn down(&mut self) {
        for waiting in &mut self.waiting {
            waiting.patient |= !waiting.handed;
            waiting.handed = false;
        }
        self.underway.take_if(|underway| underway.taken.is_none());
    }

    /// The gateway that the words were for is gone.
    pub(super) fn forget_words(&mut self) {
        self.waiting.retain(|waiting| matches!(waiting.what, What::Said(_)));
        self.underway = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::SaidFile;

    fn said(id: &str, mode: Option<SendMode>) -> Said {
        Said { message_id: id.into(), text: format!("text {id}"), mode, ..Said::default() }
    }

    fn texts(due: Due) -> Vec<String> {
        due.handed.into_iter().map(|handed| handed.text).collect()
    }

    fn due(outbox: &mut Outbox, working: bool) -> Vec<String> {
        texts(outbox.due("c", working, Instant::now()))
    }

    #[test]
    fn a_message_is_handed_in_until_hermes_has_it() {
        let mut outbox = Outbox::default();
        outbox.say(said("1", None), true);
        outbox.say(said("1", None), true);
        assert_eq!(outbox.taken("1", Instant::now()), None, "it was not handed in");
        assert_eq!(due(&mut outbox, false), ["text 1"]);
        assert_eq!(due(&mut outbox, false), [""; 0]);
        outbox.down();
        assert_eq!(due(&mut outbox, false), ["text 1"]);
        assert_eq!(outbox.taken("1", Instant::now()), Some("1".into()));
        assert_eq!(outbox.taken("1", Instant::now()), None);
        outbox.down();
        assert_eq!(due(&mut outbox, false), [""; 0]);
    }

    #[test]
    fn what_waited_for_the_line_is_answered_one_after_the_other() {
        let mut outbox = Outbox::default();
        for id in ["1", "2"] {
            outbox.say(said(id, None), false);
        }
        assert_eq!(due(&mut outbox, false), ["text 1"]);
        outbox.taken("1", Instant::now());
        outbox.began();
        assert_eq!(due(&mut outbox, true), [""; 0], "the first is being answered");
        assert_eq!(due(&mut outbox, false), ["text 2"]);
    }

    #[test]
    fn a_mode_decides_what_happens_while_hermes_works() {
        use SendMode::{Interrupt, Queue, Steer};
        let file = SaidFile { path: "/f".into(), name: "f".to_owned(), media_type: "image/png".to_owned() };
        for (mode, files, expected) in [
            (None, 0, Some("text 1")),
            (Some(Interrupt), 0, Some("text 1")),
            (Some(Steer), 0, Some("/steer text 1")),
            (Some(Steer), 1, None),
            (Some(Queue), 0, None),
        ] {
            let mut outbox = Outbox::default();
            outbox.say(Said { files: vec![file.clone(); files], ..said("1", mode) }, true);
            let found = outbox.due("c", true, Instant::now());
            assert_eq!(found.queued, usize::from(expected.is_none()), "{mode:?} {files}");
            assert_eq!(texts(found), expected.into_iter().collect::<Vec<_>>(), "{mode:?} {files}");
            assert_eq!(outbox.due("c", true, Instant::now()), Due::default(), "told once");
            assert_eq!(due(&mut outbox, false).len(), usize::from(expected.is_none()), "{mode:?} {files}");
        }
    }

    #[test]
    fn a_queued_message_waits_for_one_that_is_underway_but_not_for_ever() {
        let mut outbox = Outbox::default();
        let now = Instant::now();
        outbox.say(said("1", None), true);
        outbox.due("c", false, now);
        outbox.say(said("2", Some(SendMode::Queue)), true);
        outbox.began();
        assert_eq!(outbox.wake(), None, "Hermes does not have it: what it takes up is something else");
        outbox.taken("1", now);
        assert_eq!(texts(outbox.due("c", false, now)), [""; 0]);
        assert_eq!(outbox.wake(), Some(now + TAKING_UP));
        assert_eq!(texts(outbox.due("c", false, now + TAKING_UP)), ["text 2"]);
    }

    #[test]
    fn a_word_to_what_runs_goes_first_and_dies_with_its_gateway() {
        let mut outbox = Outbox::default();
        outbox.say(said("1", Some(SendMode::Queue)), true);
        outbox.word("w1".to_owned(), "/stop".to_owned());
        assert_eq!(due(&mut outbox, true), ["/stop"]);
        outbox.down();
        outbox.forget_words();
        assert_eq!(due(&mut outbox, false), ["text 1"]);
    }

    #[test]
    fn a_command_never_waits_for_a_turn() {
        let mut outbox = Outbox::default();
        outbox.say(Said { text: "/status".to_owned(), ..said("1", Some(SendMode::Queue)) }, true);
        assert_eq!(due(&mut outbox, true), ["/status"]);
        assert_eq!(outbox.underway, None);
    }
}

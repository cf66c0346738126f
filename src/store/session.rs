//! The chat on screen: frames of any source (a socket, a recording) and this device's own messages, made into rows.
//! Knows no socket; decides nothing about what a chat shows, which `iris_core::timeline` does.

use iris_core::ids::{AskId, ClientId};
use iris_core::protocol::{Envelope, ServerFrame};
use iris_core::timeline::{ItemKind, Timeline};
use leptos::prelude::WithUntracked;

use super::apply::set_if;
use super::row::Body;
use super::{Rows, Store};

/// One chat and the store that shows it.
pub struct Session {
    store: Store,
    rows: Rows,
    timeline: Timeline,
    /// The last `seq` of a history that is being sent.
    syncing_to: Option<u64>,
}

impl Session {
    /// An empty chat on this store.
    pub fn new(store: Store) -> Self {
        let mut timeline = Timeline::new();
        timeline.set_streaming(store.settings.with_untracked(|settings| settings.streaming));
        Self { rows: Rows::new(store.clone()), store, timeline, syncing_to: None }
    }

    /// Takes in one frame. True if the transcript has a gap and the chat must be subscribed again.
    pub fn frame(&mut self, envelope: Envelope, now_ms: f64) -> bool {
        self.before(&envelope);
        let changes = self.timeline.apply(&envelope);
        let resync = self.rows.apply(changes, now_ms);
        if matches!(envelope.frame, ServerFrame::SyncEnd) {
            self.end_sync();
        }
        resync
    }

    /// Shows a message that this device sends, before the adapter has it.
    pub fn echo(&mut self, client_id: &ClientId, text: &str, now_ms: f64) {
        // The user's own words never wait for a history.
        self.end_sync();
        let changes = self.timeline.local_echo(client_id, text, &[]);
        self.rows.apply(changes, now_ms);
    }

    /// A message was written to a peer that acknowledges nothing.
    pub fn delivered(&mut self, client_id: &ClientId, now_ms: f64) {
        let changes = self.timeline.delivered(client_id);
        self.rows.apply(changes, now_ms);
    }

    /// A message did not get there; `why` is for people.
    pub fn fail(&mut self, client_id: &ClientId, why: &str, now_ms: f64) {
        let changes = self.timeline.send_failed(client_id, why);
        self.rows.apply(changes, now_ms);
    }

    /// Takes a message away that never got there; its text, if there is one.
    pub fn discard(&mut self, client_id: &ClientId, now_ms: f64) -> Option<String> {
        let (changes, text) = self.timeline.discard(client_id);
        self.rows.apply(changes, now_ms);
        text
    }

    /// The text of a message that is not with the adapter yet.
    pub fn unsent_text(&self, client_id: &ClientId) -> Option<String> {
        self.timeline.items().iter().rev().find_map(|item| match &item.kind {
            ItemKind::User(message) if message.client_id.as_ref() == Some(client_id) => {
                message.pending.as_ref().map(|_| message.text.clone())
            }
            _ => None,
        })
    }

    /// What to ask for in `subscribe`: everything after this number; all of it when `None`.
    pub fn after_seq(&self) -> Option<u64> {
        self.timeline.after_seq()
    }

    /// Off: every reply appears once, complete. Holds for what begins from now on.
    pub fn set_streaming(&mut self, on: bool, now_ms: f64) {
        let changes = self.timeline.set_streaming(on);
        self.rows.apply(changes, now_ms);
    }

    /// This device has answered a question and waits for the adapter.
    pub fn answering(&self, ask_id: &AskId) {
        for row in self.rows.iter() {
            if let Body::Ask(ask) = &row.body
                && ask.ask_id == *ask_id
                && ask.outcome.with_untracked(Option::is_none)
            {
                set_if(&ask.answering, true);
            }
        }
    }

    /// The adapter did not take an answer, to the question with this id or to whatever was asked last: it may be given again.
    pub fn answer_failed(&self, re: &str) {
        for row in self.rows.iter() {
            if let Body::Ask(ask) = &row.body
                && (re == "ask.answer" || ask.ask_id.as_str() == re)
            {
                set_if(&ask.answering, false);
            }
        }
    }

    /// The connection is gone: a history that was on its way shows as far as it came, and an answer may be given again.
    pub fn disconnected(&mut self, now_ms: f64) {
        let changes = self.timeline.connection_lost();
        self.rows.apply(changes, now_ms);
        self.end_sync();
        for row in self.rows.iter() {
            if let Body::Ask(ask) = &row.body {
                set_if(&ask.answering, false);
            }
        }
    }

    /// The adapter says that no turn runs in this chat.
    pub fn no_turn_runs(&mut self, now_ms: f64) {
        let changes = self.timeline.no_turn_runs();
        self.rows.apply(changes, now_ms);
    }

    /// Begins with an empty chat, of which nothing is known. Goes the way of a sync that breaks off at once, so that no
    /// key of a row is used twice; what is on its way stays.
    pub fn clear(&mut self, now_ms: f64) {
        self.end_sync();
        let frame = ServerFrame::SyncBegin { reset: true, to_seq: 0, before_seq: None };
        let mut changes = self.timeline.apply(&Envelope { chat: None, seq: None, frame });
        changes.extend(self.timeline.connection_lost());
        self.rows.apply(changes, now_ms);
    }

    fn before(&mut self, envelope: &Envelope) {
        match &envelope.frame {
            ServerFrame::Hello { backend, suggestions, .. } => {
                set_if(&self.store.backend, Some(backend.clone()));
                set_if(&self.store.suggestions, suggestions.clone());
            }
            ServerFrame::SyncBegin { to_seq, .. } => {
                self.syncing_to = Some(*to_seq);
                self.rows.hold(true);
            }
            // A peer that forgets `sync.end` must not hide what is live.
            _ if self.syncing_to.zip(envelope.seq).is_some_and(|(last, seq)| seq > last) => self.end_sync(),
            _ => {}
        }
    }

    fn end_sync(&mut self) {
        self.syncing_to = None;
        self.rows.hold(false);
    }
}

//! The chat on screen: frames of any source (a socket, a recording) and this device's own messages, made into rows.
//! Knows no socket; decides nothing about what a chat shows, which `iris_core::timeline` does.

use iris_core::connection::Message;
use iris_core::ids::{AskId, ClientId};
use iris_core::protocol::{Envelope, ServerFrame};
use iris_core::timeline::{Change, ItemKey, ItemKind, Timeline};
use leptos::prelude::{Update, WithUntracked};

use super::apply::set_if;
use super::row::Body;
use super::{Older, Rows, Store};

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
        let running = self.timeline.running();
        self.store.watch.maybe_update(|watch| watch.frame(&envelope.frame, running, now_ms as u64));
        match envelope.frame {
            ServerFrame::SyncEnd => self.end_sync(),
            ServerFrame::SyncBegin { .. } | ServerFrame::HistoryPage { .. } => self.say_older(),
            _ => {}
        }
        resync
    }

    /// Says whether there is more before the first row: nothing more is on its way.
    pub fn say_older(&self) {
        let more = self.before_seq().is_some();
        set_if(&self.store.older, if more { Older::More } else { Older::None });
    }

    /// What to ask for in `history`; `None` when the first row is the chat's first.
    pub fn before_seq(&self) -> Option<u64> {
        self.timeline.before_seq()
    }

    /// The row in which this frame is; `None` when it is not here.
    pub fn row_of(&self, seq: u64) -> Option<ItemKey> {
        self.timeline.row_of(seq)
    }

    /// Shows a message that this device sends, before the adapter has it.
    pub fn echo(&mut self, message: &Message, now_ms: f64) {
        // The user's own words never wait for a history.
        self.end_sync();
        let Message { client_id, text, attachments, failed, .. } = message;
        let mut changes = self.timeline.local_echo(client_id, text, attachments);
        if let Some(why) = failed {
            changes.extend(self.timeline.send_failed(client_id, why));
        }
        self.write(changes, now_ms);
    }

    /// A message was written to a peer that acknowledges nothing.
    pub fn delivered(&mut self, client_id: &ClientId, now_ms: f64) {
        let changes = self.timeline.delivered(client_id);
        self.write(changes, now_ms);
    }

    /// A message did not get there; `why` is for people.
    pub fn fail(&mut self, client_id: &ClientId, why: &str, now_ms: f64) {
        let changes = self.timeline.send_failed(client_id, why);
        self.write(changes, now_ms);
    }

    /// Takes a message away that never got there; its text, if there is one.
    pub fn discard(&mut self, client_id: &ClientId, now_ms: f64) -> Option<String> {
        let (changes, text) = self.timeline.discard(client_id);
        self.write(changes, now_ms);
        text
    }

    /// What to ask for in `subscribe`: everything after this number; all of it when `None`.
    pub fn after_seq(&self) -> Option<u64> {
        self.timeline.after_seq()
    }

    /// Off: every reply appears once, complete. Holds for what begins from now on.
    pub fn set_streaming(&mut self, on: bool, now_ms: f64) {
        let changes = self.timeline.set_streaming(on);
        self.write(changes, now_ms);
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
        self.write(changes, now_ms);
        self.end_sync();
        self.say_older();
        for row in self.rows.iter() {
            if let Body::Ask(ask) = &row.body {
                set_if(&ask.answering, false);
            }
        }
    }

    /// The adapter says that no turn runs in this chat.
    pub fn no_turn_runs(&mut self, now_ms: f64) {
        let changes = self.timeline.no_turn_runs();
        self.write(changes, now_ms);
    }

    /// Begins with an empty chat, of which nothing is known. Goes the way of a sync that breaks off at once, so that no
    /// key of a row is used twice; what is on its way stays.
    pub fn clear(&mut self, now_ms: f64) {
        self.end_sync();
        let frame = ServerFrame::SyncBegin { reset: true, to_seq: 0, before_seq: None };
        let mut changes = self.timeline.apply(&Envelope { chat: None, seq: None, frame });
        changes.extend(self.timeline.connection_lost());
        self.write(changes, now_ms);
        self.say_older();
    }

    /// Leaves the chat: nothing of it stays, not even what is on its way.
    pub fn leave(&mut self, now_ms: f64) {
        self.clear(now_ms);
        let waiting = |item: &iris_core::timeline::Item| match &item.kind {
            ItemKind::User(message) => message.client_id.clone(),
            _ => None,
        };
        let waiting: Vec<ClientId> = self.timeline.items().iter().filter_map(waiting).collect();
        for client_id in waiting {
            self.discard(&client_id, now_ms);
        }
    }

    /// A history is being sent.
    pub fn is_syncing(&self) -> bool {
        self.syncing_to.is_some()
    }

    fn before(&mut self, envelope: &Envelope) {
        match &envelope.frame {
            ServerFrame::Hello { backend, suggestions, capabilities, commands, .. } => {
                set_if(&self.store.backend, Some(backend.clone()));
                set_if(&self.store.suggestions, suggestions.clone());
                set_if(&self.store.capabilities, capabilities.clone());
                set_if(&self.store.commands, commands.clone());
            }
            ServerFrame::BackendUpdated { backend, capabilities, commands } => {
                set_if(&self.store.backend, Some(backend.clone()));
                set_if(&self.store.capabilities, capabilities.clone());
                set_if(&self.store.commands, commands.clone());
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

    /// Shows what happened without a frame.
    fn write(&mut self, changes: Vec<Change>, now_ms: f64) {
        self.rows.apply(changes, now_ms);
        let running = self.timeline.running();
        self.store.watch.maybe_update(|watch| watch.running(running, now_ms as u64));
    }

    fn end_sync(&mut self) {
        self.syncing_to = None;
        self.rows.hold(false);
    }
}

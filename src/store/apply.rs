//! Changes of the timeline become signal writes. Owns the index from key to row; decides nothing about what a chat shows.
//!
//! Effects of Leptos run in a microtask, so everything written within one callback is one batch.
//! The list signal is written at most once a batch, and only when a row came or went.

use std::collections::HashMap;

use iris_core::ids::ToolIndex;
use iris_core::timeline::{Answer, Ask, Change, Item, ItemKey, ItemKind, Tool, UserMessage};
use leptos::prelude::{ArcRwSignal, GetUntracked, Set, Update, WithUntracked};

use super::Store;
use super::row::{AnswerRow, AskRow, Body, Row, ToolRow, UserRow};

/// A change of the list that is not written yet.
enum Move {
    Clear,
    /// Rows side by side, from this position on.
    Insert(usize, Vec<Row>),
    Remove(ItemKey),
}

/// Writes changes into a store's signals.
pub struct Rows {
    store: Store,
    index: HashMap<ItemKey, Row>,
    moves: Vec<Move>,
    held: bool,
}

impl Rows {
    /// Writes into this store, which must have no rows yet.
    pub fn new(store: Store) -> Self {
        Self { store, index: HashMap::new(), moves: Vec::new(), held: false }
    }

    /// Applies the changes in their order. True if the transcript has a gap and the chat must be subscribed again.
    pub fn apply(&mut self, changes: Vec<Change>, now_ms: f64) -> bool {
        let mut resync = false;
        for change in changes {
            match change {
                Change::Clear => self.clear(),
                Change::Insert { at, item } => self.insert(at, item, now_ms),
                Change::Remove { key } => self.remove(key),
                Change::Set { item } => self.set(item, now_ms),
                Change::AppendText { key, text } => self.append(key, &text, |answer| &answer.text),
                Change::AppendReasoning { key, text } => self.append(key, &text, |answer| &answer.reasoning),
                Change::Typing(on) => set_if(&self.store.typing, on),
                Change::Running(on) => set_if(&self.store.running, on),
                Change::Resync => resync = true,
            }
        }
        if !self.held {
            self.write_list();
        }
        resync
    }

    /// While held, rows come and go unseen: a synced history appears at once instead of frame by frame.
    pub fn hold(&mut self, on: bool) {
        self.held = on;
        if !on {
            self.write_list();
        }
    }

    /// The row of this key.
    pub fn get(&self, key: ItemKey) -> Option<&Row> {
        self.index.get(&key)
    }

    /// Every row, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &Row> {
        self.index.values()
    }

    fn clear(&mut self) {
        self.index.clear();
        self.moves.clear();
        self.moves.push(Move::Clear);
    }

    fn insert(&mut self, at: usize, item: Item, now_ms: f64) {
        let row = Row::new(item, self.seen(now_ms));
        self.index.insert(row.key, row.clone());
        // A page of history is one step for the list, not three hundred.
        match self.moves.last_mut() {
            Some(Move::Insert(first, rows)) if at == *first + rows.len() => rows.push(row),
            _ => self.moves.push(Move::Insert(at, vec![row])),
        }
    }

    fn remove(&mut self, key: ItemKey) {
        self.index.remove(&key);
        self.moves.push(Move::Remove(key));
    }

    fn set(&mut self, item: Item, now_ms: f64) {
        if let Some(row) = self.index.get(&item.key) {
            row.body.set(item.kind, self.seen(now_ms));
        }
    }

    /// When something that appears now began: of a history nobody knows, unless it is recorded.
    fn seen(&self, now_ms: f64) -> Option<f64> {
        (!self.held || self.store.replay).then_some(now_ms)
    }

    fn append(&mut self, key: ItemKey, tail: &str, part: impl Fn(&AnswerRow) -> &ArcRwSignal<String>) {
        if let Some(Row { body: Body::Answer(answer), .. }) = self.index.get(&key)
            && !tail.is_empty()
        {
            part(answer).update(|text| text.push_str(tail));
        }
    }

    fn write_list(&mut self) {
        if self.moves.is_empty() {
            return;
        }
        let moves = std::mem::take(&mut self.moves);
        self.store.rows.update(|list| {
            for step in moves {
                match step {
                    Move::Clear => list.clear(),
                    Move::Insert(at, rows) => {
                        let after = list.split_off(at.min(list.len()));
                        list.extend(rows);
                        list.extend(after);
                    }
                    Move::Remove(key) => list.retain(|row| row.key != key),
                }
            }
        });
    }
}

/// Writes only what differs: an equal value wakes nobody.
pub(crate) fn set_if<T: PartialEq + Send + Sync + 'static>(signal: &ArcRwSignal<T>, value: T) {
    if signal.with_untracked(|old| *old != value) {
        signal.set(value);
    }
}

impl Row {
    /// A row for this item; `seen_ms` is when it began, if that is known.
    pub fn new(item: Item, seen_ms: Option<f64>) -> Self {
        Self { key: item.key, body: Body::new(item.kind, seen_ms) }
    }
}

impl Body {
    fn new(kind: ItemKind, seen_ms: Option<f64>) -> Self {
        match kind {
            ItemKind::User(message) => Self::User(UserRow::new(message)),
            ItemKind::Answer(answer) => Self::Answer(AnswerRow::new(answer)),
            ItemKind::Commentary { text } => Self::Commentary(ArcRwSignal::new(text)),
            ItemKind::Tools(tools) => Self::Tools(ArcRwSignal::new(
                tools.into_iter().map(|tool| ToolRow::new(tool, seen_ms)).collect(),
            )),
            ItemKind::Notice(notice) => Self::Notice(ArcRwSignal::new(notice)),
            ItemKind::Ask(ask) => Self::Ask(AskRow::new(ask)),
            ItemKind::File(file) => Self::File(file),
        }
    }

    /// A key keeps its kind for life, so a pair that differs cannot come; if it did, the row would stay as it is.
    fn set(&self, kind: ItemKind, seen_ms: Option<f64>) {
        match (self, kind) {
            (Self::User(row), ItemKind::User(message)) => row.set(message),
            (Self::Answer(row), ItemKind::Answer(answer)) => row.set(answer),
            (Self::Commentary(row), ItemKind::Commentary { text }) => set_if(row, text),
            (Self::Tools(row), ItemKind::Tools(tools)) => set_tools(row, tools, seen_ms),
            (Self::Notice(row), ItemKind::Notice(notice)) => set_if(row, notice),
            (Self::Ask(row), ItemKind::Ask(ask)) => row.set(ask),
            _ => {}
        }
    }
}

impl UserRow {
    fn new(message: UserMessage) -> Self {
        Self {
            text: ArcRwSignal::new(message.text),
            client_id: ArcRwSignal::new(message.client_id),
            pending: ArcRwSignal::new(message.pending),
            attachments: ArcRwSignal::new(message.attachments),
        }
    }

    fn set(&self, message: UserMessage) {
        set_if(&self.text, message.text);
        set_if(&self.client_id, message.client_id);
        set_if(&self.attachments, message.attachments);
        set_if(&self.pending, message.pending);
    }
}

impl AnswerRow {
    fn new(answer: Answer) -> Self {
        Self {
            message_id: answer.message_id,
            text: ArcRwSignal::new(answer.text),
            generation: ArcRwSignal::new(answer.generation),
            reasoning: ArcRwSignal::new(answer.reasoning),
            reasoning_live: ArcRwSignal::new(answer.reasoning_live),
            phase: ArcRwSignal::new(answer.phase),
            cut: ArcRwSignal::new(answer.cut),
            footer: ArcRwSignal::new(answer.footer),
        }
    }

    fn set(&self, answer: Answer) {
        set_if(&self.generation, answer.generation);
        set_if(&self.text, answer.text);
        set_if(&self.reasoning, answer.reasoning);
        set_if(&self.reasoning_live, answer.reasoning_live);
        set_if(&self.cut, answer.cut);
        set_if(&self.footer, answer.footer);
        set_if(&self.phase, answer.phase);
    }
}

impl AskRow {
    fn new(ask: Ask) -> Self {
        Self {
            ask_id: ask.ask_id,
            kind: ask.kind,
            text: ask.text,
            command: ask.command,
            choices: ask.choices,
            answering: ArcRwSignal::new(false),
            outcome: ArcRwSignal::new(ask.outcome),
        }
    }

    fn set(&self, ask: Ask) {
        if ask.outcome.is_some() {
            set_if(&self.answering, false);
        }
        set_if(&self.outcome, ask.outcome);
    }
}

impl ToolRow {
    fn new(tool: Tool, seen_ms: Option<f64>) -> Self {
        Self {
            index: tool.index,
            name: tool.name,
            preview: ArcRwSignal::new(tool.preview),
            args: ArcRwSignal::new(tool.args),
            note: ArcRwSignal::new(tool.note),
            output: ArcRwSignal::new(tool.output),
            state: ArcRwSignal::new(tool.state),
            seen_ms,
            noted_ms: ArcRwSignal::new(None),
        }
    }

    fn set(&self, tool: Tool, now_ms: Option<f64>) {
        if self.note.with_untracked(|note| *note != tool.note) {
            self.noted_ms.set(now_ms);
        }
        set_if(&self.preview, tool.preview);
        set_if(&self.args, tool.args);
        set_if(&self.note, tool.note);
        set_if(&self.output, tool.output);
        set_if(&self.state, tool.state);
    }

    fn is(&self, index: ToolIndex, name: &str) -> bool {
        self.index == index && self.name == name
    }
}

/// A card keeps its signals (and with them its node) as long as its index and name stay.
fn set_tools(signal: &ArcRwSignal<Vec<ToolRow>>, tools: Vec<Tool>, now_ms: Option<f64>) {
    let old = signal.get_untracked();
    let mut moved = old.len() != tools.len();
    let mut next = Vec::with_capacity(tools.len());
    for (at, tool) in tools.into_iter().enumerate() {
        let here = old.get(at).filter(|row| row.is(tool.index, &tool.name));
        moved |= here.is_none();
        match here.or_else(|| old.iter().find(|row| row.is(tool.index, &tool.name))) {
            Some(row) => {
                row.set(tool, now_ms);
                next.push(row.clone());
            }
            None => {
                let seen_ms =
                    old.iter().find(|row| row.index == tool.index).map_or(now_ms, |row| row.seen_ms);
                next.push(ToolRow::new(tool, seen_ms));
            }
        }
    }
    if moved {
        signal.set(next);
    }
}

//! One chat: an actor that owns its transcript and does one thing at a time, so that every device sees the same order.
//! It knows no socket (`fanout.rs` has the devices' queues), no disk (`keeper.rs` has the line to the journal) and not what
//! a turn is made of (the backend does).

#[cfg(test)]
mod lives;
mod say;
mod sync;
#[cfg(test)]
mod tests;

use std::{collections::VecDeque, sync::Arc, time::Duration};

use iris_core::{
    ids::{AskId, ChatId, ClientId, FileId, MessageId},
    protocol::frame::{ChatSummary, Facts, FileInfo, Level, SendMode, ServerFrame},
    stall::record::StreamRecord,
};
use tokio::{
    sync::{
        mpsc::{self, Receiver},
        watch,
    },
    time::{Instant, sleep, sleep_until},
};

use super::{
    directory::Directory,
    fanout::{Fanout, Peer, spell},
    keeper::Keeper,
    now_ms,
    pace::Pace,
    queue::Outgoing,
    shelf::{Found, Shelf},
    tape,
    transcript::Transcript,
};
use crate::{
    backend::{About, Event, Link, Request, Said, lost},
    journal::{Change, ChatKey, Done, Head, Journal, Kept, Mark, Unsaid},
};
use sync::Fetches;

/// How soon a device that is behind is looked at again.
const BEHIND_TICK: Duration = Duration::from_millis(50);

/// What a device may ask of a chat.
#[derive(Debug)]
pub enum Command {
    /// Send me everything after this number, then what happens.
    Subscribe {
        /// The device.
        peer: Peer,
        /// The last number it has.
        after: Option<u64>,
        /// When everything must be sent: so much of the end.
        limit: Option<u32>,
    },
    /// Send me older frames.
    History {
        /// The device.
        peer: Peer,
        /// Before this number.
        before: u64,
        /// About so many.
        limit: u32,
    },
    /// The user says something.
    Send {
        /// The device.
        peer: Peer,
        /// What is said.
        message: Message,
    },
    /// The user answers a question.
    Answer {
        /// The device.
        peer: Peer,
        /// The question.
        ask_id: AskId,
        /// The button.
        choice: Option<String>,
        /// Free text.
        text: Option<String>,
    },
    /// Stop the turn.
    Stop,
    /// Give the chat another title.
    Rename(String),
}

/// A message as a device sends it.
#[derive(Clone, Debug)]
pub struct Message {
    /// The device's id of it.
    pub client_id: ClientId,
    /// What is said.
    pub text: String,
    /// The files that come with it.
    pub attachments: Vec<FileId>,
    /// What to do with it while a turn runs.
    pub mode: Option<SendMode>,
}

/// What every chat of this adapter works with.
#[derive(Clone)]
pub struct Surroundings {
    /// Where the list of chats is kept.
    pub directory: Arc<Directory>,
    /// Where chats are kept.
    pub journal: Arc<dyn Journal>,
    /// Where files are kept.
    pub shelf: Arc<dyn Shelf>,
    /// What the backend is and can do.
    pub about: watch::Receiver<About>,
    /// Pieces of a growing text are told at least so far apart.
    pub text_gap: Duration,
}

/// A chat.
pub struct Chat {
    id: ChatId,
    title: String,
    updated_ms: u64,
    transcript: Transcript,
    keeper: Keeper,
    fanout: Fanout,
    fetches: Fetches,
    requests: mpsc::Sender<Request>,
    events: Option<Receiver<Event>>,
    /// A file of the agent that is being copied; what the agent says after it waits.
    copying: Option<Copying>,
    typing: bool,
    pace: Pace,
    tape: tape::Recorder,
    /// What the backend wants to be remembered once what is held back is told: it is about that.
    memory: Option<String>,
    /// The last messages of this life; older ones are asked of the journal.
    seen: VecDeque<Mark>,
    /// Messages of an earlier life that the agent does not have yet.
    unsaid: VecDeque<Unsaid>,
    around: Surroundings,
}

/// A file that is being copied, and the message that it becomes.
struct Copying {
    message_id: MessageId,
    caption: Option<String>,
    copy: Found<Result<FileInfo, String>>,
}

impl Chat {
    /// A chat on its line to the backend, whose numbers go on above `base`.
    pub fn new(mut kept: Kept, base: u64, link: Link, around: Surroundings) -> Self {
        let transcript = Transcript::restored(&mut kept, base);
        let chat = Self {
            keeper: Keeper::new(around.journal.clone(), kept.key, transcript.last()),
            fanout: Fanout::new(kept.id.clone()),
            id: kept.id,
            title: kept.title,
            updated_ms: kept.updated_ms,
            transcript,
            fetches: Fetches::default(),
            requests: link.requests,
            events: Some(link.events),
            copying: None,
            typing: false,
            pace: Pace::new(around.text_gap),
            tape: tape::Recorder::default(),
            memory: None,
            seen: VecDeque::new(),
            unsaid: kept.unsaid.into(),
            around,
        };
        chat.around.directory.add(chat.summary());
        chat
    }

    /// Works until nobody can ask anything of the chat any more.
    pub async fn run(mut self, mut commands: Receiver<Command>) {
        loop {
            tokio::select! {
                command = commands.recv() => match command {
                    Some(command) => self.obey(command).await,
                    None => return self.end(),
                },
                event = next(&mut self.events), if self.copying.is_none() => match event {
                    Some(event) => self.hear(event),
                    None => self.lose_backend(),
                },
                copied = copied(&mut self.copying) => self.show_file(copied),
                fetched = self.fetches.next() => self.fetched(fetched),
                () = self.keeper.ready() => self.tend(),
                place = self.requests.clone().reserve_owned(), if !self.unsaid.is_empty() => match place {
                    Ok(place) => self.say_again(place).await,
                    Err(_) => self.unsaid.clear(),
                },
                () = sleep(BEHIND_TICK), if self.fanout.is_behind() => self.catch_up(),
                () = reached(self.pace.due()) => self.release(),
            }
        }
    }

    fn end(&mut self) {
        self.release();
        self.keeper.flush(&mut self.transcript);
    }

    async fn obey(&mut self, command: Command) {
        match command {
            Command::Subscribe { peer, after, limit } => {
                self.fanout.join(peer, after, limit);
                self.catch_up();
            }
            Command::History { peer, before, limit } => self.history(peer, before, limit),
            Command::Send { peer, message } => self.say(&peer, message).await,
            Command::Answer { peer, ask_id, choice, text } => self.answer(&peer, ask_id, choice, text),
            Command::Stop => {
                if self.requests.try_send(Request::Stop).is_err() {
                    tracing::warn!(chat = %self.id, "the backend does not take a stop");
                }
            }
            Command::Rename(title) => {
                self.title = title;
                self.announce();
            }
        }
    }

    fn hear(&mut self, event: Event) {
        let event = match event {
            Event::Frame(frame) => return self.pass_on(frame),
            Event::Remember(memory) if self.pace.due().is_some() => {
                self.memory = Some(memory);
                return;
            }
            event => event,
        };
        // Nothing overtakes a text that is held back.
        self.release();
        match event {
            Event::Frame(frame) => self.tell(frame),
            Event::Taken { message_id, noted: None } => self.keeper.add(Change::Taken(message_id)),
            Event::Taken { message_id, noted: Some(noted) } => {
                self.keeper.flush(&mut self.transcript);
                self.keeper.write(vec![Change::Taken(message_id)], Done::Noted(noted));
            }
            Event::Remember(memory) => self.keeper.add(Change::Memory(memory)),
            Event::Restart => self.restart(),
            Event::Streamed(records) => {
                for record in records {
                    let record = StreamRecord { chat: self.id.0.clone(), ..record };
                    self.keeper.add(Change::Streamed(Box::new(record)));
                }
            }
            Event::File { message_id, path, caption } => {
                self.copying = Some(Copying { message_id, caption, copy: self.around.shelf.keep(path) });
            }
        }
    }

    /// Tells a frame of the backend now, or holds it back for a moment.
    fn pass_on(&mut self, frame: ServerFrame) {
        for frame in self.pace.take(frame, Instant::now()) {
            self.tell(frame);
        }
        if self.pace.due().is_none() {
            self.keep_memory();
        }
    }

    /// Tells what was held back.
    fn release(&mut self) {
        if let Some(frame) = self.pace.release(Instant::now()) {
            self.tell(frame);
        }
        self.keep_memory();
    }

    fn keep_memory(&mut self) {
        if let Some(memory) = self.memory.take() {
            self.keeper.add(Change::Memory(memory));
        }
    }

    /// Tells every device of a frame of the backend.
    fn tell(&mut self, frame: ServerFrame) {
        if let Some(rest) = self.transcript.rest_of_text(&frame) {
            self.tell(rest);
        }
        if let ServerFrame::Typing { on } = frame {
            self.typing = on;
            return self.fanout.publish(&frame, None, &self.transcript);
        }
        let border = matches!(frame, ServerFrame::TurnStart { .. } | ServerFrame::TurnEnd { .. });
        let ask = matches!(frame, ServerFrame::Ask { .. } | ServerFrame::AskClosed { .. });
        if let Some(written) = self.transcript.write(frame.clone()) {
            self.record(written.growth.as_ref().unwrap_or(&frame));
            self.keeper.note(Transcript::may_wait(&frame));
            self.fanout.publish(&frame, Some(&written), &self.transcript);
        }
        if border {
            self.report();
        } else if ask {
            self.keeper.add(Change::Head(self.head()));
        }
    }

    /// Notes when a frame was told.
    fn record(&mut self, frame: &ServerFrame) {
        if let Some(tape) = self.tape.push(now_ms(), frame) {
            self.keeper.add(Change::Taped(tape));
        }
    }

    /// The turn is told again: everyone starts over, from what is left.
    fn restart(&mut self) {
        self.tape.forget();
        if self.transcript.restart() {
            self.keeper.add(Change::Head(self.head()));
            self.fanout.start_over();
            self.catch_up();
        }
    }

    fn show_file(
        &mut self,
        (message_id, caption, copied): (MessageId, Option<String>, Result<FileInfo, String>),
    ) {
        self.copying = None;
        self.tell(match copied {
            Ok(file) => ServerFrame::File { message_id, file, caption },
            Err(why) => ServerFrame::Notice {
                level: Level::Warning,
                code: "file".to_owned(),
                text: format!("A file of the agent cannot be shown: {why}"),
                detail: caption,
                facts: Facts::default(),
            },
        });
    }

    fn answer(&self, peer: &Peer, ask_id: AskId, choice: Option<String>, text: Option<String>) {
        if !self.transcript.is_open(&ask_id) {
            return self.refuse(
                peer,
                "ask_closed",
                "This question does not wait for an answer any more.",
                &ask_id.0,
            );
        }
        let re = ask_id.0.clone();
        if self.requests.try_send(Request::Answer { ask_id, choice, text }).is_err() {
            self.refuse(peer, "busy", "The answer could not be passed on. Give it again in a moment.", &re);
        }
    }

    /// The backend is gone: what it left open ends, and nobody is left waiting.
    fn lose_backend(&mut self) {
        self.events = None;
        self.release();
        if let Some(turn) = self.transcript.turn().cloned() {
            self.tell(lost(turn, "The connection to the agent was lost."));
        }
        if self.typing {
            self.tell(ServerFrame::Typing { on: false });
        }
    }

    /// Writes what is due, and forgets what is written and over. What is being fetched ends where memory begins: until it
    /// is here, nothing is forgotten.
    fn tend(&mut self) {
        self.keeper.tend(&mut self.transcript);
        if self.fetches.is_empty() {
            self.transcript.forget(self.keeper.on_disk());
        }
    }

    fn refuse(&self, peer: &Peer, code: &str, text: &str, re: &str) {
        let error =
            ServerFrame::Error { code: code.to_owned(), text: text.to_owned(), re: Some(re.to_owned()) };
        self.reply(peer, None, &error);
    }

    /// To one device. If its queue is full it asks again: every request can be repeated.
    fn reply(&self, peer: &Peer, seq: Option<u64>, frame: &ServerFrame) {
        if peer.line.offer(Outgoing::One(spell(&self.id, seq, frame))).is_err() {
            tracing::debug!(peer = peer.id, "a reply found no place");
        }
    }

    /// The chat as a whole has changed.
    fn report(&mut self) {
        self.updated_ms = now_ms();
        self.announce();
    }

    /// Keeps and tells what is said of the chat. Another title is no news in it: the chat stays where it is in the list.
    fn announce(&mut self) {
        self.keeper.add(Change::Head(self.head()));
        self.around.directory.update(self.summary());
    }

    fn summary(&self) -> ChatSummary {
        ChatSummary {
            id: self.id.clone(),
            title: self.title.clone(),
            updated_ms: self.updated_ms,
            running: self.transcript.turn().is_some(),
        }
    }

    fn head(&self) -> Head {
        Head {
            title: self.title.clone(),
            updated_ms: self.updated_ms,
            turn: self.transcript.turn().cloned(),
            turn_seq: self.transcript.turn_start(),
            live: self.transcript.is_live(),
        }
    }

    fn key(&self) -> ChatKey {
        self.keeper.key()
    }
}

async fn reached(due: Option<Instant>) {
    match due {
        Some(due) => sleep_until(due).await,
        None => std::future::pending().await,
    }
}

async fn next(events: &mut Option<Receiver<Event>>) -> Option<Event> {
    match events {
        Some(events) => events.recv().await,
        None => std::future::pending().await,
    }
}

async fn copied(copying: &mut Option<Copying>) -> (MessageId, Option<String>, Result<FileInfo, String>) {
    match copying {
        Some(Copying { message_id, caption, copy }) => {
            let copied = copy.await;
            (message_id.clone(), caption.take(), copied)
        }
        None => std::future::pending().await,
    }
}

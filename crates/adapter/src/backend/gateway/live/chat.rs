//! One chat with Hermes: an actor between the hub and the plugin's line. It feeds the turn machine, hands in what the user
//! says, and sees to it that a turn whose gateway or whose lines are gone comes to an end.

use std::{path::PathBuf, sync::Arc, time::Duration};

use iris_core::{
    ids::{ChatId, TurnId},
    protocol::frame::{Facts, Level, ServerFrame},
    stall::record::StreamRecord,
};
use tokio::{
    sync::mpsc,
    time::{Instant, sleep_until},
};

use super::super::{
    bridge::{Plugin, Switchboard, ToChat},
    calls::{Attachment, Call, TimedCall},
    streams::Streams,
    turn::Machine,
};
use super::{
    asked::Asked,
    memory::{Memory, Place},
    outbox::Outbox,
};
use crate::{
    backend::{Event, Opening, Request, lost},
    hub::now_ms,
};

const RESTARTED: &str = "Hermes' gateway was restarted while this turn ran.";
const FORGOTTEN: &str = "Iris was away while this turn ran, and Hermes' gateway no longer knows how it went.";
const TOO_LONG: &str = "Hermes' gateway went away while this turn ran and did not come back.";
const MISSED: &str = "Hermes did more than Iris could follow, and this turn ended meanwhile.";

/// The hub does not listen any more.
struct Closed;

/// A chat.
pub(super) struct Chat {
    id: ChatId,
    board: Arc<Switchboard>,
    from_line: mpsc::Receiver<ToChat>,
    events: mpsc::Sender<Event>,
    patience: Duration,
    machine: Machine,
    streams: Streams,
    place: Place,
    outbox: Outbox,
    asked: Asked,
    plugin: Option<Plugin>,
    /// It takes messages, and has told how things stand.
    ready: bool,
    /// What became of the turn that an earlier life left open.
    left: Left,
    /// When a turn is given up that nobody may tell the end of, and why.
    deadline: Option<(Instant, &'static str)>,
    /// The clock of the lines.
    t_ms: u64,
    prefix: String,
    words: u64,
}

/// What an earlier life left behind.
#[derive(Debug)]
enum Left {
    /// No turn.
    Nothing,
    /// An open turn, of which it is not known yet how it goes on, and what that life remembered.
    Open(TurnId, Option<Memory>),
    /// The turn is being told again: the next one that the machine opens is it.
    Retold(TurnId),
    /// It goes on, under the name that it had.
    GoesOn {
        /// What the machine calls it.
        own: TurnId,
        /// What it is called.
        known: TurnId,
    },
}

impl Left {
    /// The turn is open, and the machine does not know of it.
    fn is_open(&self) -> bool {
        matches!(self, Self::Open(..) | Self::Retold(_))
    }

    /// The turn that is open without the machine knowing of it is over.
    fn take_open(&mut self) -> Option<TurnId> {
        match std::mem::replace(self, Self::Nothing) {
            Self::Open(turn, _) | Self::Retold(turn) => Some(turn),
            known => {
                *self = known;
                None
            }
        }
    }
}

impl Chat {
    /// A chat that hears the line from now on.
    pub(super) fn new(
        id: ChatId,
        opening: Opening,
        board: Arc<Switchboard>,
        events: mpsc::Sender<Event>,
        patience: Duration,
    ) -> Self {
        let memory = opening.memory.as_deref().and_then(Memory::read);
        let again = opening.open_turn.is_some() || memory.is_some();
        let place = memory.as_ref().map(|memory| Place::behind(&memory.instance, memory.to));
        let from_line = board.join(id.clone(), again);
        let deadline = opening.open_turn.is_some().then(|| (Instant::now() + patience, TOO_LONG));
        let left = opening.open_turn.map_or(Left::Nothing, |turn| Left::Open(turn, memory));
        Self {
            id,
            board,
            from_line,
            events,
            patience,
            machine: Machine::new(opening.prefix.clone()),
            streams: Streams::default(),
            place: place.unwrap_or_default(),
            outbox: Outbox::default(),
            asked: Asked::default(),
            plugin: None,
            ready: false,
            left,
            deadline,
            t_ms: 0,
            prefix: opening.prefix,
            words: 0,
        }
    }

    /// Works until the hub lets go of the chat.
    pub(super) async fn run(mut self, mut requests: mpsc::Receiver<Request>) {
        loop {
            let done = tokio::select! {
                request = requests.recv() => match request {
                    Some(request) => self.obey(request).await,
                    None => Err(Closed),
                },
                Some(news) = self.from_line.recv() => self.hear(news).await,
                () = at(self.deadline.map(|(at, _)| at)) => self.give_up_at_last().await,
                () = at(self.outbox.wake()), if self.ready => self.hand_in().await,
            };
            if done.is_err() {
                break;
            }
        }
        let Self { from_line, board, id, .. } = self;
        drop(from_line);
        board.leave(&id);
    }

    async fn obey(&mut self, request: Request) -> Result<(), Closed> {
        match request {
            Request::Say(said) => self.outbox.say(said, self.ready),
            Request::Answer { ask_id, choice, text } => {
                if !self.asked.answer(&ask_id, choice.as_deref(), text.as_deref()) {
                    tracing::info!(%ask_id, "an answer means nothing to Hermes");
                }
                self.pass_answers();
            }
            Request::Stop => {
                if !self.machine.is_resting() || self.left.is_open() {
                    self.word("/stop".to_owned());
                }
            }
        }
        self.hand_in().await
    }

    async fn hear(&mut self, news: ToChat) -> Result<(), Closed> {
        match news {
            ToChat::Up(plugin) => self.up(plugin).await,
            ToChat::Ready => {
                self.ready = true;
                self.hand_in().await
            }
            ToChat::Line { n, call } => self.line(n, &call).await,
            ToChat::Missed { lines, working } => self.missed(lines, working).await,
            ToChat::Post { text, files } => self.post(text, files).await,
            ToChat::Taken(id) => self.taken(&id).await,
            ToChat::Down => self.down().await,
        }
    }

    /// A message that was handed in is with Hermes.
    async fn taken(&mut self, id: &str) -> Result<(), Closed> {
        match self.outbox.taken(id, Instant::now()) {
            Some(message_id) => self.tell(Event::Taken { message_id, noted: None }).await,
            None => Ok(()),
        }
    }

    fn word(&mut self, text: String) {
        self.words += 1;
        self.outbox.word(format!("{}-w{}", self.prefix, self.words), text);
    }

    fn pass_answers(&mut self) {
        for text in self.asked.due() {
            self.word(text);
        }
    }

    async fn hand_in(&mut self) -> Result<(), Closed> {
        let Some(plugin) = self.plugin.as_ref().filter(|_| self.ready) else { return Ok(()) };
        let due = self.outbox.due(&self.id.0, !self.machine.is_resting(), Instant::now());
        for handed in due.handed {
            // A line that breaks now is about to say so; then all of it is handed in again.
            if plugin.say(handed).await.is_err() {
                break;
            }
        }
        for _ in 0..due.queued {
            let text = "Queued: it is answered when this turn is done.";
            self.tell(Event::Frame(notice(Level::Info, "queued", text))).await?;
        }
        Ok(())
    }

    async fn tell(&self, event: Event) -> Result<(), Closed> {
        self.events.send(event).await.map_err(|_| Closed)
    }

    async fn remember(&self, memory: Option<Memory>) -> Result<(), Closed> {
        match memory {
            Some(memory) => self.tell(Event::Remember(memory.write())).await,
            None => Ok(()),
        }
    }
}

/// The line comes and goes.
impl Chat {
    async fn up(&mut self, plugin: Plugin) -> Result<(), Closed> {
        self.deadline = None;
        let same = self.place.instance.as_deref() == Some(&*plugin.instance);
        match &self.left {
            Left::Retold(_) if same => {}
            Left::Open(..) | Left::Retold(_) => self.resume(&plugin).await?,
            Left::Nothing | Left::GoesOn { .. } if !same && !self.machine.is_resting() => {
                self.give_up(RESTARTED).await?;
            }
            Left::Nothing | Left::GoesOn { .. } => {}
        }
        if !same {
            self.outbox.forget_words();
            self.place = Place::behind(&plugin.instance, 0);
        }
        self.plugin = Some(plugin);
        self.ready = false;
        Ok(())
    }

    /// The turn that an earlier life left open is told again, if its gateway still knows all of it.
    async fn resume(&mut self, plugin: &Plugin) -> Result<(), Closed> {
        let (turn, memory) = match std::mem::replace(&mut self.left, Left::Nothing) {
            Left::Open(turn, Some(memory)) if *memory.instance == *plugin.instance => (turn, memory),
            left => {
                self.left = left;
                return self.give_up(RESTARTED).await;
            }
        };
        self.left = Left::Retold(turn);
        if memory.from < plugin.first {
            return self.give_up(FORGOTTEN).await;
        }
        self.deadline = Some((Instant::now() + self.patience, FORGOTTEN));
        self.place = Place::behind(&plugin.instance, memory.from.saturating_sub(1));
        self.tell(Event::Restart).await
    }

    async fn down(&mut self) -> Result<(), Closed> {
        self.plugin = None;
        self.ready = false;
        self.outbox.down();
        if !self.machine.is_resting() || self.left.is_open() {
            self.deadline = Some((Instant::now() + self.patience, TOO_LONG));
        }
        if !self.machine.is_running() {
            return Ok(());
        }
        self.tell(Event::Frame(notice(
            Level::Warning,
            "waiting",
            "The line to Hermes' gateway broke. Iris waits for it; the turn may go on without being seen.",
        )))
        .await
    }

    /// What is told from here on says enough to go on; only the end must not be among what was missed.
    async fn missed(&mut self, lines: u64, working: bool) -> Result<(), Closed> {
        tracing::warn!(chat = %self.id, lines, "lines of a chat were lost");
        let text = format!("Iris could not follow Hermes: {lines} steps of this chat were not seen.");
        if !working && !self.machine.is_resting() {
            self.deadline = Some((Instant::now() + self.patience, MISSED));
        }
        self.tell(Event::Frame(notice(Level::Warning, "missed", &text))).await
    }

    async fn give_up_at_last(&mut self) -> Result<(), Closed> {
        let why = self.deadline.map_or(TOO_LONG, |(_, why)| why);
        self.give_up(why).await
    }

    /// Ends what is open, as lost.
    async fn give_up(&mut self, why: &str) -> Result<(), Closed> {
        self.deadline = None;
        let mut frames = self.machine.lost(self.t_ms);
        for frame in &mut frames {
            if let ServerFrame::TurnEnd { error, .. } = frame {
                *error = Some(why.to_owned());
            }
        }
        let records = self.streams.frames(self.epoch_ms(), &frames);
        self.record(records).await?;
        frames.extend(self.left.take_open().map(|turn| lost(turn, why)));
        self.place.rest();
        self.outbox.began();
        self.remember(self.place.at_end()).await?;
        self.show(frames).await
    }
}

/// What Hermes does.
impl Chat {
    async fn line(&mut self, n: u64, timed: &TimedCall) -> Result<(), Closed> {
        if !self.place.enter(n) {
            return Ok(());
        }
        self.t_ms = timed.t_ms;
        match &timed.call {
            Call::Inbound(inbound) => self.taken(&inbound.message_id).await?,
            Call::ProcessingStart { .. } | Call::ProcessingComplete { .. } => self.outbox.began(),
            _ => {}
        }
        match file(&timed.call) {
            Some((path, caption)) => self.file(path, caption).await?,
            None => self.call(timed).await?,
        }
        if self.machine.is_resting() && !matches!(timed.call, Call::Inbound(_)) {
            self.place.rest();
            if !self.left.is_open() {
                self.deadline = None;
            }
        }
        self.pass_answers();
        self.hand_in().await
    }

    async fn call(&mut self, timed: &TimedCall) -> Result<(), Closed> {
        let rested = !self.machine.is_running();
        let mut frames = self.machine.call(timed.t_ms, &timed.call);
        let records = self.streams.hear(self.epoch_ms(), &timed.call, &frames);
        self.record(records).await?;
        // The hub has what the user said already, and in the user's own words.
        frames.retain(|frame| !matches!(frame, ServerFrame::UserMessage { .. }));
        let ends = frames.iter().any(|frame| matches!(frame, ServerFrame::TurnEnd { .. }));
        let starts = frames.iter().any(|frame| matches!(frame, ServerFrame::TurnStart { .. }));
        if starts {
            self.remember(self.place.at_start()).await?;
        } else if ends {
            self.remember(self.place.at_end()).await?;
        }
        let alone =
            rested && !starts && frames.iter().any(|frame| !matches!(frame, ServerFrame::Typing { .. }));
        self.show(frames).await?;
        if alone { self.remember(self.place.at_end()).await } else { Ok(()) }
    }

    /// When the line that was just entered was told, milliseconds since 1970.
    fn epoch_ms(&self) -> u64 {
        match self.plugin.as_ref().and_then(|plugin| plugin.clock_ms) {
            Some(clock_ms) => clock_ms.saturating_add(self.t_ms),
            None => now_ms(),
        }
    }

    async fn record(&self, mut records: Vec<StreamRecord>) -> Result<(), Closed> {
        // A turn that is told again keeps its name.
        if let Left::GoesOn { own, known } = &self.left {
            for record in records.iter_mut().filter(|record| record.turn == own.0) {
                record.turn.clone_from(&known.0);
            }
        }
        if records.is_empty() { Ok(()) } else { self.tell(Event::Streamed(records)).await }
    }

    async fn show(&mut self, frames: Vec<ServerFrame>) -> Result<(), Closed> {
        for mut frame in frames {
            if self.is_told_again(&mut frame) {
                continue;
            }
            self.asked.see(&frame);
            if let ServerFrame::TurnEnd { model: Some(model), .. } = &frame {
                self.board.model(model);
            }
            self.tell(Event::Frame(frame)).await?;
        }
        Ok(())
    }

    /// A message of its own, whatever runs.
    async fn post(&mut self, text: String, files: Vec<String>) -> Result<(), Closed> {
        if !text.is_empty() {
            let message_id = self.machine.message_id();
            let message =
                ServerFrame::Message { message_id, text, reasoning: None, model: None, tokens: None };
            self.tell(Event::Frame(message)).await?;
        }
        for path in files.into_iter().map(PathBuf::from).filter(|path| path.is_absolute()) {
            let message_id = self.machine.message_id();
            self.tell(Event::File { message_id, path, caption: None }).await?;
        }
        Ok(())
    }

    /// A turn that is told again has begun already, and keeps its name to its end.
    fn is_told_again(&mut self, frame: &mut ServerFrame) -> bool {
        match (frame, &self.left) {
            (ServerFrame::TurnStart { turn }, Left::Retold(known)) => {
                self.left = Left::GoesOn { own: turn.clone(), known: known.clone() };
                self.deadline = None;
                true
            }
            (ServerFrame::TurnEnd { turn, .. }, Left::GoesOn { own, known }) if own == turn => {
                turn.clone_from(known);
                self.left = Left::Nothing;
                false
            }
            _ => false,
        }
    }

    async fn file(&mut self, path: PathBuf, caption: Option<String>) -> Result<(), Closed> {
        let rested = !self.machine.is_running();
        let message_id = self.machine.message_id();
        self.tell(Event::File { message_id, path, caption }).await?;
        if rested { self.remember(self.place.at_end()).await } else { Ok(()) }
    }
}

/// A file of the agent on this machine's disk; an address on the web is none.
fn file(call: &Call) -> Option<(PathBuf, Option<String>)> {
    let Call::Attachment(Attachment { location, caption, .. }) = call else { return None };
    let path = PathBuf::from(location.strip_prefix("file://").unwrap_or(location));
    path.is_absolute().then(|| (path, caption.clone()))
}

fn notice(level: Level, code: &str, text: &str) -> ServerFrame {
    ServerFrame::Notice {
        level,
        code: code.to_owned(),
        text: text.to_owned(),
        detail: None,
        facts: Facts::default(),
    }
}

async fn at(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

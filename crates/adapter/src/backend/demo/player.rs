//! The player of one chat: one turn at a time, at its own pace, and a queue for what is said meanwhile.
//! It owns the clock; what a turn is made of is `play.rs`.

use std::{collections::VecDeque, time::Duration};

use iris_core::{
    ids::MessageId,
    protocol::frame::{Facts, Level, ServerFrame},
};
use tokio::{
    sync::mpsc::{Receiver, Sender},
    time::{Instant, sleep_until},
};

use super::{
    echo,
    play::{Next, Play},
    recordings, suggestions,
};
use crate::{
    backend::{Event, Request, Said},
    hub::now_ms,
};

/// Messages that may wait for their turn.
const MAX_QUEUED: usize = 16;
/// Steps that are played without looking at the requests, when they are all due.
const AT_ONCE: usize = 32;

/// Plays the turns of one chat.
pub(super) struct Player {
    speed: f64,
    turns: u64,
    now: Option<Running>,
    queue: VecDeque<Said>,
    /// The message whose turn is about to begin.
    beginning: Option<MessageId>,
    out: Vec<Event>,
    prefix: String,
}

/// The turn that plays, and when it began.
struct Running {
    play: Play,
    origin: Instant,
}

impl Player {
    /// A player at this speed, whose ids begin with `prefix`.
    pub(super) fn new(speed: f64, prefix: String) -> Self {
        Self { speed, turns: 0, now: None, queue: VecDeque::new(), beginning: None, out: Vec::new(), prefix }
    }

    /// Works until the chat is gone.
    pub(super) async fn run(mut self, mut requests: Receiver<Request>, events: Sender<Event>) {
        loop {
            let due = self.due();
            tokio::select! {
                request = requests.recv() => match request {
                    Some(request) => self.take(request),
                    None => return,
                },
                () = reached(due) => self.play(),
            }
            for event in self.out.drain(..) {
                if events.send(event).await.is_err() {
                    return;
                }
            }
        }
    }

    /// When there is something to do without being asked.
    fn due(&mut self) -> Option<Instant> {
        let speed = self.speed;
        let running = self.now.as_mut()?;
        match running.play.next() {
            Next::At(t_ms) => Some(running.origin + Duration::from_secs_f64(t_ms as f64 / 1000.0 / speed)),
            Next::Answer => None,
            Next::End => Some(running.origin),
        }
    }

    /// Plays what is due.
    fn play(&mut self) {
        for _ in 0..AT_ONCE {
            let Some(now_ms) = self.now_ms() else { return };
            let Some(running) = self.now.as_mut() else { return };
            match running.play.next() {
                Next::At(t_ms) if t_ms <= now_ms => {
                    let frames = running.play.step();
                    self.tell(frames);
                }
                Next::At(_) | Next::Answer => return,
                Next::End => {
                    let frames = running.play.finish(now_ms);
                    self.tell(frames);
                    self.begun();
                    self.now = None;
                    if let Some(said) = self.queue.pop_front() {
                        self.begin(said);
                    }
                }
            }
        }
    }

    /// The time of the turn that plays.
    fn now_ms(&self) -> Option<u64> {
        let running = self.now.as_ref()?;
        // A step that is due now must not be rounded into the future.
        Some((running.origin.elapsed().as_secs_f64() * 1000.0 * self.speed).ceil() as u64)
    }

    fn take(&mut self, request: Request) {
        match request {
            Request::Say(said) => {
                // Files alone are answered with their names.
                let names = said.files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>().join(", ");
                self.hear(if said.text.trim().is_empty() { Said { text: names, ..said } } else { said });
            }
            Request::Answer { ask_id, choice, text } => {
                let now_ms = self.now_ms().unwrap_or(0);
                let taken = self.now.as_mut().and_then(|running| {
                    running.play.answer(Some(&ask_id), choice.as_deref(), text.as_deref(), now_ms)
                });
                match taken {
                    Some(frames) => self.out.extend(frames.into_iter().map(Event::Frame)),
                    None => self
                        .notice("no_answer", "This is no answer to the question. Choose one of its buttons."),
                }
            }
            Request::Stop => self.stop(),
        }
    }

    fn hear(&mut self, said: Said) {
        let Some(now_ms) = self.now_ms() else { return self.begin(said) };
        if said.text.trim() == "/stop" {
            self.taken(said.message_id);
            return self.stop();
        }
        let answered =
            self.now.as_mut().and_then(|running| running.play.answer(None, None, Some(&said.text), now_ms));
        if let Some(frames) = answered {
            self.taken(said.message_id);
            self.tell(frames);
        } else if self.queue.len() < MAX_QUEUED {
            self.queue.push_back(said);
            self.notice("queued", "Queued: your message is answered when this turn is done.");
        } else {
            self.taken(said.message_id);
            self.notice("queue_full", "Too many messages are waiting. Send it again when this turn is done.");
        }
    }

    /// Stops the turn, and what waits behind it, as Hermes does.
    fn stop(&mut self) {
        let Some(now_ms) = self.now_ms() else { return };
        if let Some(running) = &mut self.now {
            running.play.stop(now_ms);
        }
        if !self.queue.is_empty() {
            for said in std::mem::take(&mut self.queue) {
                self.taken(said.message_id);
            }
            self.notice("dropped", "The messages that were waiting are dropped.");
        }
    }

    fn begin(&mut self, said: Said) {
        let text = said.text;
        self.turns += 1;
        self.beginning = Some(said.message_id);
        let prefix = format!("{}t{}", self.prefix, self.turns);
        let play = match suggestions::recording(&text) {
            Some(path) => Play::new(prefix, now_ms(), recordings::steps(path).into_iter()),
            None => Play::new(prefix, now_ms(), echo::steps(text)),
        };
        self.now = Some(Running { play, origin: Instant::now() });
    }

    /// Tells frames; a message is taken once its turn has begun. An adapter that dies before that says it again.
    fn tell(&mut self, frames: Vec<ServerFrame>) {
        let records = self.now.as_mut().map(|running| running.play.take_records()).unwrap_or_default();
        if !records.is_empty() {
            self.out.push(Event::Streamed(records));
        }
        for frame in frames {
            let begins = matches!(frame, ServerFrame::TurnStart { .. });
            self.out.push(Event::Frame(frame));
            if begins {
                self.begun();
            }
        }
    }

    fn begun(&mut self) {
        if let Some(message_id) = self.beginning.take() {
            self.taken(message_id);
        }
    }

    fn taken(&mut self, message_id: MessageId) {
        self.out.push(Event::Taken { message_id, noted: None });
    }

    fn notice(&mut self, code: &str, text: &str) {
        let (code, text) = (code.to_owned(), text.to_owned());
        let (level, facts) = (Level::Info, Facts::default());
        self.out.push(Event::Frame(ServerFrame::Notice { level, code, text, detail: None, facts }));
    }
}

async fn reached(due: Option<Instant>) {
    match due {
        Some(due) => sleep_until(due).await,
        None => std::future::pending().await,
    }
}

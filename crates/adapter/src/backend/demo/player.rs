//! The player of one chat: one turn at a time, at its own pace, and a queue for what is said meanwhile.
//! It owns the clock; what a turn is made of is `play.rs`.

use std::{collections::VecDeque, time::Duration};

use iris_core::protocol::frame::{Level, ServerFrame};
use tokio::{
    sync::mpsc::{Receiver, Sender},
    time::{Instant, sleep_until},
};

use super::{
    echo,
    play::{Next, Play},
    recordings, suggestions,
};
use crate::backend::{Event, Request};

/// Messages that may wait for their turn.
const MAX_QUEUED: usize = 16;
/// Steps that are played without looking at the requests, when they are all due.
const AT_ONCE: usize = 32;

/// Plays the turns of one chat.
pub(super) struct Player {
    speed: f64,
    turns: u64,
    now: Option<Running>,
    queue: VecDeque<String>,
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
        Self { speed, turns: 0, now: None, queue: VecDeque::new(), out: Vec::new(), prefix }
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
                    self.out.extend(running.play.step().into_iter().map(Event::Frame))
                }
                Next::At(_) | Next::Answer => return,
                Next::End => {
                    self.out.extend(running.play.finish(now_ms).into_iter().map(Event::Frame));
                    self.now = None;
                    if let Some(text) = self.queue.pop_front() {
                        self.begin(text);
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
                // Nothing is lost when a recording is not played: it is taken as soon as it is here.
                self.out.push(Event::Taken { message_id: said.message_id, noted: None });
                // Files alone are answered with their names.
                let names = said.files.into_iter().map(|file| file.name).collect::<Vec<_>>().join(", ");
                self.hear(if said.text.trim().is_empty() { names } else { said.text });
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

    fn hear(&mut self, text: String) {
        let Some(now_ms) = self.now_ms() else { return self.begin(text) };
        if text.trim() == "/stop" {
            return self.stop();
        }
        let answered =
            self.now.as_mut().and_then(|running| running.play.answer(None, None, Some(&text), now_ms));
        if let Some(frames) = answered {
            self.out.extend(frames.into_iter().map(Event::Frame));
        } else if self.queue.len() < MAX_QUEUED {
            self.queue.push_back(text);
            self.notice("queued", "Queued: your message is answered when this turn is done.");
        } else {
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
            self.queue.clear();
            self.notice("dropped", "The messages that were waiting are dropped.");
        }
    }

    fn begin(&mut self, text: String) {
        self.turns += 1;
        let prefix = format!("{}t{}", self.prefix, self.turns);
        let play = match suggestions::recording(&text) {
            Some(path) => Play::new(prefix, recordings::steps(path).into_iter()),
            None => Play::new(prefix, echo::steps(text)),
        };
        self.now = Some(Running { play, origin: Instant::now() });
    }

    fn notice(&mut self, code: &str, text: &str) {
        let (code, text) = (code.to_owned(), text.to_owned());
        self.out.push(Event::Frame(ServerFrame::Notice { level: Level::Info, code, text, detail: None }));
    }
}

async fn reached(due: Option<Instant>) {
    match due {
        Some(due) => sleep_until(due).await,
        None => std::future::pending().await,
    }
}

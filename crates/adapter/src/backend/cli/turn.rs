//! One run of Hermes, as frames: what its lines mean, how it is stopped, and when it is over. The chat (`chat.rs`) owns
//! the order of turns and what is said to the user's devices.

use iris_core::{
    protocol::frame::ServerFrame,
    stall::{
        record::StreamRecord,
        said::{self, Said},
    },
    stream_json::{Event, TimedEvent, TimedFrame, ToFrames, event::Outcome, parse_line},
};
use tokio::{
    sync::oneshot,
    time::{Instant, sleep},
};

use super::{
    keeper::Word, lines::Line, options::Patience, process::Process, session::Session, streams::Streams, words,
};
use crate::hub::now_ms;

/// Hermes says this on standard error when it has no such session; without its texts it says the name of the text.
const NO_SESSION: [&str; 2] = ["session_not_found", "Session not found"];
/// Interrupted, as shells have it.
const INTERRUPTED: i32 = 130;

/// A run.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) process: Process,
    patience: Patience,
    /// What has not been told yet.
    frames: Vec<ServerFrame>,
    streams: Streams,
    session: Option<Session>,
    model: Option<String>,
    lines: usize,
    begun: bool,
    /// Something came from the model.
    spoke: bool,
    /// The last record of a turn that failed: the end is told with what else is known then.
    failed: Option<Outcome>,
    /// The end has been told.
    over: bool,
    stopping: bool,
    next: Option<(Instant, Word)>,
}

impl Turn {
    /// A run that has just been started.
    pub(super) fn new(process: Process, patience: Patience) -> Self {
        Self {
            process,
            patience,
            frames: Vec::new(),
            streams: Streams::new(now_ms()),
            session: None,
            model: None,
            lines: 0,
            begun: false,
            spoke: false,
            failed: None,
            over: false,
            stopping: false,
            next: None,
        }
    }

    /// Takes a line that it wrote.
    pub(super) fn line(&mut self, line: &Line, to_frames: &mut ToFrames) {
        self.lines += 1;
        let event = match line {
            Line::TooLong(bytes) => {
                return self.process.ring().push(&format!("(a line of {bytes} bytes is left out)"));
            }
            Line::Text(text) if text.trim().is_empty() => return,
            Line::Text(text) => match parse_line(self.lines, text) {
                Ok(event) => event,
                // What is no event explains a failure, if there is one.
                Err(_) => return self.process.ring().push(text),
            },
        };
        self.event(event, to_frames);
    }

    fn event(&mut self, event: TimedEvent, to_frames: &mut ToFrames) {
        if self.over || self.failed.is_some() {
            // After its last record a run has nothing more to say, whatever it writes.
            return;
        }
        self.streams.hear(event.timestamp.unwrap_or_else(now_ms), &event.event);
        match &event.event {
            Event::Init { .. } if std::mem::replace(&mut self.begun, true) => return,
            Event::Init { model, session_id } => {
                self.model.clone_from(model);
                self.session = session_id.as_deref().and_then(Session::read);
            }
            Event::Result(outcome) => {
                let session = outcome.session_id.as_deref().and_then(Session::read);
                self.session = session.or_else(|| self.session.take());
                // It ends by itself now. If it does not, somebody may be waiting for it.
                self.next =
                    self.next.or_else(|| Some((Instant::now() + self.patience.linger, Word::Terminate)));
                if outcome.exit_code != 0 {
                    self.failed = Some(outcome.clone());
                    return;
                }
                self.over = true;
            }
            Event::Unknown { .. } => {}
            Event::Text { .. } | Event::ToolUse { .. } | Event::ToolResult { .. } => self.spoke = true,
        }
        let frames = to_frames.event(&self.without_hermes(event));
        self.tell(frames);
    }

    /// A text that is not the model's, because Hermes wrote it where the connection broke off, becomes a notice, and what
    /// the model writes next a new paragraph.
    fn without_hermes(&mut self, event: TimedEvent) -> TimedEvent {
        let Event::Text { text } = &event.event else { return event };
        let Some(Said { level, code, facts }) = said::is_inside(text).then(|| said::said(text)).flatten()
        else {
            return event;
        };
        self.streams.said(event.timestamp.unwrap_or_else(now_ms), text);
        let text = text.trim().trim_start_matches("⚠ ").to_owned();
        self.frames.push(ServerFrame::Notice { level, code: code.to_owned(), text, detail: None, facts });
        TimedEvent { event: Event::Text { text: "\n\n".to_owned() }, ..event }
    }

    /// The run has ended: how the turn ends, with everything that is known of it.
    pub(super) fn ended(&mut self, exit: i32, to_frames: &mut ToFrames) {
        if std::mem::replace(&mut self.over, true) {
            return;
        }
        let stopped = self.stopping;
        let frames = match self.failed.take() {
            Some(mut outcome) => {
                // However Hermes puts it: it was stopped because the user wanted it.
                outcome.exit_code = if stopped { INTERRUPTED } else { outcome.exit_code };
                to_frames.event(&result(outcome))
            }
            None if stopped || exit == INTERRUPTED => {
                to_frames.event(&result(Outcome { exit_code: INTERRUPTED, ..Outcome::default() }))
            }
            None if exit == 0 => to_frames.end(),
            None => to_frames.event(&result(Outcome {
                exit_code: exit,
                error: words::exit_code(exit),
                ..Outcome::default()
            })),
        };
        let tail = self.process.ring().tail();
        let explained = frames
            .into_iter()
            .map(|timed| TimedFrame { frame: words::explain(timed.frame, Some(exit), &tail), ..timed });
        self.tell(explained.collect());
    }

    /// Snapshots are whole texts: of several that are told at once, the last says it all.
    fn tell(&mut self, frames: Vec<TimedFrame>) {
        for TimedFrame { frame, .. } in frames {
            if let (
                Some(ServerFrame::MessageUpdate { message_id: before, .. }),
                ServerFrame::MessageUpdate { message_id, .. },
            ) = (self.frames.last(), &frame)
                && before == message_id
            {
                self.frames.pop();
            }
            self.frames.push(frame);
        }
    }

    /// How its streams went, once this frame ends the turn.
    pub(super) fn streamed(&mut self, frame: &ServerFrame) -> Vec<StreamRecord> {
        self.streams.over(now_ms(), frame)
    }

    /// What is to be told now.
    pub(super) fn take_frames(&mut self) -> Vec<ServerFrame> {
        std::mem::take(&mut self.frames)
    }

    /// The user wants it to end. The first time politely; whoever insists is heard.
    pub(super) async fn stop(&mut self) {
        let word =
            if std::mem::replace(&mut self.stopping, true) { Word::Terminate } else { Word::Interrupt };
        self.signal(word).await;
    }

    /// When more has to be done about ending it.
    pub(super) fn due(&self) -> Option<Instant> {
        self.next.map(|(at, _)| at)
    }

    /// Does more about ending it.
    pub(super) async fn press(&mut self) {
        if let Some((_, word)) = self.next.take() {
            self.signal(word).await;
        }
    }

    /// Lets a run that is over take its time to go: Hermes waits for background work of its tools. It is hurried when
    /// somebody waits (a word on the sender), and ended when nobody can any more (the sender is dropped).
    pub(super) fn see_off(self) -> oneshot::Sender<()> {
        let (hurry, hurried) = oneshot::channel();
        let (mut process, linger) = (self.process, self.patience.linger);
        tokio::spawn(async move {
            let patience = async {
                if hurried.await.is_ok() {
                    sleep(linger).await;
                }
            };
            // Dropping it ends it.
            tokio::select! {
                () = process.gone() => {}
                () = patience => {}
            }
        });
        hurry
    }

    async fn signal(&mut self, word: Word) {
        let now = Instant::now();
        self.next = match word {
            Word::Interrupt => Some((now + self.patience.interrupt, Word::Terminate)),
            Word::Terminate => Some((now + self.patience.terminate, Word::Kill)),
            Word::Kill => None,
        };
        self.process.signal(word).await;
    }

    /// The session that it has.
    pub(super) fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// The model that it named.
    pub(super) fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// The end has been told.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// It never began, because Hermes does not know its session. One whose first turn was killed early is not kept.
    pub(super) fn knows_no_session(&self) -> bool {
        let failed = self.failed.as_ref().is_some_and(|outcome| outcome.text.is_empty());
        failed && !self.spoke && !self.stopping && self.process.ring().says(&NO_SESSION)
    }
}

fn result(outcome: Outcome) -> TimedEvent {
    TimedEvent { timestamp: None, event: Event::Result(outcome) }
}

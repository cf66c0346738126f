//! One chat with Hermes: one turn at a time, in the order in which the messages were said. A message is handed on only
//! when the journal knows that it was: nobody on the other side would recognise it if it came twice.

use std::{collections::VecDeque, path::PathBuf, sync::Arc};

use iris_core::{
    ids::{MessageId, TurnId},
    protocol::frame::{Facts, Level, ServerFrame},
    stream_json::{Event as Reported, TimedEvent, ToFrames, event::Outcome},
};
use tokio::{
    sync::{mpsc, oneshot, watch},
    time::{Instant, sleep_until},
};

use super::{
    attachments::{self, Attached},
    options::Options,
    process::{Happening, Process, Run},
    session::Session,
    turn::Turn,
    words,
};
use crate::backend::{About, Event, Opening, Request, Said, lost};

const STOPPED: &str = "Iris was stopped while this turn ran, and Hermes with it. Send the message again.";

/// Messages that may wait for their turn here; the next ones wait with the hub, which tells who sends too many.
const MAX_QUEUED: usize = 64;
/// The exit code when a program cannot be started, as shells have it.
const CANNOT_START: i32 = 127;

/// A chat.
pub(super) struct Chat {
    options: Arc<Options>,
    about: watch::Sender<About>,
    folder: PathBuf,
    requests: mpsc::Receiver<Request>,
    events: mpsc::Sender<Event>,
    to_frames: ToFrames,
    session: Option<Session>,
    queue: VecDeque<Said>,
    /// The last turn's process has said everything and is on its way out; told when somebody waits for that.
    leaving: Option<oneshot::Sender<()>>,
}

/// The hub has let go of the chat: there is nobody to work for.
struct Gone;

/// How a run ended.
enum Ran {
    /// With the turn's end.
    Over,
    /// Before the turn began: Hermes has no such session.
    NoSession,
}

impl Chat {
    /// A chat whose files are in `folder`.
    pub(super) fn new(
        options: Arc<Options>,
        about: watch::Sender<About>,
        folder: PathBuf,
        opening: &Opening,
        requests: mpsc::Receiver<Request>,
        events: mpsc::Sender<Event>,
    ) -> Self {
        let to_frames = ToFrames::new(opening.prefix.as_str());
        let session = opening.memory.as_deref().and_then(Session::read);
        Self {
            options,
            about,
            folder,
            requests,
            events,
            to_frames,
            session,
            queue: VecDeque::new(),
            leaving: None,
        }
    }

    /// Works until the chat is gone.
    pub(super) async fn run(mut self, open_turn: Option<TurnId>) {
        if let Some(turn) = open_turn
            && self.tell(lost(turn, STOPPED)).await.is_err()
        {
            return;
        }
        loop {
            let said = match self.queue.pop_front() {
                Some(said) => said,
                None => match self.requests.recv().await {
                    Some(Request::Say(said)) => said,
                    // There is nothing to stop, and Hermes asks nothing on its command line.
                    Some(Request::Stop | Request::Answer { .. }) => continue,
                    None => return,
                },
            };
            if self.turn(said).await.is_err() {
                return;
            }
        }
    }

    async fn turn(&mut self, said: Said) -> Result<(), Gone> {
        // The turn first: if the adapter ends between the two, the message is said again, and is not lost.
        let begun = self.to_frames.begin();
        self.tell_all(begun.into_iter().map(|timed| timed.frame)).await?;
        self.take(said.message_id.clone()).await?;
        let attached = match std::fs::create_dir_all(&self.folder) {
            Ok(()) => attachments::attach(&said, &self.folder),
            Err(error) => return self.fail(&format!("Iris cannot keep its files: {error}")).await,
        };
        if let Some(warning) = &attached.warning {
            self.notice(Level::Warning, "not_handed_on", warning).await?;
        }
        let prompt = attachments::prompt(&said, &attached);
        if prompt.trim().is_empty() {
            return self.fail("There is nothing in this message that Hermes could be told.").await;
        }
        match self.attempt(&prompt, &attached).await? {
            Ran::Over => Ok(()),
            Ran::NoSession => {
                self.session = None;
                let text = "Hermes does not know the session of this chat any more. A new one begins: it does not \
                            remember what was said before.";
                self.notice(Level::Warning, "new_session", text).await?;
                self.attempt(&prompt, &attached).await.map(|_| ())
            }
        }
    }

    /// Runs Hermes once, to its end.
    async fn attempt(&mut self, prompt: &str, attached: &Attached) -> Result<Ran, Gone> {
        let run = Run {
            prompt,
            resume: self.session.as_ref().map(Session::as_str),
            image: attached.image.as_deref(),
            folder: &self.folder,
        };
        let resumes = run.resume.is_some();
        // The keeper waits for it, by the chat's lock.
        if let Some(leaving) = self.leaving.take() {
            let _ = leaving.send(());
        }
        let mut turn = match Process::start(&self.options, run).await {
            Ok(process) => Turn::new(process, self.options.patience),
            Err(error) => {
                return self.fail(&format!("Iris cannot start Hermes: {error}")).await.map(|()| Ran::Over);
            }
        };
        loop {
            let due = turn.due();
            let room = self.queue.len() < MAX_QUEUED;
            tokio::select! {
                request = self.requests.recv(), if room => match request {
                    Some(request) => self.hear(request, &mut turn).await?,
                    // Dropping the run ends it.
                    None => return Err(Gone),
                },
                happening = turn.process.next() => match happening {
                    Happening::Line(line) => {
                        turn.line(&line, &mut self.to_frames);
                        if !turn.process.is_ready() {
                            self.report(&mut turn).await?;
                        }
                        if turn.is_over() {
                            self.report(&mut turn).await?;
                            self.leaving = Some(turn.see_off());
                            return Ok(Ran::Over);
                        }
                    }
                    Happening::Ended(_) if resumes && turn.knows_no_session() => return Ok(Ran::NoSession),
                    Happening::Ended(exit) => {
                        turn.ended(exit, &mut self.to_frames);
                        self.report(&mut turn).await?;
                        return Ok(Ran::Over);
                    }
                },
                () = reached(due) => turn.press().await,
            }
        }
    }

    /// Something is asked while a turn runs.
    async fn hear(&mut self, request: Request, turn: &mut Turn) -> Result<(), Gone> {
        match request {
            Request::Say(said) => {
                self.queue.push_back(said);
                self.notice(Level::Info, "queued", "Queued: your message is answered when this turn is done.")
                    .await
            }
            Request::Stop => {
                turn.stop().await;
                self.drop_queue().await
            }
            Request::Answer { .. } => Ok(()),
        }
    }

    /// A stop is meant for what waits behind the turn too, as it is in Hermes itself.
    async fn drop_queue(&mut self) -> Result<(), Gone> {
        if self.queue.is_empty() {
            return Ok(());
        }
        for said in std::mem::take(&mut self.queue) {
            self.send(Event::Taken { message_id: said.message_id, noted: None }).await?;
        }
        self.notice(Level::Info, "dropped", "The messages that were waiting are dropped.").await
    }

    /// Tells what the run has come to.
    async fn report(&mut self, turn: &mut Turn) -> Result<(), Gone> {
        if let Some(session) = turn.session().filter(|session| self.session.as_ref() != Some(session)) {
            self.session = Some(session.clone());
            self.send(Event::Remember(session.as_str().to_owned())).await?;
        }
        if let Some(model) = turn.model() {
            self.about.send_if_modified(|about| {
                let news = about.info.model.as_deref() != Some(model);
                about.info.model = Some(model.to_owned());
                news
            });
        }
        for frame in turn.take_frames() {
            let records = turn.streamed(&frame);
            if !records.is_empty() {
                self.send(Event::Streamed(records)).await?;
            }
            self.tell(frame).await?;
        }
        Ok(())
    }

    /// Ends a turn that could not be run.
    async fn fail(&mut self, why: &str) -> Result<(), Gone> {
        let outcome = Outcome { exit_code: CANNOT_START, text: why.to_owned(), ..Outcome::default() };
        let frames = self.to_frames.event(&TimedEvent { timestamp: None, event: Reported::Result(outcome) });
        self.tell_all(frames.into_iter().map(|timed| words::without_code(timed.frame))).await
    }

    /// The message is Hermes' from now on; returns when that is on disk.
    async fn take(&mut self, message_id: MessageId) -> Result<(), Gone> {
        let (noted, known) = oneshot::channel();
        self.send(Event::Taken { message_id, noted: Some(noted) }).await?;
        known.await.map_err(|_| Gone)
    }

    async fn notice(&mut self, level: Level, code: &str, text: &str) -> Result<(), Gone> {
        let (code, text) = (code.to_owned(), text.to_owned());
        self.tell(ServerFrame::Notice { level, code, text, detail: None, facts: Facts::default() }).await
    }

    async fn tell_all(&mut self, frames: impl IntoIterator<Item = ServerFrame>) -> Result<(), Gone> {
        for frame in frames {
            self.tell(frame).await?;
        }
        Ok(())
    }

    async fn tell(&mut self, frame: ServerFrame) -> Result<(), Gone> {
        self.send(Event::Frame(frame)).await
    }

    async fn send(&mut self, event: Event) -> Result<(), Gone> {
        self.events.send(event).await.map_err(|_| Gone)
    }
}

async fn reached(due: Option<Instant>) {
    match due {
        Some(due) => sleep_until(due).await,
        None => std::future::pending().await,
    }
}

//! A chat whose backend and only device are the test, on a journal that can fail and whose adapter can die.

use std::{path::Path, sync::atomic::AtomicBool, sync::atomic::Ordering::SeqCst};

use iris_core::protocol::frame::{Envelope, SearchHit, TurnStatus};
use tokio::{sync::mpsc::Sender, task::JoinHandle};

use super::*;
use crate::{
    hub::{
        queue::{Waiting, queue},
        shelf::Shelved,
        speech::tests::Ear,
    },
    journal::{Answer, NewChat, Page, Range, Sqlite, StreamsWanted, Trouble, What, Write},
};

/// A journal that stops to write, as one whose process was killed, or says that the disk is full.
pub(super) struct Mortal {
    inner: Sqlite,
    pub(super) dead: AtomicBool,
    full: AtomicBool,
    unreadable: AtomicBool,
}

impl Journal for Mortal {
    fn write(&self, write: Write) {
        match write.done {
            _ if self.dead.load(SeqCst) => {}
            Done::Answer(answer) if self.full.load(SeqCst) => answer.send(Err(Trouble::Full)).unwrap(),
            done => self.inner.write(Write { done, ..write }),
        }
    }

    fn page(&self, chat: ChatKey, range: Range) -> Answer<Page> {
        if self.unreadable.load(SeqCst) {
            return Box::pin(async { Err(Trouble::Other("bad sector".to_owned())) });
        }
        self.inner.page(chat, range)
    }

    fn said(&self, chat: ChatKey, device: String, client_id: ClientId) -> Answer<Option<Mark>> {
        self.inner.said(chat, device, client_id)
    }

    fn files(&self, chat: ChatKey) -> Answer<Vec<FileId>> {
        self.inner.files(chat)
    }

    fn search(&self, query: String) -> Answer<Vec<SearchHit>> {
        self.inner.search(query)
    }

    fn streams(&self, wanted: StreamsWanted) -> Answer<Vec<StreamRecord>> {
        self.inner.streams(wanted)
    }

    fn tapes(&self, chat: ChatKey) -> Answer<Vec<tape::Tape>> {
        self.inner.tapes(chat)
    }
}

/// A shelf with one file.
struct OneFile;

impl OneFile {
    fn info() -> FileInfo {
        FileInfo { id: "f1".into(), name: "a.png".into(), media_type: "image/png".into(), size: 3 }
    }
}

impl Shelf for OneFile {
    fn keep(&self, path: std::path::PathBuf) -> Found<Result<FileInfo, String>> {
        let kept =
            if path == Path::new("/a.png") { Ok(Self::info()) } else { Err("it is too large".to_owned()) };
        Box::pin(async move { kept })
    }

    fn find(&self, id: FileId) -> Found<Option<Shelved>> {
        let found = (id == "f1".into()).then(|| Shelved { info: Self::info(), path: "/files/f1".into() });
        Box::pin(async move { found })
    }

    fn remove(&self, _ids: Vec<FileId>) -> Found<()> {
        Box::pin(async {})
    }
}

pub(super) struct Bench {
    folder: tempfile::TempDir,
    pub(super) journal: Arc<Mortal>,
    about: watch::Sender<About>,
    pub(super) commands: Sender<Command>,
    task: JoinHandle<()>,
    pub(super) requests: Receiver<Request>,
    pub(super) frames: Sender<Event>,
    pub(super) peer: Peer,
    waiting: Waiting,
    ear: Ear,
    ready: VecDeque<Envelope>,
    pub(super) kept_turn: Option<iris_core::ids::TurnId>,
}

impl Bench {
    /// A new chat with a device that listens.
    pub(super) async fn new() -> Self {
        let mut bench = Self::life(tempfile::tempdir().unwrap(), 8, None).await;
        bench.sync(None).await;
        bench
    }

    /// The next life, nothing of this one having been written any more.
    pub(super) async fn reborn(self) -> Self {
        self.journal.dead.store(true, SeqCst);
        self.task.abort();
        drop(self.task.await);
        Self::life(self.folder, 8, None).await
    }

    async fn life(folder: tempfile::TempDir, places: usize, now_us: Option<u64>) -> Self {
        let now_us = now_us.unwrap_or_else(crate::hub::now_us);
        let (inner, mut restored) = Sqlite::open(&folder.path().join("iris.db"), now_us).unwrap();
        let journal =
            Arc::new(Mortal { inner, dead: false.into(), full: false.into(), unreadable: false.into() });
        let kept = match restored.chats.pop() {
            Some(kept) => kept,
            None => {
                let new = NewChat {
                    key: ChatKey(1),
                    id: "c".into(),
                    title: String::new(),
                    updated_ms: 1,
                    wish: None,
                    base: restored.base,
                };
                let keeping: Arc<dyn Journal> = journal.clone();
                crate::hub::keeper::written(&keeping, What::Create(new)).await.unwrap();
                Kept {
                    key: ChatKey(1),
                    id: "c".into(),
                    title: String::new(),
                    updated_ms: 1,
                    wish: None,
                    memory: None,
                    turn: None,
                    spans: vec![crate::journal::Span { base: restored.base, last: restored.base }],
                    tail: Vec::new(),
                    unsaid: Vec::new(),
                }
            }
        };
        let ((to_backend, requests), (frames, from_backend)) = (mpsc::channel(places), mpsc::channel(8));
        let link = Link { requests: to_backend, events: from_backend };
        let (commands, receiver) = mpsc::channel(8);
        let (line, waiting) = queue(64);
        let about = watch::Sender::new(About::default());
        let around = Surroundings {
            directory: Arc::default(),
            journal: journal.clone(),
            shelf: Arc::new(OneFile),
            about: about.subscribe(),
            text_gap: Duration::ZERO,
        };
        let kept_turn = kept.turn.clone();
        let task = tokio::spawn(Chat::new(kept, restored.base, link, around).run(receiver));
        let peer = Peer { id: 1, device: "d".into(), append: true, line };
        let ready = VecDeque::new();
        let ear = Ear::new(true);
        Self {
            folder,
            journal,
            about,
            commands,
            task,
            requests,
            frames,
            peer,
            waiting,
            ear,
            ready,
            kept_turn,
        }
    }

    /// Subscribes; whether it had to start over, the number that it was brought to, and the frames.
    async fn sync(&mut self, after: Option<u64>) -> (bool, u64, Vec<ServerFrame>) {
        self.commands.send(Command::Subscribe { peer: self.peer.clone(), after, limit: None }).await.unwrap();
        let ServerFrame::SyncBegin { reset, to_seq, .. } = self.hear().await.frame else { panic!() };
        let mut frames = Vec::new();
        loop {
            match self.hear().await.frame {
                ServerFrame::SyncEnd => break,
                frame => frames.push(frame),
            }
        }
        assert!(matches!(self.hear().await.frame, ServerFrame::Typing { .. }));
        (reset, to_seq, frames)
    }

    pub(super) async fn say(&self, client_id: &str) {
        self.send(client_id, &[], None).await;
    }

    async fn send(&self, client_id: &str, files: &[&str], mode: Option<SendMode>) {
        let attachments = files.iter().map(|id| FileId::from(*id)).collect();
        let message =
            Message { client_id: client_id.into(), text: format!("say {client_id}"), attachments, mode };
        self.commands.send(Command::Send { peer: self.peer.clone(), message }).await.unwrap();
    }

    pub(super) async fn tell(&self, frame: ServerFrame) {
        self.frames.send(Event::Frame(frame)).await.unwrap();
    }

    pub(super) async fn hear(&mut self) -> Envelope {
        if self.ready.is_empty() {
            let outgoing = self.waiting.next().await.unwrap();
            self.take(outgoing);
        }
        self.ready.pop_front().unwrap()
    }

    /// What was said already.
    pub(super) fn heard(&mut self) -> Option<Envelope> {
        if self.ready.is_empty()
            && let Some(outgoing) = self.waiting.try_next()
        {
            self.take(outgoing);
        }
        self.ready.pop_front()
    }

    fn take(&mut self, outgoing: Outgoing) {
        self.ready.extend(self.ear.hear(outgoing));
    }

    async fn error(&mut self) -> (String, Option<String>) {
        match self.hear().await.frame {
            ServerFrame::Error { code, re, .. } => (code, re),
            other => panic!("{other:?}"),
        }
    }

    pub(super) async fn request(&mut self) -> Said {
        match self.requests.recv().await {
            Some(Request::Say(said)) => said,
            other => panic!("{other:?}"),
        }
    }
}

fn turn(id: &str) -> ServerFrame {
    ServerFrame::TurnStart { turn: id.into() }
}

fn update(text: &str) -> ServerFrame {
    ServerFrame::MessageUpdate { message_id: "m".into(), text: text.into() }
}

fn texts(frames: &[ServerFrame]) -> Vec<String> {
    let text = |frame: &ServerFrame| match frame {
        ServerFrame::UserMessage { text, .. } | ServerFrame::MessageUpdate { text, .. } => text.clone(),
        ServerFrame::TurnStart { turn } => format!("turn {turn}"),
        other => panic!("{other:?}"),
    };
    frames.iter().map(text).collect()
}

#[tokio::test]
async fn what_a_lost_backend_leaves_open_is_closed() {
    let mut bench = Bench::new().await;
    bench.tell(turn("t")).await;
    bench.tell(ServerFrame::Typing { on: true }).await;
    drop(std::mem::replace(&mut bench.frames, mpsc::channel(1).0));
    bench.hear().await;
    bench.hear().await;
    let ended = bench.hear().await.frame;
    assert!(matches!(ended, ServerFrame::TurnEnd { status: TurnStatus::Lost, .. }), "{ended:?}");
    assert_eq!(bench.hear().await.frame, ServerFrame::Typing { on: false });
    drop(std::mem::replace(&mut bench.requests, mpsc::channel(1).1));
    bench.say("c1").await;
    assert_eq!(bench.error().await, ("no_backend".to_owned(), Some("c1".to_owned())));
}

#[tokio::test]
async fn a_message_that_finds_no_place_is_refused_and_may_be_sent_again() {
    let mut bench = Bench::life(tempfile::tempdir().unwrap(), 1, None).await;
    bench.say("c1").await;
    bench.say("c2").await;
    bench.hear().await;
    assert_eq!(bench.error().await, ("busy".to_owned(), Some("c2".to_owned())));
    assert_eq!(bench.request().await.text, "say c1");
    bench.say("c2").await;
    let again = bench.hear().await.frame;
    assert!(matches!(again, ServerFrame::Ack { client_id, .. } if client_id == "c2".into()));
}

#[tokio::test]
async fn an_acknowledged_message_is_on_disk_and_taken_once_in_every_life() {
    let mut bench = Bench::new().await;
    bench.say("c1").await;
    let ack = bench.hear().await;
    assert!(matches!(ack.frame, ServerFrame::Ack { .. }));
    // Whatever is written after the acknowledgement is lost.
    let mut bench = bench.reborn().await;
    bench.say("c1").await;
    assert_eq!(bench.hear().await, ack);
    let (_, _, frames) = bench.sync(None).await;
    assert_eq!(texts(&frames), ["say c1"]);
    assert_eq!(bench.request().await.text, "say c1", "it is said again, and once");
    assert!(bench.requests.try_recv().is_err());
}

#[tokio::test]
async fn what_the_agent_does_not_have_is_said_again_in_its_order() {
    let mut bench = Bench::new().await;
    let mut ids = Vec::new();
    for client_id in ["c1", "c2", "c3"] {
        bench.say(client_id).await;
        ids.push(bench.request().await.message_id);
    }
    let (noted, taken) = tokio::sync::oneshot::channel();
    bench.frames.send(Event::Taken { message_id: ids[0].clone(), noted: Some(noted) }).await.unwrap();
    taken.await.unwrap();
    let mut bench = bench.reborn().await;
    for (id, client_id) in ids[1..].iter().zip(["c2", "c3"]) {
        let said = bench.request().await;
        assert_eq!((&said.message_id, said.text), (id, format!("say {client_id}")));
        assert_eq!(said.client_id, Some(client_id.into()));
    }
    assert!(bench.requests.try_recv().is_err());
}

#[tokio::test]
async fn a_message_that_cannot_be_saved_is_refused_and_leaves_no_trace() {
    let mut bench = Bench::new().await;
    bench.journal.full.store(true, SeqCst);
    bench.say("c1").await;
    assert_eq!(bench.error().await, ("not_saved".to_owned(), Some("c1".to_owned())));
    bench.journal.full.store(false, SeqCst);
    let (reset, to_seq, frames) = bench.sync(None).await;
    assert_eq!((reset, frames), (true, Vec::new()));
    bench.say("c1").await;
    assert_eq!(bench.hear().await.seq, Some(to_seq + 1));
    bench.hear().await;
    let mut bench = bench.reborn().await;
    assert_eq!(texts(&bench.sync(None).await.2), ["say c1"]);
}

#[tokio::test]
async fn a_device_goes_on_where_it_was_if_the_disk_was_as_far_and_starts_over_if_it_was_not() {
    let mut bench = Bench::new().await;
    bench.tell(turn("t1")).await;
    bench.hear().await;
    bench.say("c1").await;
    let known = bench.hear().await.seq;
    bench.hear().await;
    // From now on nothing reaches the disk.
    bench.journal.dead.store(true, SeqCst);
    bench.tell(update("lost")).await;
    let lost = bench.hear().await.seq;
    assert_eq!(lost, known.map(|seq| seq + 1));

    let mut bench = bench.reborn().await;
    let (reset, to_seq, frames) = bench.sync(known).await;
    assert_eq!((reset, frames), (false, Vec::new()));
    assert!(Some(to_seq) > lost, "the numbers of this life are others");
    let (reset, _, frames) = bench.sync(lost).await;
    assert_eq!((reset, texts(&frames)), (true, vec!["turn t1".to_owned(), "say c1".to_owned()]));
    // And in the life after the next one, both are as before.
    let mut bench = bench.reborn().await;
    assert!(!bench.sync(known).await.0);
    assert!(bench.sync(lost).await.0);
    assert!(!bench.sync(Some(to_seq)).await.0, "a number of a life in which nothing happened");
}

#[tokio::test]
async fn numbers_go_on_when_the_clock_went_back() {
    let mut bench = Bench::new().await;
    bench.say("c1").await;
    let last = bench.hear().await.seq;
    bench.journal.dead.store(true, SeqCst);
    bench.task.abort();
    let mut bench = Bench::life(bench.folder, 8, Some(1_000)).await;
    assert!(Some(bench.sync(None).await.1) > last);
}

#[tokio::test]
async fn a_turn_that_is_told_again_begins_again_on_every_device() {
    let mut bench = Bench::new().await;
    bench.tell(turn("t1")).await;
    bench.tell(update("wrong")).await;
    bench.hear().await;
    let within = bench.hear().await.seq;
    bench.say("c1").await;
    bench.hear().await;
    bench.hear().await;
    bench.frames.send(Event::Restart).await.unwrap();
    assert!(matches!(bench.hear().await.frame, ServerFrame::SyncBegin { reset: true, .. }));
    while bench.hear().await.frame != (ServerFrame::Typing { on: false }) {}
    bench.tell(update("right")).await;
    bench.hear().await;
    // A message is on disk with everything before it.
    bench.say("c2").await;
    let known = bench.hear().await.seq;
    let mut bench = bench.reborn().await;
    assert_eq!(bench.kept_turn, Some("t1".into()));
    let (reset, _, frames) = bench.sync(within).await;
    assert_eq!(
        (reset, texts(&frames)),
        (true, ["turn t1", "say c1", "right", "say c2"].map(str::to_owned).to_vec())
    );
    assert!(!bench.sync(known).await.0);
}

#[tokio::test]
async fn files_go_to_the_agent_and_come_from_it() {
    let mut bench = Bench::new().await;
    bench.send("c1", &["f1"], Some(SendMode::Steer)).await;
    assert_eq!(bench.error().await.0, "no_files");
    let capabilities = vec!["files".to_owned(), "queue".to_owned()];
    bench.about.send_replace(About { capabilities, ..About::default() });
    bench.send("c1", &["f1", "f2"], None).await;
    assert_eq!(bench.error().await.0, "unknown_file");
    bench.send("c1", &["f1"], Some(SendMode::Steer)).await;
    bench.hear().await;
    let ServerFrame::UserMessage { attachments, .. } = bench.hear().await.frame else { panic!() };
    assert_eq!(attachments, [OneFile::info()]);
    let said = bench.request().await;
    assert_eq!(
        (said.files[0].path.as_path(), said.mode),
        (Path::new("/files/f1"), None),
        "steer is not offered"
    );

    for path in ["/a.png", "/b.png"] {
        let (message_id, path, caption) = ("m1".into(), path.into(), Some("look".to_owned()));
        bench.frames.send(Event::File { message_id, path, caption }).await.unwrap();
    }
    bench.tell(turn("t1")).await;
    let ServerFrame::File { file, caption, .. } = bench.hear().await.frame else { panic!() };
    assert_eq!((file, caption.as_deref()), (OneFile::info(), Some("look")));
    let ServerFrame::Notice { text, .. } = bench.hear().await.frame else { panic!() };
    assert!(text.contains("too large"), "{text}");
    assert_eq!(bench.hear().await.frame, turn("t1"), "what comes after a file waits for it");

    bench.send("c2", &["f1"], Some(SendMode::Queue)).await;
    bench.hear().await;
    let mut bench = bench.reborn().await;
    for mode in [None, Some(SendMode::Queue)] {
        let said = bench.request().await;
        assert_eq!((said.files.len(), said.mode), (1, mode), "{said:?}");
    }
}

#[tokio::test]
async fn a_device_that_cannot_be_brought_up_to_date_is_told_so_and_asks_again() {
    let bench = Bench::new().await;
    bench.say("c1").await;
    let mut bench = bench.reborn().await;
    bench.journal.unreadable.store(true, SeqCst);
    let (peer, after, limit) = (bench.peer.clone(), None, None);
    bench.commands.send(Command::Subscribe { peer, after, limit }).await.unwrap();
    assert_eq!(bench.error().await, ("not_read".to_owned(), Some("subscribe".to_owned())));
    bench.journal.unreadable.store(false, SeqCst);
    assert!(bench.sync(None).await.0);
}

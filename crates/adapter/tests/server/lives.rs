//! The journal and the transcript, killed at any moment: the next life goes on from exactly what was given to the disk, for
//! a device that comes in fresh and for one that was there until the end.

use std::path::Path;

use iris_adapter::{
    hub::transcript::{Plan, Transcript},
    journal::{ChatKey, Done, Journal, Kept, NewChat, Page, Sqlite, What, Write},
};
use iris_core::{
    protocol::{codec::decode_server, frame::ServerFrame},
    timeline::Timeline,
};
use proptest::prelude::*;
use tokio::sync::oneshot;

use crate::{
    picture::picture,
    resume::{Script, apply},
    support::{Client, config},
};

const KEY: ChatKey = ChatKey(1);

/// One life of a chat.
struct Life {
    journal: Sqlite,
    transcript: Transcript,
    kept: Option<Kept>,
}

impl Life {
    /// The chat as it is on disk; new, if there is none.
    async fn begin(folder: &Path, now_us: u64) -> Self {
        let (journal, mut restored) = Sqlite::open(&folder.join("iris.db"), now_us).unwrap();
        match restored.chats.pop() {
            Some(mut kept) => {
                let transcript = Transcript::restored(&mut kept, restored.base);
                Self { journal, transcript, kept: Some(kept) }
            }
            None => {
                let base = restored.base;
                let new = NewChat {
                    key: KEY,
                    id: "c".into(),
                    title: String::new(),
                    updated_ms: 0,
                    wish: None,
                    base,
                };
                let life = Self { journal, transcript: Transcript::new("c".into(), base), kept: None };
                life.write(What::Create(new)).await;
                life
            }
        }
    }

    async fn write(&self, what: What) {
        let (answer, answered) = oneshot::channel();
        self.journal.write(Write { what, done: Done::Answer(answer) });
        answered.await.unwrap().unwrap();
    }

    /// Everything up to now is on disk, and only the last turn still in memory.
    async fn save(&mut self) {
        let mut changes = self.transcript.take_changes();
        changes.push(iris_adapter::journal::Change::Head(iris_adapter::journal::Head {
            title: String::new(),
            updated_ms: 0,
            turn: self.transcript.turn().cloned(),
            turn_seq: self.transcript.turn_start(),
            live: self.transcript.is_live(),
        }));
        self.write(What::Change(KEY, changes)).await;
        self.transcript.forget(self.transcript.last());
    }

    /// Brings a device up to date, from disk and memory. Whether it had to start over.
    async fn sync(&self, timeline: &mut Timeline, after: Option<u64>) -> bool {
        let (page, known) = match self.transcript.plan(after, None) {
            Plan::Memory(known) => (Page { whole: known.is_none(), ..Page::default() }, known),
            Plan::Disk(range) => (self.journal.page(KEY, range).await.unwrap(), None),
        };
        let to_seq = self.transcript.last();
        apply(timeline, None, ServerFrame::SyncBegin { reset: page.whole, to_seq, before_seq: None });
        for text in &page.frames {
            timeline.apply(&decode_server(text).unwrap());
        }
        for entry in self.transcript.in_memory(known) {
            apply(timeline, Some(entry.seq), entry.frame.clone());
        }
        apply(timeline, None, ServerFrame::SyncEnd);
        page.whole
    }
}

/// Plays the frames, saving where `saves` says so, and kills the adapter at the end.
async fn check(frames: Vec<ServerFrame>, saves: Vec<bool>) {
    let folder = tempfile::tempdir().unwrap();
    let mut life = Life::begin(folder.path(), 1_000).await;
    let (mut live, mut expected, mut saved) = (Vec::new(), Timeline::new(), None);
    life.sync(&mut expected, None).await;
    let base = expected.after_seq();
    for (frame, save) in frames.into_iter().zip(saves.into_iter().cycle()) {
        let Some(written) = life.transcript.write(frame.clone()) else { continue };
        live.push((written.seq, written.growth.unwrap_or(frame)));
        if save {
            life.save().await;
            saved = Some(written.seq);
        }
    }
    let on_disk = saved.or(base);
    for (seq, frame) in live.iter().take_while(|(seq, _)| Some(*seq) <= on_disk) {
        apply(&mut expected, Some(*seq), frame.clone());
    }
    drop(life);

    let life = Life::begin(folder.path(), 2_000).await;
    let mut fresh = Timeline::new();
    assert!(life.sync(&mut fresh, None).await);
    assert_eq!(picture(&fresh), picture(&expected));
    assert_eq!(fresh.running(), expected.running());
    assert_eq!(life.kept.is_some_and(|kept| kept.turn.is_some()), expected.running());
    let life = Life::begin(folder.path(), 3_000).await;
    for there in 0..=live.len() {
        let mut device = Timeline::new();
        apply(
            &mut device,
            None,
            ServerFrame::SyncBegin { reset: true, to_seq: base.unwrap_or(0), before_seq: None },
        );
        apply(&mut device, None, ServerFrame::SyncEnd);
        for (seq, frame) in &live[..there] {
            apply(&mut device, Some(*seq), frame.clone());
        }
        let after = device.after_seq();
        device.connection_lost();
        let reset = life.sync(&mut device, after).await;
        assert_eq!(reset, after > on_disk, "cut off at {after:?}, on disk up to {on_disk:?}");
        assert_eq!(picture(&device), picture(&expected), "cut off at {after:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn whenever_the_adapter_is_killed_every_device_ends_with_what_was_on_disk(
        steps in proptest::collection::vec((0u8..12, any::<bool>()), 1..40),
        saves in proptest::collection::vec(proptest::bool::weighted(0.3), 1..20),
    ) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(check(Script::play(&steps), saves));
    }
}

/// A chat of so many turns of two messages, on disk.
async fn long_chat(folder: &Path, turns: usize) {
    let mut life = Life::begin(folder, 1_000).await;
    for nth in 0..turns {
        let said = ServerFrame::UserMessage {
            message_id: format!("u{nth}").into(),
            client_id: None,
            text: format!("question {nth}"),
            ts: None,
            attachments: Vec::new(),
        };
        let script = Script::play(&[(0, true), (0, true), (6, false)]);
        life.transcript.write(said);
        for frame in script {
            life.transcript.write(frame);
        }
        life.transcript.write(ServerFrame::TurnEnd {
            turn: "t1".into(),
            status: iris_core::protocol::frame::TurnStatus::Complete,
            exit_code: None,
            error: None,
            model: None,
            tokens: None,
            duration_ms: None,
        });
        if nth % 500 == 499 {
            life.save().await;
        }
    }
    life.save().await;
}

#[tokio::test]
async fn a_chat_of_15000_messages_opens_by_reading_its_end() {
    let config = config();
    iris_adapter::data::prepare(&config.data).unwrap();
    long_chat(&config.data, 7_500).await;
    let server = iris_adapter::server::start(config).await.unwrap();
    let mut client = Client::modern(&server).await;
    let chat = client.first_chat();
    let began = std::time::Instant::now();
    client.send(iris_core::protocol::AppFrame::Subscribe { chat, after_seq: None, limit: Some(400) }).await;
    let frames = client.until(|frame| matches!(frame, ServerFrame::SyncEnd)).await;
    println!("opened in {:?}, {} frames", began.elapsed(), frames.len());
    assert!((400..420).contains(&frames.len()), "{}", frames.len());
    assert!(matches!(frames[0].frame, ServerFrame::SyncBegin { before_seq: Some(_), .. }));
    assert!(began.elapsed().as_millis() < 1_000, "{:?}", began.elapsed());
}

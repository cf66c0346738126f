//! What a page does with a file: feeds the indexer, answers the player, shows the frames.

use iris_core::protocol::frame::{Envelope, ServerFrame};
use iris_core::run::{Index, Indexer, Player, Poll};
use iris_core::stall::quiet::Watch;
use iris_core::stream_json::{ToFrames, parse};
use iris_core::timeline::{Activity, ItemKind, Phase, Timeline};

/// Every recording of `stream-json`, by name.
pub(crate) fn recordings() -> Vec<(String, Vec<u8>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../adapter/recordings/stream-json");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ext| ext == "jsonl"));
    files.sort();
    assert!(files.len() > 10);
    let name = |path: &std::path::Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    files.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect()
}

/// An index of the file, with places to begin at everywhere it is possible.
pub(crate) fn index(file: &[u8]) -> Indexer {
    index_of_pieces([file])
}

pub(crate) fn index_of_pieces<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Indexer {
    let mut indexer = Indexer::spaced(0);
    pieces.into_iter().for_each(|piece| indexer.push(piece));
    indexer.finish();
    indexer
}

/// A page with a player.
pub(crate) struct Desk<'f> {
    pub(crate) file: &'f [u8],
    pub(crate) index: &'f Index,
    pub(crate) player: Player,
    pub(crate) timeline: Timeline,
    pub(crate) now_ms: u64,
    /// How many bytes were read.
    pub(crate) read: u64,
    /// Everything that came, without chats.
    pub(crate) frames: Vec<Envelope>,
    /// What the line by the composer is made of.
    pub(crate) watch: Watch,
}

impl<'f> Desk<'f> {
    pub(crate) fn new(file: &'f [u8], index: &'f Index) -> Self {
        let (player, timeline) = (Player::new("c1".into()), Timeline::new());
        Self {
            file,
            index,
            player,
            timeline,
            now_ms: 0,
            read: 0,
            frames: Vec::new(),
            watch: Watch::of_recording(),
        }
    }

    /// One that has played from the beginning to this time, in milliseconds.
    pub(crate) fn played_to(to: u64, file: &'f [u8], index: &'f Index) -> Self {
        let mut desk = Self::new(file, index);
        desk.player.subscribe(None, index, 0);
        desk.settle();
        desk.player.play(index, 0);
        while desk.player.position(index, desk.now_ms) < to {
            let rest = to - desk.player.position(index, desk.now_ms);
            desk.now_ms += desk.settle().unwrap_or(rest).min(rest);
        }
        desk.settle();
        desk
    }

    /// Does what the player says until nothing is to be done now; how long it then waits.
    pub(crate) fn settle(&mut self) -> Option<u64> {
        loop {
            match self.player.poll(self.index, self.now_ms) {
                Poll::Send(frames) => frames.iter().for_each(|played| self.show(played.at_ms, &played.frame)),
                Poll::Read(range) => {
                    // A file may be read in smaller pieces than was asked for.
                    let end = (range.start + (range.end - range.start).min(1_000)) as usize;
                    self.read += end as u64 - range.start;
                    self.player.give(range.start, &self.file[range.start as usize..end]);
                }
                Poll::Wait(ms) => return Some(ms),
                Poll::Idle => return None,
            }
        }
    }

    /// Plays until nothing happens by itself any more.
    pub(crate) fn run(&mut self) {
        while let Some(ms) = self.settle() {
            assert!(ms > 0, "a wait is one");
            self.now_ms += ms;
        }
    }

    /// What the line by the composer says now.
    pub(crate) fn line(&self) -> String {
        let activity = Activity::of(self.timeline.items(), self.timeline.running());
        let line = self.watch.line(&activity, self.player.recorded(self.index, self.now_ms));
        format!("{}{}", line.what, line.how_long)
    }

    /// Asks for everything that stands before.
    pub(crate) fn all_history(&mut self) {
        while let Some(before) = self.timeline.before_seq() {
            self.player.history(before, 3);
            self.settle();
            assert!(self.timeline.before_seq().is_none_or(|now| now < before), "a page leads on");
        }
    }

    fn show(&mut self, at_ms: u64, envelope: &Envelope) {
        let changes = self.timeline.apply(envelope);
        self.watch.frame(&envelope.frame, self.timeline.running(), at_ms);
        let resync = changes.iter().any(|change| matches!(change, iris_core::timeline::Change::Resync));
        assert!(!resync, "nothing is missing before {envelope:?}");
        self.frames.push(Envelope { chat: None, ..envelope.clone() });
    }
}

/// The rows, without what depends on whether they were seen growing.
pub(crate) fn picture(timeline: &Timeline) -> String {
    let row = |kind: &ItemKind| match kind.clone() {
        ItemKind::Answer(mut answer) => {
            (answer.phase, answer.generation) = (Phase::Settled, 0);
            format!("{answer:?}")
        }
        other => format!("{other:?}"),
    };
    let rows: Vec<String> = timeline.items().iter().map(|item| row(&item.kind)).collect();
    format!("{}\nrunning: {}", rows.join("\n"), timeline.running())
}

/// The rows that the same file leads to as the adapter shows it, at once.
pub(crate) fn directly(file: &[u8]) -> String {
    let (mut to_frames, mut timeline) = (ToFrames::new("r"), Timeline::new());
    let text = String::from_utf8_lossy(file);
    let events: Vec<_> = parse(&text).filter_map(Result::ok).collect();
    let frames = events.iter().flat_map(|event| to_frames.event(event)).collect::<Vec<_>>();
    for timed in frames.into_iter().chain(to_frames.end()) {
        timeline.apply(&Envelope { chat: None, seq: None, frame: timed.frame });
    }
    picture(&timeline)
}

/// The text that stands in the rows.
pub(crate) fn texts(frames: &[Envelope]) -> Vec<String> {
    let text = |envelope: &Envelope| match &envelope.frame {
        ServerFrame::MessageStop { final_text: Some(text), .. } | ServerFrame::Message { text, .. } => {
            Some(text.clone())
        }
        _ => None,
    };
    frames.iter().filter_map(text).collect()
}

//! Who hears of a chat, and how a slow one is kept right. Every device has a bounded queue; when it is full the device
//! misses frames, is remembered as behind, and gets a new catch-up as soon as it reads again. Never a silent gap.

use std::sync::Arc;

use iris_core::{
    ids::ChatId,
    protocol::{
        codec::{Growth, encode_server},
        frame::{Envelope, ServerFrame},
    },
};

use super::{
    queue::{Line, Outgoing, Refused},
    transcript::{Transcript, Written},
};

/// One connected device.
#[derive(Clone, Debug)]
pub struct Peer {
    /// Number of its socket.
    pub id: u64,
    /// Its own name.
    pub device: String,
    /// It takes appends.
    pub append: bool,
    /// Its bounded queue.
    pub line: Line,
}

/// The devices that listen to one chat.
#[derive(Debug)]
pub struct Fanout {
    chat: ChatId,
    listeners: Vec<Listener>,
}

#[derive(Debug)]
struct Listener {
    peer: Peer,
    /// How much of the chat it wants when it has nothing.
    limit: Option<u32>,
    /// The last number in its queue.
    sent: Option<u64>,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It has everything.
    Live,
    /// It misses something.
    Behind,
    /// It misses something, which is being fetched.
    Fetching,
}

/// A device that misses something and has room for it.
#[derive(Clone, Copy, Debug)]
pub struct Want {
    /// Number of its socket.
    pub peer: u64,
    /// The last number that it has.
    pub after: Option<u64>,
    /// How much of the chat it wants when it has nothing.
    pub limit: Option<u32>,
}

/// What brings a device up to date.
#[derive(Clone, Debug)]
pub struct CatchUp {
    /// It starts over.
    pub reset: bool,
    /// There is more before this number.
    pub before: Option<u64>,
    /// The frames.
    pub frames: Vec<Arc<str>>,
    /// The number that it is brought to.
    pub to_seq: u64,
    /// The agent is at work.
    pub typing: bool,
}

impl Fanout {
    /// Nobody listens to `chat` yet.
    pub fn new(chat: ChatId) -> Self {
        Self { chat, listeners: Vec::new() }
    }

    /// A device begins to listen (again), having everything up to `after`. It is behind until it is caught up.
    pub fn join(&mut self, peer: Peer, after: Option<u64>, limit: Option<u32>) {
        self.listeners.retain(|listener| listener.peer.id != peer.id && !listener.peer.line.is_gone());
        self.listeners.push(Listener { peer, limit, sent: after, state: State::Behind });
    }

    /// A device hears no more of the chat.
    pub fn leave(&mut self, peer: u64) -> Option<Peer> {
        let at = self.listeners.iter().position(|listener| listener.peer.id == peer)?;
        Some(self.listeners.swap_remove(at).peer)
    }

    /// Tells everyone of a frame, which the transcript has as its newest if it has a number.
    pub fn publish(&mut self, frame: &ServerFrame, written: Option<&Written>, transcript: &Transcript) {
        let seq = written.map(|written| written.seq);
        let mut whole = Once::new(|| match seq {
            Some(_) => transcript.newest_text().unwrap_or_else(|| spell(&self.chat, seq, frame)),
            None => spell(&self.chat, None, frame),
        });
        let growth = written.and_then(|written| written.growth.as_ref());
        let growth = growth.map(|frame| self.less(seq, frame));
        self.listeners.retain_mut(|listener| {
            let outgoing = match &growth {
                _ if listener.state != State::Live => return !listener.peer.line.is_gone(),
                Some(growth) if listener.peer.append => growth.clone(),
                _ => Outgoing::One(whole.get()),
            };
            listener.offer(outgoing, seq)
        });
    }

    /// The news for those who saw everything before it.
    fn less(&self, seq: Option<u64>, frame: &ServerFrame) -> Outgoing {
        let envelope = Envelope { chat: Some(self.chat.clone()), seq, frame: frame.clone() };
        match Growth::of(&envelope) {
            Some(growth) => Outgoing::Growth(Arc::new(growth)),
            // A text that ends grows by nothing.
            None => Outgoing::One(encode_server(&envelope).into()),
        }
    }

    /// What everyone was told is not true any more: all start over.
    pub fn start_over(&mut self) {
        for listener in &mut self.listeners {
            listener.sent = None;
            listener.state = State::Behind;
        }
    }

    /// Somebody misses something.
    pub fn is_behind(&self) -> bool {
        self.listeners.iter().any(|listener| listener.state == State::Behind)
    }

    /// Those who miss something and could take it.
    pub fn wants(&self) -> Vec<Want> {
        let wants = self.listeners.iter().filter(|l| l.state == State::Behind && l.peer.line.has_room());
        wants.map(Listener::want).collect()
    }

    /// Those of these whose missing frames were being fetched.
    pub fn fetching(&self, peers: &[u64]) -> Vec<Want> {
        let wants =
            self.listeners.iter().filter(|l| l.state == State::Fetching && peers.contains(&l.peer.id));
        wants.map(Listener::want).collect()
    }

    /// What the device misses is being fetched, or not any more.
    pub fn set_fetching(&mut self, peer: u64, on: bool) {
        if let Some(listener) = self.listeners.iter_mut().find(|listener| listener.peer.id == peer) {
            listener.state = if on { State::Fetching } else { State::Behind };
        }
    }

    /// Brings a device up to date, if it has room.
    pub fn catch_up(&mut self, peer: u64, catch_up: &CatchUp) {
        let Some(listener) = self.listeners.iter_mut().find(|listener| listener.peer.id == peer) else {
            return;
        };
        listener.state = State::Behind;
        let begin = ServerFrame::SyncBegin {
            reset: catch_up.reset,
            to_seq: catch_up.to_seq,
            before_seq: catch_up.before.filter(|_| catch_up.reset),
        };
        let mut frames = vec![spell(&self.chat, None, &begin)];
        frames.extend(catch_up.frames.iter().cloned());
        frames.push(spell(&self.chat, None, &ServerFrame::SyncEnd));
        frames.push(spell(&self.chat, None, &ServerFrame::Typing { on: catch_up.typing }));
        if listener.peer.line.offer(Outgoing::Many(frames)).is_ok() {
            listener.sent = Some(catch_up.to_seq);
            listener.state = State::Live;
        }
    }
}

impl Listener {
    fn want(&self) -> Want {
        Want { peer: self.peer.id, after: self.sent, limit: self.limit }
    }

    /// Puts it into the queue, or remembers that it was missed. `false`: the device is gone.
    fn offer(&mut self, what: Outgoing, seq: Option<u64>) -> bool {
        match self.peer.line.offer(what) {
            Ok(()) => self.sent = seq.or(self.sent),
            Err(Refused::Full) => {
                tracing::debug!(peer = self.peer.id, "a device is behind");
                self.state = State::Behind;
            }
            Err(Refused::Gone) => return false,
        }
        true
    }
}

/// A text, made once and only if somebody wants it.
struct Once<F> {
    make: F,
    text: Option<Arc<str>>,
}

impl<F: Fn() -> Arc<str>> Once<F> {
    fn new(make: F) -> Self {
        Self { make, text: None }
    }

    fn get(&mut self) -> Arc<str> {
        self.text.get_or_insert_with(&self.make).clone()
    }
}

/// A frame of a chat as it stands on the wire.
pub(super) fn spell(chat: &ChatId, seq: Option<u64>, frame: &ServerFrame) -> Arc<str> {
    encode_server(&Envelope { chat: Some(chat.clone()), seq, frame: frame.clone() }).into()
}

/// A frame that belongs to no chat, as it stands on the wire.
pub(super) fn spell_plain(frame: &ServerFrame) -> Arc<str> {
    encode_server(&Envelope { chat: None, seq: None, frame: frame.clone() }).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::{
        queue::{self, Waiting},
        speech::tests::Ear,
    };

    fn update(text: &str) -> ServerFrame {
        ServerFrame::MessageUpdate { message_id: "m".into(), text: text.into() }
    }

    struct Room {
        transcript: Transcript,
        fanout: Fanout,
    }

    impl Room {
        fn new() -> Self {
            Self { transcript: Transcript::new("c".into(), 0), fanout: Fanout::new("c".into()) }
        }

        fn join(&mut self, id: u64, append: bool, places: usize) -> Waiting {
            let (line, waiting) = queue::queue(places);
            self.fanout.join(Peer { id, device: "d".into(), append, line }, None, None);
            self.catch_up();
            waiting
        }

        fn catch_up(&mut self) {
            for want in self.fanout.wants() {
                let frames = self.transcript.in_memory(want.after).iter().map(|e| e.text(&"c".into()));
                let catch_up = CatchUp {
                    reset: want.after.is_none(),
                    before: None,
                    frames: frames.collect(),
                    to_seq: self.transcript.last(),
                    typing: true,
                };
                self.fanout.catch_up(want.peer, &catch_up);
            }
        }

        fn say(&mut self, text: &str) {
            let frame = update(text);
            let written = self.transcript.write(frame.clone());
            self.fanout.publish(&frame, written.as_ref(), &self.transcript);
        }
    }

    fn read(waiting: &mut Waiting) -> Vec<ServerFrame> {
        let (mut ear, mut frames) = (Ear::new(false), Vec::new());
        while let Some(outgoing) = waiting.try_next() {
            frames.extend(ear.hear(outgoing).into_iter().map(|envelope| envelope.frame));
        }
        frames
    }

    #[test]
    fn appends_go_to_those_who_take_them_and_whole_texts_to_the_others() {
        let mut room = Room::new();
        let (mut new, mut old) = (room.join(1, true, 9), room.join(2, false, 9));
        read(&mut new);
        read(&mut old);
        room.say("a");
        room.say("ab");
        assert_eq!(read(&mut old), [update("a"), update("ab")]);
        let append =
            |at, text: &str| ServerFrame::MessageAppend { message_id: "m".into(), at, text: text.into() };
        assert_eq!(read(&mut new), [append(0, "a"), append(1, "b")]);
    }

    #[test]
    fn a_device_that_lags_gets_a_new_catch_up_from_where_it_was() {
        let mut room = Room::new();
        let mut slow = room.join(1, true, 2);
        room.say("a");
        room.say("ab");
        room.say("abc");
        assert!(room.fanout.is_behind());
        room.catch_up();
        assert!(room.fanout.is_behind(), "there is still no place in its queue");
        assert_eq!(read(&mut slow).len(), 4, "sync.begin, sync.end, typing, the first update");
        room.catch_up();
        assert_eq!(
            read(&mut slow),
            [
                ServerFrame::SyncBegin { reset: false, to_seq: 3, before_seq: None },
                update("abc"),
                ServerFrame::SyncEnd,
                ServerFrame::Typing { on: true }
            ]
        );
        room.say("abcd");
        assert_eq!(read(&mut slow).len(), 1);
    }

    #[test]
    fn a_device_that_is_gone_is_forgotten() {
        let mut room = Room::new();
        drop(room.join(1, true, 2));
        room.say("a");
        assert!(room.fanout.listeners.is_empty());
    }
}

//! Who hears of a chat, and how a slow one is kept right. Every device has a bounded queue; when it is full the device
//! misses frames, is remembered as lagging, and gets a new catch-up as soon as it reads again. Never a silent gap.

use std::sync::Arc;

use iris_core::{
    ids::ChatId,
    protocol::{codec::encode_server, frame::Envelope, frame::ServerFrame},
};
use tokio::sync::mpsc::{Sender, error::TrySendError};

use super::journal::{Journal, Written};

/// What waits to be written to a socket.
#[derive(Clone, Debug)]
pub enum Outgoing {
    /// One frame.
    One(Arc<str>),
    /// A whole catch-up: it takes one place in the queue, however long it is.
    Many(Vec<Arc<str>>),
}

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
    pub queue: Sender<Outgoing>,
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
    /// The last number in its queue.
    sent: Option<u64>,
    lagging: bool,
}

impl Fanout {
    /// Nobody listens to `chat` yet.
    pub fn new(chat: ChatId) -> Self {
        Self { chat, listeners: Vec::new() }
    }

    /// A device begins to listen (again), having everything up to `after`.
    pub fn join(&mut self, peer: Peer, after: Option<u64>, journal: &Journal, typing: bool) {
        self.listeners.retain(|listener| listener.peer.id != peer.id && !listener.peer.queue.is_closed());
        let mut listener = Listener { peer, sent: after, lagging: true };
        listener.catch_up(&self.chat, journal, typing);
        self.listeners.push(listener);
    }

    /// Tells everyone of a frame; `written` has its number, if it has one.
    pub fn publish(&mut self, frame: &ServerFrame, written: Option<&Written>) {
        let seq = written.map(|written| written.seq);
        let mut whole = Spelling::new(&self.chat, seq, frame);
        let growth = written.and_then(|written| written.growth.as_ref());
        let mut growth = growth.map(|growth| Spelling::new(&self.chat, seq, growth));
        self.listeners.retain_mut(|listener| {
            let text = match &mut growth {
                Some(growth) if listener.peer.append => growth.text(),
                _ => whole.text(),
            };
            listener.offer(Outgoing::One(text), seq)
        });
    }

    /// Somebody missed something.
    pub fn is_lagging(&self) -> bool {
        self.listeners.iter().any(|listener| listener.lagging)
    }

    /// Tries to bring those who missed something up to date.
    pub fn catch_up(&mut self, journal: &Journal, typing: bool) {
        for listener in self.listeners.iter_mut().filter(|listener| listener.lagging) {
            listener.catch_up(&self.chat, journal, typing);
        }
    }
}

impl Listener {
    /// Puts it into the queue, or remembers that it was missed. `false`: the device is gone.
    fn offer(&mut self, what: Outgoing, seq: Option<u64>) -> bool {
        if self.lagging {
            return !self.peer.queue.is_closed();
        }
        match self.peer.queue.try_send(what) {
            Ok(()) => {
                self.sent = seq.or(self.sent);
                true
            }
            Err(TrySendError::Full(_)) => {
                tracing::debug!(peer = self.peer.id, "a device lags");
                self.lagging = true;
                true
            }
            Err(TrySendError::Closed(_)) => false,
        }
    }

    fn catch_up(&mut self, chat: &ChatId, journal: &Journal, typing: bool) {
        // Without a free place the work of spelling it all out would be for nothing.
        let Ok(place) = self.peer.queue.try_reserve() else { return };
        let missing = journal.since(self.sent);
        let mut frames = vec![spell(
            chat,
            None,
            &ServerFrame::SyncBegin { reset: missing.reset, to_seq: missing.to_seq, before_seq: None },
        )];
        frames.extend(missing.frames.iter().map(|entry| spell(chat, Some(entry.seq), &entry.frame)));
        frames.push(spell(chat, None, &ServerFrame::SyncEnd));
        frames.push(spell(chat, None, &ServerFrame::Typing { on: typing }));
        place.send(Outgoing::Many(frames));
        self.sent = Some(missing.to_seq);
        self.lagging = false;
    }
}

/// A frame, spelled out once and only if somebody wants it.
struct Spelling<'a> {
    chat: &'a ChatId,
    seq: Option<u64>,
    frame: &'a ServerFrame,
    text: Option<Arc<str>>,
}

impl<'a> Spelling<'a> {
    fn new(chat: &'a ChatId, seq: Option<u64>, frame: &'a ServerFrame) -> Self {
        Self { chat, seq, frame, text: None }
    }

    fn text(&mut self) -> Arc<str> {
        self.text.get_or_insert_with(|| spell(self.chat, self.seq, self.frame)).clone()
    }
}

/// A frame of a chat as it stands on the wire.
pub(super) fn spell(chat: &ChatId, seq: Option<u64>, frame: &ServerFrame) -> Arc<str> {
    encode_server(&Envelope { chat: Some(chat.clone()), seq, frame: frame.clone() }).into()
}

#[cfg(test)]
mod tests {
    use iris_core::protocol::codec::decode_server;
    use tokio::sync::mpsc;

    use super::*;

    fn update(text: &str) -> ServerFrame {
        ServerFrame::MessageUpdate { message_id: "m".into(), text: text.into() }
    }

    struct Room {
        journal: Journal,
        fanout: Fanout,
    }

    impl Room {
        fn new() -> Self {
            Self { journal: Journal::new(0), fanout: Fanout::new("c".into()) }
        }

        fn join(&mut self, id: u64, append: bool, places: usize) -> mpsc::Receiver<Outgoing> {
            let (queue, receiver) = mpsc::channel(places);
            let peer = Peer { id, device: "d".into(), append, queue };
            self.fanout.join(peer, None, &self.journal, false);
            receiver
        }

        fn say(&mut self, text: &str) {
            let frame = update(text);
            let written = self.journal.write(frame.clone());
            self.fanout.publish(&frame, written.as_ref());
        }
    }

    fn read(receiver: &mut mpsc::Receiver<Outgoing>) -> Vec<ServerFrame> {
        let mut frames = Vec::new();
        while let Ok(outgoing) = receiver.try_recv() {
            let texts = match outgoing {
                Outgoing::One(text) => vec![text],
                Outgoing::Many(texts) => texts,
            };
            frames.extend(texts.iter().map(|text| decode_server(text).unwrap().frame));
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
        assert!(room.fanout.is_lagging());
        room.fanout.catch_up(&room.journal, true);
        assert!(room.fanout.is_lagging(), "there is still no place in its queue");
        assert_eq!(read(&mut slow).len(), 4, "sync.begin, sync.end, typing, the first update");
        room.fanout.catch_up(&room.journal, true);
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

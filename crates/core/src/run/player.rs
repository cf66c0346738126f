//! [`Player`]: serves a run as an adapter serves a chat. Owns the clock (speed, pause, seek) and what is said when: a
//! subscription and a seek are answered by a sync with `reset` that brings the chat to the state of that moment, then the
//! frames follow as they are due; `history` by pages of what stands before.
//!
//! The caller has the timers and the file. It calls [`Player::poll`] after every other call, and does what that says:
//!
//! * [`Poll::Send`]: put these frames on the wire, poll again.
//! * [`Poll::Read`]: read this range of the file, hand it in with [`Player::give`], poll again.
//! * [`Poll::Wait`]: poll again after so many milliseconds.
//! * [`Poll::Idle`]: nothing happens by itself; poll again when the index has grown, or after the next call.
//!
//! Times are milliseconds of any clock that does not go back.

use std::collections::VecDeque;
use std::ops::Range;

use super::compact::Compact;
use super::cursor::Cursor;
use super::index::Index;
use crate::ids::ChatId;
use crate::protocol::frame::{Envelope, ServerFrame};

/// Frames that are handed out at a time.
const BATCH: usize = 500;

/// A player that is so many bytes behind its clock does not play what it missed, but shows the state that it led to.
const BEHIND: u64 = 4 << 20;

/// Without a `limit` of its own a subscription gets about so many frames.
const LIMIT: u32 = 400;

/// How fast a run is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Speed {
    /// As fast as it was.
    #[default]
    Original,
    /// Twice as fast.
    Double,
    /// Ten times as fast.
    Tenfold,
    /// Everything at once, as soon as the file is read.
    Instant,
}

impl Speed {
    fn factor(self) -> u64 {
        match self {
            Self::Original | Self::Instant => 1,
            Self::Double => 2,
            Self::Tenfold => 10,
        }
    }
}

/// A frame that is played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// When it happened, milliseconds of the run.
    pub at_ms: u64,
    /// The frame.
    pub frame: Envelope,
}

/// What comes next.
#[derive(Clone, Debug, PartialEq)]
pub enum Poll {
    /// Frames for the app, in their order.
    Send(Vec<Played>),
    /// These bytes of the file are needed.
    Read(Range<u64>),
    /// Something is due in so many milliseconds.
    Wait(u64),
    /// Nothing is, until something else happens.
    Idle,
}

/// A state that is being put together.
#[derive(Debug)]
struct Seek {
    upto_ms: u64,
    before_seq: Option<u64>,
    last_seq: u64,
    frames: Compact,
}

/// A page that is being put together.
#[derive(Debug)]
struct Page {
    cursor: Cursor,
    upto: u64,
    before_seq: Option<u64>,
    frames: Compact,
}

/// Plays one run.
#[derive(Debug)]
pub struct Player {
    chat: ChatId,
    speed: Speed,
    playing: bool,
    /// Where it stands, or stood at `since_ms`, played milliseconds.
    position_ms: u64,
    /// Since when the clock runs.
    since_ms: u64,
    limit: u32,
    subscribed: bool,
    /// The state of the position is to be told anew.
    reset: bool,
    cursor: Option<Cursor>,
    seek: Option<Seek>,
    /// The beginnings of pages that were asked for: before this number, so many frames.
    asked: VecDeque<(u64, u32)>,
    page: Option<Page>,
}

impl Player {
    /// A player that stands at the beginning and does not play; `chat` stands on everything that it sends.
    pub fn new(chat: ChatId) -> Self {
        Self {
            chat,
            speed: Speed::Original,
            playing: false,
            position_ms: 0,
            since_ms: 0,
            limit: LIMIT,
            subscribed: false,
            reset: false,
            cursor: None,
            seek: None,
            asked: VecDeque::new(),
            page: None,
        }
    }

    /// Where it stands at this time, played milliseconds: at most [`Index::end_ms`].
    pub fn position(&self, index: &Index, now_ms: u64) -> u64 {
        let passed = if self.playing { now_ms.saturating_sub(self.since_ms) } else { 0 };
        let position = self.position_ms.saturating_add(passed.saturating_mul(self.speed.factor()));
        position.min(index.end_ms)
    }

    /// What time of the run it is there, milliseconds since it began.
    pub fn recorded(&self, index: &Index, now_ms: u64) -> u64 {
        index.recorded_at(self.position(index, now_ms))
    }

    /// The clock runs.
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// How fast.
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// It stands at the end of a file that is read.
    pub fn is_at_end(&self, index: &Index) -> bool {
        index.complete && self.seek.is_none() && self.cursor.as_ref().is_some_and(Cursor::is_over)
    }

    /// Lets the clock run; from the beginning if it stands at the end.
    pub fn play(&mut self, index: &Index, now_ms: u64) {
        if self.is_at_end(index) {
            self.seek(0);
        }
        self.since_ms = now_ms;
        self.playing = true;
    }

    /// Stops the clock.
    pub fn pause(&mut self, index: &Index, now_ms: u64) {
        self.hold(index, now_ms);
        self.playing = false;
    }

    /// Plays at another speed from here on.
    pub fn set_speed(&mut self, speed: Speed, index: &Index, now_ms: u64) {
        self.hold(index, now_ms);
        self.speed = speed;
    }

    /// Goes to a played time; one behind the end is the end of what is read. Whether it plays stays as it is.
    pub fn seek_time(&mut self, played_ms: u64, index: &Index, now_ms: u64) {
        self.since_ms = now_ms;
        self.seek(played_ms.min(index.end_ms));
    }

    /// Goes to the beginning of a tool of [`Index::tools`]. One that is not there changes nothing.
    pub fn seek_tool(&mut self, nth: usize, index: &Index, now_ms: u64) {
        if let Some(tool) = index.tools.get(nth) {
            self.seek_time(tool.from_ms, index, now_ms);
        }
    }

    /// The app says `subscribe`: it gets the state of this moment, with about so many frames of what led to it, and then
    /// what happens.
    pub fn subscribe(&mut self, limit: Option<u32>, index: &Index, now_ms: u64) {
        self.hold(index, now_ms);
        self.limit = limit.unwrap_or(LIMIT);
        self.subscribed = true;
        self.restart();
    }

    /// The app shows something else: nothing more is sent.
    pub fn unsubscribe(&mut self, index: &Index, now_ms: u64) {
        self.pause(index, now_ms);
        self.subscribed = false;
        self.restart();
    }

    /// The app says `history`.
    pub fn history(&mut self, before_seq: u64, limit: u32) {
        self.asked.push_back((before_seq, limit));
    }

    /// The bytes of the range that [`Poll::Read`] asked for, from its beginning; fewer will do, but at least one. When they
    /// cannot be read there is [`Player::fail`].
    pub fn give(&mut self, start: u64, bytes: &[u8]) {
        match (&mut self.page, &mut self.cursor) {
            (Some(page), _) => page.cursor.give(start, bytes),
            (None, Some(cursor)) => cursor.give(start, bytes),
            (None, None) => {}
        }
    }

    /// The file cannot be read any more: what the app is told. Nothing is sent after it until the next subscription.
    pub fn fail(&mut self, text: &str) -> Vec<Envelope> {
        self.playing = false;
        self.subscribed = false;
        self.asked.clear();
        self.restart();
        let (code, re) = ("not_read".to_owned(), Some("subscribe".to_owned()));
        vec![self.envelope(ServerFrame::Error { code, text: text.to_owned(), re })]
    }

    /// What comes next at this time.
    pub fn poll(&mut self, index: &Index, now_ms: u64) -> Poll {
        if !self.subscribed || index.refusal.is_some() {
            return Poll::Idle;
        }
        if self.reset {
            self.begin_seek(index);
        }
        if self.seek.is_some() {
            return self.poll_seek(index, now_ms);
        }
        self.poll_page(index, now_ms).unwrap_or_else(|| self.poll_live(index, now_ms))
    }

    /// Lets the clock begin anew where it stands.
    fn hold(&mut self, index: &Index, now_ms: u64) {
        self.position_ms = self.position(index, now_ms);
        self.since_ms = now_ms;
    }

    fn seek(&mut self, played_ms: u64) {
        self.position_ms = played_ms;
        self.restart();
    }

    fn restart(&mut self) {
        self.reset = true;
        self.cursor = None;
        self.seek = None;
        self.page = None;
    }

    fn begin_seek(&mut self, index: &Index) {
        self.reset = false;
        self.page = None;
        let from = index.points.back(index.points.at_time(self.position_ms), u64::from(self.limit));
        let Some(point) = index.points.get(from) else { return };
        let first = point.first_seq();
        self.seek = Some(Seek {
            upto_ms: self.position_ms,
            before_seq: (from > 0).then_some(first),
            last_seq: first - 1,
            frames: Compact::after(point, index.turn_began(point.played_ms)),
        });
        self.cursor = Some(Cursor::at(point));
    }

    fn poll_seek(&mut self, index: &Index, now_ms: u64) -> Poll {
        let (Some(seek), Some(cursor)) = (&mut self.seek, &mut self.cursor) else { return Poll::Idle };
        while let Some(due) = cursor.take(seek.upto_ms) {
            seek.last_seq = due.frames.iter().rev().find_map(|frame| frame.seq).unwrap_or(seek.last_seq);
            due.frames.into_iter().for_each(|frame| seek.frames.push(due.at.recorded_ms, frame));
        }
        if cursor.next_ms().is_none() {
            if let Some(range) = cursor.wants(index.bytes) {
                return Poll::Read(range);
            }
            if cursor.end(index) {
                return self.poll_seek(index, now_ms);
            }
        }
        let (reset, to_seq, before_seq) = (true, seek.last_seq, seek.before_seq);
        let now = index.recorded_at(seek.upto_ms);
        let (frames, typing) = seek.frames.take();
        self.seek = None;
        // The clock stood still while the state was put together.
        self.since_ms = now_ms;
        let begin = ServerFrame::SyncBegin { reset, to_seq, before_seq };
        let told = |frame| Played { at_ms: now, frame: self.envelope(frame) };
        let mut out = vec![told(begin)];
        out.extend(frames.into_iter().map(|played| self.sign(played.at_ms, played.frame)));
        out.push(told(ServerFrame::SyncEnd));
        out.extend(typing.map(|on| told(ServerFrame::Typing { on })));
        Poll::Send(out)
    }

    fn poll_live(&mut self, index: &Index, now_ms: u64) -> Poll {
        let position = self.position(index, now_ms);
        let Some(cursor) = &mut self.cursor else { return Poll::Idle };
        let instant = self.playing && self.speed == Speed::Instant;
        let behind = index.points.get(index.points.at_time(position));
        let behind = behind.is_some_and(|point| point.offset > cursor.read_to().saturating_add(BEHIND));
        if instant && !index.complete {
            return Poll::Idle;
        }
        if behind || (instant && !cursor.is_over()) {
            self.since_ms = now_ms;
            self.seek(if instant { index.end_ms } else { position });
            return self.poll(index, now_ms);
        }
        let mut out = Vec::new();
        while out.len() < BATCH
            && let Some(due) = cursor.take(position)
        {
            out.extend(due.frames.into_iter().map(|frame| (due.at.recorded_ms, frame)));
        }
        if !out.is_empty() {
            return Poll::Send(out.into_iter().map(|(at_ms, frame)| self.sign(at_ms, frame)).collect());
        }
        match cursor.next_ms() {
            Some(due) if self.playing => Poll::Wait((due - position).div_ceil(self.speed.factor())),
            Some(_) => Poll::Idle,
            None => match cursor.wants(index.bytes) {
                Some(range) => Poll::Read(range),
                None if cursor.end(index) => self.poll_live(index, now_ms),
                None => self.stop_at_end(index, now_ms),
            },
        }
    }

    /// Nothing more is there: at the end of the file it stops, at the end of what is read so far the clock waits.
    fn stop_at_end(&mut self, index: &Index, now_ms: u64) -> Poll {
        let position = self.position(index, now_ms);
        if self.playing && index.complete && position < index.end_ms {
            return Poll::Wait((index.end_ms - position).div_ceil(self.speed.factor()));
        }
        self.hold(index, now_ms);
        self.playing &= !index.complete;
        Poll::Idle
    }

    fn poll_page(&mut self, index: &Index, now_ms: u64) -> Option<Poll> {
        if self.page.is_none() {
            let (before_seq, limit) = self.asked.pop_front()?;
            let upto = index.points.at_seq(before_seq);
            let from = index.points.back(upto, u64::from(limit));
            let (upto, point) = (index.points.get(upto)?, index.points.get(from)?);
            self.page = Some(Page {
                cursor: Cursor::at(point),
                upto: upto.offset,
                before_seq: (from > 0).then(|| point.first_seq()),
                frames: Compact::after(point, index.turn_began(point.played_ms)),
            });
        }
        let page = self.page.as_mut()?;
        while let Some(due) = page.cursor.take(u64::MAX) {
            due.frames.into_iter().for_each(|frame| page.frames.push(due.at.recorded_ms, frame));
        }
        if let Some(range) = page.cursor.wants(page.upto) {
            return Some(Poll::Read(range));
        }
        let mut page = self.page.take()?;
        let (frames, _) = page.frames.take();
        let frames = frames.into_iter().map(|played| played.frame).collect();
        let frame = self.envelope(ServerFrame::HistoryPage { before_seq: page.before_seq, frames });
        let at_ms = self.recorded(index, now_ms);
        Some(Poll::Send(vec![Played { at_ms, frame }]))
    }

    fn envelope(&self, frame: ServerFrame) -> Envelope {
        Envelope { chat: Some(self.chat.clone()), seq: None, frame }
    }

    fn sign(&self, at_ms: u64, envelope: Envelope) -> Played {
        Played { at_ms, frame: Envelope { chat: Some(self.chat.clone()), ..envelope } }
    }
}

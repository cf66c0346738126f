//! A backend that plays scripts: calls as Hermes' gateway makes them, read by the machine that reads the real ones.

use std::time::{SystemTime, UNIX_EPOCH};

use iris_adapter::backend::{
    About, Backend, Event, Link, Opening, Request,
    gateway::{Call, Edit, Hook, Inbound, Machine, Metadata, Outcome, Send},
};
use iris_core::{
    ids::{ChatId, TurnId},
    protocol::frame::{BackendInfo, ServerFrame, Suggestion, TurnStatus},
};
use tokio::{
    sync::{mpsc, watch},
    time::{Instant, sleep_until},
};

use crate::script::{Script, Stream};

const REQUESTS: usize = 64;
const EVENTS: usize = 256;
const CURSOR: &str = " ▉";
const USER: &str = "u0";
const ANSWER: &str = "m1";

/// The backend.
#[derive(Debug)]
pub struct Play {
    about: watch::Sender<About>,
}

impl Default for Play {
    fn default() -> Self {
        let info =
            BackendInfo { kind: "demo".to_owned(), label: "Load".to_owned(), ..BackendInfo::default() };
        Self { about: watch::Sender::new(About { info, ..About::default() }) }
    }
}

impl Backend for Play {
    fn about(&self) -> watch::Receiver<About> {
        self.about.subscribe()
    }

    fn suggestions(&self) -> Vec<Suggestion> {
        Vec::new()
    }

    fn open(&self, _chat: &ChatId, opening: Opening) -> Link {
        let (requests, from_chat) = mpsc::channel(REQUESTS);
        let (to_chat, events) = mpsc::channel(EVENTS);
        let player = Player { prefix: opening.prefix, turns: 0, events: to_chat };
        tokio::spawn(player.run(from_chat));
        Link { requests, events }
    }
}

struct Player {
    prefix: String,
    turns: u64,
    events: mpsc::Sender<Event>,
}

/// The chat is gone.
struct Gone;

impl Player {
    async fn run(mut self, mut requests: mpsc::Receiver<Request>) {
        while let Some(request) = requests.recv().await {
            let Request::Say(said) = request else { continue };
            let taken = Event::Taken { message_id: said.message_id, noted: None };
            if self.events.send(taken).await.is_err() {
                return;
            }
            let played = match said.text.parse::<Script>() {
                Ok(Script::Stream(stream)) => self.stream(stream).await,
                Ok(Script::History { messages }) => self.history(messages).await,
                Err(_) => Ok(()),
            };
            if played.is_err() {
                return;
            }
        }
    }

    async fn stream(&mut self, stream: Stream) -> Result<(), Gone> {
        let mut machine = Machine::new(self.next_prefix());
        let begun = Instant::now();
        for call in beginning() {
            self.call(&mut machine, begun, &call).await?;
        }
        let mut text = filling(stream.base);
        for nth in 0..stream.steps {
            sleep_until(begun + stream.pause * u32::try_from(nth).unwrap_or(u32::MAX)).await;
            text.push_str(&step(stream.step));
            let content = format!("{text}{CURSOR}");
            let call = if nth == 0 { first(content) } else { edit(content, false) };
            self.call(&mut machine, begun, &call).await?;
        }
        for call in ending(text) {
            self.call(&mut machine, begun, &call).await?;
        }
        Ok(())
    }

    async fn call(&self, machine: &mut Machine, begun: Instant, call: &Call) -> Result<(), Gone> {
        let t_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        for frame in machine.call(t_ms, call) {
            // What the user said is in the transcript already.
            if !matches!(frame, ServerFrame::UserMessage { .. }) {
                self.tell(frame).await?;
            }
        }
        Ok(())
    }

    async fn history(&mut self, messages: usize) -> Result<(), Gone> {
        for _ in 0..messages / 2 {
            let prefix = self.next_prefix();
            let number = self.turns;
            for frame in old_turn(&prefix, number) {
                self.tell(frame).await?;
            }
        }
        Ok(())
    }

    fn next_prefix(&mut self) -> String {
        self.turns += 1;
        format!("{}t{}", self.prefix, self.turns)
    }

    async fn tell(&self, frame: ServerFrame) -> Result<(), Gone> {
        self.events.send(Event::Frame(frame)).await.map_err(|_| Gone)
    }
}

fn beginning() -> [Call; 3] {
    let inbound = Inbound { message_id: USER.to_owned(), client_id: None, text: "go".to_owned() };
    let start = Hook::StreamStart { iteration: 1, model: Some("demo-model".to_owned()), provider: None };
    [Call::Inbound(inbound), Call::ProcessingStart { text: "go".to_owned() }, Call::Hook(start)]
}

fn ending(text: String) -> [Call; 5] {
    let stream = Hook::StreamEnd { iteration: 1, final_text: text.trim().to_owned(), error: None };
    [
        Call::Hook(stream),
        Call::Hook(Hook::SessionEnd { failed: false, interrupted: false }),
        edit(text, true),
        Call::StopTyping,
        Call::ProcessingComplete { outcome: Outcome::Success },
    ]
}

fn first(content: String) -> Call {
    let reply_to = Some(USER.to_owned());
    let metadata =
        Metadata { expect_edits: true, reply_to_message_id: reply_to.clone(), ..Metadata::default() };
    Call::Send(Send { content, reply_to, metadata, returns: Some(ANSWER.to_owned()) })
}

fn edit(content: String, finalize: bool) -> Call {
    Call::Edit(Edit { message_id: ANSWER.to_owned(), content, finalize })
}

/// Ordinary lines of together so many bytes.
fn filling(bytes: usize) -> String {
    const LINE: &str = "The quick brown fox jumps over the lazy dog while the stream keeps going.\n\n";
    LINE.chars().cycle().take(bytes).collect()
}

/// The text of a step: when it was said, in microseconds since 1970, filled up to its length.
fn step(chars: usize) -> String {
    let mut text = format!("{}", now_us());
    text.truncate(chars.saturating_sub(1));
    let filled = text.len();
    text.extend(" and so on it goes and goes".chars().cycle().take(chars.saturating_sub(filled + 1)));
    text.push(' ');
    text
}

/// The time on the clock that all processes of a machine share.
pub fn now_us() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}

/// A finished turn: what was asked, and its answer.
fn old_turn(prefix: &str, number: u64) -> [ServerFrame; 4] {
    let turn = TurnId(prefix.to_owned());
    [
        ServerFrame::UserMessage {
            message_id: format!("{prefix}-u").into(),
            client_id: None,
            text: format!("Question {number}: what does the fox do, and why does the dog not mind?"),
            ts: Some(now_us() / 1000),
            attachments: Vec::new(),
        },
        ServerFrame::TurnStart { turn: turn.clone() },
        ServerFrame::Message {
            message_id: format!("{prefix}-a").into(),
            text: format!("Answer **{number}**.\n\n{}", filling(400)),
            reasoning: None,
            model: Some("demo-model".to_owned()),
            tokens: None,
        },
        ServerFrame::TurnEnd {
            turn,
            status: TurnStatus::Complete,
            exit_code: None,
            error: None,
            model: Some("demo-model".to_owned()),
            tokens: None,
            duration_ms: Some(1000),
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_begins_with_the_time_and_has_its_length() {
        let before = now_us();
        let text = step(24);
        assert_eq!(text.len(), 24);
        let stamp: u64 = text.split(' ').next().unwrap().parse().unwrap();
        assert!((before..=now_us()).contains(&stamp), "{text}");
        assert_eq!(filling(1000).len(), 1000);
    }
}

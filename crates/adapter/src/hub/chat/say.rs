//! What the user says on its way to the agent: known or new, complete, on disk, acknowledged, told to everyone, handed on.
//! In this order, whatever dies in between.

use iris_core::{
    ids::{FileId, MessageId},
    markdown::{parse, plain_text},
    protocol::frame::{SendMode, ServerFrame},
};
use tokio::sync::mpsc::{OwnedPermit, error::TrySendError};

use super::{Chat, Message, Peer, Request, Said};
use crate::{
    backend::SaidFile,
    hub::{now_ms, shelf::Shelved},
    journal::{Change, Mark, Unsaid},
};

/// Messages whose ids are remembered in memory.
const REMEMBERED: usize = 1_000;
/// Files with one message.
const MAX_FILES: usize = 20;
/// Characters of a title that is made of the first message.
const TITLE_CHARS: usize = 60;
/// Characters of the message that are read for it.
const TITLE_READ: usize = 2_000;

/// Why a message is not taken: a fixed word, and what to do for people.
type Refusal = (&'static str, String);

impl Chat {
    /// Takes a message, once for each id that its device gives.
    pub(super) async fn say(&mut self, peer: &Peer, message: Message) {
        let re = message.client_id.0.clone();
        let taken = match self.known(peer, &message).await {
            Ok(Some(mark)) => return self.acknowledge(peer, &mark),
            Ok(None) => self.take(peer, message).await,
            Err(refusal) => Err(refusal),
        };
        if let Err((code, text)) = taken {
            self.refuse(peer, code, &text, &re);
        }
    }

    /// The mark of a message that was taken before, in this life or an earlier one.
    async fn known(&mut self, peer: &Peer, message: &Message) -> Result<Option<Mark>, Refusal> {
        let same = |mark: &&Mark| mark.client_id == message.client_id && mark.device == peer.device;
        if let Some(mark) = self.seen.iter().rev().find(same) {
            return Ok(Some(mark.clone()));
        }
        let (device, client_id) = (peer.device.clone(), message.client_id.clone());
        let asked = self.around.journal.said(self.key(), device, client_id);
        asked.await.map_err(|trouble| ("not_saved", format!("The journal cannot be read: {trouble}.")))
    }

    async fn take(&mut self, peer: &Peer, message: Message) -> Result<(), Refusal> {
        let files = self.find(&message.attachments).await?;
        let place = self.place()?;
        // What the agent said before is written for itself: it must not go down with a message that cannot be written.
        self.keeper.flush(&mut self.transcript);
        // The number of the next frame is free as an id: numbers are never used twice in a chat.
        let message_id = MessageId(format!("u{}", self.transcript.last() + 1));
        let mode = message.mode.filter(|mode| self.offers(*mode));
        let frame = ServerFrame::UserMessage {
            message_id: message_id.clone(),
            client_id: Some(message.client_id.clone()),
            text: message.text.clone(),
            ts: Some(now_ms()),
            attachments: files.iter().map(|file| file.info.clone()).collect(),
        };
        let Some(written) = self.transcript.write(frame.clone()) else { return Ok(()) };
        let mark =
            Mark { device: peer.device.clone(), client_id: message.client_id, message_id, seq: written.seq };
        let title = self.title.clone();
        if title.is_empty() {
            self.title = title_of(&message.text, &files);
        }
        let beside = vec![Change::Said(mark.clone(), mode), Change::Head(self.head())];
        if let Err(trouble) = self.keeper.commit(&mut self.transcript, beside).await {
            self.transcript.take_back();
            self.title = title;
            return Err((
                "not_saved",
                format!("Iris cannot save this message: {trouble}. Send it again later."),
            ));
        }
        self.acknowledge(peer, &mark);
        self.remember(mark.clone());
        self.record(&frame);
        self.fanout.publish(&frame, Some(&written), &self.transcript);
        place.send(Request::Say(said(mark.message_id, Some(mark.client_id), message.text, mode, files)));
        self.report();
        Ok(())
    }

    /// Says a message of an earlier life again.
    pub(super) async fn say_again(&mut self, place: OwnedPermit<Request>) {
        let Some(Unsaid { message_id, frame, mode }) = self.unsaid.pop_front() else { return };
        let ServerFrame::UserMessage { client_id, text, attachments, .. } = frame else { return };
        let mut files = Vec::new();
        for file in attachments {
            // One that is gone is left out: the words are still worth saying.
            files.extend(self.around.shelf.find(file.id).await);
        }
        place.send(Request::Say(said(message_id, client_id, text, mode, files)));
    }

    pub(super) fn acknowledge(&self, peer: &Peer, mark: &Mark) {
        let ack = ServerFrame::Ack { client_id: mark.client_id.clone(), message_id: mark.message_id.clone() };
        self.reply(peer, Some(mark.seq), &ack);
    }

    async fn find(&mut self, ids: &[FileId]) -> Result<Vec<Shelved>, Refusal> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        if !self.around.about.borrow().capabilities.iter().any(|word| word == "files") {
            return Err((
                "no_files",
                "This Hermes takes no files. Send the message without them.".to_owned(),
            ));
        }
        if ids.len() > MAX_FILES {
            return Err(("too_many_files", format!("A message has at most {MAX_FILES} files.")));
        }
        let mut files = Vec::new();
        for id in ids {
            files.push(self.around.shelf.find(id.clone()).await.ok_or_else(unknown_file)?);
        }
        Ok(files)
    }

    /// A place in the backend's queue, taken before anything is promised.
    fn place(&self) -> Result<OwnedPermit<Request>, Refusal> {
        let busy = || ("busy", "Too many messages are waiting. Send it again in a moment.".to_owned());
        if !self.unsaid.is_empty() {
            return Err(busy());
        }
        self.requests.clone().try_reserve_owned().map_err(|error| match error {
            TrySendError::Full(_) => busy(),
            TrySendError::Closed(_) => {
                ("no_backend", "Nothing stands behind this chat any more. Restart Iris.".to_owned())
            }
        })
    }

    fn offers(&self, mode: SendMode) -> bool {
        let word = match mode {
            SendMode::Queue => "queue",
            SendMode::Steer => "steer",
            SendMode::Interrupt => "interrupt",
        };
        self.around.about.borrow().capabilities.iter().any(|offered| offered == word)
    }

    fn remember(&mut self, mark: Mark) {
        self.seen.push_back(mark);
        if self.seen.len() > REMEMBERED {
            self.seen.pop_front();
        }
    }
}

fn unknown_file() -> Refusal {
    ("unknown_file", "A file of this message is not here any more. Attach it again.".to_owned())
}

fn said(
    message_id: MessageId,
    client_id: Option<iris_core::ids::ClientId>,
    text: String,
    mode: Option<SendMode>,
    files: Vec<Shelved>,
) -> Said {
    let file =
        |file: Shelved| SaidFile { path: file.path, name: file.info.name, media_type: file.info.media_type };
    Said { message_id, client_id, text, mode, files: files.into_iter().map(file).collect() }
}

/// The first line without Markdown's marks, shortened; of a message without words the name of its first file.
fn title_of(text: &str, files: &[Shelved]) -> String {
    let named = files.first().map_or("", |file| file.info.name.as_str());
    let beginning: String = text.trim().chars().take(TITLE_READ).collect();
    let plain = plain_text(&parse(&beginning));
    let first = |text: &str| text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
    // A text may be nothing but marks.
    let line = first(&plain).or_else(|| first(&beginning)).unwrap_or_else(|| named.to_owned());
    let mut title: String = line.chars().take(TITLE_CHARS).collect();
    if title.len() < line.len() {
        title.push('…');
    }
    title
}

#[cfg(test)]
mod tests {
    use iris_core::protocol::frame::FileInfo;

    use super::*;

    #[test]
    fn a_chat_is_named_after_its_first_line_or_file() {
        let info = FileInfo { name: "plan.png".to_owned(), ..file() };
        let files = [Shelved { info, path: "x".into() }];
        assert_eq!(title_of("  Hello  \nworld", &files), "Hello");
        assert_eq!(title_of(&"ä".repeat(61), &[]), format!("{}…", "ä".repeat(60)));
        assert_eq!(title_of("## Numbers\nthree of **them**", &files), "Numbers");
        assert_eq!(title_of("**Read** `a.rs` and [this](https://x.example)", &[]), "Read a.rs and this");
        assert_eq!(title_of("```rust\nfn main() {}\n```", &[]), "fn main() {}");
        assert_eq!(title_of("- one\n- two", &[]), "one");
        assert_eq!(title_of("***", &[]), "***");
        assert_eq!(title_of(" ", &files), "plan.png");
        assert_eq!(title_of("", &[]), "");
    }

    fn file() -> FileInfo {
        FileInfo { id: "f".into(), name: String::new(), media_type: "image/png".to_owned(), size: 1 }
    }
}

//! A frame as the journal keeps it: what pages are made by, what it is found by, which files it names.

use iris_core::{ids::ChatId, protocol::frame::ServerFrame};

use super::entries::{Entries, Entry};
use crate::journal::{Kind, Row, searchable};

/// The row of an entry. `over`: no turn runs, so that what is live stays as it is.
pub(super) fn row(chat: &ChatId, entry: &Entry, entries: &Entries, over: bool) -> Row {
    Row {
        seq: entry.seq,
        kind: kind(&entry.frame),
        json: entry.text(chat),
        words: words(&entry.frame, entries, over).filter(|text| !text.is_empty()).map(searchable),
        files: match &entry.frame {
            ServerFrame::UserMessage { attachments, .. } => {
                attachments.iter().map(|file| file.id.clone()).collect()
            }
            ServerFrame::File { file, .. } => vec![file.id.clone()],
            _ => Vec::new(),
        },
    }
}

fn kind(frame: &ServerFrame) -> Kind {
    match frame {
        ServerFrame::TurnStart { .. } => Kind::Turn,
        ServerFrame::UserMessage { .. } => Kind::User,
        _ => Kind::Other,
    }
}

/// What was said, by either side. What the agent thought, and what its tools wrote, is not searched.
fn words<'a>(frame: &'a ServerFrame, entries: &'a Entries, over: bool) -> Option<&'a str> {
    match frame {
        ServerFrame::UserMessage { text, .. }
        | ServerFrame::Message { text, .. }
        | ServerFrame::Commentary { text, .. } => Some(text),
        ServerFrame::MessageStop { final_text: Some(text), .. } => Some(text),
        ServerFrame::MessageStop { message_id, final_text: None, .. } => entries.live_text(message_id),
        ServerFrame::MessageUpdate { message_id, text } => {
            (over && !entries.is_stopped(message_id)).then_some(text)
        }
        ServerFrame::File { caption, .. } => caption.as_deref(),
        _ => None,
    }
}

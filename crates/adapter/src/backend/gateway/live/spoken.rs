//! How what the user says is put to Hermes: the slash command that a mode means, the kind of message that files make.
//! Pure.

use iris_core::protocol::frame::SendMode;

use super::super::bridge::{Handed, Medium};
use crate::backend::{Said, SaidFile};

/// What the user says, as Hermes gets it. `busy`: Hermes works on something, so that the mode matters.
pub(super) fn spoken(chat: &str, said: &Said, busy: bool) -> Handed {
    Handed {
        chat: chat.to_owned(),
        message_id: said.message_id.0.clone(),
        text: text(said, busy),
        kind: kind(&said.files),
        media: said.files.iter().map(medium).collect(),
    }
}

/// A word to Hermes that is no message of the user: `/stop`, the answer to a question.
pub(super) fn word(chat: &str, message_id: &str, text: &str) -> Handed {
    Handed {
        chat: chat.to_owned(),
        message_id: message_id.to_owned(),
        text: text.to_owned(),
        kind: "text",
        media: Vec::new(),
    }
}

fn text(said: &Said, busy: bool) -> String {
    // A command means the same in every mode.
    if !busy || said.text.starts_with('/') {
        return said.text.clone();
    }
    match said.mode {
        Some(SendMode::Steer) if said.files.is_empty() => format!("/steer {}", said.text),
        // A message that queues is only handed in when nothing runs; a plain one breaks off what does.
        Some(_) | None => said.text.clone(),
    }
}

fn kind(files: &[SaidFile]) -> &'static str {
    let all = |kind: &str| files.iter().all(|file| file.media_type.starts_with(kind));
    match files {
        [] => "text",
        _ if all("image/") => "photo",
        _ if all("audio/") => "audio",
        _ if all("video/") => "video",
        _ => "document",
    }
}

fn medium(file: &SaidFile) -> Medium {
    Medium { path: file.path.to_string_lossy().into_owned(), media_type: file.media_type.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(media_type: &str) -> SaidFile {
        SaidFile { path: "/f".into(), name: "f".to_owned(), media_type: media_type.to_owned() }
    }

    #[test]
    fn a_mode_is_a_command_only_while_hermes_works() {
        use SendMode::{Interrupt, Queue, Steer};
        for (words, mode, files, busy, expected) in [
            ("hi", None, 0, true, "hi"),
            ("hi", Some(Interrupt), 0, true, "hi"),
            ("hi", Some(Steer), 0, true, "/steer hi"),
            ("hi", Some(Steer), 1, true, "hi"),
            ("hi", Some(Queue), 0, false, "hi"),
            ("/status", Some(Steer), 0, true, "/status"),
        ] {
            let files = vec![file("image/png"); files];
            let said = Said { text: words.to_owned(), mode, files, ..Said::default() };
            assert_eq!(spoken("c", &said, busy).text, expected, "{words} {mode:?} {busy}");
        }
    }

    #[test]
    fn files_make_the_kind() {
        for (types, expected) in [
            (&[][..], "text"),
            (&["image/png", "image/jpeg"], "photo"),
            (&["image/png", "text/plain"], "document"),
            (&["audio/ogg"], "audio"),
            (&["video/mp4"], "video"),
        ] {
            let files: Vec<_> = types.iter().map(|media_type| file(media_type)).collect();
            assert_eq!(kind(&files), expected, "{types:?}");
        }
    }
}

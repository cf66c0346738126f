//! [`Bound`]: how much of one text is played. Owns what is left out of a longer one, and the words that say so. A file may
//! hold one text of a hundred megabytes: nobody reads that, no message can carry it, and there is no place inside it from
//! which playing could begin.

use crate::ids::MessageId;
use crate::protocol::frame::{Facts, Level, ServerFrame};

/// So much of one text is played, bytes: four times what the page draws of one.
pub const MAX_TEXT_BYTES: usize = 4 << 20;

const CODE: &str = "shortened";
const WORDS: &str = "This text is longer than 4 MB: the rest of it is left out here";

/// Shortens texts that are too long.
#[derive(Clone, Debug, Default)]
pub(super) struct Bound {
    /// The text of which that was said last.
    told: Option<MessageId>,
}

impl Bound {
    /// What is left of these frames.
    pub(super) fn take(&mut self, frames: Vec<ServerFrame>) -> Vec<ServerFrame> {
        let mut out = Vec::with_capacity(frames.len());
        for frame in frames {
            self.one(frame, &mut out);
        }
        out
    }

    fn one(&mut self, mut frame: ServerFrame, out: &mut Vec<ServerFrame>) {
        use ServerFrame as F;
        if let F::MessageStop { message_id, final_text, .. } = &mut frame
            && self.told.as_ref() == Some(message_id)
        {
            // What was told of it stays.
            *final_text = None;
        }
        let (id, at, text) = match &mut frame {
            F::MessageAppend { message_id, at, text } | F::ReasoningAppend { message_id, at, text } => {
                (message_id, usize::try_from(*at).unwrap_or(usize::MAX), text)
            }
            F::MessageUpdate { message_id, text }
            | F::ReasoningUpdate { message_id, text }
            | F::MessageStop { message_id, final_text: Some(text), .. }
            | F::Message { message_id, text, .. }
            | F::Commentary { message_id, text } => (message_id, 0, text),
            _ => return out.push(frame),
        };
        let room = MAX_TEXT_BYTES.saturating_sub(at);
        if text.len() <= room {
            return out.push(frame);
        }
        let id = id.clone();
        let end = (0..=room).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        text.truncate(end);
        text.shrink_to_fit();
        if end > 0 {
            out.push(frame);
        }
        if self.told.as_ref() != Some(&id) {
            out.push(F::Notice {
                level: Level::Warning,
                code: CODE.to_owned(),
                text: WORDS.to_owned(),
                detail: None,
                facts: Facts::default(),
            });
            self.told = Some(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn append(at: usize, text: &str) -> ServerFrame {
        ServerFrame::MessageAppend { message_id: "m".into(), at: at as u64, text: text.to_owned() }
    }

    #[test]
    fn a_text_is_played_up_to_its_limit_and_what_is_left_out_is_said_once() {
        let mut bound = Bound::default();
        assert_eq!(bound.take(vec![append(0, "short")]), [append(0, "short")]);
        let near = MAX_TEXT_BYTES - 3;
        let crossing = bound.take(vec![append(near, "aé😀 and more")]);
        assert_eq!(crossing[0], append(near, "aé"), "no character is parted");
        assert!(matches!(&crossing[1], ServerFrame::Notice { text, .. } if text == WORDS));
        assert_eq!(bound.take(vec![append(MAX_TEXT_BYTES + 10, "more")]), []);
        let stop = |id: &str, text: Option<String>| ServerFrame::MessageStop {
            message_id: id.into(),
            final_text: text,
            reasoning: None,
            model: None,
            tokens: None,
        };
        let whole = "x".repeat(MAX_TEXT_BYTES + 1);
        assert_eq!(
            bound.take(vec![stop("m", Some(whole.clone()))]),
            [stop("m", None)],
            "what was told stays"
        );
        let alone = bound.take(vec![stop("n", Some(whole.clone()))]);
        assert_eq!(alone[0], stop("n", Some("x".repeat(MAX_TEXT_BYTES))), "a text that came at once");
        assert_eq!(alone.len(), 2);
    }
}

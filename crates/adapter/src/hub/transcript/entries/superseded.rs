//! What of the frames in memory a new one makes superfluous.
//!
//! A message stands where its first text or reasoning came, so where something came after that, the first letter stays
//! behind to hold the place. Reasoning that led to a tool instead of to a text is a thought of its own, and is kept.

use std::sync::OnceLock;

use iris_core::{ids::MessageId, protocol::frame::ServerFrame};

use super::Entries;

impl Entries {
    /// The end of a message for those who have all of its text.
    pub(super) fn end_of_shown(&self, frame: &ServerFrame) -> Option<ServerFrame> {
        let ServerFrame::MessageStop { message_id, final_text: Some(text), reasoning, model, tokens } = frame
        else {
            return None;
        };
        let same = !self.is_stopped(message_id) && self.live_text(message_id) == Some(text);
        same.then(|| ServerFrame::MessageStop {
            message_id: message_id.clone(),
            final_text: None,
            reasoning: reasoning.clone(),
            model: model.clone(),
            tokens: *tokens,
        })
    }

    /// Takes out what `frame` makes superfluous.
    pub(super) fn supersede(&mut self, frame: &ServerFrame) -> Superseded {
        match frame {
            ServerFrame::MessageUpdate { message_id, text } => {
                self.replace_text(text, |old| text_of(old, message_id), |old| is_border(old, message_id))
            }
            ServerFrame::ReasoningUpdate { message_id, text } => {
                self.replace_text(text, |old| reasoning_of(old, message_id), |_| false)
            }
            ServerFrame::MessageStop { message_id, final_text, reasoning, .. } => {
                if final_text.is_some() {
                    self.drop_last(|old| text_of(old, message_id).is_some());
                }
                if reasoning.is_some() {
                    self.drop_last(|old| reasoning_of(old, message_id).is_some());
                }
                Superseded::Nothing
            }
            ServerFrame::Message { message_id, reasoning: Some(_), .. } => {
                self.drop_last(|old| reasoning_of(old, message_id).is_some());
                Superseded::Nothing
            }
            ServerFrame::ToolProgress { index, .. } => {
                self.drop_last(
                    |old| matches!(old, ServerFrame::ToolProgress { index: before, .. } if before == index),
                );
                Superseded::Nothing
            }
            _ => Superseded::Nothing,
        }
    }

    /// Takes out the text that `now` replaces. `border` tells where the text began, empty, or ended.
    fn replace_text(
        &mut self,
        now: &str,
        text: impl Fn(&ServerFrame) -> Option<&String>,
        border: impl Fn(&ServerFrame) -> bool,
    ) -> Superseded {
        let place = self.this_turn(|frame| text(frame).is_some() || border(frame));
        let Some(place) = place else { return Superseded::Text(String::new()) };
        let Some(entry) = self.list.get(place) else { return Superseded::Nothing };
        match text(&entry.frame) {
            // After its stop a message has a text that is not in an update: whatever comes is told as a whole.
            None if matches!(entry.frame, ServerFrame::MessageStop { .. }) => Superseded::Nothing,
            None => Superseded::Text(String::new()),
            Some(before) if before == now => Superseded::Same,
            Some(before) => {
                let before = before.clone();
                if self.retire(place, false) { Superseded::Text(before) } else { Superseded::Nothing }
            }
        }
    }

    fn drop_last(&mut self, which: impl Fn(&ServerFrame) -> bool) {
        if let Some(place) = self.this_turn(which) {
            self.retire(place, true);
        }
    }

    /// Takes out the text of a frame that a later one replaces, as far as it is not needed for the picture to be the
    /// same. `text_comes`: the later one is the message's text. `false`: the frame stays as it is, and the later one
    /// stands for itself.
    fn retire(&mut self, place: usize, text_comes: bool) -> bool {
        match self.need_of(place, text_comes) {
            Need::Nothing => {
                let entry = self.list.remove(place);
                self.touched.insert(entry.seq);
                true
            }
            Need::Place => {
                let Some(entry) = self.list.get_mut(place) else { return true };
                if let Some(text) = text_mut(&mut entry.frame) {
                    let first = text.char_indices().find(|(_, c)| !c.is_whitespace());
                    text.truncate(first.map_or(text.len(), |(at, c)| at + c.len_utf8()));
                    entry.text = OnceLock::new();
                    self.touched.insert(entry.seq);
                }
                true
            }
            Need::Everything => false,
        }
    }

    fn need_of(&self, place: usize, text_comes: bool) -> Need {
        let Some((kind, id)) = self.list.get(place).and_then(|entry| shows(&entry.frame)) else {
            return Need::Nothing;
        };
        let position = |kind| self.list.iter().position(|entry| shows(&entry.frame) == Some((kind, id)));
        let first = position(kind).unwrap_or(place);
        let end = text_comes.then_some(self.list.len());
        let text = position(Shown::Text).or(end).filter(|text| *text > place);
        let between = text.and_then(|text| self.list.get(first..text)).unwrap_or_default();
        match kind {
            Shown::Reasoning if between.iter().any(|entry| message_of(&entry.frame) != Some(id)) => {
                Need::Everything
            }
            _ if first == place && place + 1 < self.list.len() => Need::Place,
            _ => Need::Nothing,
        }
    }

    /// The last matching frame of the current turn: ids of messages and numbers of tools live no longer than that.
    fn this_turn(&self, which: impl Fn(&ServerFrame) -> bool) -> Option<usize> {
        let turn = self.list.iter().rposition(|entry| matches!(entry.frame, ServerFrame::TurnStart { .. }));
        let found = self.list.iter().rposition(|entry| which(&entry.frame))?;
        (Some(found) >= turn).then_some(found)
    }
}

/// What a new frame took the place of.
pub(super) enum Superseded {
    /// Of nothing.
    Nothing,
    /// Of this text.
    Text(String),
    /// It is the same again.
    Same,
}

pub(super) fn text_of<'a>(frame: &'a ServerFrame, id: &MessageId) -> Option<&'a String> {
    match frame {
        ServerFrame::MessageUpdate { message_id, text } if message_id == id => Some(text),
        _ => None,
    }
}

fn reasoning_of<'a>(frame: &'a ServerFrame, id: &MessageId) -> Option<&'a String> {
    match frame {
        ServerFrame::ReasoningUpdate { message_id, text } if message_id == id => Some(text),
        _ => None,
    }
}

/// What a frame that is replaced is still needed for.
enum Need {
    Nothing,
    /// It is the first text or reasoning of its message.
    Place,
    /// It is the last reasoning before the text, and something else came in between: a thought of its own.
    Everything,
}

/// What the frame shows that is not final, and of which message.
fn shows(frame: &ServerFrame) -> Option<(Shown, &MessageId)> {
    match frame {
        ServerFrame::MessageUpdate { message_id, .. } => Some((Shown::Text, message_id)),
        ServerFrame::ReasoningUpdate { message_id, .. } => Some((Shown::Reasoning, message_id)),
        _ => None,
    }
}

/// The live message that the frame is about.
fn message_of(frame: &ServerFrame) -> Option<&MessageId> {
    match frame {
        ServerFrame::MessageStart { message_id, .. } => Some(message_id),
        _ => shows(frame).map(|(_, id)| id),
    }
}

fn text_mut(frame: &mut ServerFrame) -> Option<&mut String> {
    match frame {
        ServerFrame::MessageUpdate { text, .. } | ServerFrame::ReasoningUpdate { text, .. } => Some(text),
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Shown {
    Text,
    Reasoning,
}

fn is_border(frame: &ServerFrame, id: &MessageId) -> bool {
    match frame {
        ServerFrame::MessageStart { message_id, .. } | ServerFrame::MessageStop { message_id, .. } => {
            message_id == id
        }
        _ => false,
    }
}

/// The frame as an append to what stood there before.
pub(super) fn growth(before: &str, frame: &ServerFrame) -> Option<ServerFrame> {
    let at = before.len() as u64;
    match frame {
        ServerFrame::MessageUpdate { message_id, text } => {
            let text = text.strip_prefix(before)?.to_owned();
            Some(ServerFrame::MessageAppend { message_id: message_id.clone(), at, text })
        }
        ServerFrame::ReasoningUpdate { message_id, text } => {
            let text = text.strip_prefix(before)?.to_owned();
            Some(ServerFrame::ReasoningAppend { message_id: message_id.clone(), at, text })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use iris_core::ids::{ToolIndex, TurnId};

    use super::*;

    fn start(id: &str) -> ServerFrame {
        ServerFrame::MessageStart { message_id: id.into(), role: None }
    }

    fn update(id: &str, text: &str) -> ServerFrame {
        ServerFrame::MessageUpdate { message_id: id.into(), text: text.into() }
    }

    fn reasoning(id: &str, text: &str) -> ServerFrame {
        ServerFrame::ReasoningUpdate { message_id: id.into(), text: text.into() }
    }

    fn stop(id: &str, text: &str, reasoning: Option<&str>) -> ServerFrame {
        ServerFrame::MessageStop {
            message_id: id.into(),
            final_text: Some(text.into()),
            reasoning: reasoning.map(str::to_owned),
            model: None,
            tokens: None,
        }
    }

    fn progress(index: u32, note: &str) -> ServerFrame {
        ServerFrame::ToolProgress { index: ToolIndex(index), name: "terminal".into(), note: note.into() }
    }

    fn turn(id: &str) -> ServerFrame {
        ServerFrame::TurnStart { turn: TurnId::from(id) }
    }

    fn check(frames: Vec<ServerFrame>, left: &[(u64, ServerFrame)]) {
        let mut entries = Entries::default();
        for (seq, frame) in (1..).zip(frames) {
            entries.add(seq, frame);
        }
        let found: Vec<_> = entries.list().iter().map(|e| (e.seq, e.frame.clone())).collect();
        assert_eq!(found, left);
    }

    #[test]
    fn a_live_message_is_kept_as_its_newest_state() {
        check(
            vec![start("m"), update("m", "a"), update("m", "ab"), reasoning("m", "x"), reasoning("m", "xy")],
            &[(1, start("m")), (3, update("m", "ab")), (5, reasoning("m", "xy"))],
        );
    }

    #[test]
    fn a_finished_message_is_kept_in_its_final_form() {
        check(
            vec![start("m"), update("m", "a"), update("m", "ab"), stop("m", "ab", Some("xy"))],
            &[(1, start("m")), (4, stop("m", "ab", Some("xy")))],
        );
        check(
            vec![start("m"), reasoning("m", "x"), update("m", "a"), stop("m", "ab", None)],
            &[(1, start("m")), (2, reasoning("m", "x")), (4, stop("m", "ab", None))],
        );
    }

    fn tool() -> ServerFrame {
        ServerFrame::ToolStart {
            index: ToolIndex(1),
            name: "terminal".into(),
            preview: None,
            args: serde_json::Map::new(),
        }
    }

    #[test]
    fn a_message_keeps_its_place_before_what_came_in_between() {
        check(
            vec![
                start("m"),
                update("m", "ab"),
                update("m", "abc"),
                tool(),
                update("m", "abcd"),
                stop("m", "abcde", None),
            ],
            &[(1, start("m")), (3, update("m", "a")), (4, tool()), (6, stop("m", "abcde", None))],
        );
        check(
            vec![
                reasoning("m", "\n xy"),
                start("m"),
                update("m", "a"),
                reasoning("m", "\n xyz"),
                stop("m", "b", Some("z")),
            ],
            &[
                (1, reasoning("m", "\n x")),
                (2, start("m")),
                (3, update("m", "a")),
                (5, stop("m", "b", Some("z"))),
            ],
        );
    }

    #[test]
    fn a_thought_that_led_to_a_tool_is_kept() {
        check(
            vec![reasoning("m", "xy"), tool(), start("m"), update("m", "a"), reasoning("m", "xyz")],
            &[
                (1, reasoning("m", "xy")),
                (2, tool()),
                (3, start("m")),
                (4, update("m", "a")),
                (5, reasoning("m", "xyz")),
            ],
        );
        check(
            vec![reasoning("m", "xy"), tool(), reasoning("m", "xyz"), stop("m", "a", Some("z"))],
            &[
                (1, reasoning("m", "x")),
                (2, tool()),
                (3, reasoning("m", "xyz")),
                (4, stop("m", "a", Some("z"))),
            ],
        );
    }

    #[test]
    fn a_tool_of_another_turn_with_the_same_number_is_left_alone() {
        check(
            vec![turn("1"), progress(1, "a"), progress(1, "b"), turn("2"), progress(1, "c")],
            &[(1, turn("1")), (3, progress(1, "b")), (4, turn("2")), (5, progress(1, "c"))],
        );
    }

    #[test]
    fn the_end_of_a_text_that_everybody_has_is_told_without_it() {
        let check = |shown: &str, end: &str, told: bool| {
            let mut entries = Entries::default();
            entries.add(1, start("m"));
            entries.add(2, update("m", shown));
            let short = ServerFrame::MessageStop {
                message_id: "m".into(),
                final_text: None,
                reasoning: Some("because".into()),
                model: None,
                tokens: None,
            };
            let growth = entries.add(3, stop("m", end, Some("because")));
            assert_eq!(growth, Some((!told).then_some(short)), "{shown:?} {end:?}");
        };
        check("abc", "abc", false);
        check("abc", "abcd", true);
        check("abc", "ab", true);
    }

    #[test]
    fn growth_is_told_as_growth_and_a_rewrite_as_a_whole() {
        let mut entries = Entries::default();
        entries.add(1, start("m"));
        let mut seq = 1;
        let mut grew = |text: &str| {
            seq += 1;
            entries.add(seq, update("m", text))
        };
        let append =
            |at, text: &str| ServerFrame::MessageAppend { message_id: "m".into(), at, text: text.into() };
        assert_eq!(grew("ä"), Some(Some(append(0, "ä"))));
        assert_eq!(grew("äb"), Some(Some(append(2, "b"))));
        assert_eq!(grew("äb"), None);
        assert_eq!(grew("b"), Some(None));
        entries.add(10, stop("m", "bc", None));
        assert_eq!(entries.add(11, update("m", "bcd")), Some(None));
    }
}

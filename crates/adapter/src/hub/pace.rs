//! How often a growing text is told: once in a while with all that came meanwhile, since a frame costs more than the few
//! letters that it brings. The first piece and everything else are told at once. Pure: the time is passed in.

use std::time::Duration;

use iris_core::{ids::MessageId, protocol::frame::ServerFrame};
use tokio::time::Instant;

/// From one piece of a text to the next. Hermes says them about so often; a quick model says hundreds meanwhile.
pub const USUAL: Duration = Duration::from_millis(50);

/// The pace of one chat.
#[derive(Debug)]
pub struct Pace {
    gap: Duration,
    /// The newest state of a text that has not been told.
    held: Option<ServerFrame>,
    told: Option<Instant>,
}

impl Pace {
    /// Pieces of a text are at least so far apart.
    pub fn new(gap: Duration) -> Self {
        Self { gap, held: None, told: None }
    }

    /// Takes the next frame and returns what is told now, in order.
    pub fn take(&mut self, frame: ServerFrame, now: Instant) -> impl Iterator<Item = ServerFrame> + use<> {
        // Every state of a text says all of it: the newer one stands for both. Nothing overtakes another one.
        let before = self.held.take().filter(|held| live(held) != live(&frame));
        let waits = self.told.is_some_and(|told| now < told + self.gap);
        let told = match live(&frame) {
            Some(_) if waits => {
                self.held = Some(frame);
                None
            }
            Some(_) => {
                self.told = Some(now);
                Some(frame)
            }
            None => Some(frame),
        };
        before.into_iter().chain(told)
    }

    /// When what is held is to be told.
    pub fn due(&self) -> Option<Instant> {
        self.held.as_ref()?;
        self.told.map(|told| told + self.gap)
    }

    /// What is held is told now.
    pub fn release(&mut self, now: Instant) -> Option<ServerFrame> {
        let held = self.held.take()?;
        self.told = Some(now);
        Some(held)
    }
}

/// Which text grows by this frame; `true`: its reasoning.
fn live(frame: &ServerFrame) -> Option<(&MessageId, bool)> {
    match frame {
        ServerFrame::MessageUpdate { message_id, .. } => Some((message_id, false)),
        ServerFrame::ReasoningUpdate { message_id, .. } => Some((message_id, true)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(id: &str, text: &str) -> ServerFrame {
        ServerFrame::MessageUpdate { message_id: id.into(), text: text.to_owned() }
    }

    fn thought(id: &str, text: &str) -> ServerFrame {
        ServerFrame::ReasoningUpdate { message_id: id.into(), text: text.to_owned() }
    }

    fn stop(id: &str) -> ServerFrame {
        let message_id = id.into();
        ServerFrame::MessageStop { message_id, final_text: None, reasoning: None, model: None, tokens: None }
    }

    /// Frames at their times; what is told of them, with a look at the clock before each.
    fn told(frames: &[(u64, ServerFrame)]) -> Vec<ServerFrame> {
        let begin = Instant::now();
        let mut pace = Pace::new(USUAL);
        let mut told = Vec::new();
        for (ms, frame) in frames {
            let now = begin + Duration::from_millis(*ms);
            if pace.due().is_some_and(|due| due <= now) {
                told.extend(pace.release(now));
            }
            told.extend(pace.take(frame.clone(), now));
        }
        told.extend(pace.release(begin));
        told
    }

    #[test]
    fn the_first_piece_is_told_at_once_and_the_others_together() {
        let frames =
            [(0, text("m", "a")), (1, text("m", "ab")), (2, text("m", "abc")), (60, text("m", "abcd"))];
        assert_eq!(told(&frames), [text("m", "a"), text("m", "abc"), text("m", "abcd")]);
    }

    #[test]
    fn a_slow_text_is_told_piece_by_piece() {
        let frames = [(0, text("m", "a")), (50, text("m", "ab")), (100, text("m", "abc"))];
        assert_eq!(told(&frames), frames.map(|(_, frame)| frame));
    }

    #[test]
    fn nothing_overtakes_a_text() {
        let frames = [(0, text("m", "a")), (1, text("m", "ab")), (2, stop("m")), (3, text("n", "x"))];
        assert_eq!(told(&frames), [text("m", "a"), text("m", "ab"), stop("m"), text("n", "x")]);
        let frames =
            [(0, thought("m", "a")), (1, thought("m", "ab")), (2, text("m", "x")), (3, text("m", "xy"))];
        assert_eq!(told(&frames), [thought("m", "a"), thought("m", "ab"), text("m", "xy")]);
    }

    #[test]
    fn what_is_held_has_a_time_and_nothing_else_has() {
        let begin = Instant::now();
        let mut pace = Pace::new(USUAL);
        assert_eq!(pace.take(text("m", "a"), begin).count(), 1);
        assert_eq!(pace.due(), None);
        assert_eq!(pace.take(text("m", "ab"), begin).count(), 0);
        assert_eq!(pace.due(), Some(begin + USUAL));
        assert_eq!(pace.release(begin + USUAL), Some(text("m", "ab")));
        assert_eq!(pace.due(), None);
    }
}

//! What a `send` is: a piece of an answer, a tool line, a remark, a question, a line about the turn. Decided by its
//! metadata first, by its text only among what the metadata leaves open.

use iris_core::protocol::frame::Level;

use super::calls::Send;
use super::prompt::{self, Prompt};
use super::status::{self, Footer, Status};
use super::tool_line::{self, ToolLine};

/// The kinds of `send`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A bubble of the stream consumer.
    Piece,
    /// The whole reply, sent by the handler.
    Whole,
    /// The rest of a bubble that could not be edited.
    Tail,
    /// An interim remark.
    Commentary,
    /// A question.
    Ask(Prompt),
    /// The answer to a command or to a message that came while the turn ran.
    Acknowledgement,
    /// A line about the turn.
    Status(Status),
    /// Tool lines.
    Tools(Vec<ToolLine>),
    /// The runtime footer, on its own.
    Footer(Footer),
    /// Text of no known kind.
    Other,
}

/// What is going on when the `send` comes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Situation<'a> {
    /// It replies to a command that steers the agent, or to something said while the turn ran.
    pub(super) to_aside: bool,
    /// A bubble waits for its rest.
    pub(super) stuck: bool,
    /// Hermes works on nothing: what it says belongs to no turn.
    pub(super) resting: bool,
    /// A hook announced this question.
    pub(super) asked: Option<&'a str>,
}

/// Decides what a `send` is.
pub(super) fn classify(send: &Send, situation: Situation<'_>) -> Kind {
    let meta = &send.metadata;
    if meta.approval_prompt {
        return Kind::Ask(prompt::approval_text(&send.content));
    }
    if meta.interim {
        return interim(send, situation);
    }
    if meta.reply_to_message_id.is_some() || meta.expect_edits {
        return Kind::Piece;
    }
    if situation.to_aside {
        return Kind::Acknowledgement;
    }
    if meta.notify {
        return prompt::confirm_text(&send.content).map_or(Kind::Whole, Kind::Ask);
    }
    unmarked(&send.content, situation)
}

/// Heartbeats and warnings carry the same mark as remarks; remarks alone say which message they belong to.
fn interim(send: &Send, situation: Situation<'_>) -> Kind {
    if let Some(status) = status::known(&send.content) {
        Kind::Status(status)
    } else if send.metadata.reply_to_message_id.is_some() {
        Kind::Commentary
    } else if situation.stuck {
        Kind::Tail
    } else {
        Kind::Status(status::guess(&send.content, "working"))
    }
}

fn unmarked(content: &str, situation: Situation<'_>) -> Kind {
    let asks =
        content.starts_with('❓') || situation.asked.is_some_and(|question| content.contains(question));
    if asks {
        return Kind::Ask(prompt::clarify_text(content));
    }
    if let Some(status) = status::known(content) {
        return Kind::Status(status);
    }
    if situation.resting {
        // Nothing that it could be about: somebody meant it to be read, unless it sounds an alarm.
        let alarm = status::guess(content, "status");
        let is_alarm = alarm.level != Level::Info && !content.contains('\n');
        return if is_alarm { Kind::Status(alarm) } else { Kind::Other };
    }
    if let Some(footer) = status::footer(content) {
        return Kind::Footer(footer);
    }
    if let Some(lines) = tool_line::parse(content) {
        return Kind::Tools(lines);
    }
    // One line about something new is a notice; more is text that somebody meant to be read.
    if content.contains('\n') { Kind::Other } else { Kind::Status(status::guess(content, "status")) }
}

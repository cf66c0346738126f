//! [`Machine`]: the calls that Hermes makes for one chat become the frames of the protocol. Owns the turn (when it begins,
//! what is open in it, how it ends); `sends.rs` and `observe.rs` are the machine's other two halves, messages and hooks,
//! and the parts of a turn are `replies.rs`, `tools.rs`, `asks.rs` and `thinking.rs`. *Pure*: the same calls always give
//! the same frames, ids included, and a call's time is only used for durations.
//!
//! # Decisions
//!
//! * **Messages.** A bubble that streams is a message (`message.start`, `update`, `stop`), also before a tool call; a
//!   remark that Hermes sends on its own is `commentary`. A bubble is stopped when it is known whether another follows,
//!   because only the last answer of the turn carries model and tokens. A bubble that Hermes sealed at its limit goes on in
//!   the same message. A reply that was not streamed is one `message`.
//! * **Tools.** Hooks make the cards. The *lines* make them only while no hook was ever seen, and close them as "nobody
//!   knows" when the agent does something else.
//! * **Reasoning** comes live from hooks, for the message that follows; a reply that was not streamed has it in its text.
//!   Reasoning that leads to a tool or a remark is a message without text, so that it stands where it was thought.
//! * **A tool is quicker than the text before it.** Hooks come from the agent's thread, bubbles from a queue behind it. The
//!   answer to the request that calls a tool says what was written before it: what no bubble shows by then is shown from
//!   there, and its bubble takes it over when it comes.
//! * **Taken back.** A bubble that Hermes deletes is stopped with an empty text.
//! * **Typing** lasts as long as Hermes works on something; its own typing calls begin late and end too early.
//! * **What the user says.** Every `inbound` is a `user.message` except the ones that only push a button: `/stop`,
//!   `/approve`, `/deny`, `/always`, `/cancel`, and the number, text or "skip" of an offered choice. An answer in the user's
//!   own words is shown, and so are commands that carry words (`/queue …`, `/steer …`).
//! * **Commands** that Hermes answers itself (`/help`, `/status`, `/new`) are no turn: their turn begins only if the agent
//!   starts to work. A confirmation may therefore stay open when the command is done.
//! * **Redirect.** A message while the agent writes ends what it wrote so far; what the bubble says after it is the answer.
//! * **Lines about the turn** are `notice`s, each once; what Hermes says of a command is a notice too. The runtime footer
//!   is no message: its model is used when no hook told it, the rest is dropped.
//! * **A stream that broke off** and that Hermes asks for again is told as the next one begins (`broken.rs`): Hermes itself
//!   tells it only when the turn fails.
//! * **No texts.** What a Hermes without its texts says about itself is left out, and that is told once.
//! * **Follow-ups.** A message that queued, or broke the turn off, is taken up inside the turn before it: that one ends
//!   then, as its own loop ended.
//! * **Failure.** Hermes calls a provider's failure a success: the error's text ends the turn instead of being a message. Its
//!   word that it gave up is told only if the turn goes on or ends otherwise: the error says the same.

use std::collections::HashMap;

use iris_core::ids::{MessageId, TurnId};
use iris_core::protocol::ServerFrame;
use iris_core::protocol::frame::{Tokens, TurnStatus};

use super::asks::{Answer, Asks};
use super::broken::Broken;
use super::calls::{Call, Inbound, Outcome};
use super::ids::Ids;
use super::replies::{Context, Credits, Replies};
use super::status::Status;
use super::thinking::Thinking;
use super::tools::Tools;

/// Commands that push a button: they steer what runs and are not shown as messages.
const BUTTONS: [&str; 5] = ["/stop", "/approve", "/deny", "/always", "/cancel"];

/// Turns the calls that Hermes makes for one chat into frames.
///
/// Feed it every call in the order in which they came, whatever their kind; it answers with the frames that they mean, to
/// be sent in that order. It never fails: what it does not understand becomes text or nothing.
///
/// ```
/// use iris_adapter::backend::gateway::{Machine, parse};
///
/// let recording = r#"{"t_ms":0,"call":"inbound","message_id":"u0","text":"hello"}
/// {"t_ms":1,"call":"on_processing_start","text":"hello"}
/// {"t_ms":9,"call":"send","content":"ola","reply_to":"u0","metadata":{"notify":true},"returns":"m1"}
/// {"t_ms":10,"call":"on_processing_complete","outcome":"success"}"#;
///
/// let mut machine = Machine::new("demo1");
/// let frames: Vec<_> =
///     parse(recording)?.iter().flat_map(|timed| machine.call(timed.t_ms, &timed.call)).collect();
/// assert_eq!(frames.len(), 6); // user.message, turn.start, typing, message, typing, turn.end
/// # Ok::<(), iris_core::jsonl::LineError>(())
/// ```
#[derive(Debug)]
pub struct Machine {
    pub(super) ids: Ids,
    pub(super) typing: bool,
    /// Hooks are connected: they tell of tools, so lines do not.
    pub(super) hooks: bool,
    pub(super) asks: Asks,
    /// The question that a hook announced and that no text has asked yet.
    pub(super) asked: Option<String>,
    /// What the user said on the side, by Hermes' id: a reply to it is no answer of the agent.
    pub(super) asides: HashMap<String, Aside>,
    /// What the user said last, and when.
    pub(super) last_inbound: Option<(u64, String)>,
    /// It was told that this Hermes has no texts.
    pub(super) lacks_texts: bool,
    /// When Hermes took up what it works on; absent while it rests.
    pub(super) busy_since: Option<u64>,
    pub(super) turn: Option<Turn>,
}

/// Everything that is open while the agent works.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) id: TurnId,
    pub(super) started_ms: u64,
    pub(super) tools: Tools,
    pub(super) replies: Replies,
    pub(super) thinking: Thinking,
    /// Which of its streams broke off.
    pub(super) broken: Broken,
    /// What each bubble that is no message is.
    pub(super) bubbles: HashMap<String, Bubble>,
    /// The last notice of each code, so that none repeats itself.
    pub(super) notices: HashMap<&'static str, String>,
    /// What Hermes gave up. If the turn fails with it, the error at its end says it better.
    pub(super) given_up: Vec<Status>,
    pub(super) model: Option<String>,
    pub(super) tokens: Option<Tokens>,
    /// What was written before the tools that are to start.
    pub(super) before_tools: Option<String>,
    /// How the agent's loop ended, once it has.
    pub(super) outcome: Option<TurnStatus>,
    /// The newest request to the provider failed.
    pub(super) failing: bool,
    /// What the provider said.
    pub(super) provider_error: Option<String>,
    /// The text of the failure, written for people.
    pub(super) error: Option<String>,
}

/// What a message of the user was that the running turn does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aside {
    /// The answer to an approval: the ask closes, there is nothing more to say.
    Approval,
    /// A command, or words to the agent at work.
    Other,
}

/// A bubble that may be edited and is no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bubble {
    Tools,
    Status,
    Other,
}

impl Machine {
    /// A machine whose ids all begin with `prefix`, which must differ for any two machines of a chat.
    pub fn new(prefix: impl Into<String>) -> Self {
        Self {
            ids: Ids::new(prefix.into()),
            typing: false,
            hooks: false,
            asks: Asks::default(),
            asked: None,
            asides: HashMap::new(),
            last_inbound: None,
            lacks_texts: false,
            busy_since: None,
            turn: None,
        }
    }

    /// Takes one call, made at `t_ms`, and says what it means.
    pub fn call(&mut self, t_ms: u64, call: &Call) -> Vec<ServerFrame> {
        let mut out = Vec::new();
        match call {
            Call::Inbound(inbound) => self.inbound(t_ms, inbound, &mut out),
            Call::ProcessingStart { text } => self.processing_start(t_ms, text, &mut out),
            Call::ProcessingComplete { outcome } => self.processing_complete(t_ms, *outcome, &mut out),
            // Typing follows from what Hermes works on: it announces it late, ends it too early (to make room for a
            // message) and sometimes announces it after the end.
            Call::SendTyping | Call::StopTyping | Call::Unknown { .. } => {}
            Call::Send(send) => self.send(t_ms, send, &mut out),
            Call::Edit(edit) => self.edit(t_ms, edit, &mut out),
            Call::Delete { message_id } => {
                self.replies(&mut out, |replies, cx| replies.delete(message_id, cx));
            }
            Call::Attachment(attachment) => self.attachment(attachment, &mut out),
            Call::Hook(hook) => self.hook(t_ms, hook, &mut out),
        }
        out
    }

    /// Hermes is gone: closes everything, the turn as `lost`.
    pub fn lost(&mut self, t_ms: u64) -> Vec<ServerFrame> {
        let mut out = Vec::new();
        self.asks.all_over(&mut out);
        self.end(t_ms, TurnStatus::Lost, &mut out);
        out
    }

    /// Whether a turn is running.
    pub fn is_running(&self) -> bool {
        self.turn.is_some()
    }

    /// Whether Hermes works on nothing: no turn, no command.
    pub fn is_resting(&self) -> bool {
        self.turn.is_none() && self.busy_since.is_none()
    }

    /// An id for a message that is made of no call, a file.
    pub fn message_id(&mut self) -> MessageId {
        self.ids.message()
    }
}

/// Beginning and end.
impl Machine {
    fn inbound(&mut self, t_ms: u64, inbound: &Inbound, out: &mut Vec<ServerFrame>) {
        let answer = self.asks.inbound(&inbound.text, out);
        let button = inbound.text.split_whitespace().next().is_some_and(|word| BUTTONS.contains(&word));
        if button || self.busy_since.is_some() {
            let aside = if answer == Answer::Approval { Aside::Approval } else { Aside::Other };
            self.asides.insert(inbound.message_id.clone(), aside);
        }
        if !button && answer != Answer::Choice {
            out.push(ServerFrame::UserMessage {
                message_id: self.ids.message(),
                client_id: inbound.client_id.clone().map(Into::into),
                text: inbound.text.clone(),
                ts: None,
                attachments: Vec::new(),
            });
        }
        self.last_inbound = Some((t_ms, inbound.text.clone()));
    }

    fn processing_start(&mut self, t_ms: u64, text: &str, out: &mut Vec<ServerFrame>) {
        let command = text.starts_with('/');
        if let Some(turn) = &self.turn {
            // A command may be taken up beside the turn.
            if command {
                return;
            }
            // Hermes takes up what queued, or what broke the turn off, before it says that it is done with the turn.
            let status = turn.outcome.unwrap_or(TurnStatus::Lost);
            self.end(t_ms, status, out);
        }
        let said = self.last_inbound.as_ref().filter(|(_, said)| said == text).map(|(t_ms, _)| *t_ms);
        self.busy_since = Some(said.unwrap_or(t_ms));
        // Hermes wakes a session by saying nothing, more than once if it is busy.
        if command || text.is_empty() {
            self.typing(true, out);
        } else {
            // What was said before is now what it works on, and no longer an aside.
            self.asides.clear();
            self.asks.all_over(out);
            self.turn(t_ms, out);
        }
    }

    /// The open turn. Calls of an agent at work open it when nothing else did.
    pub(super) fn turn(&mut self, t_ms: u64, out: &mut Vec<ServerFrame>) -> &mut Turn {
        if self.turn.is_none() {
            let id = self.ids.turn();
            out.push(ServerFrame::TurnStart { turn: id.clone() });
            self.typing(true, out);
            self.turn = Some(Turn::new(id, self.busy_since.unwrap_or(t_ms)));
        }
        // The agent goes on: what it gave up was not the turn.
        let given_up = self.turn.as_mut().map(|turn| std::mem::take(&mut turn.given_up));
        out.extend(given_up.iter().flatten().map(Status::notice));
        self.turn.get_or_insert_with(|| Turn::new(TurnId(String::new()), t_ms))
    }

    fn processing_complete(&mut self, t_ms: u64, outcome: Outcome, out: &mut Vec<ServerFrame>) {
        // Hermes reports success when the text of a failure was delivered.
        let failed = self.turn.as_ref().is_some_and(|turn| turn.error.is_some());
        let status = match outcome {
            Outcome::Cancelled => TurnStatus::Interrupted,
            Outcome::Failure => TurnStatus::Error,
            Outcome::Success if failed => TurnStatus::Error,
            Outcome::Success => TurnStatus::Complete,
        };
        self.end(t_ms, status, out);
    }

    /// Closes whatever is open, then the turn.
    fn end(&mut self, t_ms: u64, status: TurnStatus, out: &mut Vec<ServerFrame>) {
        self.busy_since = None;
        self.asked = None;
        let Some(mut turn) = self.turn.take() else {
            self.typing(false, out);
            return;
        };
        if status != TurnStatus::Error {
            out.extend(turn.given_up.iter().map(Status::notice));
        }
        turn.tools.close_all(out);
        let credits = turn.credits();
        turn.replies.close(&credits, &mut Context { ids: &mut self.ids, thinking: &mut turn.thinking, out });
        turn.thinking.close(out);
        self.asks.turn_over(out);
        self.typing(false, out);
        let error = match status {
            TurnStatus::Error => {
                turn.error.or(turn.provider_error).or_else(|| Some("Hermes failed".to_owned()))
            }
            _ => None,
        };
        out.push(ServerFrame::TurnEnd {
            turn: turn.id,
            status,
            exit_code: None,
            error,
            model: turn.model,
            tokens: turn.tokens,
            duration_ms: Some(t_ms.saturating_sub(turn.started_ms)),
        });
    }

    pub(super) fn typing(&mut self, on: bool, out: &mut Vec<ServerFrame>) {
        if self.typing != on {
            self.typing = on;
            out.push(ServerFrame::Typing { on });
        }
    }

    /// Does something with the messages of the open turn, if there is one.
    pub(super) fn replies<R>(
        &mut self,
        out: &mut Vec<ServerFrame>,
        act: impl FnOnce(&mut Replies, &mut Context<'_>) -> R,
    ) -> Option<R> {
        let turn = self.turn.as_mut()?;
        let mut cx = Context { ids: &mut self.ids, thinking: &mut turn.thinking, out };
        Some(act(&mut turn.replies, &mut cx))
    }
}

impl Turn {
    fn new(id: TurnId, started_ms: u64) -> Self {
        Self {
            id,
            started_ms,
            tools: Tools::default(),
            replies: Replies::default(),
            thinking: Thinking::default(),
            broken: Broken::default(),
            bubbles: HashMap::new(),
            notices: HashMap::new(),
            given_up: Vec::new(),
            model: None,
            tokens: None,
            before_tools: None,
            outcome: None,
            failing: false,
            provider_error: None,
            error: None,
        }
    }

    /// What stands under the last answer, as far as it is known by now.
    pub(super) fn credits(&self) -> Credits {
        Credits { model: self.model.clone(), tokens: self.tokens }
    }
}

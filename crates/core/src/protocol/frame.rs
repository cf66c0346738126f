//! The frames of protocol version 1 as types. Owns what a frame *is*; `codec.rs` owns how it is written.
//!
//! `docs/protocol.md` has a table and an example per frame; a test holds the two together.

use serde_json::{Map, Value};

use crate::ids::{AskId, ChatId, ClientId, FileId, MessageId, ToolIndex, TurnId};

/// The protocol version that this code speaks.
pub const PROTOCOL: u32 = 1;

/// A frame from the adapter with the place it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope {
    /// The chat; absent on frames that belong to none, and from peers that know only one nameless chat.
    pub chat: Option<ChatId>,
    /// Position in the chat's journal, strictly increasing; absent on frames that change no transcript.
    pub seq: Option<u64>,
    /// What happened.
    pub frame: ServerFrame,
}

/// Tokens of a turn or message. A bare number on the wire is `total`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Prompt tokens that were not cached.
    pub input: Option<u64>,
    /// Tokens that the model wrote.
    pub output: Option<u64>,
    /// Everything counted, cached prompt included.
    pub total: Option<u64>,
    /// Prompt tokens read from the provider's cache.
    pub cache_read: Option<u64>,
    /// Prompt tokens written to the provider's cache.
    pub cache_write: Option<u64>,
}

/// The numbers of a notice about a stream, each as far as the notice tells it. All times are whole seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The timer that acted, or will: `stale`, `first_event`, `progress`, `idle`, `call`, `lifetime` or `breaker`.
    pub watchdog: Option<String>,
    /// How long there has been no sign of life.
    pub silent: Option<u32>,
    /// How long it has run, or had run.
    pub after: Option<u32>,
    /// How long until Hermes acts by itself, counted from the notice.
    pub next: Option<u32>,
    /// Which try, retry or cycle it is; or how many there were.
    pub attempt: Option<u32>,
    /// Of how many.
    pub of: Option<u32>,
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnStatus {
    /// The agent answered.
    Complete,
    /// The turn failed; `error` says why.
    Error,
    /// The user stopped it.
    Interrupted,
    /// The adapter lost sight of it (a crash, a restart).
    Lost,
}

/// How loud a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Good to know.
    Info,
    /// Something is not as it should be; the turn goes on.
    Warning,
    /// Something failed.
    Error,
}

/// What kind of question an `ask` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskKind {
    /// May this command run?
    Approval,
    /// The agent needs to know something.
    Clarify,
    /// Confirm a slash command.
    Confirm,
}

/// One button of an `ask`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What goes back in `ask.answer`.
    pub id: String,
    /// What stands on the button.
    pub label: String,
}

/// One chat in the list of `hello`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatSummary {
    /// The chat.
    pub id: ChatId,
    /// Its title; may be empty.
    pub title: String,
    /// Last change, milliseconds since 1970.
    pub updated_ms: u64,
    /// A turn is running.
    pub running: bool,
}

/// What the adapter says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerInfo {
    /// Program name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The id of the app build it serves.
    pub build: String,
}

/// What stands behind the adapter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackendInfo {
    /// `demo`, `cli` or `gateway`.
    pub kind: String,
    /// A name for people.
    pub label: String,
    /// The model, where known.
    pub model: Option<String>,
    /// Why nothing can be answered now, and what to do about it, for people; absent when all is well.
    pub trouble: Option<String>,
}

/// A slash command that the backend takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlashCommand {
    /// Its name, without the slash.
    pub name: String,
    /// What it does, one line.
    pub description: String,
    /// What may follow it, as a hint: `[name]`.
    pub args: Option<String>,
}

/// A file that the adapter keeps. Its bytes are at `files/<id>` beside the app, for paired devices only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileInfo {
    /// The file.
    pub id: FileId,
    /// Its name, without a folder.
    pub name: String,
    /// Its media type, as the adapter found it by looking into the file.
    pub media_type: String,
    /// Its length, bytes.
    pub size: u64,
}

/// What to do with a message while a turn runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendMode {
    /// Answer it when the turn is done.
    Queue,
    /// Tell the running turn, after its next tool call.
    Steer,
    /// Break the running turn off.
    Interrupt,
}

/// One place where a search found something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchHit {
    /// The chat.
    pub chat: ChatId,
    /// The `seq` of the frame that holds the text.
    pub seq: u64,
    /// The text before what matched, shortened.
    pub before: String,
    /// What matched.
    pub matched: String,
    /// The text after it, shortened.
    pub after: String,
}

/// A message that a suggestion of an empty chat sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// What stands on the button.
    pub label: String,
    /// What is sent when it is pressed.
    pub text: String,
}

/// Everything an adapter can say.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerFrame {
    /// `hello`: the answer to the app's.
    Hello {
        /// Protocol version of the adapter.
        protocol: u32,
        /// The adapter.
        server: ServerInfo,
        /// What stands behind it.
        backend: BackendInfo,
        /// Optional parts of the protocol that it speaks.
        capabilities: Vec<String>,
        /// The chats it has.
        chats: Vec<ChatSummary>,
        /// What an empty chat may offer (the demo's recordings, say).
        suggestions: Vec<Suggestion>,
        /// The slash commands that the backend takes.
        commands: Vec<SlashCommand>,
    },
    /// `backend.updated`: what stands behind the adapter has changed: it came, went, or says something new of itself.
    BackendUpdated {
        /// What it is now.
        backend: BackendInfo,
        /// The optional parts of the protocol that are spoken now.
        capabilities: Vec<String>,
        /// The slash commands that it takes now.
        commands: Vec<SlashCommand>,
    },
    /// `sync.begin`: the missing frames follow.
    SyncBegin {
        /// Throw away what you have of this chat.
        reset: bool,
        /// The last `seq` that follows.
        to_seq: u64,
        /// There is more before what follows: what `history` asks for next. Absent: it begins with the chat's beginning.
        before_seq: Option<u64>,
    },
    /// `sync.end`: what follows is live.
    SyncEnd,
    /// `history.page`: older frames, whole turns of them, in their order.
    HistoryPage {
        /// There is still more before: what `history` asks for next.
        before_seq: Option<u64>,
        /// The frames, in their compacted final form.
        frames: Vec<Envelope>,
    },
    /// `ack`: a `message.send` is taken.
    Ack {
        /// The app's id of it.
        client_id: ClientId,
        /// The adapter's.
        message_id: MessageId,
    },
    /// `user.message`: what a user said, to every device.
    UserMessage {
        /// The message.
        message_id: MessageId,
        /// The sending device's id of it: replaces the local echo in place.
        client_id: Option<ClientId>,
        /// What was said.
        text: String,
        /// When, milliseconds since 1970.
        ts: Option<u64>,
        /// What came with it.
        attachments: Vec<FileInfo>,
    },
    /// `file`: a file from the agent.
    File {
        /// The message that it is; unique in its chat.
        message_id: MessageId,
        /// The file.
        file: FileInfo,
        /// What the agent says of it.
        caption: Option<String>,
    },
    /// `turn.start`.
    TurnStart {
        /// The turn.
        turn: TurnId,
    },
    /// `turn.end`: closes everything the turn left open.
    TurnEnd {
        /// The turn.
        turn: TurnId,
        /// How it ended.
        status: TurnStatus,
        /// Exit status of a `hermes` process.
        exit_code: Option<i32>,
        /// Why it failed, for people.
        error: Option<String>,
        /// The model.
        model: Option<String>,
        /// Tokens of the whole turn.
        tokens: Option<Tokens>,
        /// How long it took, milliseconds.
        duration_ms: Option<u64>,
    },
    /// `typing`: the agent is at work (`typing.stop` reads as `on: false`).
    Typing {
        /// At work or not.
        on: bool,
    },
    /// `message.start`: a live bubble opens.
    MessageStart {
        /// The message.
        message_id: MessageId,
        /// Whose; `assistant` when absent.
        role: Option<String>,
    },
    /// `message.update`: the full text so far, replacing what was there.
    MessageUpdate {
        /// The message.
        message_id: MessageId,
        /// All of it so far.
        text: String,
    },
    /// `message.append`: only for apps that said `append`.
    MessageAppend {
        /// The message.
        message_id: MessageId,
        /// Bytes of UTF-8 that must stand before it.
        at: u64,
        /// What is added.
        text: String,
    },
    /// `message.stop`: the final text. Works without a live bubble.
    MessageStop {
        /// The message.
        message_id: MessageId,
        /// The text that stays; absent keeps what was last shown.
        final_text: Option<String>,
        /// The reasoning that led to it.
        reasoning: Option<String>,
        /// The model.
        model: Option<String>,
        /// Its tokens.
        tokens: Option<Tokens>,
    },
    /// `message`: a whole message, never streamed.
    Message {
        /// The message.
        message_id: MessageId,
        /// All of it.
        text: String,
        /// The reasoning that led to it.
        reasoning: Option<String>,
        /// The model.
        model: Option<String>,
        /// Its tokens.
        tokens: Option<Tokens>,
    },
    /// `reasoning.update`: live reasoning that belongs to the message, in full.
    ReasoningUpdate {
        /// The message it belongs to; it may not have started yet.
        message_id: MessageId,
        /// All of it so far.
        text: String,
    },
    /// `reasoning.append`.
    ReasoningAppend {
        /// The message it belongs to.
        message_id: MessageId,
        /// Bytes of UTF-8 that must stand before it.
        at: u64,
        /// What is added.
        text: String,
    },
    /// `commentary`: an interim remark, not an answer.
    Commentary {
        /// The message.
        message_id: MessageId,
        /// The remark.
        text: String,
    },
    /// `tool.start`.
    ToolStart {
        /// Number within the turn.
        index: ToolIndex,
        /// The tool's name, as Hermes has it.
        name: String,
        /// One short line of what it does.
        preview: Option<String>,
        /// The whole argument object; empty when unknown.
        args: Map<String, Value>,
    },
    /// `tool.progress`.
    ToolProgress {
        /// Number within the turn.
        index: ToolIndex,
        /// The tool's name.
        name: String,
        /// What it says.
        note: String,
    },
    /// `tool.end`.
    ToolEnd {
        /// Number within the turn.
        index: ToolIndex,
        /// The tool's name.
        name: String,
        /// Whether it worked; absent when nobody knows (its turn ended first, or Hermes shows no end).
        ok: Option<bool>,
        /// Seconds; absent when nobody measured.
        duration: Option<f64>,
        /// The beginning of its output.
        output_preview: Option<String>,
    },
    /// `notice`: something about the turn that is not a message.
    Notice {
        /// How loud.
        level: Level,
        /// A fixed word (`retrying`, `stale`, `capped`, `breaker`, `queued`, `stopped`, …).
        code: String,
        /// For people.
        text: String,
        /// More, on demand.
        detail: Option<String>,
        /// Its numbers.
        facts: Facts,
    },
    /// `ask`: the agent waits for an answer.
    Ask {
        /// The question.
        ask_id: AskId,
        /// Its kind.
        kind: AskKind,
        /// What is asked.
        text: String,
        /// The command that waits for an approval.
        command: Option<String>,
        /// The buttons; none means free text.
        choices: Vec<Choice>,
    },
    /// `ask.closed`.
    AskClosed {
        /// The question.
        ask_id: AskId,
        /// What became of it, for people.
        outcome: String,
    },
    /// `chat.updated`.
    ChatUpdated {
        /// The chat as it is now.
        chat: ChatSummary,
    },
    /// `chat.removed`.
    ChatRemoved,
    /// `search.result`: what a `search` found.
    SearchResult {
        /// The app's id of the search.
        client_id: ClientId,
        /// The places, the best first.
        hits: Vec<SearchHit>,
    },
    /// `pong`.
    Pong {
        /// The `t` of the `ping`.
        t: u64,
    },
    /// `error`.
    Error {
        /// A fixed word.
        code: String,
        /// For people, with what to do.
        text: String,
        /// The `client_id` or frame type it answers.
        re: Option<String>,
    },
    /// A type that this version does not know: tolerated and counted.
    Unknown {
        /// Its `type`.
        kind: String,
    },
}

impl ServerFrame {
    /// Whether it tells something of a chat; the others are about the connection, or answer what one app asked.
    pub fn is_of_a_chat(&self) -> bool {
        !matches!(
            self,
            Self::Hello { .. }
                | Self::BackendUpdated { .. }
                | Self::SyncBegin { .. }
                | Self::SyncEnd
                | Self::HistoryPage { .. }
                | Self::Ack { .. }
                | Self::ChatUpdated { .. }
                | Self::ChatRemoved
                | Self::SearchResult { .. }
                | Self::Pong { .. }
                | Self::Error { re: Some(_), .. }
                | Self::Unknown { .. }
        )
    }
}

/// Everything an app can say.
#[derive(Clone, Debug, PartialEq)]
pub enum AppFrame {
    /// `hello`: first, within five seconds.
    Hello {
        /// Protocol version of the app.
        protocol: u32,
        /// Proof that this device is paired.
        token: Option<String>,
        /// A name for this device.
        device: String,
        /// Optional parts of the protocol that it speaks (`append`).
        capabilities: Vec<String>,
    },
    /// `subscribe`: send me this chat.
    Subscribe {
        /// The chat.
        chat: ChatId,
        /// The last `seq` that the app has.
        after_seq: Option<u64>,
        /// When everything must be sent: at least so many frames of the end, in whole turns; absent: all of them.
        limit: Option<u32>,
    },
    /// `message.send`.
    MessageSend {
        /// The app's id of it; the same id is acknowledged again and sent once.
        client_id: ClientId,
        /// The chat; absent for a peer with one nameless chat.
        chat: Option<ChatId>,
        /// What the user says; may be empty when something is attached.
        text: String,
        /// What comes with it: ids of uploaded files.
        attachments: Vec<FileId>,
        /// What to do with it while a turn runs; absent: what the backend does by itself.
        mode: Option<SendMode>,
    },
    /// `ask.answer`.
    AskAnswer {
        /// The chat.
        chat: Option<ChatId>,
        /// The question.
        ask_id: AskId,
        /// The button.
        choice: Option<String>,
        /// Free text.
        text: Option<String>,
    },
    /// `turn.stop`.
    TurnStop {
        /// The chat.
        chat: Option<ChatId>,
    },
    /// `chat.create`.
    ChatCreate {
        /// The app's id of it.
        client_id: ClientId,
        /// A title.
        title: Option<String>,
    },
    /// `chat.rename`.
    ChatRename {
        /// The chat.
        chat: ChatId,
        /// Its new title.
        title: String,
    },
    /// `chat.delete`.
    ChatDelete {
        /// The chat.
        chat: ChatId,
    },
    /// `history`: older frames.
    History {
        /// The chat.
        chat: ChatId,
        /// Frames before this `seq`.
        before_seq: u64,
        /// At most so many.
        limit: u32,
    },
    /// `search`: look for words in every chat.
    Search {
        /// The app's id of it.
        client_id: ClientId,
        /// The words.
        query: String,
    },
    /// `ping`.
    Ping {
        /// Any whole number; comes back in `pong`.
        t: u64,
    },
    /// A type that this version does not know.
    Unknown {
        /// Its `type`.
        kind: String,
    },
}

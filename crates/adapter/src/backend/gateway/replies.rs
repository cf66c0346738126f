//! The assistant's messages of one turn. Owns how bubbles of the chat become messages: an unfinished bubble grows, a
//! sealed one goes on in the next, a redirected one is two messages, and a finished one is stopped only when it is known
//! whether another follows, because only the last answer of a turn carries model and tokens.

use iris_core::ids::MessageId;
use iris_core::protocol::frame::{ServerFrame, Tokens};

use super::calls::{Edit, Send};
use super::ids::Ids;
use super::snapshot::{finished, has_cursor, may_be_sealed, seam, unfinished, without_forming_tag};
use super::thinking::Thinking;

mod foretold;

/// What stands under the last answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Credits {
    pub(super) model: Option<String>,
    pub(super) tokens: Option<Tokens>,
}

/// What handling a message may need of the rest of the turn.
pub(super) struct Context<'a> {
    pub(super) ids: &'a mut Ids,
    pub(super) thinking: &'a mut Thinking,
    pub(super) out: &'a mut Vec<ServerFrame>,
}

/// The messages of a turn.
#[derive(Debug, Default)]
pub(super) struct Replies {
    list: Vec<Reply>,
    /// Something was said since tools were started last.
    said: bool,
}

/// One message, made of one bubble or of several that Hermes sealed.
#[derive(Debug)]
struct Reply {
    id: MessageId,
    parts: Vec<Part>,
    /// What the app shows.
    shown: String,
    /// The text goes on: its bubble has not had its final edit.
    live: bool,
    /// The final edit was shorter than what had been shown: the rest comes in the next bubble.
    sealed: bool,
    /// The agent went on to something else before the final edit came.
    left: bool,
    /// It seems so, unless the text grows again.
    left_maybe: bool,
    /// The user redirected the agent: what the bubble says from here on is another message.
    redirected: bool,
    /// It stands before its bubble has come.
    foretold: bool,
    /// The text it was stopped with.
    stopped: Option<String>,
}

/// A bubble's share of a message.
#[derive(Debug)]
struct Part {
    /// Hermes' id of the bubble.
    bubble: Option<String>,
    /// What Hermes took away between the bubble before and this one.
    gap: String,
    text: String,
    /// The beginning of the bubble that belongs to the message before it.
    cut: String,
    /// The longest unfinished text it had.
    snapshot: String,
    /// The only snapshot so far had a cursor that no edit took away.
    stuck: bool,
}

impl Part {
    fn new(send: &Send, live: bool) -> Self {
        let text = if live { unfinished(&send.content) } else { finished(&send.content) };
        Self {
            bubble: send.returns.clone(),
            gap: String::new(),
            text: text.to_owned(),
            cut: String::new(),
            snapshot: text.to_owned(),
            stuck: live && has_cursor(&send.content),
        }
    }

    /// What an edit of the bubble says in this message.
    fn own<'a>(&self, edit: &'a Edit) -> &'a str {
        let whole = if edit.finalize { finished(&edit.content) } else { unfinished(&edit.content) };
        whole.strip_prefix(self.cut.as_str()).map_or(whole, |rest| rest.trim_start_matches('\n'))
    }

    fn take(&mut self, edit: &Edit) {
        self.text = self.own(edit).to_owned();
        self.stuck = false;
        if !edit.finalize {
            self.snapshot.clone_from(&self.text);
        }
    }

    /// Whether the final text leaves out the end of what was shown. Blank space at the end is always taken off.
    fn is_cut_short(&self) -> bool {
        self.snapshot.strip_prefix(self.text.as_str()).is_some_and(|rest| !rest.trim().is_empty())
    }
}

impl Replies {
    /// A bubble of the stream consumer: the beginning of a message, the whole of one, or the next piece of a sealed one.
    pub(super) fn piece(&mut self, send: &Send, cx: &mut Context<'_>) {
        let live = send.metadata.expect_edits;
        let part = Part::new(send, live);
        if self.comes_true(send, &part, cx) {
            return;
        }
        if let Some(reply) = self.open()
            && reply.goes_on_in(&send.content)
        {
            reply.append(part, live, cx);
            return;
        }
        self.begin(part, live, cx);
    }

    fn begin(&mut self, part: Part, live: bool, cx: &mut Context<'_>) {
        self.leave_for_good(cx);
        self.said = true;
        let id = cx.thinking.claim(&part.text, cx.ids);
        cx.out.push(ServerFrame::MessageStart { message_id: id.clone(), role: Some("assistant".to_owned()) });
        let mut reply = Reply {
            id,
            parts: vec![part],
            shown: String::new(),
            live,
            sealed: false,
            left: false,
            left_maybe: false,
            redirected: false,
            foretold: false,
            stopped: None,
        };
        reply.update(cx.out);
        self.list.push(reply);
    }

    /// The rest of a text whose bubble could not be edited.
    pub(super) fn tail(&mut self, send: &Send, cx: &mut Context<'_>) {
        if let Some(reply) = self.open() {
            reply.append(Part::new(send, false), false, cx);
        }
    }

    /// Whether the open message waits for such a rest.
    pub(super) fn is_stuck(&self) -> bool {
        self.list
            .last()
            .is_some_and(|reply| reply.is_open() && reply.parts.last().is_some_and(|part| part.stuck))
    }

    /// A bubble gets another text; whether it is one of ours.
    pub(super) fn edit(&mut self, edit: &Edit, cx: &mut Context<'_>) -> bool {
        let Some(reply) = self.list.iter_mut().rev().find(|reply| reply.part(&edit.message_id).is_some())
        else {
            return false;
        };
        if reply.redirected {
            let part = Part {
                bubble: Some(edit.message_id.clone()),
                gap: String::new(),
                text: String::new(),
                cut: reply.text(),
                snapshot: String::new(),
                stuck: false,
            };
            self.redirected_edit(edit, part, cx);
        } else {
            reply.edit(edit, cx);
        }
        true
    }

    /// The first edit after a redirect: a new message, once it says something new.
    fn redirected_edit(&mut self, edit: &Edit, mut part: Part, cx: &mut Context<'_>) {
        part.take(edit);
        if part.text.is_empty() {
            return;
        }
        self.begin(part, !edit.finalize, cx);
    }

    /// A bubble that opened before anyone watched.
    pub(super) fn adopt(&mut self, edit: &Edit, cx: &mut Context<'_>) {
        let send =
            Send { content: edit.content.clone(), returns: Some(edit.message_id.clone()), ..Send::default() };
        let part = Part::new(&send, !edit.finalize);
        self.begin(part, !edit.finalize, cx);
    }

    /// The reply that the handler sends whole. It may repeat a bubble that was left unfinished: then it finishes it.
    pub(super) fn whole(
        &mut self,
        text: &str,
        reasoning: Option<String>,
        credits: &Credits,
        cx: &mut Context<'_>,
    ) {
        if let Some(reply) = self.open()
            && reply.live
            && !reply.foretold
            && !reply.text().is_empty()
            && text.starts_with(&reply.text())
        {
            reply.finish_with(text);
            reply.stop(credits, reasoning, cx);
            return;
        }
        self.leave_for_good(cx);
        let message_id = cx.thinking.claim(text, cx.ids);
        let reasoning = reasoning.or_else(|| cx.thinking.reasoning_of(&message_id));
        cx.thinking.over(&message_id);
        let Credits { model, tokens } = credits.clone();
        cx.out.push(ServerFrame::Message { message_id, text: text.to_owned(), reasoning, model, tokens });
    }

    /// A bubble was taken back.
    pub(super) fn delete(&mut self, bubble: &str, cx: &mut Context<'_>) {
        if let Some(reply) = self.open().filter(|reply| reply.part(bubble).is_some()) {
            reply.finish_with("");
            reply.stop(&Credits::default(), None, cx);
        }
    }

    /// The agent turns to something else: a finished message is stopped now, an unfinished one when its final edit comes.
    pub(super) fn leave(&mut self, cx: &mut Context<'_>) {
        if let Some(reply) = self.open() {
            reply.left |= reply.live;
        }
        self.leave_finished(cx);
    }

    /// The same when it is not sure that it happened after the message: tool lines may be late.
    pub(super) fn leave_maybe(&mut self, cx: &mut Context<'_>) {
        if let Some(reply) = self.open() {
            reply.left_maybe |= reply.live;
        }
        self.leave_finished(cx);
    }

    /// A finished message is stopped now, an unfinished one goes on.
    pub(super) fn leave_finished(&mut self, cx: &mut Context<'_>) {
        if let Some(reply) = self.open().filter(|reply| !reply.live && !reply.sealed) {
            reply.stop(&Credits::default(), None, cx);
        }
    }

    /// Another message follows, so this one is over whatever state it is in.
    pub(super) fn leave_for_good(&mut self, cx: &mut Context<'_>) {
        if let Some(reply) = self.open() {
            reply.stop(&Credits::default(), None, cx);
        }
    }

    /// The user corrected the agent: what was shown stays, and the bubble's new text is an answer to the correction.
    pub(super) fn redirect(&mut self, cx: &mut Context<'_>) {
        self.said = false;
        if let Some(reply) = self.open() {
            reply.redirected = reply.live;
            reply.stop(&Credits::default(), None, cx);
        }
    }

    /// The turn is over.
    pub(super) fn close(&mut self, credits: &Credits, cx: &mut Context<'_>) {
        if let Some(reply) = self.open() {
            reply.break_off(cx);
            reply.stop(credits, None, cx);
        }
    }

    fn open(&mut self) -> Option<&mut Reply> {
        self.list.last_mut().filter(|reply| reply.is_open())
    }
}

impl Reply {
    fn is_open(&self) -> bool {
        self.stopped.is_none()
    }

    fn text(&self) -> String {
        self.parts.iter().flat_map(|part| [part.gap.as_str(), part.text.as_str()]).collect()
    }

    fn part(&self, bubble: &str) -> Option<usize> {
        self.parts.iter().position(|part| part.bubble.as_deref() == Some(bubble))
    }

    /// Whether a new bubble is the rest of this message. The first snapshot after a tool begins with blank lines, a rest
    /// is stripped of them.
    fn goes_on_in(&self, content: &str) -> bool {
        let long = || self.parts.last().is_some_and(|part| may_be_sealed(&part.text));
        !self.live && !content.starts_with('\n') && (self.sealed || long())
    }

    fn append(&mut self, mut part: Part, live: bool, cx: &mut Context<'_>) {
        let before = self.text();
        let whole = self.parts.iter().map(|part| part.snapshot.as_str());
        // A snapshot of the last bubble is compared with that bubble, the model's text with the whole message.
        let own = self.parts.last().map(|last| last.text.clone()).unwrap_or_default();
        let model = cx.thinking.text_of(&self.id).map(|text| seam(&before, &part.text, [text]));
        part.gap = match model.filter(|gap| !gap.is_empty()) {
            Some(gap) => gap,
            None => seam(&own, &part.text, whole),
        };
        self.parts.push(part);
        self.live = live;
        self.sealed = false;
        self.update(cx.out);
    }

    fn edit(&mut self, edit: &Edit, cx: &mut Context<'_>) {
        let last = self.parts.len().saturating_sub(1);
        let Some(at) = self.part(&edit.message_id) else { return };
        let open_part = at == last && self.live;
        // An unfinished text that comes after the final one is late.
        if !open_part && !edit.finalize {
            return;
        }
        let Some(part) = self.parts.get_mut(at) else { return };
        // So is one that is shorter than what is known: a text is only ever replaced by a longer or another one.
        if !edit.finalize && part.text.starts_with(part.own(edit)) {
            part.stuck = false;
            return;
        }
        part.take(edit);
        self.left_maybe &= edit.finalize;
        if edit.finalize && at == last {
            self.sealed = part.is_cut_short();
            self.live = false;
        }
        if self.stopped.is_some() {
            self.correct(cx);
        } else {
            self.update(cx.out);
            if (self.left || self.left_maybe) && !self.live && !self.sealed {
                self.stop(&Credits::default(), None, cx);
            }
        }
    }

    /// The final edit came after the message had to be stopped; it has the last word.
    fn correct(&mut self, cx: &mut Context<'_>) {
        if self.stopped.as_deref() != Some(self.text().as_str()) {
            self.stop(&Credits::default(), None, cx);
        }
    }

    fn finish_with(&mut self, text: &str) {
        self.parts.truncate(1);
        if let Some(part) = self.parts.first_mut() {
            text.clone_into(&mut part.text);
        }
        self.live = false;
    }

    /// The turn ended before the final edit: what the model had said by then is the text, as Hermes remembers it.
    fn break_off(&mut self, cx: &mut Context<'_>) {
        let shown = self.text();
        let said = cx.thinking.text_of(&self.id).filter(|said| said.starts_with(shown.trim_end()));
        if let Some(said) = said.filter(|_| self.live && self.parts.len() == 1).map(str::to_owned) {
            self.finish_with(said.trim_end());
        }
    }

    fn update(&mut self, out: &mut Vec<ServerFrame>) {
        let text = self.text();
        // Blank space at the end waits for what it separates: Hermes takes it off a final text, and a text that becomes
        // shorter would have to be drawn anew.
        let visible = if self.live { without_forming_tag(&text).trim_end() } else { &text };
        // A sealed bubble is shorter for a moment: the rest is about to come back.
        let shrinks = self.sealed && self.shown.starts_with(visible);
        if visible != self.shown && !shrinks {
            visible.clone_into(&mut self.shown);
            out.push(ServerFrame::MessageUpdate { message_id: self.id.clone(), text: self.shown.clone() });
        }
    }

    fn stop(&mut self, credits: &Credits, reasoning: Option<String>, cx: &mut Context<'_>) {
        let text = self.text();
        let Credits { model, tokens } = credits.clone();
        cx.out.push(ServerFrame::MessageStop {
            message_id: self.id.clone(),
            final_text: Some(text.clone()),
            reasoning: reasoning.or_else(|| cx.thinking.reasoning_of(&self.id)),
            model,
            tokens,
        });
        cx.thinking.over(&self.id);
        self.stopped = Some(text);
    }
}

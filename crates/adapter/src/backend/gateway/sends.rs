//! The machine's half that handles messages of the chat: `send`, `edit_message`, files. Owns what each kind of message
//! does to the turn; telling the kinds apart is `classify.rs`.

use iris_core::protocol::ServerFrame;
use iris_core::protocol::frame::{Facts, Level};
use iris_core::stall::said;

use super::calls::{Attachment, Edit, Send};
use super::classify::{Kind, Situation, classify};
use super::keys::{self, Keys};
use super::reasoning;
use super::snapshot;
use super::status::{self, Status};
use super::tool_line::{self, ToolLine};
use super::turn::{Aside, Bubble, Machine};

/// Codes of the lines with which Hermes gives something up, and which the error at the turn's end says better.
const GIVEN_UP: [&str; 5] = ["gave_up", "rejected", "rate_limited", "no_credit", "failed"];

/// Codes of the lines of which each tells of something that happened, also when it says the same as the last.
const EVENTS: [&str; 4] = ["stale", "reconnecting", "retrying", "recovering"];

impl Machine {
    pub(super) fn send(&mut self, t_ms: u64, send: &Send, out: &mut Vec<ServerFrame>) {
        let aside = send.reply_to.as_ref().and_then(|id| self.asides.get(id)).copied();
        let kind = classify(
            send,
            Situation {
                to_aside: aside.is_some(),
                resting: self.is_resting(),
                stuck: self.turn.as_ref().is_some_and(|turn| turn.replies.is_stuck()),
                asked: self.asked.as_deref(),
            },
        );
        if self.is_unreadable(send, &kind, out) {
            // It is answered all the same.
            if matches!(kind, Kind::Acknowledgement) && aside == Some(Aside::Approval) {
                self.asks.acknowledged(out);
            }
            return self.remember(send, &Kind::Other);
        }
        self.remember(send, &kind);
        let is_text = matches!(kind, Kind::Piece | Kind::Whole | Kind::Tail | Kind::Commentary);
        let own = is_text.then(|| self.without_hermes(&send.content, out)).flatten();
        let cleaned = own.map(|content| Send { content, ..send.clone() });
        let send = cleaned.as_ref().unwrap_or(send);
        // Nothing is left of it: all of it was Hermes' own.
        if cleaned.as_ref().is_some_and(|send| send.content.trim().is_empty()) {
            return;
        }
        match kind {
            Kind::Piece => self.piece(t_ms, send, out),
            Kind::Whole => self.whole(&send.content, out),
            Kind::Tail => {
                self.replies(out, |replies, cx| replies.tail(send, cx));
            }
            Kind::Commentary => self.commentary(t_ms, &send.content, out),
            Kind::Ask(prompt) => {
                // Who asks has finished speaking.
                self.replies(out, |replies, cx| replies.leave(cx));
                self.asks.open(prompt, true, &mut self.ids, out);
            }
            Kind::Acknowledgement => self.acknowledgement(aside, &send.content, out),
            Kind::Status(status) => self.status(&status, out),
            Kind::Tools(lines) => self.tool_lines(t_ms, send.returns.as_deref(), &lines, out),
            Kind::Footer(footer) => {
                if let Some(turn) = &mut self.turn {
                    turn.model = turn.model.take().or(footer.model);
                }
            }
            Kind::Other => self.plain(&send.content, out),
        }
    }

    /// Whether this is no text but the names of texts, which a Hermes without its texts says; that is told once.
    fn is_unreadable(&mut self, send: &Send, kind: &Kind, out: &mut Vec<ServerFrame>) -> bool {
        let by_hermes = match kind {
            Kind::Acknowledgement | Kind::Status(_) | Kind::Tools(_) | Kind::Other => true,
            Kind::Whole => self.turn.is_none(),
            _ => false,
        };
        let found = by_hermes.then(|| keys::keys(&send.content)).flatten();
        if found.is_some() && !std::mem::replace(&mut self.lacks_texts, true) {
            out.push(keys::notice().notice());
        }
        found == Some(Keys::All)
    }

    /// A text of the agent without what Hermes wrote into it, which is told as notices; `None` when it wrote nothing.
    fn without_hermes(&mut self, content: &str, out: &mut Vec<ServerFrame>) -> Option<String> {
        let (text, cursor) = content.split_at(snapshot::cursor_at(content));
        let (text, lines) = said::take_inside(text)?;
        for status in lines.iter().filter_map(|line| status::known(line)) {
            self.notice(&status, out);
        }
        Some(text + cursor)
    }

    /// Keeps what a bubble is, for its edits; messages know their own bubbles.
    fn remember(&mut self, send: &Send, kind: &Kind) {
        let bubble = match kind {
            Kind::Piece | Kind::Tail => return,
            Kind::Tools(_) => Bubble::Tools,
            Kind::Status(_) => Bubble::Status,
            _ => Bubble::Other,
        };
        if let (Some(turn), Some(id)) = (&mut self.turn, &send.returns) {
            turn.bubbles.insert(id.clone(), bubble);
        }
    }

    fn piece(&mut self, t_ms: u64, send: &Send, out: &mut Vec<ServerFrame>) {
        self.turn(t_ms, out).tools.close_lines(out);
        self.replies(out, |replies, cx| replies.piece(send, cx));
    }

    fn whole(&mut self, content: &str, out: &mut Vec<ServerFrame>) {
        let (content, footer) = status::split_footer(content);
        let Some(turn) = &mut self.turn else {
            self.plain(&content, out);
            return;
        };
        turn.model = turn.model.take().or(footer.and_then(|footer| footer.model));
        turn.tools.close_lines(out);
        if turn.failing || status::is_failure(&content) {
            turn.error = Some(content);
            return;
        }
        let credits = turn.credits();
        let reply = reasoning::split(&content);
        self.replies(out, |replies, cx| replies.whole(&reply.text, reply.reasoning, &credits, cx));
    }

    fn commentary(&mut self, t_ms: u64, content: &str, out: &mut Vec<ServerFrame>) {
        self.turn(t_ms, out).tools.close_lines(out);
        let foretold = self.replies(out, |replies, cx| {
            let foretold = replies.remark(content, cx);
            if !foretold {
                replies.leave_for_good(cx);
                cx.thinking.remark(content, cx.out);
            }
            foretold
        });
        if foretold == Some(true) {
            return;
        }
        out.push(ServerFrame::Commentary { message_id: self.ids.message(), text: content.to_owned() });
    }

    /// Text that nothing in the turn expects, or that comes while no turn runs: a message of its own.
    fn plain(&mut self, content: &str, out: &mut Vec<ServerFrame>) {
        self.replies(out, |replies, cx| replies.leave_finished(cx));
        out.push(ServerFrame::Message {
            message_id: self.ids.message(),
            text: content.to_owned(),
            reasoning: None,
            model: None,
            tokens: None,
        });
    }

    /// What Hermes says to a button or to something said on the side.
    fn acknowledgement(&mut self, aside: Option<Aside>, content: &str, out: &mut Vec<ServerFrame>) {
        if let Some(status) = status::known(content) {
            self.status(&status, out);
        } else if aside == Some(Aside::Approval) {
            self.asks.acknowledged(out);
        } else if content.contains('\n') {
            self.plain(content, out);
        } else {
            self.notice(&status::guess(content, "command"), out);
        }
    }

    fn status(&mut self, status: &Status, out: &mut Vec<ServerFrame>) {
        match status.code {
            "redirected" => {
                self.replies(out, |replies, cx| replies.redirect(cx));
            }
            "approval_timeout" => self.asks.timed_out(out),
            _ => {}
        }
        self.notice(status, out);
    }

    /// One notice of each kind at a time: the same again says nothing new, unless it happened again.
    fn notice(&mut self, status: &Status, out: &mut Vec<ServerFrame>) {
        if let Some(turn) = &mut self.turn {
            let last = turn.notices.insert(status.code, status.text.clone());
            let again = last.as_deref() == Some(status.text.as_str());
            if again && !EVENTS.contains(&status.code) {
                return;
            }
            turn.broken.hermes_says(status.code);
            if GIVEN_UP.contains(&status.code) {
                return turn.given_up.push(status.clone());
            }
        }
        out.push(status.notice());
    }

    fn tool_lines(
        &mut self,
        t_ms: u64,
        bubble: Option<&str>,
        lines: &[ToolLine],
        out: &mut Vec<ServerFrame>,
    ) {
        if self.hooks {
            return;
        }
        self.turn(t_ms, out);
        self.replies(out, |replies, cx| replies.leave_maybe(cx));
        if let Some(turn) = &mut self.turn {
            turn.tools.lines(bubble.unwrap_or_default(), lines, out);
        }
    }

    pub(super) fn edit(&mut self, t_ms: u64, edit: &Edit, out: &mut Vec<ServerFrame>) {
        let cleaned = self.without_hermes(&edit.content, out).map(|content| Edit {
            content,
            message_id: edit.message_id.clone(),
            ..*edit
        });
        let edit = cleaned.as_ref().unwrap_or(edit);
        if self.replies(out, |replies, cx| replies.edit(edit, cx)) == Some(true) {
            // Text that grows was written after the tool; a final edit may only be late.
            if let Some(turn) = self.turn.as_mut().filter(|_| !edit.finalize) {
                turn.tools.close_lines(out);
            }
            return;
        }
        let bubble = self.turn.as_ref().map(|turn| turn.bubbles.get(&edit.message_id).copied());
        match bubble {
            Some(Some(Bubble::Tools)) => {
                if let Some(lines) = tool_line::parse(&edit.content) {
                    self.tool_lines(t_ms, Some(&edit.message_id), &lines, out);
                }
            }
            Some(Some(Bubble::Status)) => {
                let status = status::known(&edit.content);
                self.status(&status.unwrap_or_else(|| status::guess(&edit.content, "status")), out);
            }
            Some(None) => {
                self.replies(out, |replies, cx| replies.adopt(edit, cx));
            }
            // No turn: a late edit of what is over.
            Some(Some(Bubble::Other)) | None => {}
        }
    }

    /// A file beside the text. Who has its bytes shows it; this only tells of it, with the address of what is on the web.
    pub(super) fn attachment(&mut self, attachment: &Attachment, out: &mut Vec<ServerFrame>) {
        let Attachment { kind, location, caption } = attachment;
        let kind = kind.strip_suffix("_file").unwrap_or(kind).replace('_', " ");
        let on_the_web = location.starts_with("https://") || location.starts_with("http://");
        let name =
            if on_the_web { location } else { location.rsplit(['/', '\\']).next().unwrap_or_default() };
        out.push(ServerFrame::Notice {
            level: Level::Info,
            code: "attachment".to_owned(),
            text: format!("Hermes sent a file ({kind}): {name}"),
            detail: caption.clone(),
            facts: Facts::default(),
        });
    }
}

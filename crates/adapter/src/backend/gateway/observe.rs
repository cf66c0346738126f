//! The machine's half that listens to plugin hooks: tools, live reasoning, tokens, what became of a question. A hook that
//! comes while Hermes rests is late, or of another chat, and means nothing.

use iris_core::protocol::ServerFrame;
use iris_core::protocol::frame::{AskKind, Tokens, TurnStatus};
use iris_core::stall::said;

use super::hooks::Hook;
use super::prompt;
use super::status::Status;
use super::tools::Ending;
use super::turn::Machine;

impl Machine {
    pub(super) fn hook(&mut self, t_ms: u64, hook: &Hook, out: &mut Vec<ServerFrame>) {
        self.hooks = true;
        if self.is_resting() {
            return;
        }
        match hook {
            Hook::StreamStart { .. }
            | Hook::StreamDelta { .. }
            | Hook::StreamEnd { .. }
            | Hook::InterimMessage => self.stream_hook(t_ms, hook, out),
            Hook::ToolStart(_) | Hook::ToolEnd { .. } => self.tool_hook(t_ms, hook, out),
            Hook::Usage { .. } | Hook::RequestError { .. } | Hook::SessionEnd { .. } => {
                self.session_hook(hook)
            }
            Hook::ApprovalRequest { .. }
            | Hook::ApprovalResponse { .. }
            | Hook::InputRequest { .. }
            | Hook::InputResolved { .. } => self.human_hook(hook, out),
            Hook::Other { .. } => {}
        }
    }

    fn stream_hook(&mut self, t_ms: u64, hook: &Hook, out: &mut Vec<ServerFrame>) {
        match hook {
            Hook::StreamStart { iteration, model, .. } => {
                let spoke_ms = self.last_inbound.as_ref().map(|(t_ms, _)| *t_ms);
                let turn = self.turn(t_ms, out);
                turn.model = model.clone().or(turn.model.take());
                let again = turn.broken.begins(t_ms, spoke_ms);
                self.replies(out, |replies, cx| {
                    replies.leave_finished(cx);
                    cx.thinking.start(*iteration, cx.out);
                });
                out.extend(again.iter().map(Status::notice));
            }
            // Hermes' own words: it wrote them where the model broke off. The bubble tells them.
            Hook::StreamDelta { iteration, delta, .. } if said::is_inside(delta) => {
                self.replies(out, |_, cx| cx.thinking.delta(*iteration, false, "\n\n", cx.ids, cx.out));
            }
            Hook::StreamDelta { iteration, reasoning, delta } => {
                self.replies(out, |_, cx| cx.thinking.delta(*iteration, *reasoning, delta, cx.ids, cx.out));
            }
            Hook::StreamEnd { iteration, final_text, error } => {
                if let Some(turn) = &mut self.turn {
                    turn.failing = error.is_some();
                    turn.broken.ends(t_ms, error.as_deref());
                    let own = said::take_inside(final_text);
                    turn.thinking.end(*iteration, own.as_ref().map_or(final_text, |(text, _)| text));
                }
            }
            // The text before a tool is complete.
            _ => {
                self.replies(out, |replies, cx| replies.leave(cx));
            }
        }
    }

    fn tool_hook(&mut self, t_ms: u64, hook: &Hook, out: &mut Vec<ServerFrame>) {
        let turn = self.turn(t_ms, out);
        match hook {
            Hook::ToolStart(call) => {
                turn.tools.close_lines(out);
                let said = turn.before_tools.take();
                self.replies(out, |replies, cx| {
                    if let Some(text) = said {
                        replies.said_before_tools(&text, cx);
                    }
                    replies.leave(cx);
                });
                if let Some(turn) = &mut self.turn {
                    turn.thinking.turn_to_tools(out);
                    turn.tools.start(call, out);
                }
            }
            Hook::ToolEnd { call, result, duration_ms, ok } => {
                turn.tools.end(call, &Ending { ok: *ok, duration_ms: *duration_ms, result }, out);
            }
            _ => {}
        }
    }

    fn session_hook(&mut self, hook: &Hook) {
        let Some(turn) = &mut self.turn else { return };
        match hook {
            Hook::Usage { model, tokens, before_tools } => {
                turn.model = model.clone().or(turn.model.take());
                turn.before_tools = before_tools.clone().or(turn.before_tools.take());
                turn.tokens = Some(sum(turn.tokens.unwrap_or_default(), *tokens));
            }
            Hook::RequestError { message, .. } => {
                turn.failing = true;
                turn.provider_error = message.clone().or(turn.provider_error.take());
            }
            Hook::SessionEnd { failed, interrupted } => {
                turn.failing |= *failed;
                turn.outcome = Some(match (failed, interrupted) {
                    (_, true) => TurnStatus::Interrupted,
                    (true, _) => TurnStatus::Error,
                    _ => TurnStatus::Complete,
                });
            }
            _ => {}
        }
    }

    fn human_hook(&mut self, hook: &Hook, out: &mut Vec<ServerFrame>) {
        match hook {
            Hook::ApprovalRequest { command, description } => {
                self.asks.open(prompt::approval(command, description), false, &mut self.ids, out);
            }
            Hook::ApprovalResponse { choice } => self.asks.resolved(AskKind::Approval, choice, out),
            Hook::InputRequest { kind, prompt } if kind == "clarify" => self.asked = Some(prompt.clone()),
            Hook::InputResolved { kind, outcome } => {
                let kind = if kind == "clarify" { AskKind::Clarify } else { AskKind::Approval };
                self.asks.resolved(kind, outcome, out);
            }
            _ => {}
        }
    }
}

/// Tokens of two requests; what only one of them tells is known in part, which beats not at all.
fn sum(one: Tokens, other: Tokens) -> Tokens {
    let add = |one: Option<u64>, other: Option<u64>| match (one, other) {
        (Some(one), Some(other)) => Some(one.saturating_add(other)),
        (one, other) => one.or(other),
    };
    Tokens {
        input: add(one.input, other.input),
        output: add(one.output, other.output),
        total: add(one.total, other.total),
        cache_read: add(one.cache_read, other.cache_read),
        cache_write: add(one.cache_write, other.cache_write),
    }
}

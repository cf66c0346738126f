//! The calls and hooks of one chat as steps of its streams: what becomes a stream record. Pure: the caller says when each
//! call was made. Owns nothing but the turn that runs; what cut a stream is core's to know (`stall::record`).

use iris_core::ids::TurnId;
use iris_core::protocol::frame::ServerFrame;
use iris_core::stall::record::{Recorder, Step, StreamRecord};

use super::calls::{Call, Send};
use super::hooks::Hook;

/// The streams of a chat.
#[derive(Debug, Default)]
pub struct Streams {
    recorder: Option<Recorder>,
}

impl Streams {
    /// Takes a call with the frames that the machine made of it, at `at_ms`, milliseconds since 1970. The records of a turn
    /// come when it is over.
    pub fn hear(&mut self, at_ms: u64, call: &Call, frames: &[ServerFrame]) -> Vec<StreamRecord> {
        let records = self.frames(at_ms, frames);
        if let Some(recorder) = &mut self.recorder {
            step(recorder, at_ms, call);
        }
        records
    }

    /// Takes frames that come of no call: a turn that was lost sight of.
    pub fn frames(&mut self, at_ms: u64, frames: &[ServerFrame]) -> Vec<StreamRecord> {
        let mut records = Vec::new();
        for frame in frames {
            match frame {
                ServerFrame::TurnStart { turn: TurnId(turn) } => {
                    self.recorder = Some(Recorder::new(turn, at_ms));
                }
                ServerFrame::TurnEnd { status, error, .. } => {
                    let over = self.recorder.take().map(|it| it.over(at_ms, *status, error.as_deref()));
                    records.extend(over.into_iter().flatten());
                }
                _ => {}
            }
        }
        records
    }
}

fn step(recorder: &mut Recorder, at_ms: u64, call: &Call) {
    match call {
        Call::Inbound(inbound) if inbound.text.split_whitespace().next() == Some("/stop") => {
            recorder.step(at_ms, Step::Stop);
        }
        Call::Send(send) if is_answer(send) => recorder.step(at_ms, Step::Text(0)),
        Call::Send(send) => recorder.step(at_ms, Step::Said(&send.content)),
        // It may be late, and of a text before.
        Call::Edit(edit) if !edit.finalize => recorder.step(at_ms, Step::Alive),
        Call::Hook(hook) => heard(recorder, at_ms, hook),
        _ => {}
    }
}

/// A piece of an answer; the whole of one may be the text of a failure, which the turn's end tells.
fn is_answer(send: &Send) -> bool {
    send.metadata.expect_edits || send.metadata.reply_to_message_id.is_some() && !send.metadata.interim
}

fn heard(recorder: &mut Recorder, at_ms: u64, hook: &Hook) {
    let count = |iteration: &u64| u32::try_from(*iteration).unwrap_or(u32::MAX);
    let chars = |text: &str| u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
    let step = match hook {
        Hook::StreamStart { iteration, model, provider } => Step::Begin {
            iteration: count(iteration),
            model: model.as_deref(),
            provider: provider.as_deref(),
        },
        Hook::StreamDelta { reasoning: true, delta, .. } => Step::Reasoning(chars(delta)),
        Hook::StreamDelta { delta, .. } => Step::Text(chars(delta)),
        Hook::StreamEnd { iteration, final_text, error } => {
            Step::End { iteration: count(iteration), text_chars: chars(final_text), error: error.as_deref() }
        }
        Hook::Usage { model, tokens, .. } => {
            Step::Used { model: model.as_deref(), input: tokens.input, output: tokens.output }
        }
        Hook::RequestError { iteration, message } => {
            Step::Failed { iteration: count(iteration), why: message.as_deref() }
        }
        _ => return,
    };
    recorder.step(at_ms, step);
}

//! What stays on the screen when all frames have been applied, without times and ids: the thing that must not change.

use std::collections::HashMap;

use iris_core::ids::MessageId;
use iris_core::protocol::ServerFrame;

use crate::load::Timed;

/// The lasting things, by kind, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Transcript {
    /// What the user said.
    pub(crate) user: Vec<String>,
    /// Answers: text, reasoning.
    pub(crate) messages: Vec<(String, Option<String>)>,
    /// Model and tokens under each answer.
    pub(crate) credits: Vec<(Option<String>, Option<u64>)>,
    /// Remarks.
    pub(crate) commentary: Vec<String>,
    /// Tools: name, arguments, whether it worked, output.
    pub(crate) tools: Vec<(String, String, Option<bool>, Option<String>)>,
    /// Notices: code, text.
    pub(crate) notices: Vec<(String, String)>,
    /// Questions: text, command, outcome.
    pub(crate) asks: Vec<(String, Option<String>, Option<String>)>,
    /// Turns: status, error.
    pub(crate) turns: Vec<(String, Option<String>)>,
}

/// Applies the frames.
pub(crate) fn transcript(frames: &[Timed]) -> Transcript {
    use ServerFrame as F;
    let mut it = Transcript::default();
    let mut places: HashMap<MessageId, usize> = HashMap::new();
    let mut asks = HashMap::new();
    for (_, frame) in frames {
        match frame.clone() {
            F::UserMessage { text, .. } => it.user.push(text),
            F::MessageStart { message_id, .. } => {
                places.insert(message_id, it.messages.len());
                it.messages.push((String::new(), None));
                it.credits.push((None, None));
            }
            F::MessageUpdate { message_id, text } => it.messages[places[&message_id]].0 = text,
            F::MessageStop { message_id, final_text, reasoning, model, tokens } => {
                let place = *places.entry(message_id).or_insert_with(|| {
                    it.messages.push((String::new(), None));
                    it.credits.push((None, None));
                    it.messages.len() - 1
                });
                if let Some(text) = final_text {
                    it.messages[place].0 = text;
                }
                it.messages[place].1 = reasoning;
                it.credits[place] = (model, tokens.and_then(|tokens| tokens.total));
            }
            F::Message { text, reasoning, model, tokens, .. } => {
                it.messages.push((text, reasoning));
                it.credits.push((model, tokens.and_then(|tokens| tokens.total)));
            }
            F::Commentary { text, .. } => it.commentary.push(text),
            F::ToolStart { name, args, .. } => {
                it.tools.push((name, serde_json::Value::from(args).to_string(), None, None));
            }
            F::ToolEnd { index, ok, output_preview, .. } => {
                // One turn a recording, so the index is the place.
                let tool = &mut it.tools[index.0 as usize - 1];
                (tool.2, tool.3) = (ok, output_preview);
            }
            F::Notice { code, text, .. } => it.notices.push((code, text)),
            F::Ask { ask_id, text, command, .. } => {
                asks.insert(ask_id, it.asks.len());
                it.asks.push((text, command, None));
            }
            // A confirmation may have been opened before these frames.
            F::AskClosed { ask_id, outcome } => {
                if let Some(place) = asks.get(&ask_id) {
                    it.asks[*place].2 = Some(outcome);
                }
            }
            F::TurnEnd { status, error, .. } => it.turns.push((format!("{status:?}"), error)),
            _ => {}
        }
    }
    it
}

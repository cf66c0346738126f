//! What holds for every recording, whatever it shows.

use std::collections::{HashMap, HashSet};

use iris_adapter::backend::gateway::{Call, Hook};
use iris_core::protocol::ServerFrame as F;
use iris_core::protocol::frame::AskKind;
use serde_json::Value;

use crate::load::{Gateway, Timed, convert, gateway, play, stream_json};
use crate::model::{scenario, texts};
use crate::transcript::transcript;

fn each(check: impl Fn(&str, &[Timed])) {
    for recording in gateway().iter().filter(|recording| !recording.is_joined()) {
        check(&recording.name, &play(&recording.calls));
    }
    for (name, text) in stream_json() {
        check(&name, &convert(&text));
    }
}

/// Everything that a frame shows as text.
fn shown(frame: &F) -> Vec<&str> {
    match frame {
        F::MessageUpdate { text, .. }
        | F::ReasoningUpdate { text, .. }
        | F::Commentary { text, .. }
        | F::Notice { text, .. }
        | F::Ask { text, .. } => vec![text],
        F::MessageStop { final_text, reasoning, .. } => {
            final_text.iter().chain(reasoning).map(String::as_str).collect()
        }
        F::Message { text, reasoning, .. } => {
            [Some(text), reasoning.as_ref()].into_iter().flatten().map(String::as_str).collect()
        }
        _ => vec![],
    }
}

#[test]
fn no_text_holds_the_cursor() {
    each(|name, frames| {
        for text in frames.iter().flat_map(|(_, frame)| shown(frame)) {
            assert!(!text.contains('▉'), "{name}: {text:?}");
        }
    });
}

/// So none holds a fence that was closed for a moment, the beginning of a tag, or a text that later goes away.
#[test]
fn every_live_text_is_a_beginning_of_what_the_model_wrote() {
    for recording in gateway().iter().filter(|recording| recording.streams() && !recording.is_joined()) {
        let truth = truth(recording);
        for (t_ms, frame) in play(&recording.calls) {
            if let F::MessageUpdate { text, .. } = frame {
                let begins = truth.iter().any(|whole| whole.starts_with(&text));
                assert!(begins, "{} at {t_ms}: {text:?}", recording.name);
            }
        }
    }
}

/// What the app parses append-only stays append-only: within a message no text takes back what was shown.
#[test]
fn a_message_only_grows() {
    each(|name, frames| {
        let mut texts: HashMap<_, String> = HashMap::new();
        for (_, frame) in frames {
            let (id, text) = match frame {
                F::MessageUpdate { message_id, text } => (message_id, text),
                F::MessageStop { message_id, final_text: Some(text), .. } => (message_id, text),
                _ => continue,
            };
            let before = texts.insert(id.clone(), text.clone()).unwrap_or_default();
            assert!(text.starts_with(&before), "{name}: {before:?} became {text:?}");
        }
    });
}

#[test]
fn every_tool_ends_exactly_once_and_before_its_turn() {
    each(|name, frames| {
        let mut open = HashSet::new();
        let mut next = 1;
        for (_, frame) in frames {
            match frame {
                F::ToolStart { index, .. } => {
                    assert_eq!(index.0, next, "{name}: indexes count up");
                    next += 1;
                    open.insert(*index);
                }
                F::ToolEnd { index, .. } => {
                    assert!(open.remove(index), "{name}: {index:?} ended without being open")
                }
                F::TurnEnd { .. } => assert!(open.is_empty(), "{name}: {open:?} open at the end"),
                _ => {}
            }
        }
        assert!(open.is_empty(), "{name}: {open:?} never ended");
    });
}

#[test]
fn a_message_starts_is_updated_and_stops_in_this_order() {
    each(|name, frames| {
        let mut open = HashSet::new();
        let mut over = HashSet::new();
        for (_, frame) in frames {
            match frame {
                F::MessageStart { message_id, .. } => {
                    assert!(
                        !over.contains(message_id) && open.insert(message_id.clone()),
                        "{name}: {message_id}"
                    );
                }
                F::MessageUpdate { message_id, .. } => {
                    assert!(open.contains(message_id), "{name}: {message_id}")
                }
                F::MessageStop { message_id, .. } => {
                    open.remove(message_id);
                    assert!(over.insert(message_id.clone()), "{name}: {message_id} stopped twice");
                }
                F::Message { message_id, .. }
                | F::Commentary { message_id, .. }
                | F::UserMessage { message_id, .. } => {
                    assert!(over.insert(message_id.clone()), "{name}: {message_id} stands twice");
                }
                F::ReasoningUpdate { message_id, .. } => {
                    assert!(!over.contains(message_id), "{name}: {message_id}")
                }
                _ => {}
            }
        }
        assert!(open.is_empty(), "{name}: {open:?} never stopped");
    });
}

#[test]
fn after_the_end_of_a_turn_nothing_is_open_and_nothing_comes() {
    each(|name, frames| {
        let mut running = false;
        let mut typing = false;
        let mut asks = HashSet::new();
        let mut ended = false;
        for (_, frame) in frames {
            assert!(!ended, "{name}: {frame:?} after the end");
            match frame {
                F::TurnStart { .. } => {
                    assert!(!std::mem::replace(&mut running, true), "{name}: two turns at once")
                }
                F::TurnEnd { .. } => {
                    assert!(running && !typing && asks.is_empty(), "{name}: {typing} {asks:?}");
                    ended = true;
                }
                F::Typing { on } => {
                    assert_ne!(std::mem::replace(&mut typing, *on), *on, "{name}: typing says nothing new")
                }
                F::Ask { ask_id, kind, .. } if *kind != AskKind::Confirm => {
                    asks.insert(ask_id.clone());
                }
                F::AskClosed { ask_id, .. } => assert!(asks.remove(ask_id), "{name}: {ask_id} was not open"),
                _ => {}
            }
        }
        assert_eq!(running, ended, "{name}: the turn has no end");
        assert!(!typing, "{name}: typing for ever");
    });
}

/// The texts that the model wrote while this was recorded.
fn truth(recording: &Gateway) -> Vec<String> {
    let said = recording.calls.iter().filter_map(|timed| match &timed.call {
        Call::Inbound(inbound) if !inbound.text.starts_with('/') => scenario(&inbound.text),
        _ => None,
    });
    said.flat_map(texts).collect()
}

/// Whether the user stopped or redirected the agent, so that one text may be cut short.
fn is_cut(recording: &Gateway) -> bool {
    let said = |mark: &str| {
        recording
            .calls
            .iter()
            .any(|timed| matches!(&timed.call, Call::Send(send) if send.content.contains(mark)))
    };
    said("Stopped. You can continue") || said("Redirected current run")
}

#[test]
fn the_final_texts_are_the_models_none_lost_none_twice() {
    for recording in gateway().iter().filter(|recording| {
        let command =
            ["slash-help", "slash-status", "/help"].iter().any(|name| recording.name.ends_with(name));
        !command && !recording.is_joined()
    }) {
        let it = transcript(&play(&recording.calls));
        let truth = truth(recording);
        let said: Vec<_> =
            it.commentary.iter().chain(it.messages.iter().map(|(text, _)| text)).cloned().collect();
        if is_cut(recording) {
            assert_eq!(said.len(), truth.len(), "{}: {said:?}", recording.name);
            assert!(
                said.iter().zip(&truth).all(|(said, whole)| whole.starts_with(said)),
                "{}: {said:?}",
                recording.name
            );
        } else {
            assert_eq!(said, truth, "{}", recording.name);
        }
    }
}

#[test]
fn what_the_hooks_say_the_model_wrote_is_what_is_shown() {
    for recording in gateway().iter().filter(|recording| recording.has_hooks() && !recording.is_joined()) {
        let it = transcript(&play(&recording.calls));
        let mut written: HashMap<(u64, bool), String> = HashMap::new();
        for timed in &recording.calls {
            if let Call::Hook(Hook::StreamDelta { iteration, reasoning, delta }) = &timed.call {
                written.entry((*iteration, *reasoning)).or_default().push_str(delta);
            }
        }
        let by_kind = |reasoning: bool| -> Vec<String> {
            let mut found: Vec<_> = written.iter().filter(|((_, kind), _)| *kind == reasoning).collect();
            found.sort_by_key(|((iteration, _), _)| *iteration);
            found.into_iter().map(|(_, text)| text.trim().to_owned()).collect()
        };
        let texts: Vec<_> = it.messages.iter().map(|(text, _)| text.trim().to_owned()).collect();
        assert_eq!(texts, by_kind(false), "{}", recording.name);
        let reasoning: Vec<_> = it.messages.iter().filter_map(|(_, reasoning)| reasoning.clone()).collect();
        assert_eq!(reasoning, by_kind(true), "{}", recording.name);
    }
}

#[test]
fn tokens_are_the_sum_of_the_requests_and_stand_under_the_last_answer_only() {
    for recording in gateway().iter().filter(|recording| recording.has_hooks()) {
        let frames = play(&recording.calls);
        let counted: u64 = recording
            .calls
            .iter()
            .filter_map(|timed| match &timed.call {
                Call::Hook(Hook::Usage { tokens, .. }) => tokens.total,
                _ => None,
            })
            .sum();
        let Some((_, F::TurnEnd { tokens, .. })) = frames.last() else {
            panic!("{}: no end", recording.name)
        };
        assert_eq!(tokens.and_then(|tokens| tokens.total).unwrap_or(0), counted, "{}", recording.name);
        let credits = transcript(&frames).credits;
        let (last, before) =
            credits.split_last().map_or((None, &[][..]), |(last, before)| (Some(last), before));
        assert!(before.iter().all(|credit| *credit == (None, None)), "{}: {credits:?}", recording.name);
        if let Some((_, tokens)) = last {
            assert_eq!(tokens.unwrap_or(0), counted, "{}", recording.name);
        }
    }
}

/// The hooks of a recording and the same scenario recorded without them agree on everything that both can know.
#[test]
fn lines_and_hooks_tell_of_the_same_tools() {
    let tools = |name: &str| {
        let recording = gateway().into_iter().find(|recording| recording.name == name).unwrap();
        transcript(&play(&recording.calls)).tools
    };
    let hooks = tools("with-hooks/tools3-one-failing");
    for name in ["streaming-code/tools3-one-failing", "prompts/tools-code-blocks"] {
        let names = |tools: &[(String, String, Option<bool>, Option<String>)]| {
            tools.iter().map(|tool| tool.0.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&tools(name)), names(&hooks), "{name}");
        assert!(tools(name).iter().all(|tool| tool.2.is_none()), "{name}: nobody knows how they ended");
    }
    assert_eq!(hooks.iter().map(|tool| tool.2).collect::<Vec<_>>(), [Some(true), Some(false), Some(true)]);
    assert_eq!(
        serde_json::from_str::<Value>(&hooks[1].1).unwrap(),
        serde_json::json!({"command": "cat missing.txt"})
    );
}

#[test]
fn the_same_calls_give_the_same_frames() {
    for recording in gateway() {
        assert_eq!(play(&recording.calls), play(&recording.calls), "{}", recording.name);
    }
}

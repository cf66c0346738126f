//! What must hold after a recovery. *Pure*: it looks at what devices hold, and names what is wrong.

use std::fmt::Write;

use iris_core::{
    ids::{ChatId, ClientId},
    timeline::{Item, ItemKind, Phase, ToolState},
};

use crate::device::View;

/// What a device holds of a chat.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// Its name.
    pub name: String,
    /// The chat.
    pub items: Vec<Item>,
    /// What it was told more than once under one id; the timeline shows that once.
    pub doubled: Vec<ClientId>,
}

impl Held {
    /// What a device holds of a chat.
    pub fn of(name: &str, view: &View, chat: &ChatId) -> Self {
        Self { name: name.to_owned(), items: view.items(chat).to_vec(), doubled: view.doubled() }
    }
}

/// A message that the adapter acknowledged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The device's id of it; it ends with its number.
    pub client_id: ClientId,
}

/// Everything that is wrong; empty when nothing is.
pub fn problems(held: &[Held], sent: &[Sent]) -> Vec<String> {
    let mut problems = Vec::new();
    for device in held {
        for problem in open(&device.items) {
            problems.push(format!("{}: {problem}", device.name));
        }
        for client_id in &device.doubled {
            problems.push(format!("{}: the message {client_id} was taken more than once", device.name));
        }
        for problem in misplaced(&device.items, sent) {
            problems.push(format!("{}: {problem}", device.name));
        }
    }
    if let Some((first, others)) = held.split_first() {
        let expected = lines(&first.items);
        for other in others {
            if let Some(difference) = difference(&expected, &lines(&other.items)) {
                problems.push(format!("{} and {} differ: {difference}", first.name, other.name));
            }
        }
    }
    problems
}

/// Whether this message of a user is there.
pub fn has(items: &[Item], client_id: &ClientId) -> bool {
    items
        .iter()
        .any(|item| matches!(&item.kind, ItemKind::User(user) if user.client_id.as_ref() == Some(client_id)))
}

/// Messages that are not there once, or not in the order in which their device sent them.
fn misplaced(items: &[Item], sent: &[Sent]) -> Vec<String> {
    let mut problems = Vec::new();
    let there: Vec<&ClientId> = items
        .iter()
        .filter_map(|item| match &item.kind {
            ItemKind::User(user) => user.client_id.as_ref(),
            _ => None,
        })
        .collect();
    for sent in sent {
        let count = there.iter().filter(|id| ***id == sent.client_id).count();
        if count != 1 {
            problems.push(format!("the acknowledged message {} is there {count} times", sent.client_id));
        }
    }
    for id in &there {
        if sent.iter().all(|sent| sent.client_id != **id) {
            problems.push(format!("the message {id} was not acknowledged"));
        }
    }
    let numbers: Vec<(&str, u32)> = there.iter().filter_map(|id| number(id)).collect();
    for (nth, (device, number)) in numbers.iter().enumerate() {
        let later = numbers.iter().skip(nth + 1).find(|(other, later)| other == device && later < number);
        if let Some((_, later)) = later {
            problems.push(format!("{device}-{number} stands before {device}-{later}"));
        }
    }
    problems
}

fn number(id: &ClientId) -> Option<(&str, u32)> {
    let (device, number) = id.as_str().rsplit_once('-')?;
    Some((device, number.parse().ok()?))
}

/// What is still open.
fn open(items: &[Item]) -> Vec<String> {
    let mut problems = Vec::new();
    for item in items {
        match &item.kind {
            ItemKind::User(user) if user.pending.is_some() => {
                problems.push(format!("a message is still on its way: {:?}", user.text));
            }
            ItemKind::Answer(answer) if answer.phase == Phase::Streaming || answer.reasoning_live => {
                problems.push(format!("a text is still live: {:?}", answer.text));
            }
            ItemKind::Tools(tools) if tools.iter().any(|tool| tool.state == ToolState::Running) => {
                problems.push("a tool still runs".to_owned());
            }
            ItemKind::Ask(ask) if ask.outcome.is_none() => {
                problems.push(format!("a question still waits: {:?}", ask.text));
            }
            _ => {}
        }
    }
    problems
}

/// What a reader would see, row by row. How a device came to know it makes no difference.
fn lines(items: &[Item]) -> Vec<String> {
    items.iter().filter(|item| !is_own(item)).map(line).collect()
}

/// What only the device that asked for something is told: its answer came when the question was closed already.
fn is_own(item: &Item) -> bool {
    matches!(&item.kind, ItemKind::Notice(notice) if notice.code == "ask_closed")
}

fn line(item: &Item) -> String {
    let mut line = String::new();
    let _written = match &item.kind {
        ItemKind::User(user) => write!(line, "user: {:?} {:?}", user.text, user.attachments),
        ItemKind::Answer(answer) => write!(
            line,
            "answer: {:?} reasoning {:?} cut {:?} {:?}",
            answer.text, answer.reasoning, answer.cut, answer.footer
        ),
        other => write!(line, "{other:?}"),
    };
    line
}

fn difference(expected: &[String], other: &[String]) -> Option<String> {
    let longest = expected.len().max(other.len());
    let at = (0..longest).find(|at| expected.get(*at) != other.get(*at))?;
    let show = |lines: &[String]| lines.get(at).map_or("nothing".to_owned(), Clone::clone);
    Some(format!("row {at} is\n    {}\n  and\n    {}", show(expected), show(other)))
}

#[cfg(test)]
mod tests {
    use iris_core::{
        protocol::decode_server,
        timeline::{Timeline, item::ItemKey},
    };

    use super::*;

    const CHAT: [&str; 4] = [
        r#"{"type":"user.message","chat":"c","seq":1,"message_id":"u1","client_id":"a-1","text":"hello"}"#,
        r#"{"type":"turn.start","chat":"c","seq":2,"turn":"t"}"#,
        r#"{"type":"message","chat":"c","seq":3,"message_id":"m","text":"hi"}"#,
        r#"{"type":"turn.end","chat":"c","seq":4,"turn":"t","status":"complete"}"#,
    ];

    fn held(name: &str, frames: &[&str]) -> Held {
        let mut timeline = Timeline::new();
        for frame in frames {
            timeline.apply(&decode_server(frame).unwrap());
        }
        Held { name: name.to_owned(), items: timeline.items().to_vec(), doubled: Vec::new() }
    }

    fn sent(ids: &[&str]) -> Vec<Sent> {
        ids.iter().map(|id| Sent { client_id: (*id).into() }).collect()
    }

    fn check(held: &[Held], ids: &[&str], expected: &[&str]) {
        let found = problems(held, &sent(ids));
        assert_eq!(found.len(), expected.len(), "{found:#?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.contains(expected), "{found}");
        }
    }

    #[test]
    fn a_chat_that_is_well_has_no_problems() {
        check(&[held("a", &CHAT), held("b", &CHAT)], &["a-1"], &[]);
    }

    #[test]
    fn what_is_lost_or_doubled_is_found() {
        check(&[held("a", &CHAT)], &["a-1", "a-2"], &["a-2 is there 0 times"]);
        check(&[held("a", &CHAT)], &[], &["a-1 was not acknowledged"]);
        let mut doubled = held("a", &CHAT);
        let again = Item { key: ItemKey(99), ..doubled.items[0].clone() };
        doubled.items.push(again);
        check(&[doubled], &["a-1"], &["a-1 is there 2 times"]);
        let merged = Held { doubled: vec!["a-1".into()], ..held("a", &CHAT) };
        check(&[merged], &["a-1"], &["a-1 was taken more than once"]);
    }

    #[test]
    fn what_changed_its_place_is_found() {
        let second = CHAT[0].replace("a-1", "a-2").replace("u1", "u2").replace("\"seq\":1", "\"seq\":5");
        let mut turned = held("a", &[CHAT[0], CHAT[1], CHAT[2], CHAT[3], &second]);
        turned.items.reverse();
        check(&[turned], &["a-1", "a-2"], &["a-2 stands before a-1"]);
    }

    #[test]
    fn what_is_left_open_is_found() {
        let live = r#"{"type":"message.update","chat":"c","seq":3,"message_id":"m","text":"hi"}"#;
        let tool = r#"{"type":"tool.start","chat":"c","seq":4,"index":1,"name":"terminal"}"#;
        let ask = r#"{"type":"ask","chat":"c","seq":5,"ask_id":"q","kind":"clarify","text":"Which?"}"#;
        check(
            &[held("a", &[CHAT[0], CHAT[1], live, tool, ask])],
            &["a-1"],
            &["a text is still live", "a tool still runs", "a question still waits"],
        );
    }

    #[test]
    fn two_devices_that_differ_are_found() {
        let other = CHAT[2].replace("hi", "ho");
        check(
            &[held("a", &CHAT), held("b", &[CHAT[0], CHAT[1], &other, CHAT[3]])],
            &["a-1"],
            &["a and b differ: row 1"],
        );
    }
}

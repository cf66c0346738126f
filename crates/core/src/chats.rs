//! The list of chats as frames keep it: newest first, each once. Knows no transcript.

use crate::ids::ChatId;
use crate::protocol::frame::ChatSummary;

/// A chat of the list is new or has changed.
pub fn update(list: &mut Vec<ChatSummary>, chat: ChatSummary) {
    remove(list, &chat.id);
    let older = list.iter().position(|other| other.updated_ms <= chat.updated_ms);
    list.insert(older.unwrap_or(list.len()), chat);
}

/// A chat is gone.
pub fn remove(list: &mut Vec<ChatSummary>, chat: &ChatId) {
    list.retain(|other| other.id != *chat);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_chat_stands_first_and_each_stands_once() {
        let mut list = Vec::new();
        let mut check = |change: &str, expected: &str| {
            match change.split_once(' ') {
                Some((id, at)) => {
                    let updated_ms = at.parse().unwrap();
                    update(
                        &mut list,
                        ChatSummary { id: id.into(), title: at.to_owned(), updated_ms, running: false },
                    );
                }
                None => remove(&mut list, &change.into()),
            }
            let shown: Vec<_> = list.iter().map(|chat| format!("{}{}", chat.id, chat.title)).collect();
            assert_eq!(shown.join(" "), expected, "{change}");
        };
        check("a 1", "a1");
        check("b 2", "b2 a1");
        check("c 0", "b2 a1 c0");
        check("a 3", "a3 b2 c0");
        check("b 3", "b3 a3 c0");
        check("b 3", "b3 a3 c0");
        check("x", "b3 a3 c0");
        check("a", "b3 c0");
    }
}

//! Messages that were sent and not acknowledged. They are sent again, with the same id, when the connection is back: the
//! adapter takes each id once. In memory only; keeping them over a reload is not this module's business.

use crate::ids::{ChatId, ClientId};
use crate::protocol::{AppFrame, ServerFrame};

/// A message that could not be delivered for so long is reported as failed.
const GIVE_UP_MS: f64 = 60_000.0;

#[derive(Clone, Debug)]
struct Waiting {
    client_id: ClientId,
    chat: Option<ChatId>,
    text: String,
    since_ms: f64,
}

/// What is on its way, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Outbox(Vec<Waiting>);

impl Outbox {
    /// Notes a message and gives the frame to send now, or when the connection is back.
    pub fn put(&mut self, client_id: ClientId, chat: Option<ChatId>, text: String, now_ms: f64) -> AppFrame {
        self.forget(&client_id);
        let waiting = Waiting { client_id, chat, text, since_ms: now_ms };
        let frame = waiting.frame();
        self.0.push(waiting);
        frame
    }

    /// Everything to send again after a reconnect, in its order.
    pub fn resend(&self) -> Vec<AppFrame> {
        self.0.iter().map(Waiting::frame).collect()
    }

    /// Takes note of what the adapter says about a message.
    pub fn heard(&mut self, frame: &ServerFrame) {
        match frame {
            ServerFrame::Ack { client_id, .. } => self.forget(client_id),
            ServerFrame::UserMessage { client_id: Some(client_id), .. } => self.forget(client_id),
            ServerFrame::Error { re: Some(re), .. } => self.forget(&re.as_str().into()),
            _ => {}
        }
    }

    /// The message is delivered, or taken back.
    pub fn forget(&mut self, client_id: &ClientId) {
        self.0.retain(|waiting| waiting.client_id != *client_id);
    }

    /// Takes out what has waited too long; the caller reports it as failed.
    pub fn give_up(&mut self, now_ms: f64) -> Vec<ClientId> {
        let (old, waiting) = self.0.drain(..).partition(|waiting| now_ms - waiting.since_ms >= GIVE_UP_MS);
        self.0 = waiting;
        let old: Vec<Waiting> = old;
        old.into_iter().map(|waiting| waiting.client_id).collect()
    }

    /// Nothing is on its way.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Waiting {
    fn frame(&self) -> AppFrame {
        AppFrame::MessageSend {
            client_id: self.client_id.clone(),
            chat: self.chat.clone(),
            text: self.text.clone(),
            attachments: Vec::new(),
            mode: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::decode_server;

    fn ids(frames: &[AppFrame]) -> Vec<&str> {
        frames
            .iter()
            .map(|frame| match frame {
                AppFrame::MessageSend { client_id, .. } => client_id.as_str(),
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn what_was_not_acknowledged_is_sent_again_in_its_order() {
        let mut outbox = Outbox::default();
        for id in ["a", "b", "c", "d", "e"] {
            outbox.put(id.into(), Some("chat".into()), format!("text {id}"), 0.0);
        }
        for frame in [
            r#"{"type":"ack","client_id":"b","message_id":"u1"}"#,
            r#"{"type":"user.message","message_id":"u2","client_id":"c","text":"text c"}"#,
            r#"{"type":"error","code":"too_long","text":"Too long","re":"e"}"#,
            r#"{"type":"error","code":"busy","text":"Later"}"#,
            r#"{"type":"typing","on":true}"#,
        ] {
            outbox.heard(&decode_server(frame).unwrap().frame);
        }
        assert_eq!(ids(&outbox.resend()), ["a", "d"]);
        assert_eq!(ids(&outbox.resend()), ["a", "d"], "until it is acknowledged");
        outbox.put("a".into(), None, "again".to_owned(), 5.0);
        assert_eq!(ids(&outbox.resend()), ["d", "a"], "sent by hand again: once, and later");
    }

    #[test]
    fn what_waits_too_long_is_given_back() {
        let mut outbox = Outbox::default();
        outbox.put("a".into(), None, "x".to_owned(), 0.0);
        outbox.put("b".into(), None, "y".to_owned(), 30_000.0);
        assert_eq!(outbox.give_up(59_999.0), []);
        assert_eq!(outbox.give_up(60_000.0), ["a".into()]);
        assert!(!outbox.is_empty());
        outbox.forget(&"b".into());
        assert!(outbox.is_empty());
    }
}

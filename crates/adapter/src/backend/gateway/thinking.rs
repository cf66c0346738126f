//! What the stream hooks tell of each request to the model: its reasoning, which becomes live frames for the message that
//! follows, and its text, by which a bubble is recognised as that message. Owns the ids of messages that do not stand yet.

use iris_core::ids::MessageId;
use iris_core::protocol::frame::ServerFrame;

use super::ids::Ids;

/// The requests of one turn.
#[derive(Debug, Default)]
pub(super) struct Thinking {
    requests: Vec<Request>,
}

#[derive(Debug, Default)]
struct Request {
    iteration: u64,
    text: String,
    reasoning: String,
    /// How much of the reasoning came from requests before.
    carried: usize,
    /// The message that its reasoning belongs to, once it has some.
    id: Option<MessageId>,
    /// A bubble of the chat shows its text.
    claimed: bool,
}

impl Thinking {
    /// `on_stream_start`. The same request again is a retry: what it wrote is void.
    pub(super) fn start(&mut self, iteration: u64) {
        match self.requests.iter_mut().find(|request| request.iteration == iteration) {
            Some(retried) => {
                retried.text.clear();
                retried.reasoning.truncate(retried.carried);
            }
            None => {
                let request = self.follow(iteration);
                self.requests.push(request);
            }
        }
    }

    /// The next request. When the one before ended without text (in a tool call), its reasoning belongs to the message
    /// that this one writes.
    fn follow(&mut self, iteration: u64) -> Request {
        let mut next = Request { iteration, ..Request::default() };
        if let Some(last) = self.requests.last_mut()
            && !last.claimed
            && last.text.trim().is_empty()
        {
            next.id = last.id.take();
            next.reasoning = std::mem::take(&mut last.reasoning);
            if !next.reasoning.is_empty() {
                next.reasoning.push_str("\n\n");
            }
            next.carried = next.reasoning.len();
        }
        next
    }

    /// `on_stream_delta`.
    pub(super) fn delta(
        &mut self,
        iteration: u64,
        reasoning: bool,
        delta: &str,
        ids: &mut Ids,
        out: &mut Vec<ServerFrame>,
    ) {
        if !self.requests.iter().any(|request| request.iteration == iteration) {
            self.start(iteration);
        }
        let Some(request) = self.requests.iter_mut().find(|request| request.iteration == iteration) else {
            return;
        };
        if !reasoning {
            request.text.push_str(delta);
            return;
        }
        request.reasoning.push_str(delta);
        let text = request.reasoning.trim();
        if !text.is_empty() && !delta.trim().is_empty() {
            let message_id = request.id.get_or_insert_with(|| ids.message()).clone();
            out.push(ServerFrame::ReasoningUpdate { message_id, text: text.to_owned() });
        }
    }

    /// A bubble with this text opens: the id of its message. The request is the one that writes such a text, or the
    /// newest one that no bubble shows yet.
    pub(super) fn claim(&mut self, text: &str, ids: &mut Ids) -> MessageId {
        let writes = |request: &Request| {
            let own = request.text.trim();
            !own.is_empty() && !text.is_empty() && (own.starts_with(text.trim()) || text.starts_with(own))
        };
        let by_text = self.requests.iter().position(|request| !request.claimed && writes(request));
        let newest = self.requests.len().checked_sub(1);
        let found = by_text.or(newest).and_then(|at| self.requests.get_mut(at));
        let Some(request) = found.filter(|request| !request.claimed) else { return ids.message() };
        request.claimed = true;
        request.id.get_or_insert_with(|| ids.message()).clone()
    }

    /// The reasoning that belongs to a message.
    pub(super) fn reasoning_of(&self, id: &MessageId) -> Option<String> {
        let request = self.requests.iter().find(|request| request.id.as_ref() == Some(id))?;
        Some(request.reasoning.trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// The model's own text of a message.
    pub(super) fn text_of(&self, id: &MessageId) -> Option<&str> {
        let request = self.requests.iter().find(|request| request.id.as_ref() == Some(id))?;
        Some(request.text.as_str())
    }

    /// Reasoning that led to no message: it gets one without text, so that it closes.
    pub(super) fn close(&mut self, out: &mut Vec<ServerFrame>) {
        for request in &mut self.requests {
            let reasoning = request.reasoning.trim();
            if let Some(message_id) = request.id.clone().filter(|_| !request.claimed && !reasoning.is_empty())
            {
                out.push(ServerFrame::MessageStop {
                    message_id,
                    final_text: Some(String::new()),
                    reasoning: Some(reasoning.to_owned()),
                    model: None,
                    tokens: None,
                });
            }
            request.claimed = true;
        }
    }
}

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
    /// `on_stream_start` came; a delta may come before it.
    announced: bool,
    text: String,
    reasoning: String,
    /// The message that its reasoning belongs to, once it has some.
    id: Option<MessageId>,
    /// The message stands in the chat.
    claimed: bool,
    /// The message has its final text: nothing is added to it any more.
    over: bool,
    /// It is tried again: the text, the reasoning so far give way to the next delta of their kind.
    void: Void,
}

#[derive(Debug, Default)]
struct Void {
    text: bool,
    reasoning: bool,
}

impl Request {
    fn push(&mut self, reasoning: bool, delta: &str) {
        let (text, void) = match reasoning {
            true => (&mut self.reasoning, &mut self.void.reasoning),
            false => (&mut self.text, &mut self.void.text),
        };
        if std::mem::take(void) {
            text.clear();
        }
        text.push_str(delta);
    }

    fn has_reasoning(&self) -> bool {
        !self.reasoning.trim().is_empty()
    }

    /// Whether a bubble with this text shows what the request wrote, as far as both have come.
    fn wrote(&self, text: &str) -> bool {
        let own = self.text.trim();
        !own.is_empty() && !text.is_empty() && (own.starts_with(text.trim()) || text.starts_with(own))
    }

    /// Reasoning that leads to no text of its own gets a message without text, in its place in time.
    fn stand_alone(&mut self, out: &mut Vec<ServerFrame>) {
        if let Some(message_id) = self.id.clone().filter(|_| !self.claimed && self.has_reasoning()) {
            out.push(ServerFrame::MessageStop {
                message_id,
                final_text: Some(String::new()),
                reasoning: Some(self.reasoning.trim().to_owned()),
                model: None,
                tokens: None,
            });
        }
        self.claimed = true;
        self.over = true;
    }
}

impl Thinking {
    /// `on_stream_start`. The same request again is a retry, unless the user redirected the agent meanwhile: then its
    /// message is over.
    pub(super) fn start(&mut self, iteration: u64, out: &mut Vec<ServerFrame>) {
        if let Some(known) = self.request(iteration).filter(|known| !known.over) {
            if std::mem::replace(&mut known.announced, true) {
                known.void = Void { text: true, reasoning: true };
            }
        } else {
            self.turn_to_tools(out);
            self.requests.push(Request { iteration, announced: true, ..Request::default() });
        }
    }

    /// The newest request of this number.
    fn request(&mut self, iteration: u64) -> Option<&mut Request> {
        self.requests.iter_mut().rfind(|request| request.iteration == iteration)
    }

    /// `on_stream_end`: the text that was written, for whoever was told no deltas of it.
    pub(super) fn end(&mut self, iteration: u64, text: &str) {
        if let Some(request) = self.request(iteration).filter(|request| request.text.is_empty()) {
            text.clone_into(&mut request.text);
        }
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
        if self.request(iteration).is_none() {
            self.turn_to_tools(out);
            self.requests.push(Request { iteration, ..Request::default() });
        }
        let Some(request) = self.request(iteration) else { return };
        request.push(reasoning, delta);
        if reasoning && !request.over && request.has_reasoning() && !delta.trim().is_empty() {
            let message_id = request.id.get_or_insert_with(|| ids.message()).clone();
            out.push(ServerFrame::ReasoningUpdate { message_id, text: request.reasoning.trim().to_owned() });
        }
    }

    /// The agent goes on to a tool or to another request: what it thought without writing anything stands alone.
    pub(super) fn turn_to_tools(&mut self, out: &mut Vec<ServerFrame>) {
        for request in self.requests.iter_mut().filter(|request| !request.claimed) {
            if request.text.trim().is_empty() {
                request.stand_alone(out);
            }
        }
    }

    /// An interim remark shows what a request wrote; a remark has no reasoning, so that stands alone.
    pub(super) fn remark(&mut self, text: &str, out: &mut Vec<ServerFrame>) {
        if let Some(request) =
            self.requests.iter_mut().find(|request| !request.claimed && request.wrote(text))
        {
            request.stand_alone(out);
        }
    }

    /// The turn is over, and so is all thinking.
    pub(super) fn close(&mut self, out: &mut Vec<ServerFrame>) {
        for request in &mut self.requests {
            request.stand_alone(out);
        }
    }

    /// A bubble with this text opens: the id of its message. The request is the one that writes such a text, or the
    /// newest one that no bubble shows yet.
    pub(super) fn claim(&mut self, text: &str, ids: &mut Ids) -> MessageId {
        let by_text = self.requests.iter().position(|request| !request.claimed && request.wrote(text));
        let newest = self.requests.len().checked_sub(1);
        let found = by_text.or(newest).and_then(|at| self.requests.get_mut(at));
        let Some(request) = found.filter(|request| !request.claimed) else { return ids.message() };
        request.claimed = true;
        request.id.get_or_insert_with(|| ids.message()).clone()
    }

    /// The message has its final text.
    pub(super) fn over(&mut self, id: &MessageId) {
        if let Some(request) = self.requests.iter_mut().find(|request| request.id.as_ref() == Some(id)) {
            request.over = true;
        }
    }

    /// The reasoning that belongs to a message.
    pub(super) fn reasoning_of(&self, id: &MessageId) -> Option<String> {
        let request = self.requests.iter().find(|request| request.id.as_ref() == Some(id))?;
        request.has_reasoning().then(|| request.reasoning.trim().to_owned())
    }

    /// The model's own text of a message.
    pub(super) fn text_of(&self, id: &MessageId) -> Option<&str> {
        let request = self.requests.iter().find(|request| request.id.as_ref() == Some(id))?;
        Some(request.text.as_str())
    }
}

//! Texts before tools whose bubbles come late. Hermes calls the hooks of a tool from the agent's own thread, while what was
//! written before it waits in the queue of its bubbles: behind a quick model the tool is told first. What was written is
//! known then all the same, and stands in its place until the bubble comes and takes it over.

use super::{Context, Edit, Part, Replies, Send};
use crate::backend::gateway::snapshot::is_edited_by_hermes;

impl Replies {
    /// Tools start, and `text` was written before them. If it is not there yet, it is now.
    pub(in super::super) fn said_before_tools(&mut self, text: &str, cx: &mut Context<'_>) {
        let text = text.trim();
        // What was said since the last tools is this text, whatever has become of it on its way.
        if std::mem::take(&mut self.said) || text.is_empty() || is_edited_by_hermes(text) {
            return;
        }
        let part = Part {
            bubble: None,
            gap: String::new(),
            text: text.to_owned(),
            cut: String::new(),
            snapshot: text.to_owned(),
            stuck: false,
        };
        self.begin(part, true, cx);
        self.said = false;
        if let Some(reply) = self.list.last_mut() {
            reply.foretold = true;
        }
    }

    /// Whether a new bubble shows a text that stands already; it has the last word from then on.
    pub(super) fn comes_true(&mut self, send: &Send, part: &Part, cx: &mut Context<'_>) -> bool {
        let shown = part.text.trim_end();
        let Some(reply) =
            self.list.iter_mut().find(|reply| reply.foretold && reply.text().starts_with(shown))
        else {
            return false;
        };
        reply.foretold = false;
        if let Some(first) = reply.parts.first_mut() {
            first.bubble.clone_from(&send.returns);
        }
        let (message_id, content) = (send.returns.clone().unwrap_or_default(), send.content.clone());
        reply.edit(&Edit { message_id, content, finalize: !send.metadata.expect_edits }, cx);
        true
    }

    /// A remark is said on its own. Whether it stands already: then it is complete.
    pub(in super::super) fn remark(&mut self, text: &str, cx: &mut Context<'_>) -> bool {
        let Some(reply) = self.list.iter_mut().find(|reply| reply.foretold && reply.text() == text.trim())
        else {
            self.said = true;
            return false;
        };
        (reply.foretold, reply.live) = (false, false);
        if reply.is_open() {
            reply.stop(&super::Credits::default(), None, cx);
        }
        true
    }
}

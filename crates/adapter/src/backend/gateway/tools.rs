//! The tool cards of one turn: from hooks, joined by call id, or from lines, which have no end. Owns the index and what is
//! still open; every card that starts ends exactly once.

use std::collections::{HashMap, HashSet};

use iris_core::ids::ToolIndex;
use iris_core::protocol::frame::ServerFrame;
use iris_core::stream_json::tool_text::{args_preview, output_preview};

use super::hooks::ToolCall;
use super::tool_line::ToolLine;

/// Tools that show themselves in another way: a clarification is an `ask`.
const HIDDEN: [&str; 1] = ["clarify"];

/// The tools of a turn.
#[derive(Debug, Default)]
pub(super) struct Tools {
    count: u32,
    open: Vec<Open>,
    /// Call ids that have started, so that a repeated hook starts nothing.
    started: HashSet<String>,
    /// How many calls of each bubble of lines have a card.
    bubbles: HashMap<String, usize>,
}

#[derive(Debug)]
struct Open {
    index: ToolIndex,
    name: String,
    id: Option<String>,
    from_line: bool,
}

/// What a `post_tool_call` knows.
#[derive(Debug, Default)]
pub(super) struct Ending<'a> {
    pub(super) ok: Option<bool>,
    pub(super) duration_ms: Option<u64>,
    pub(super) result: &'a str,
}

impl Tools {
    /// `pre_tool_call`.
    pub(super) fn start(&mut self, call: &ToolCall, out: &mut Vec<ServerFrame>) {
        if HIDDEN.contains(&call.name.as_str())
            || call.id.as_ref().is_some_and(|id| self.started.contains(id))
        {
            return;
        }
        self.started.extend(call.id.clone());
        let index = self.next();
        let preview = args_preview(&call.args);
        out.push(ServerFrame::ToolStart { index, name: call.name.clone(), preview, args: call.args.clone() });
        self.open.push(Open { index, name: call.name.clone(), id: call.id.clone(), from_line: false });
    }

    /// `post_tool_call`; one whose start was lost gets its card now.
    pub(super) fn end(&mut self, call: &ToolCall, ending: &Ending<'_>, out: &mut Vec<ServerFrame>) {
        if self.position(call).is_none() {
            self.start(call, out);
        }
        let Some(at) = self.position(call) else { return };
        let open = self.open.remove(at);
        out.push(ServerFrame::ToolEnd {
            index: open.index,
            name: open.name,
            ok: ending.ok,
            duration: ending.duration_ms.map(|ms| ms as f64 / 1000.0),
            output_preview: output_preview(ending.result),
        });
    }

    fn position(&self, call: &ToolCall) -> Option<usize> {
        self.open.iter().position(|open| match &call.id {
            Some(id) => open.id.as_ref() == Some(id),
            None => open.id.is_none() && open.name == call.name,
        })
    }

    /// A bubble of tool lines has this text now; calls that have a card already get no second one.
    pub(super) fn lines(&mut self, bubble: &str, lines: &[ToolLine], out: &mut Vec<ServerFrame>) {
        let known = self.bubbles.get(bubble).copied().unwrap_or(0);
        for line in lines.iter().skip(known) {
            self.close_lines(out);
            let index = self.next();
            let preview = line.preview.clone().or_else(|| args_preview(&line.args));
            out.push(ServerFrame::ToolStart {
                index,
                name: line.name.clone(),
                preview,
                args: line.args.clone(),
            });
            self.open.push(Open { index, name: line.name.clone(), id: None, from_line: true });
        }
        self.bubbles.insert(bubble.to_owned(), known.max(lines.len()));
    }

    /// The agent does something else: tools that only a line told of have ended, how nobody knows.
    pub(super) fn close_lines(&mut self, out: &mut Vec<ServerFrame>) {
        self.close(|open| open.from_line, out);
    }

    /// The turn is over.
    pub(super) fn close_all(&mut self, out: &mut Vec<ServerFrame>) {
        self.close(|_| true, out);
    }

    fn close(&mut self, which: impl Fn(&Open) -> bool, out: &mut Vec<ServerFrame>) {
        self.open.retain(|open| {
            let closes = which(open);
            if closes {
                let name = open.name.clone();
                out.push(ServerFrame::ToolEnd {
                    index: open.index,
                    name,
                    ok: None,
                    duration: None,
                    output_preview: None,
                });
            }
            !closes
        });
    }

    fn next(&mut self) -> ToolIndex {
        self.count += 1;
        ToolIndex(self.count)
    }
}

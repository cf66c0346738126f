//! Tool calls: which row they stand in, how they run and end.

use super::apply::Timeline;
use super::item::{ItemKey, ItemKind, Tool, ToolState};
use super::notices::is_heartbeat;
use super::turn::Call;
use crate::ids::ToolIndex;
use crate::protocol::frame::{ServerFrame, TurnStatus};

impl Timeline {
    pub(super) fn tool_frame(&mut self, frame: &ServerFrame) {
        match frame {
            ServerFrame::ToolStart { index, name, preview, args } => self.tool_start(Tool {
                index: *index,
                name: name.clone(),
                preview: preview.clone(),
                args: args.clone(),
                note: None,
                output: None,
                state: ToolState::Running,
            }),
            ServerFrame::ToolProgress { index, note, .. } => self.change_tool(*index, |tool| {
                if tool.state == ToolState::Running {
                    tool.note = Some(note.clone());
                }
            }),
            ServerFrame::ToolEnd { index, name, ok, duration, output_preview } => {
                let state = ToolState::Done { ok: *ok, duration: *duration };
                self.tool_end(*index, name, state, output_preview.as_deref());
            }
            _ => {}
        }
    }

    fn tool_start(&mut self, tool: Tool) {
        let plain = self.in_plain_turn();
        let known = self.call(tool.index).filter(|_| self.turn.open);
        match known.and_then(|call| Some((call.started, self.tool(tool.index)?))) {
            None => self.new_tool(tool, true),
            // Its end was faster, or it is said again.
            Some((false, _)) => self.refine_tool(tool),
            Some((true, old)) if old.state == ToolState::Running && (!plain || old.is_same_call(&tool)) => {
                self.refine_tool(tool);
            }
            // The count begins anew: a plain peer's next turn.
            Some(_) if plain => {
                self.close(TurnStatus::Complete);
                self.new_tool(tool, true);
            }
            Some(_) => {}
        }
    }

    /// Takes over what a start says of a call that is there already.
    fn refine_tool(&mut self, tool: Tool) {
        if let Some(call) = self.turn.tools.iter_mut().rfind(|call| call.index == tool.index) {
            call.started = true;
        }
        self.change_tool(tool.index, |old| {
            *old = Tool { note: old.note.take(), output: old.output.take(), state: old.state, ..tool };
        });
    }

    fn new_tool(&mut self, tool: Tool, started: bool) {
        self.show_held();
        self.at_work();
        let index = tool.index;
        let key = match self.open_group() {
            Some(key) => {
                if let Some(ItemKind::Tools(tools)) = self.rows.kind_mut(key) {
                    tools.push(tool);
                }
                self.rows.changed(key);
                key
            }
            None => self.rows.push(ItemKind::Tools(vec![tool])),
        };
        self.turn.tools.push(Call { index, key, started });
    }

    /// The row of this turn's tools if nothing was said since; a heartbeat says nothing.
    fn open_group(&self) -> Option<ItemKey> {
        let confirmed = self.rows.items().get(..self.rows.end())?;
        let last = confirmed.iter().rev().find(|item| !is_heartbeat(&item.kind))?;
        self.turn.tools.iter().any(|call| call.key == last.key).then_some(last.key)
    }

    fn tool_end(&mut self, index: ToolIndex, name: &str, state: ToolState, output: Option<&str>) {
        if self.tool(index).is_none() && self.turn.open {
            let tool = Tool {
                index,
                name: name.to_owned(),
                preview: None,
                args: serde_json::Map::new(),
                note: None,
                output: None,
                state: ToolState::Running,
            };
            self.new_tool(tool, false);
        }
        self.change_tool(index, |tool| {
            // The first end counts. One that comes after its turn was closed is still better than none.
            if !matches!(tool.state, ToolState::Done { .. }) {
                tool.state = state;
                tool.output = output.map(str::to_owned);
            }
        });
    }

    fn call(&self, index: ToolIndex) -> Option<Call> {
        self.turn.tools.iter().rfind(|call| call.index == index).copied()
    }

    /// The call with this number, in this turn or, when none runs, in the last.
    fn tool(&self, index: ToolIndex) -> Option<&Tool> {
        match self.rows.kind(self.call(index)?.key)? {
            ItemKind::Tools(tools) => tools.iter().find(|tool| tool.index == index),
            _ => None,
        }
    }

    fn change_tool(&mut self, index: ToolIndex, change: impl FnOnce(&mut Tool)) {
        let Some(key) = self.call(index).map(|call| call.key) else { return };
        let Some(ItemKind::Tools(tools)) = self.rows.kind_mut(key) else { return };
        let Some(tool) = tools.iter_mut().find(|tool| tool.index == index) else { return };
        let before = tool.clone();
        change(tool);
        if *tool != before {
            self.rows.changed(key);
        }
    }
}

impl Tool {
    fn is_same_call(&self, other: &Self) -> bool {
        self.name == other.name && self.preview == other.preview && self.args == other.args
    }
}

//! The lines of one run as steps of its streams: what becomes a stream record. Hermes' command line tells of no requests:
//! one begins with the run and after each tool, and those that only call tools leave no line. Pure.

use iris_core::protocol::frame::ServerFrame;
use iris_core::stall::record::{Recorder, Step, StreamRecord};
use iris_core::stream_json::Event;

/// The streams of a run.
#[derive(Debug)]
pub(in crate::backend) struct Streams {
    recorder: Recorder,
    model: Option<String>,
    /// The number of the newest request.
    iteration: u32,
    /// Since when the next request has been on its way.
    waiting_ms: Option<u64>,
}

impl Streams {
    /// Of a run that begins at `at_ms`, milliseconds since 1970.
    pub(in crate::backend) fn new(at_ms: u64) -> Self {
        Self { recorder: Recorder::new("", at_ms), model: None, iteration: 0, waiting_ms: Some(at_ms) }
    }

    /// Takes what Hermes reports.
    pub(in crate::backend) fn hear(&mut self, at_ms: u64, event: &Event) {
        match event {
            Event::Init { model, .. } => {
                self.model.clone_from(model);
                self.waiting_ms = Some(at_ms);
            }
            Event::Text { text } => {
                self.begin();
                let chars = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
                self.recorder.step(at_ms, Step::Text(chars));
            }
            Event::ToolUse { .. } => {
                self.waiting_ms = None;
                self.end(at_ms);
            }
            Event::ToolResult { .. } => self.waiting_ms = Some(at_ms),
            Event::Result(outcome) => {
                if outcome.exit_code == 0 {
                    self.end(at_ms);
                } else {
                    // Whatever was waited for did not come.
                    self.begin();
                }
                // Of several requests nobody knows which used what.
                if self.iteration == 1 {
                    let (input, output) = (outcome.tokens.input, outcome.tokens.output);
                    self.recorder.step(at_ms, Step::Used { model: None, input, output });
                }
            }
            Event::Unknown { .. } => {}
        }
    }

    /// A line that Hermes said about itself.
    pub(in crate::backend) fn said(&mut self, at_ms: u64, line: &str) {
        self.recorder.step(at_ms, Step::Said(line));
    }

    fn begin(&mut self) {
        if let Some(since) = self.waiting_ms.take() {
            self.iteration = self.iteration.saturating_add(1);
            let (iteration, model) = (self.iteration, self.model.as_deref());
            self.recorder.step(since, Step::Begin { iteration, model, provider: None });
        }
    }

    fn end(&mut self, at_ms: u64) {
        let iteration = self.iteration;
        self.recorder.step(at_ms, Step::End { iteration, text_chars: 0, error: None });
    }

    /// The run is over: its records, once the frames say how the turn ended.
    pub(in crate::backend) fn over(&mut self, at_ms: u64, frame: &ServerFrame) -> Vec<StreamRecord> {
        let ServerFrame::TurnEnd { turn, status, error, .. } = frame else { return Vec::new() };
        self.begin();
        let mut recorder = std::mem::replace(&mut self.recorder, Recorder::new("", at_ms));
        recorder.rename(&turn.0);
        recorder.over(at_ms, *status, error.as_deref())
    }
}

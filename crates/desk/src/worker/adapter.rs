//! The protocol's side: what an adapter would answer to the app, here about recorded runs. There is one app on the other end,
//! and nothing that it says changes a file.

use iris_core::ids::ChatId;
use iris_core::protocol::frame::{BackendInfo, ServerInfo};
use iris_core::protocol::{AppFrame, Envelope, ServerFrame, codec};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{MessageEvent, MessagePort};

use super::{Shared, Worker, pump};
use crate::wire::Report;

/// The version of the protocol that is spoken here.
const PROTOCOL: u32 = 1;
const RECORDED: &str = "This is a recorded run: nothing can be sent to it";

/// Talks over this port from now on.
pub(super) fn connect(shared: &Shared, port: MessagePort) {
    let told = shared.clone();
    let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        if let Some(frame) = event.data().as_string().and_then(|text| codec::decode_app(&text).ok()) {
            told.borrow_mut().answer(frame);
            pump(&told);
        }
    });
    port.set_onmessage(Some(heard.as_ref().unchecked_ref()));
    let mut worker = shared.borrow_mut();
    worker.heard = Some(heard);
    worker.port = Some(port);
    worker.said_ms = None;
    worker.leave();
}

/// A piece of a file was read. False if it is none of ours, or was taken away meanwhile.
pub(super) fn look_at(shared: &Shared, chat: &ChatId, tells: bool) -> bool {
    let mut worker = shared.borrow_mut();
    let is_shown = worker.shown.as_ref() == Some(chat);
    let Some(run) = worker.run(chat) else { return false };
    let index = run.indexer.index();
    if let Some(refusal) = &index.refusal {
        let (name, why) = (run.file.name(), refusal.to_string());
        worker.runs.retain(|run| run.chat != *chat);
        worker.report(&Report::Refused { name, why });
        return false;
    }
    if index.format.is_some() && !run.accepted {
        run.accepted = true;
        if let Some(title) = index.title.clone().filter(|title| !title.trim().is_empty()) {
            run.title = title;
        }
        worker.updated(chat);
        worker.report(&Report::Accepted);
    } else if tells && is_shown {
        worker.say_index();
    }
    true
}

impl Worker {
    fn answer(&mut self, frame: AppFrame) {
        match frame {
            AppFrame::Hello { .. } => self.greet(),
            AppFrame::Subscribe { chat, limit, .. } => self.subscribe(chat, limit),
            AppFrame::History { chat, before_seq, limit } => {
                if self.shown.as_ref() == Some(&chat)
                    && let Some(run) = self.on_screen()
                {
                    run.player.history(before_seq, limit);
                }
            }
            AppFrame::Ping { t } => self.say(None, ServerFrame::Pong { t }),
            AppFrame::ChatRename { chat, title } => {
                if let Some(run) = self.run(&chat) {
                    run.title = title;
                    self.updated(&chat);
                }
            }
            AppFrame::ChatDelete { chat } => self.remove(&chat),
            AppFrame::ChatCreate { .. } => self.report(&Report::Wanted),
            AppFrame::MessageSend { client_id, .. } => self.refuse(client_id.0),
            AppFrame::AskAnswer { .. } => self.refuse("ask.answer".to_owned()),
            AppFrame::TurnStop { .. } => self.refuse("turn.stop".to_owned()),
            AppFrame::Search { client_id, .. } => self.refuse(client_id.0),
            AppFrame::Unknown { .. } => {}
        }
    }

    fn say(&self, chat: Option<ChatId>, frame: ServerFrame) {
        self.send(&Envelope { chat, seq: None, frame });
    }

    fn refuse(&self, re: String) {
        let (code, text) = ("recorded".to_owned(), RECORDED.to_owned());
        self.say(self.shown.clone(), ServerFrame::Error { code, text, re: Some(re) });
    }

    fn greet(&mut self) {
        let runs = self.runs.iter_mut().filter(|run| run.accepted);
        let chats = runs.map(|run| {
            // Whoever greets shows the first one, which is then played: an app that is told that nothing runs would close
            // the turn that the history leaves open.
            run.told_running = true;
            iris_core::protocol::frame::ChatSummary { running: true, ..run.summary() }
        });
        let frame = ServerFrame::Hello {
            protocol: PROTOCOL,
            server: ServerInfo { name: "iris-desk".to_owned(), ..ServerInfo::default() },
            backend: BackendInfo {
                kind: "replay".to_owned(),
                label: "a recorded run".to_owned(),
                ..BackendInfo::default()
            },
            capabilities: Vec::new(),
            chats: chats.collect(),
            suggestions: Vec::new(),
            commands: Vec::new(),
        };
        self.say(None, frame);
    }

    /// The app shows this run: it is played, unless it was before.
    fn subscribe(&mut self, chat: ChatId, limit: Option<u32>) {
        if self.shown.as_ref() != Some(&chat) {
            self.leave();
            self.shown = Some(chat);
        }
        let now = self.now();
        let Some(run) = self.on_screen() else { return };
        run.player.subscribe(limit, run.indexer.index(), now);
        if !std::mem::replace(&mut run.played, true) {
            run.player.play(run.indexer.index(), now);
        }
        self.say_everything();
    }

    /// Nothing is shown any more.
    pub(super) fn leave(&mut self) {
        let now = self.now();
        if let Some(run) = self.on_screen() {
            run.player.unsubscribe(run.indexer.index(), now);
        }
        self.tell_running();
        self.shown = None;
    }

    /// The list shows which run plays.
    pub(super) fn tell_running(&mut self) {
        let Some(run) = self.on_screen() else { return };
        let running = run.player.is_playing();
        if std::mem::replace(&mut run.told_running, running) != running {
            let chat = run.chat.clone();
            self.updated(&chat);
        }
    }

    fn updated(&mut self, chat: &ChatId) {
        if let Some(run) = self.run(chat) {
            let summary = run.summary();
            self.say(Some(chat.clone()), ServerFrame::ChatUpdated { chat: summary });
        }
    }

    fn remove(&mut self, chat: &ChatId) {
        if self.shown.as_ref() == Some(chat) {
            self.leave();
        }
        self.runs.retain(|run| run.chat != *chat);
        if self.runs.is_empty() {
            self.report(&Report::Empty);
        } else {
            self.say(Some(chat.clone()), ServerFrame::ChatRemoved);
        }
    }
}

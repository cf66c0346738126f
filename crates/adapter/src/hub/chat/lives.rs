//! Any sequence of what can happen to a chat, its death included, as one device sees it: what was acknowledged is there once
//! and in order, in every life after; the agent hears of it until it has it; and the device that was there ends with the
//! same picture as one that comes in fresh.

use std::collections::BTreeSet;

use iris_core::{
    ids::{ToolIndex, TurnId},
    protocol::frame::{Envelope, TurnStatus},
    timeline::{Item, ItemKind, Timeline},
};
use proptest::prelude::*;
use tokio::sync::oneshot;

use super::{tests::Bench, *};

#[path = "../../../tests/server/picture.rs"]
mod picture;
use picture::picture;

#[derive(Clone, Copy, Debug)]
enum Step {
    /// The user says something.
    Say,
    /// The agent takes the oldest message that it was told.
    Take,
    /// The agent writes, in the turn that runs or a new one.
    Write,
    /// Its text is complete.
    Complete,
    /// A tool starts or ends.
    Tool,
    /// The turn ends.
    End,
    /// The turn is told again.
    Again,
    /// Nothing reaches the disk any more.
    Numb,
    /// The next life.
    Die,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => Just(Step::Say),
        2 => Just(Step::Take),
        6 => Just(Step::Write),
        2 => Just(Step::Complete),
        2 => Just(Step::Tool),
        1 => Just(Step::End),
        1 => Just(Step::Again),
        1 => Just(Step::Numb),
        2 => Just(Step::Die),
    ]
}

struct Run {
    bench: Bench,
    device: Timeline,
    /// Everything that was acknowledged.
    acknowledged: Vec<String>,
    /// What the agent was told in this life and has not taken, and what it has taken for good.
    told: VecDeque<MessageId>,
    taken: BTreeSet<String>,
    sent: u32,
    turns: u32,
    messages: u32,
    turn: Option<TurnId>,
    text: String,
    tool: bool,
    lives: u32,
}

impl Run {
    async fn new() -> Self {
        let mut run = Self {
            bench: Bench::new().await,
            device: Timeline::new(),
            acknowledged: Vec::new(),
            told: VecDeque::new(),
            taken: BTreeSet::new(),
            sent: 0,
            turns: 0,
            messages: 0,
            turn: None,
            text: String::new(),
            tool: false,
            lives: 0,
        };
        run.device = run.subscribe(Timeline::new()).await;
        run
    }

    async fn step(&mut self, step: Step) {
        match step {
            Step::Say => self.say().await,
            Step::Take => self.take().await,
            Step::Write => {
                self.begin().await;
                self.text.push_str("ä ");
                let frame =
                    ServerFrame::MessageUpdate { message_id: self.message(), text: self.text.clone() };
                self.tell(frame).await;
            }
            Step::Complete => self.complete().await,
            Step::Tool => {
                self.begin().await;
                let (index, name) = (ToolIndex(1), "terminal".to_owned());
                self.tool = !self.tool;
                self.tell(match self.tool {
                    true => {
                        ServerFrame::ToolStart { index, name, preview: None, args: serde_json::Map::new() }
                    }
                    false => ServerFrame::ToolEnd {
                        index,
                        name,
                        ok: Some(true),
                        duration: None,
                        output_preview: None,
                    },
                })
                .await;
            }
            Step::End => self.end().await,
            Step::Again if self.turn.is_some() => {
                self.bench.frames.send(Event::Restart).await.unwrap();
                self.retell();
                self.hear_until(|frame| matches!(frame, ServerFrame::SyncEnd)).await;
            }
            Step::Again => {}
            Step::Numb => self.bench.journal.dead.store(true, std::sync::atomic::Ordering::SeqCst),
            Step::Die => return,
        }
        self.settle(None).await;
    }

    async fn say(&mut self) {
        self.sent += 1;
        let client_id = format!("c{}", self.sent);
        self.bench.say(&client_id).await;
        let answered = self
            .hear_until(|frame| match frame {
                ServerFrame::Ack { client_id: id, .. } => id.0 == client_id,
                ServerFrame::Error { re, .. } => re.as_deref() == Some(&client_id),
                _ => false,
            })
            .await;
        if matches!(answered, ServerFrame::Ack { .. }) {
            self.acknowledged.push(format!("say {client_id}"));
            self.told.push_back(self.bench.request().await.message_id);
        }
    }

    async fn take(&mut self) {
        let Some(message_id) = self.told.pop_front() else { return };
        if self.settle(Some(message_id.clone())).await {
            self.taken.insert(message_id.0);
        }
    }

    async fn begin(&mut self) {
        if self.turn.is_none() {
            self.turns += 1;
            let turn = TurnId(format!("t{}", self.turns));
            self.turn = Some(turn.clone());
            self.tell(ServerFrame::TurnStart { turn }).await;
        }
    }

    async fn complete(&mut self) {
        if !self.text.is_empty() {
            let (message_id, final_text) = (self.message(), Some(std::mem::take(&mut self.text)));
            self.messages += 1;
            let frame = ServerFrame::MessageStop {
                message_id,
                final_text,
                reasoning: None,
                model: None,
                tokens: None,
            };
            self.tell(frame).await;
        }
    }

    async fn end(&mut self) {
        let Some(turn) = self.turn.take() else { return };
        self.retell();
        self.tell(ServerFrame::TurnEnd {
            turn,
            status: TurnStatus::Complete,
            exit_code: None,
            error: None,
            model: None,
            tokens: None,
            duration_ms: None,
        })
        .await;
    }

    /// What the turn had open is not any more.
    fn retell(&mut self) {
        self.messages += 1;
        self.text.clear();
        self.tool = false;
    }

    fn message(&self) -> MessageId {
        MessageId(format!("m{}", self.messages))
    }

    async fn tell(&mut self, frame: ServerFrame) {
        self.bench.tell(frame).await;
    }

    /// Everything that was told so far has been heard; `take` is with the agent. Whether that is on disk.
    async fn settle(&mut self, take: Option<MessageId>) -> bool {
        let (noted, is_noted) = oneshot::channel();
        let message_id = take.unwrap_or_else(|| "none".into());
        self.bench.frames.send(Event::Taken { message_id, noted: Some(noted) }).await.unwrap();
        let noted = is_noted.await.is_ok();
        while let Some(envelope) = self.bench.heard() {
            self.show(&envelope);
        }
        noted
    }

    /// What is not about this device's own requests is shown.
    fn show(&mut self, envelope: &Envelope) {
        if !matches!(envelope.frame, ServerFrame::Error { .. }) {
            self.device.apply(envelope);
        }
    }

    async fn hear_until(&mut self, wanted: impl Fn(&ServerFrame) -> bool) -> ServerFrame {
        loop {
            let envelope = self.bench.hear().await;
            self.show(&envelope);
            if wanted(&envelope.frame) {
                return envelope.frame;
            }
        }
    }

    /// The device subscribes where it was.
    async fn subscribe(&mut self, mut device: Timeline) -> Timeline {
        device.connection_lost();
        let (peer, after) = (self.bench.peer.clone(), device.after_seq());
        self.bench.commands.send(Command::Subscribe { peer, after, limit: None }).await.unwrap();
        let mut over = false;
        while !over {
            let envelope = self.bench.hear().await;
            over = envelope.frame == ServerFrame::SyncEnd;
            device.apply(&envelope);
        }
        device
    }

    async fn next_life(mut self) -> Self {
        self.settle(None).await;
        self.bench = self.bench.reborn().await;
        self.lives += 1;
        // Of the ids that were on their way nothing is certain.
        (self.turns, self.messages) = (self.lives * 1_000, self.lives * 1_000);
        self.turn = self.bench.kept_turn.clone();
        self.text.clear();
        self.tool = false;
        let device = std::mem::take(&mut self.device);
        self.device = self.subscribe(device).await;
        let fresh = self.subscribe(Timeline::new()).await;
        assert_eq!(picture(&self.device), picture(&fresh));
        assert_eq!(fresh.running(), self.turn.is_some());
        assert_eq!(said(&fresh), self.acknowledged);
        self.told.clear();
        for _ in self.taken.len()..self.acknowledged.len() {
            let said = self.bench.request().await;
            assert!(!self.taken.contains(&said.message_id.0), "{said:?} was taken");
            self.told.push_back(said.message_id);
        }
        assert!(self.bench.requests.try_recv().is_err());
        assert!(self.told.iter().map(number).is_sorted());
        // The backend tells its turn again, as one does that cannot know what was lost.
        if self.turn.is_some() {
            self.step(Step::Again).await;
        }
        self
    }
}

fn number(id: &MessageId) -> u64 {
    id.0.trim_start_matches('u').parse().unwrap()
}

fn said(timeline: &Timeline) -> Vec<String> {
    let text = |item: &Item| match &item.kind {
        ItemKind::User(message) => Some(message.text.clone()),
        _ => None,
    };
    timeline.items().iter().filter_map(text).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn whatever_happens_an_acknowledged_message_is_there_once_in_every_life(
        steps in proptest::collection::vec(step(), 1..30)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut run = Run::new().await;
            for step in steps.into_iter().chain([Step::Die]) {
                run = match step {
                    Step::Die => run.next_life().await,
                    step => {
                        run.step(step).await;
                        run
                    }
                };
            }
        });
    }
}

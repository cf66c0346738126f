//! One run: two devices talk in a fresh chat, something dies at a random moment, and when it is back everything is looked
//! at, by a third device too.

use std::time::{Duration, Instant};

use anyhow::Context;
use fastrand::Rng;
use iris_core::{
    ids::ChatId,
    protocol::frame::{SendMode, TurnStatus},
    timeline::{Item, ItemKind},
};
use tokio::time::sleep;

use crate::{
    check::{self, Held, Sent},
    device::{Device, View},
    proxy::Wire,
    script::{At, Script},
    world::{Behind, World},
};

/// From the cut of the wires to the kill: long enough to write a message down.
const DEAF: Duration = Duration::from_millis(15);

/// What dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The adapter, by SIGKILL.
    Adapter,
    /// The devices' connections.
    Socket,
    /// Hermes' gateway, by SIGKILL.
    Gateway,
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Messages that were acknowledged, each there once on three devices.
    pub messages: usize,
    /// How often one of them was sent again.
    pub resent: usize,
    /// A turn was running when it happened.
    pub in_turn: bool,
    /// From the repair to the moment when both devices had delivered everything; with a killed gateway, to its answer.
    pub recovery: Duration,
    /// What happened, with its times.
    pub log: Vec<String>,
}

struct Run<'a> {
    world: &'a mut World,
    number: u64,
    chat: ChatId,
    devices: [Device; 2],
    wires: [Wire; 2],
    begun: Instant,
    log: Vec<String>,
}

/// Does a run.
///
/// # Errors
/// When something was lost, doubled, left open or did not come back. The outcome has the log in any case.
pub async fn run(world: &mut World, kind: Kind, seed: u64, number: u64) -> (Outcome, anyhow::Result<()>) {
    let mut rng = Rng::with_seed(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let script = Script::draw(&mut rng, &world.menu);
    match Run::begin(world, number, &mut rng).await {
        Ok(mut run) => {
            run.note(format!("{script:?}"));
            let mut outcome = Outcome::default();
            let result = run.play(kind, &script, &mut outcome).await;
            if result.is_err() {
                run.describe();
            }
            outcome.log = run.log;
            (outcome, result)
        }
        Err(error) => (Outcome::default(), Err(error.context("before anything happened"))),
    }
}

impl<'a> Run<'a> {
    async fn begin(world: &'a mut World, number: u64, rng: &mut Rng) -> anyhow::Result<Self> {
        let wires = [Wire::to(world.adapter.port()).await?, Wire::to(world.adapter.port()).await?];
        let [first, second] = &wires;
        let devices = [
            world.device(0, number, Some(first), rng.u64(..))?,
            world.device(1, number, Some(second), rng.u64(..))?,
        ];
        let [anna, bert] = &devices;
        let chat = anna.create(number).await?;
        for device in [anna, bert] {
            device.follow(&chat);
            device.until("the new chat", |view| view.seq(&chat).is_some()).await?;
        }
        Ok(Self { world, number, chat, devices, wires, begun: Instant::now(), log: Vec::new() })
    }

    async fn play(&mut self, kind: Kind, script: &Script, outcome: &mut Outcome) -> anyhow::Result<()> {
        self.talk(script).await?;
        outcome.in_turn = self.each(|view, chat| view.sees_turn(chat)).contains(&true);
        self.note(format!("{kind:?} dies; a turn runs: {}", outcome.in_turn));
        match kind {
            Kind::Adapter => self.kill_adapter(script).await?,
            Kind::Socket => self.cut(script).await?,
            Kind::Gateway => self.kill_gateway(script).await?,
        }
        let repaired = Instant::now();
        self.recover().await?;
        outcome.recovery = repaired.elapsed();
        self.last_word().await?;
        if kind == Kind::Gateway {
            // The devices had their adapter all the time; what was away is the answers.
            outcome.recovery = repaired.elapsed();
        }
        let fresh = self.settled().await?;
        outcome.messages = self.sent().len();
        outcome.resent = self.each(|view, _| view.resent()).iter().sum();
        self.judge(kind, &fresh)
    }

    /// Plays what is said up to the moment of the disturbance. There is always something under way then.
    async fn talk(&mut self, script: &Script) -> anyhow::Result<()> {
        enum Step<'s> {
            Say(&'s str),
            Stop,
        }
        let says = script.says.iter().map(|at| (at.ms, at.device, Step::Say(&at.what)));
        let stop = script.stop.iter().map(|at| (at.ms, at.device, Step::Stop));
        let mut steps: Vec<_> = says.chain(stop).filter(|(ms, ..)| *ms <= script.moment_ms).collect();
        steps.sort_by_key(|(ms, ..)| *ms);
        let start = Instant::now();
        for (ms, device, step) in steps {
            sleep(Duration::from_millis(ms).saturating_sub(start.elapsed())).await;
            match step {
                Step::Say(text) => self.say(device, text)?,
                Step::Stop => {
                    self.note(format!("device {device} presses stop"));
                    self.device(device)?.stop(&self.chat);
                }
            }
        }
        sleep(Duration::from_millis(script.moment_ms).saturating_sub(start.elapsed())).await;
        if let Some(At { device, what: (us, text), .. }) = &script.word {
            self.say(*device, text)?;
            // Finer than a timer that sleeps.
            let said = Instant::now();
            while said.elapsed() < Duration::from_micros(*us) {
                tokio::task::yield_now().await;
            }
            return Ok(());
        }
        let idle = self.each(|view, chat| view.is_quiet(chat)).iter().all(|quiet| *quiet);
        if idle {
            self.say(0, &format!("Something for the moment of run {}", self.number))?;
            sleep(Duration::from_millis(script.away_ms / 2)).await;
        }
        Ok(())
    }

    async fn kill_adapter(&mut self, script: &Script) -> anyhow::Result<()> {
        if script.deaf {
            self.wires.iter().for_each(|wire| wire.cut_after(0));
            self.note("the wires are cut first".to_owned());
            sleep(DEAF).await;
        }
        self.world.adapter.kill().await?;
        self.meanwhile(script)?;
        sleep(Duration::from_millis(script.away_ms)).await;
        self.world.adapter.restart().await?;
        self.note("the adapter is back".to_owned());
        if let Some(ms) = script.again_ms {
            sleep(Duration::from_millis(ms)).await;
            self.world.adapter.kill().await?;
            self.world.adapter.restart().await?;
            self.note("the adapter was killed once more and is back".to_owned());
        }
        Ok(())
    }

    async fn kill_gateway(&mut self, script: &Script) -> anyhow::Result<()> {
        self.world.gateway()?.kill().await?;
        self.meanwhile(script)?;
        sleep(Duration::from_millis(script.away_ms)).await;
        self.world.gateway()?.restart()?;
        self.note("the gateway was started again".to_owned());
        Ok(())
    }

    async fn cut(&mut self, script: &Script) -> anyhow::Result<()> {
        for At { ms, device, what: bytes } in &script.cuts {
            sleep(Duration::from_millis(*ms)).await;
            if let Some(wire) = self.wires.get(*device) {
                wire.cut_after(*bytes);
            }
            self.note(format!("the wire of device {device} is cut after {bytes} bytes"));
        }
        self.meanwhile(script)?;
        // Time for what was said to come to the cuts that wait for its bytes.
        sleep(Duration::from_millis(script.away_ms)).await;
        self.wires.iter().for_each(Wire::settle);
        Ok(())
    }

    fn meanwhile(&mut self, script: &Script) -> anyhow::Result<()> {
        match &script.meanwhile {
            Some(at) => self.say(at.device, &at.what),
            None => Ok(()),
        }
    }

    /// Both devices are connected and have delivered everything.
    async fn recover(&mut self) -> anyhow::Result<()> {
        for device in &self.devices {
            device
                .until("everything to be delivered after the repair", |view| {
                    view.is_online() && (view.is_delivered() || !view.refused().is_empty())
                })
                .await?;
            device.see(|view| match view.refused() {
                [] => Ok(()),
                refused => Err(anyhow::anyhow!("the adapter refused {refused:?}")),
            })?;
        }
        self.note("everything is delivered".to_owned());
        Ok(())
    }

    /// The chat works: one more message, and its answer. What waited is through when that has come.
    async fn last_word(&mut self) -> anyhow::Result<()> {
        let (text, answer) = self.world.menu.last.clone();
        let asked = self.each(has_asks).contains(&true);
        // Behind a turn that still runs, not into it.
        let queue = (self.world.behind() == Behind::Gateway).then_some(SendMode::Queue);
        self.say_in(0, &text, queue)?;
        let chat = &self.chat;
        let [anna, _] = &self.devices;
        anna.until("the end of everything", |view| {
            let told = asked
                || has_asks(view, chat)
                || last_answer(view, chat).is_some_and(|last| last.ends_with(&answer));
            view.is_delivered() && view.is_quiet(chat) && told
        })
        .await
    }

    /// What a fresh device holds when all three have the same frames: something may still come to rest meanwhile.
    async fn settled(&mut self) -> anyhow::Result<Held> {
        loop {
            self.settle().await?;
            let before = self.each(|view, chat| view.seq(chat));
            let fresh = self.fresh().await?;
            let after = self.each(|view, chat| view.seq(chat).filter(|_| view.is_quiet(chat)));
            if before == after {
                return Ok(fresh);
            }
            self.note("it was quiet for a moment only".to_owned());
        }
    }

    /// Both devices have the same frames, and nothing runs.
    async fn settle(&mut self) -> anyhow::Result<()> {
        let (chat, [anna, bert]) = (&self.chat, &self.devices);
        let same = || anna.see(|view| view.seq(chat));
        bert.until("what the other device has", |view| view.seq(chat) == same() && view.is_quiet(chat))
            .await?;
        self.note("it is quiet".to_owned());
        Ok(())
    }

    /// What a device sees that has never seen the chat.
    async fn fresh(&mut self) -> anyhow::Result<Held> {
        let carla = self.world.device(2, self.number, None, self.number)?;
        carla.follow(&self.chat);
        let (chat, [anna, _]) = (&self.chat, &self.devices);
        let same = || anna.see(|view| view.seq(chat));
        carla
            .until("what the others have", |view| view.seq(chat) == same() && !view.is_running(chat))
            .await?;
        Ok(carla.see(|view| Held::of("a fresh device", view, chat)))
    }

    fn judge(&self, kind: Kind, fresh: &Held) -> anyhow::Result<()> {
        let mut held: Vec<Held> = Vec::new();
        for (nth, device) in self.devices.iter().enumerate() {
            held.push(device.see(|view| Held::of(&format!("device {nth}"), view, &self.chat)));
        }
        held.push(fresh.clone());
        let problems = check::problems(&held, &self.sent());
        let said: u32 = self.each(|view, _| view.said()).iter().sum();
        anyhow::ensure!(problems.is_empty(), "{}", problems.join("\n"));
        // The gateway goes on while the adapter is away, and its turns are told to their ends.
        if self.world.behind() == Behind::Gateway && kind != Kind::Gateway {
            anyhow::ensure!(!fresh.items.iter().any(is_lost), "a turn was lost: {:#?}", fresh.items);
        }
        anyhow::ensure!(
            self.sent().len() == said as usize,
            "{said} were said, {} acknowledged",
            self.sent().len()
        );
        Ok(())
    }

    fn sent(&self) -> Vec<Sent> {
        let acknowledged = self.each(|view, _| view.acknowledged().to_vec());
        acknowledged.into_iter().flatten().map(|(client_id, _)| Sent { client_id }).collect()
    }

    fn say(&mut self, device: usize, text: &str) -> anyhow::Result<()> {
        self.say_in(device, text, None)
    }

    fn say_in(&mut self, device: usize, text: &str, mode: Option<SendMode>) -> anyhow::Result<()> {
        let short: String = text.chars().take(60).collect();
        self.note(format!("device {device} says {short:?}"));
        self.device(device)?.say(&self.chat, text, mode);
        Ok(())
    }

    fn device(&self, nth: usize) -> anyhow::Result<&Device> {
        self.devices.get(nth).context("no such device")
    }

    fn each<T>(&self, look: impl Fn(&View, &ChatId) -> T) -> Vec<T> {
        self.devices.iter().map(|device| device.see(|view| look(view, &self.chat))).collect()
    }

    fn note(&mut self, what: String) {
        self.log.push(format!("{:>6} ms  {what}", self.begun.elapsed().as_millis()));
    }

    /// How everything stands, for the log of a run that failed.
    fn describe(&mut self) {
        for line in self.each(|view, chat| {
            format!(
                "online {}, {} connections, running {}, quiet {}, delivered {}, seq {:?}, refused {:?}, items {:#?}",
                view.is_online(),
                view.connections(),
                view.is_running(chat),
                view.is_quiet(chat),
                view.is_delivered(),
                view.seq(chat),
                view.refused(),
                view.items(chat)
            )
        }) {
            self.note(line);
        }
        let logs = self.world.logs();
        self.note(logs);
    }
}

fn has_asks(view: &View, chat: &ChatId) -> bool {
    view.items(chat).iter().any(|item| matches!(item.kind, ItemKind::Ask(_)))
}

fn is_lost(item: &Item) -> bool {
    match &item.kind {
        ItemKind::Answer(answer) => answer.cut == Some(TurnStatus::Lost),
        ItemKind::Notice(notice) => notice.code == "lost",
        _ => false,
    }
}

fn last_answer<'a>(view: &'a View, chat: &ChatId) -> Option<&'a str> {
    view.items(chat).iter().rev().find_map(|item| match &item.kind {
        ItemKind::Answer(answer) => Some(answer.text.as_str()),
        _ => None,
    })
}

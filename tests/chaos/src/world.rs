//! What a run happens in: an adapter, what stands behind it, and the devices' tokens. One world serves many runs, so that
//! its journal has been through many crashes at the end.

use std::fs;

use anyhow::Context;
use hermes_lab::{Gateway, Home, Lab, lab::hermes};
use tokio::process::Command;

use crate::{
    adapter::{Adapter, Setup, program},
    device::{Address, Device, Habits},
    proxy::Wire,
    script::Menu,
};

/// What stands behind the adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// The demo, fast.
    Demo,
    /// The real Hermes, one process a turn.
    Cli,
    /// The real Hermes' gateway, with the plugin.
    Gateway,
}

/// A world.
pub struct World {
    /// The adapter.
    pub adapter: Adapter,
    /// What can be said.
    pub menu: Menu,
    behind: Behind,
    tokens: Vec<String>,
    gateway: Option<Gateway>,
    /// Its programs end with it.
    lab: Option<Lab>,
}

/// The demo plays so many times as fast as it was recorded.
const SPEED: &str = "15";
/// Lines of a log that are shown.
const SHOWN: usize = 30;
/// Devices that are paired: two that speak, one that comes at the end, and one more.
const DEVICES: [&str; 4] = ["anna", "bert", "carla", "dora"];

impl World {
    /// Starts one.
    ///
    /// # Errors
    /// When something of it does not start.
    pub async fn start(behind: Behind) -> anyhow::Result<Self> {
        let lab = match behind {
            Behind::Demo => None,
            Behind::Cli | Behind::Gateway => Some(Lab::start().await?),
        };
        let (setup, menu) = match (&lab, behind) {
            (Some(lab), Behind::Cli) => (cli(lab)?, provider(false)),
            (Some(lab), _) => (gateway(lab).await?, provider(true)),
            (None, _) => {
                (Setup { arguments: vec!["--speed".into(), SPEED.into()], ..Setup::default() }, demo())
            }
        };
        let mut adapter = Adapter::start(setup).await?;
        let mut tokens = Vec::new();
        for name in DEVICES {
            tokens.push(adapter.pair(name).await?);
        }
        let gateway = match &lab {
            Some(lab) if behind == Behind::Gateway => Some(Gateway::start(lab, &lab.home(Home::Gateway)?)?),
            _ => None,
        };
        let world = Self { adapter, menu, behind, tokens, gateway, lab };
        if world.gateway.is_some() {
            world.until_it_answers().await?;
        }
        Ok(world)
    }

    /// The gateway is there when it has answered.
    async fn until_it_answers(&self) -> anyhow::Result<()> {
        let dora = self.device(3, 0, None, 0)?;
        let chat = dora.create(0).await?;
        dora.follow(&chat);
        dora.say(&chat, &self.menu.last.0, None);
        dora.until("the gateway's first answer", |view| view.is_quiet(&chat)).await
    }

    /// Hermes' gateway, where there is one.
    ///
    /// # Errors
    /// When there is none.
    pub fn gateway(&mut self) -> anyhow::Result<&mut Gateway> {
        self.gateway.as_mut().context("there is no gateway in this world")
    }

    /// The end of what its programs wrote.
    pub fn logs(&self) -> String {
        let gateway = self.lab.as_ref().map(|lab| fs::read(lab.log("gateway")).unwrap_or_default());
        let gateway = String::from_utf8_lossy(&gateway.unwrap_or_default()).into_owned();
        let lines: Vec<&str> = gateway.lines().collect();
        let end = lines.get(lines.len().saturating_sub(SHOWN)..).unwrap_or_default().join("\n");
        format!("the adapter wrote:\n{}\nthe gateway wrote:\n{end}", self.adapter.log())
    }

    /// Everything went well: nothing of it is kept.
    pub fn done(mut self) {
        self.gateway.take();
        if let Some(lab) = self.lab.take() {
            lab.done();
        }
    }

    /// What stands behind the adapter.
    pub fn behind(&self) -> Behind {
        self.behind
    }

    /// A new device with the token of the `nth` one, on a wire or straight. `run` makes its ids new.
    ///
    /// # Errors
    /// When there are not so many.
    pub fn device(&self, nth: usize, run: u64, wire: Option<&Wire>, seed: u64) -> anyhow::Result<Device> {
        let token = self.tokens.get(nth).context("no such device")?.clone();
        let name = format!("{}{run}", DEVICES.get(nth).context("no such device")?);
        let adapter = self.adapter.port();
        let address = Address { adapter, through: wire.map_or(adapter, Wire::port) };
        // One understands appends, the next does not: both ways of telling a text must come to the same.
        let habits = Habits { name, token, appends: nth.is_multiple_of(2), answers: nth == 0 };
        Ok(Device::new(habits, address, seed))
    }
}

fn demo() -> Menu {
    let texts = [
        "Summarize the repo",
        "Run three things at once",
        "A long answer please",
        "Say ola",
        "Clean the build",
        "Build it",
        "Try a provider that is down",
        "Summarize the repo without streaming",
        "Summarize the repo on the command line",
    ];
    Menu {
        texts: texts.map(String::from).to_vec(),
        echoes: true,
        last: (
            "This is the last word of the run.".to_owned(),
            "This is the last word of the run.".to_owned(),
        ),
        span_ms: 700,
        away_ms: 150,
    }
}

fn cli(lab: &Lab) -> anyhow::Result<Setup> {
    let home = lab.home(Home::Cli)?;
    let environment = lab.environment(&home);
    let mut arguments = vec!["--backend".into(), "cli".into(), "--hermes".into(), hermes()?.into()];
    arguments.extend(["--hermes-home".into(), home.into()]);
    arguments.extend(["--workdir".into(), lab.project().into()]);
    Ok(Setup { arguments, environment })
}

/// The plugin is put into the home as a user does it.
async fn gateway(lab: &Lab) -> anyhow::Result<Setup> {
    let home = lab.home(Home::Gateway)?;
    let environment = lab.environment(&home);
    let mut install = Command::new(program()?);
    install.args(["install-plugin", "--hermes-home"]).arg(&home).envs(environment.iter().cloned());
    let output = install.output().await.context("iris-adapter install-plugin")?;
    anyhow::ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut arguments = vec!["--backend".into(), "gateway".into(), "--hermes-home".into(), home.into()];
    arguments.extend(["--bridge-port".into(), "0".into()]);
    Ok(Setup { arguments, environment })
}

/// What the lab's provider answers to.
fn provider(asks: bool) -> Menu {
    let plain = ["@@tools Look around", "@@ticks40 Count", "@@plain Hello", "@@parallel Do three things"];
    let questions = ["@@approve Clean up", "@@clarify Build it"];
    let questions = questions.iter().filter(|_| asks);
    Menu {
        texts: plain.iter().chain(questions).map(|text| (*text).to_owned()).collect(),
        echoes: false,
        last: ("@@inline The last word".to_owned(), "The visible answer after inline thoughts.".to_owned()),
        span_ms: 6_000,
        away_ms: 500,
    }
}

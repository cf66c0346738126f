//! What a run happens in: an adapter, what stands behind it, and the devices' tokens. One world serves many runs, so that
//! its journal has been through many crashes at the end.

use anyhow::Context;
use hermes_lab::{Home, Lab, lab::hermes};

use crate::{
    adapter::{Adapter, Setup},
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
}

/// A world.
pub struct World {
    /// The adapter.
    pub adapter: Adapter,
    /// What can be said.
    pub menu: Menu,
    behind: Behind,
    tokens: Vec<String>,
    /// Its programs end with it.
    _lab: Option<Lab>,
}

/// The demo plays so many times as fast as it was recorded.
const SPEED: &str = "15";
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
            Behind::Cli => Some(Lab::start().await?),
        };
        let (setup, menu) = match &lab {
            None => (Setup { arguments: vec!["--speed".into(), SPEED.into()], ..Setup::default() }, demo()),
            Some(lab) => (cli(lab)?, provider()),
        };
        let mut adapter = Adapter::start(setup).await?;
        let mut tokens = Vec::new();
        for name in DEVICES {
            tokens.push(adapter.pair(name).await?);
        }
        Ok(Self { adapter, menu, behind, tokens, _lab: lab })
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

/// What the lab's provider answers to.
fn provider() -> Menu {
    Menu {
        texts: ["@@tools Look around", "@@ticks40 Count", "@@plain Hello", "@@parallel Do three things"]
            .map(String::from)
            .to_vec(),
        echoes: false,
        last: ("@@plain The last word".to_owned(), "ola".to_owned()),
        span_ms: 6_000,
        away_ms: 500,
    }
}

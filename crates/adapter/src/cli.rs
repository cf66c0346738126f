//! The command line: what can be said, and how it is explained. What it means is `config.rs`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::{
    backend::cli::keeper::Keep,
    backend::gateway::plugin::DEFAULT_PORT,
    guard::{host::Authority, origin::Origin},
    install_plugin::InstallPlugin,
    public_url::PublicUrl,
    summary,
};

/// The server between Hermes Agent and the Iris app
///
/// `iris-adapter serve` starts it and prints a link; open that link, and you are in. Another device needs a link of its
/// own, which `iris-adapter pair` makes.
///
/// Every option of `serve` can also stand in a configuration file, by its name without the dashes (`port = 8787`). It is
/// read from iris/config.toml in your folder for configurations, or from where --config says. What the command line or
/// the environment says wins.
#[derive(Debug, Parser)]
#[command(name = "iris-adapter", version, about, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the adapter can do.
#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one of it in a program")]
pub enum Command {
    /// Serve the app and its WebSocket on this machine
    ///
    /// The address to open is the last line on standard output, with a pairing code that is good for ten minutes and for
    /// one browser; who is paired stays so. Warnings are written to standard error; IRIS_LOG=debug writes more of what
    /// happens, though never what is said. Ctrl-C stops it.
    Serve(Serve),
    /// Put the Iris plugin into your Hermes, for --backend gateway
    ///
    /// Says which lines of Hermes' settings are still missing, and changes none of them. Run it again after an update.
    InstallPlugin(InstallPlugin),
    /// Make a link and a QR code with which one more device can come in
    ///
    /// It can be made while the server runs. Whoever opens the link within ten minutes has full use of your agent.
    Pair(Pair),
    /// List the devices that can come in, or keep one out
    Devices(Devices),
    /// Examine Hermes' settings: what cuts a stream and when, which traps there are, and what to write instead
    ///
    /// Reads config.yaml and .env of Hermes' own folder, and changes nothing. Ends with 1 when something is wrong, with 0 when
    /// there are only hints.
    Doctor(Doctor),
    /// Say how the streamed replies went: when, how long, and what cut those that were cut
    ///
    /// The newest 5,000 are kept in the data folder, one line for each request to a model. Times are UTC.
    Streams(Streams),
    /// Say what recorded runs came to: time, tools, tokens, and whether they failed
    ///
    /// `hermes chat -q … --format stream-json | iris-adapter summary - --max-tokens 50000 > run.jsonl` keeps the recording and
    /// fails the job when it was too dear: in a pipe every byte goes through unchanged, and the summary is written to
    /// standard error. The exit status is that of the run (the highest of several; 1 for one whose end is missing), 3 when a
    /// limit is passed, and 2 when a file cannot be read or is no run.
    Summary(summary::Args),
    /// Run a program that ends when the adapter does (the adapter calls this itself)
    #[command(hide = true)]
    Keep(Keep),
}

/// What every command needs that works on what the adapter keeps.
#[derive(Debug, Args)]
pub struct Home {
    /// Configuration file [default: iris/config.toml in your folder for configurations, if it is there]
    #[arg(long, value_name = "FILE", env = "IRIS_CONFIG")]
    pub config: Option<PathBuf>,

    /// Folder for conversations, files and paired devices [default: iris in your folder for data]
    #[arg(long, value_name = "DIR", env = "IRIS_DATA")]
    pub data: Option<PathBuf>,
}

/// The options of `pair`.
#[derive(Debug, Args)]
pub struct Pair {
    /// What the device is called in the list of devices; without it, it says so itself
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// The address under which the device reaches Iris [default: where the running server is]
    #[arg(long, value_name = "URL", env = "IRIS_PUBLIC_URL")]
    pub public_url: Option<PublicUrl>,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub home: Home,
}

/// The options of `doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    /// Hermes' config.yaml, or - to read it from a pipe [default: that of Hermes' own folder]
    #[arg(id = "settings", long = "config", value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Hermes' .env [default: that of its folder; none beside a named --config]
    #[arg(id = "variables", long = "env", value_name = "FILE")]
    pub env: Option<PathBuf>,

    /// Also say what this agent.log tells, or a piece of it; - reads a pipe
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,

    /// For this model [default: the one of the settings]
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,

    /// For a conversation of so many tokens [default: a short one]
    #[arg(long, value_name = "N")]
    pub tokens: Option<u64>,

    /// Print JSON instead of a page
    #[arg(long)]
    pub json: bool,

    /// Hermes' own folder [default: HERMES_HOME, or ~/.hermes]
    #[arg(long, value_name = "DIR", env = "IRIS_HERMES_HOME")]
    pub hermes_home: Option<PathBuf>,
}

/// The options of `streams`.
#[derive(Debug, Args)]
pub struct Streams {
    /// Print JSON instead of a table
    #[arg(long)]
    pub json: bool,

    /// Only those that began since then: how long ago (30m, 2h, 7d), or a day (2026-11-30)
    #[arg(long, value_name = "WHEN")]
    pub since: Option<String>,

    /// Only those that were cut
    #[arg(long)]
    pub cut: bool,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub home: Home,
}

/// The options of `devices`.
#[derive(Debug, Args)]
pub struct Devices {
    /// What to do; without it, they are listed.
    #[command(subcommand)]
    pub action: Option<DevicesAction>,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub home: Home,
}

/// What can be done with a device.
#[derive(Debug, Subcommand)]
pub enum DevicesAction {
    /// Keep a device out from now on; what it has open is closed within seconds
    Revoke {
        /// Its id or its name
        #[arg(value_name = "ID|NAME")]
        device: String,
    },
    /// Add a program of your own and print its token
    Add {
        /// What it is called in the list
        name: String,
    },
}

/// The options of `serve`.
#[derive(Debug, Args)]
pub struct Serve {
    /// Folder of a built app, instead of the one inside this program
    #[arg(long, value_name = "DIR", env = "IRIS_APP")]
    pub app: Option<PathBuf>,

    /// Serve only the WebSocket, while something else serves the app (`trunk serve`)
    #[arg(long, env = "IRIS_NO_APP", conflicts_with = "app")]
    pub no_app: bool,

    /// Loopback address to listen on
    #[arg(long, value_name = "ADDRESS", env = "IRIS_HOST", default_value = "127.0.0.1")]
    pub host: String,

    /// Port to listen on; 0 takes a free one
    #[arg(long, value_name = "PORT", env = "IRIS_PORT", default_value_t = 8787)]
    pub port: u16,

    /// What answers
    #[arg(long, value_name = "BACKEND", env = "IRIS_BACKEND", default_value = "demo")]
    pub backend: Backend,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub home: Home,

    /// The hermes program [default: the first `hermes` on the search path]
    #[arg(long, value_name = "PATH", env = "IRIS_HERMES")]
    pub hermes: Option<PathBuf>,

    /// Hermes' own folder (HERMES_HOME) [default: as Hermes finds it]
    #[arg(long, value_name = "DIR", env = "IRIS_HERMES_HOME")]
    pub hermes_home: Option<PathBuf>,

    /// The folder in which the agent works, with --backend cli
    #[arg(long, value_name = "DIR", env = "IRIS_WORKDIR", default_value = ".")]
    pub workdir: PathBuf,

    /// One more argument for `hermes chat`, with --backend cli; may be repeated
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true)]
    pub hermes_arg: Vec<String>,

    /// Name of one more variable of the environment that Hermes gets, with --backend cli; may be repeated
    #[arg(long, value_name = "NAME")]
    pub hermes_env: Vec<String>,

    /// The port of this machine on which Hermes' gateway finds Iris, with --backend gateway; 0 takes a free one
    #[arg(long, value_name = "PORT", env = "IRIS_BRIDGE_PORT", default_value_t = DEFAULT_PORT)]
    pub bridge_port: u16,

    /// How fast the recordings play: 2 is twice as fast as it was
    #[arg(long, value_name = "FACTOR", env = "IRIS_SPEED", default_value_t = 1.0)]
    pub speed: f64,

    /// The address under which other devices reach Iris through your proxy or tunnel: its links begin with it, and its host
    /// and origin are let in
    #[arg(long, value_name = "URL", env = "IRIS_PUBLIC_URL")]
    pub public_url: Option<PublicUrl>,

    /// Let pages of this origin in, exactly (for a proxy or tunnel of your own); may be repeated
    #[arg(long, value_name = "ORIGIN", env = "IRIS_ALLOW_ORIGIN", value_delimiter = ',')]
    pub allow_origin: Vec<Origin>,

    /// Answer under this host name too, exactly as a browser sends it; may be repeated
    #[arg(long, value_name = "HOST", env = "IRIS_ALLOW_HOST", value_delimiter = ',')]
    pub allow_host: Vec<Authority>,
}

/// What can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    /// Recordings of real Hermes turns; any other text is streamed back
    Demo,
    /// An unmodified Hermes: its command line, one process a turn
    Cli,
    /// Your Hermes' gateway, through the plugin that `install-plugin` puts there
    Gateway,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}

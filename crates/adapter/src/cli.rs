//! The command line: what can be said, and how it is explained. What it means is `config.rs`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::guard::{host::Authority, origin::Origin};

/// The server between Hermes Agent and the Iris app.
#[derive(Debug, Parser)]
#[command(name = "iris-adapter", version, about, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the adapter can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the app and its WebSocket on this machine
    ///
    /// The address to open is the last line on standard output; everything else is written to standard error. Without
    /// a Hermes behind it the adapter plays recordings of real Hermes turns, and streams back any other text.
    /// IRIS_LOG=debug writes more of what happens, though never what is said.
    Serve(Serve),
}

/// The options of `serve`.
#[derive(Debug, Args)]
pub struct Serve {
    /// Folder of the built app
    #[arg(long, value_name = "DIR", env = "IRIS_APP", default_value = "dist")]
    pub app: PathBuf,

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

    /// Folder for conversations, files and paired devices [default: iris in your data folder]
    #[arg(long, value_name = "DIR", env = "IRIS_DATA")]
    pub data: Option<PathBuf>,

    /// How fast the recordings play: 2 is twice as fast as it was
    #[arg(long, value_name = "FACTOR", env = "IRIS_SPEED", default_value_t = 1.0)]
    pub speed: f64,

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

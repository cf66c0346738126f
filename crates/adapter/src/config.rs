//! What the command line means, checked: every mistake is found here, before anything listens.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    time::Duration,
};

use crate::{
    cli, data,
    guard::{host::Authority, origin::Origin},
    hub::pace,
    public_url::PublicUrl,
};

/// A browser opens one for each tab; nobody has more tabs of Iris open.
pub const SOCKETS_PER_DEVICE: usize = 32;

/// A server's configuration.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub address: SocketAddr,
    /// The app that is served.
    pub app: App,
    /// Where everything is kept.
    pub data: PathBuf,
    /// What answers.
    pub backend: cli::Backend,
    /// How Hermes is called.
    pub hermes: Hermes,
    /// The port for the plugin in Hermes' gateway.
    pub bridge_port: u16,
    /// How fast recordings play.
    pub speed: f64,
    /// Sockets that one device may have at one time: its tabs and windows.
    pub sockets_per_device: usize,
    /// Pieces of a growing text are told at least so far apart.
    pub text_gap: Duration,
    /// Where other devices reach it.
    pub public_url: Option<PublicUrl>,
    /// Origins that are let in besides the server's own.
    pub allow_origins: Vec<Origin>,
    /// Hosts that are answered besides the loopback names.
    pub allow_hosts: Vec<Authority>,
}

/// Where the built app is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum App {
    /// Inside this program.
    Embedded,
    /// In a folder.
    Folder(PathBuf),
    /// Nowhere: only the WebSocket is served.
    None,
}

/// How Hermes is called; what is absent, Hermes or the search path decides.
#[derive(Clone, Debug, Default)]
pub struct Hermes {
    /// The program.
    pub program: Option<PathBuf>,
    /// Its own folder.
    pub home: Option<PathBuf>,
    /// The folder in which the agent works.
    pub workdir: PathBuf,
    /// More arguments for `hermes chat`.
    pub arguments: Vec<String>,
    /// Names of more variables that it gets.
    pub environment: Vec<String>,
}

/// What is wrong with a configuration, for the person who wrote it.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Not an address.
    #[error("--host {0}: expected an address of this machine's loopback, like 127.0.0.1 or ::1")]
    NotAnAddress(String),
    /// An address that others could reach.
    #[error(
        "--host {0}: Iris listens only on this machine's loopback (127.0.0.1 or ::1), because whoever reaches it \
         can run commands through your agent.\nTo use it from another device, put a tunnel or a proxy with a login \
         in front of it and name that with --allow-host and --allow-origin."
    )]
    NotLoopback(IpAddr),
    /// Not a speed.
    #[error("--speed {0}: expected a number from 0.01 to 100000")]
    Speed(String),
    /// No data folder.
    #[error(transparent)]
    Data(#[from] data::DataError),
}

impl TryFrom<cli::Serve> for Config {
    type Error = ConfigError;

    fn try_from(args: cli::Serve) -> Result<Self, ConfigError> {
        Ok(Self {
            address: SocketAddr::new(loopback(&args.host)?, args.port),
            app: match args.app {
                _ if args.no_app => App::None,
                Some(folder) => App::Folder(folder),
                None => App::Embedded,
            },
            data: args.home.data.map_or_else(data::default_folder, Ok)?,
            backend: args.backend,
            hermes: Hermes {
                program: args.hermes,
                home: args.hermes_home,
                workdir: args.workdir,
                arguments: args.hermes_arg,
                environment: args.hermes_env,
            },
            bridge_port: args.bridge_port,
            sockets_per_device: SOCKETS_PER_DEVICE,
            text_gap: pace::USUAL,
            speed: speed(args.speed)?,
            allow_origins: also(args.allow_origin, args.public_url.as_ref().map(PublicUrl::origin)),
            allow_hosts: also(args.allow_host, args.public_url.as_ref().map(PublicUrl::host)),
            public_url: args.public_url,
        })
    }
}

fn also<T: Clone>(mut listed: Vec<T>, one: Option<&T>) -> Vec<T> {
    listed.extend(one.cloned());
    listed
}

fn loopback(host: &str) -> Result<IpAddr, ConfigError> {
    if host.eq_ignore_ascii_case("localhost") {
        return Ok(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    match bare.parse::<IpAddr>() {
        Ok(address) if address.is_loopback() => Ok(address),
        Ok(address) => Err(ConfigError::NotLoopback(address)),
        Err(_) => Err(ConfigError::NotAnAddress(host.to_owned())),
    }
}

fn speed(factor: f64) -> Result<f64, ConfigError> {
    if (0.01..=100_000.0).contains(&factor) {
        Ok(factor)
    } else {
        Err(ConfigError::Speed(factor.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn parse(args: &[&str]) -> Result<Config, ConfigError> {
        let cli = cli::Cli::try_parse_from([&["iris-adapter", "serve"], args].concat()).unwrap();
        let cli::Command::Serve(serve) = cli.command else { panic!("another command") };
        serve.try_into()
    }

    #[test]
    fn only_the_loopback_is_listened_on() {
        for (host, address) in [
            ("127.0.0.1", "127.0.0.1:8787"),
            ("::1", "[::1]:8787"),
            ("[::1]", "[::1]:8787"),
            ("localhost", "127.0.0.1:8787"),
        ] {
            assert_eq!(parse(&["--host", host]).unwrap().address.to_string(), address);
        }
        for host in ["0.0.0.0", "::", "192.168.1.2", "::ffff:127.0.0.1"] {
            assert!(matches!(parse(&["--host", host]), Err(ConfigError::NotLoopback(_))), "{host}");
        }
        for host in ["", "127.1", "127.evil.com", "example.org"] {
            assert!(matches!(parse(&["--host", host]), Err(ConfigError::NotAnAddress(_))), "{host}");
        }
    }

    #[test]
    fn a_speed_is_a_positive_number() {
        assert!((parse(&["--speed", "10"]).unwrap().speed - 10.0).abs() < f64::EPSILON);
        for factor in ["0", "-1", "NaN", "inf"] {
            assert!(matches!(parse(&[&format!("--speed={factor}")]), Err(ConfigError::Speed(_))), "{factor}");
        }
    }

    #[test]
    fn the_adapter_can_run_beside_another_server_of_the_app() {
        let config = parse(&["--no-app", "--allow-origin", "http://127.0.0.1:8080"]).unwrap();
        assert_eq!(config.app, App::None);
        assert_eq!(config.allow_origins.len(), 1);
    }

    #[test]
    fn a_public_address_lets_its_own_host_and_origin_in() {
        let config = parse(&["--public-url", "https://iris.example/chat", "--allow-host", "box"]).unwrap();
        assert_eq!(config.public_url.unwrap().to_string(), "https://iris.example/chat/");
        let spelled = |list: &[String]| list.join(" ");
        let hosts: Vec<_> = config.allow_hosts.iter().map(ToString::to_string).collect();
        let origins: Vec<_> = config.allow_origins.iter().map(ToString::to_string).collect();
        assert_eq!(
            (spelled(&hosts).as_str(), spelled(&origins).as_str()),
            ("box iris.example", "https://iris.example")
        );
    }
}

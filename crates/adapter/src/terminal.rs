//! What `serve`, `pair` and `devices` say to the person at the terminal. Links and lists go to standard output; hints go
//! to standard error, so that a script reads only what it asked for.

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::bail;

use crate::{
    cli, data,
    devices::{Device, Devices},
    public_url::PublicUrl,
    qr,
    server::Server,
};

/// Where an adapter is that says nothing else.
const USUAL: &str = "http://127.0.0.1:8787/";

/// Prints where the server is. The address to open on this machine is the last line.
pub fn announce(server: &Server, public: Option<&PublicUrl>) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    if let Some(public) = public {
        let code = server.devices().invite(None)?;
        writeln!(out, "For another device: {public}#pair={}", code.reveal())?;
    }
    let code = server.devices().invite(None)?;
    writeln!(out, "Iris is at {}#pair={}", server.url(), code.reveal())?;
    // Whoever starts the adapter reads this line to learn the address, so it must not wait in a buffer.
    Ok(out.flush()?)
}

/// `iris-adapter pair`.
pub fn pair(args: &cli::Pair) -> anyhow::Result<()> {
    let folder = folder(&args.home)?;
    let devices = Devices::open(&folder)?;
    let running = data::announced(&folder);
    let base = match (&args.public_url, &running) {
        (Some(public), _) => public.to_string(),
        (None, Some(address)) => address.clone(),
        (None, None) => USUAL.to_owned(),
    };
    let link = format!("{base}#pair={}", devices.invite(args.name.as_deref())?.reveal());
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        write!(out, "{}", qr::draw(&link)?)?;
    }
    writeln!(out, "{link}")?;
    eprintln!("It is good for ten minutes and for one device.");
    if running.is_none() {
        eprintln!("Iris is not running: start it with `iris-adapter serve`.");
    } else if base.starts_with("http://127.") || base.starts_with("http://[::1]") {
        eprintln!(
            "It works on this machine only. For another device, say how it gets here: --public-url URL."
        );
    }
    Ok(())
}

/// `iris-adapter devices`.
pub fn devices(args: &cli::Devices) -> anyhow::Result<()> {
    let devices = Devices::open(&folder(&args.home)?)?;
    let mut out = io::stdout().lock();
    match &args.action {
        None => write!(out, "{}", table(&devices.list()?, now_ms()))?,
        Some(cli::DevicesAction::Revoke { device }) => match devices.revoke(device)? {
            Some(Device { id, name, revoked_ms: Some(_), .. }) => {
                writeln!(out, "{name} ({id}) was not paired any more.")?;
            }
            Some(Device { id, name, .. }) => writeln!(out, "{name} ({id}) is not paired any more.")?,
            None => bail!("no device has the id or name \"{device}\": `iris-adapter devices` lists them"),
        },
        Some(cli::DevicesAction::Add { name }) => {
            let paired = devices.add(name)?;
            eprintln!("The token of {}, shown this once (Authorization: Bearer):", paired.device.name);
            writeln!(out, "{}", paired.token.reveal())?;
        }
    }
    Ok(())
}

fn folder(home: &cli::Home) -> anyhow::Result<PathBuf> {
    let folder = home.data.clone().map_or_else(data::default_folder, Ok)?;
    Ok(data::prepare(&folder)?)
}

fn table(devices: &[Device], now_ms: i64) -> String {
    if devices.is_empty() {
        return "No device is paired. `iris-adapter pair` makes a link for one.\n".to_owned();
    }
    let width = devices.iter().map(|device| device.name.chars().count()).max().unwrap_or(0).max(4);
    let row = |id: &str, name: &str, paired: &str, seen: &str| {
        let line = format!("{id:<16}  {name:<width$}  {paired:<12}  {seen}");
        format!("{}\n", line.trim_end())
    };
    let rows = devices.iter().map(|device| {
        let seen = match (device.revoked_ms, device.seen_ms) {
            (Some(_), _) => "revoked".to_owned(),
            (None, Some(at)) => age(now_ms - at),
            (None, None) => "never".to_owned(),
        };
        row(&device.id, &device.name, &age(now_ms - device.paired_ms), &seen)
    });
    std::iter::once(row("ID", "NAME", "PAIRED", "LAST SEEN")).chain(rows).collect()
}

fn age(ms: i64) -> String {
    match ms / 60_000 {
        ..1 => "just now".to_owned(),
        minutes @ 1..60 => format!("{minutes} min ago"),
        minutes @ 60..2880 => format!("{} h ago", minutes / 60),
        minutes => format!("{} days ago", minutes / 1440),
    }
}

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_says_who_was_here_when() {
        let device = |name: &str, seen_ms, revoked_ms| Device {
            id: "0123456789abcdef".to_owned(),
            name: name.to_owned(),
            paired_ms: 0,
            seen_ms,
            revoked_ms,
        };
        let now = 3 * 24 * 3_600_000;
        let listed = [
            device("Jürgens phone", Some(now), None),
            device("Old", Some(0), Some(1)),
            device("New", None, None),
            device("PC", Some(now - 7_200_000), None),
        ];
        assert_eq!(
            table(&listed, now),
            "ID                NAME           PAIRED        LAST SEEN\n\
             0123456789abcdef  Jürgens phone  3 days ago    just now\n\
             0123456789abcdef  Old            3 days ago    revoked\n\
             0123456789abcdef  New            3 days ago    never\n\
             0123456789abcdef  PC             3 days ago    2 h ago\n"
        );
        assert!(table(&[], now).contains("iris-adapter pair"));
    }
}

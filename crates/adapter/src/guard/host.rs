//! A host and its port, read exactly. Comparing two of them is the only test there is: no prefix, no suffix.

use std::{fmt, net::Ipv6Addr, str::FromStr};

/// `host[:port]`, as in a `Host` header or after the `//` of an origin. IPv6 keeps its brackets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Authority {
    host: String,
    port: Option<u16>,
}

impl Authority {
    /// Reads it; `None` for anything that is not exactly a host and perhaps a port (user names, paths, spaces …).
    pub fn parse(text: &str) -> Option<Self> {
        let (host, rest) = match text.strip_prefix('[') {
            Some(bracketed) => {
                let (inner, rest) = bracketed.split_once(']')?;
                (format!("[{}]", inner.parse::<Ipv6Addr>().ok()?), rest)
            }
            None => {
                let end = text.find(':').unwrap_or(text.len());
                let (name, rest) = text.split_at_checked(end)?;
                (host_name(name)?, rest)
            }
        };
        let port = match rest.strip_prefix(':') {
            Some(digits) => Some(port_number(digits)?),
            None if rest.is_empty() => None,
            None => return None,
        };
        Some(Self { host, port })
    }

    /// The same host at this port.
    pub fn with_port(&self, port: u16) -> Self {
        Self { host: self.host.clone(), port: Some(port) }
    }

    /// The same host with the port left out if it is the one given.
    pub(super) fn without_default(mut self, default: u16) -> Self {
        self.port = self.port.filter(|port| *port != default);
        self
    }

    /// The port, where one is named.
    pub fn port(&self) -> Option<u16> {
        self.port
    }
}

fn host_name(name: &str) -> Option<String> {
    let fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    (!name.is_empty() && name.len() <= 253 && name.chars().all(fine)).then(|| name.to_ascii_lowercase())
}

fn port_number(digits: &str) -> Option<u16> {
    let plain = digits.chars().all(|c| c.is_ascii_digit()) && !digits.starts_with('0');
    if plain { digits.parse().ok() } else { None }
}

impl fmt::Display for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.host)?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

impl FromStr for Authority {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text).ok_or_else(|| {
            "expected a host name and perhaps a port, like iris.example or iris.example:8443".to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_read_exactly_or_not_at_all() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(Authority::parse(text).map(|a| a.to_string()).as_deref(), expected, "{text:?}");
        };
        check("localhost", Some("localhost"));
        check("LocalHost:8787", Some("localhost:8787"));
        check("127.0.0.1:1", Some("127.0.0.1:1"));
        check("[::1]:8787", Some("[::1]:8787"));
        check("[0:0::1]", Some("[::1]"));
        for bad in [
            "",
            ":80",
            "a:",
            "a:0",
            "a:+80",
            "a:080",
            "a:65536",
            "a:80:80",
            "[::1",
            "[::1]x",
            "[::1]:",
            "[localhost]",
            "::1",
            "user@localhost",
            "localhost/",
            "local host",
            " localhost",
            "localhost\t",
            "ĺocalhost",
            "a,b",
            "*",
        ] {
            check(bad, None);
        }
    }

    #[test]
    fn names_that_only_look_alike_differ() {
        let own = Authority::parse("localhost:8787");
        for other in
            ["localhost.:8787", "localhost:8788", "localhost", "xlocalhost:8787", "localhost.evil.test:8787"]
        {
            assert_ne!(Authority::parse(other), own, "{other}");
        }
    }
}

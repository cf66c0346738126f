//! An origin (scheme, host, port), read exactly as a browser writes it.

use std::{fmt, str::FromStr};

use super::host::Authority;

/// The site that made a request. `null`, `file://` and everything that is not http(s) is no origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    scheme: Scheme,
    authority: Authority,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    Http,
    Https,
}

impl Origin {
    /// Reads an `Origin` header; `None` for anything but `http(s)://host[:port]`.
    pub fn parse(text: &str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        let (scheme, default_port) = match scheme.to_ascii_lowercase().as_str() {
            "http" => (Scheme::Http, 80),
            "https" => (Scheme::Https, 443),
            _ => return None,
        };
        Some(Self { scheme, authority: Authority::parse(rest)?.without_default(default_port) })
    }

    /// The origin of plain HTTP at this place.
    pub fn http(authority: Authority) -> Self {
        Self { scheme: Scheme::Http, authority: authority.without_default(80) }
    }

    /// Its host, and its port where that is not the usual one.
    pub fn authority(&self) -> &Authority {
        &self.authority
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = match self.scheme {
            Scheme::Http => "http",
            Scheme::Https => "https",
        };
        write!(f, "{scheme}://{}", self.authority)
    }
}

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text)
            .ok_or_else(|| "expected an origin without a path, like https://iris.example".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_read_exactly_or_not_at_all() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(Origin::parse(text).map(|o| o.to_string()).as_deref(), expected, "{text:?}");
        };
        check("http://localhost:8787", Some("http://localhost:8787"));
        check("HTTPS://Iris.Example", Some("https://iris.example"));
        check("https://iris.example:443", Some("https://iris.example"));
        check("http://iris.example:443", Some("http://iris.example:443"));
        check("http://[::1]:80", Some("http://[::1]"));
        for bad in [
            "",
            "null",
            "localhost:8787",
            "file://",
            "file:///x",
            "ws://localhost",
            "http://",
            "http://a/",
            "http://u@a",
            "http://a b",
            "http://a, http://b",
            "http:///a",
            "javascript://a",
        ] {
            check(bad, None);
        }
    }
}

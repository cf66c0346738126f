//! The address under which other devices reach this adapter, through a proxy or tunnel of the user's own.

use std::{fmt, str::FromStr};

use crate::guard::{host::Authority, origin::Origin};

/// `https://host[:port]/` and perhaps a path, with a slash at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    origin: Origin,
    path: String,
}

impl PublicUrl {
    /// The origin of the pages there.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What a browser says as `Host` there.
    pub fn host(&self) -> &Authority {
        self.origin.authority()
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin, self.path)
    }
}

impl FromStr for PublicUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        read(text).ok_or_else(|| "expected the address of a page, like https://iris.example/".to_owned())
    }
}

fn read(text: &str) -> Option<PublicUrl> {
    let (scheme, rest) = text.split_once("://")?;
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let origin = Origin::parse(&format!("{scheme}://{authority}"))?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.' | '~');
    let slash = if path.is_empty() || path.ends_with('/') { "" } else { "/" };
    path.chars().all(plain).then(|| PublicUrl { origin, path: format!("/{path}{slash}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_exactly_or_not_at_all() {
        for (text, expected) in [
            ("https://iris.example", Some("https://iris.example/")),
            ("https://Iris.Example:443/", Some("https://iris.example/")),
            ("https://box.tail1234.ts.net:8443/iris", Some("https://box.tail1234.ts.net:8443/iris/")),
            ("http://[::1]:80/a/b/", Some("http://[::1]/a/b/")),
            ("iris.example", None),
            ("ftp://iris.example/", None),
            ("https://u@iris.example/", None),
            ("https://iris.example/?a", None),
            ("https://iris.example/#pair=1", None),
            ("https:///iris", None),
        ] {
            assert_eq!(read(text).map(|url| url.to_string()).as_deref(), expected, "{text}");
        }
    }
}

//! `SafeUrl`: the only form in which an address reaches the page.
//!
//! Parse, don't validate: what comes out is written anew, so that every browser reads it as it was read here.
//! Markdown has decoded entities and escapes before; what a link *claims* to be is in `host`.

use super::host::ascii_host;
use std::fmt::Write;

/// An address that is safe to put into `href`: scheme https, http, mailto or tel, or a fragment of this page.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SafeUrl(String);

impl SafeUrl {
    /// Reads an address as a browser would, and keeps it if following it can do no harm.
    ///
    /// Relative addresses are refused: a chat has no base that would make sense of them. So is `//host`, which is
    /// absolute but leaves the scheme open.
    pub fn parse(raw: &str) -> Option<Self> {
        let address = as_browsers_strip(raw);
        if address.chars().any(char::is_control) {
            return None;
        }
        if let Some(fragment) = address.strip_prefix('#') {
            return parse_fragment(fragment);
        }
        let (scheme, rest) = address.split_once(':')?;
        match scheme.to_ascii_lowercase().as_str() {
            scheme @ ("https" | "http") => parse_web(scheme, rest),
            "mailto" => parse_mailto(rest),
            "tel" => parse_tel(rest),
            _ => None,
        }
    }

    /// The address, as it goes into an attribute.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host a web address goes to, in lower case and ASCII: `xn--…` where the source had other letters.
    pub fn host(&self) -> Option<&str> {
        let authority = self.web_rest()?.split(['/', '?', '#']).next()?;
        if authority.starts_with('[') {
            return authority.split_inclusive(']').next();
        }
        authority.split(':').next()
    }

    /// Whether this is an https or http address.
    pub fn is_web(&self) -> bool {
        self.web_rest().is_some()
    }

    fn web_rest(&self) -> Option<&str> {
        self.0.strip_prefix("https://").or_else(|| self.0.strip_prefix("http://"))
    }
}

/// The URL standard's first step: C0 controls and spaces go at both ends, tabs and line ends everywhere.
fn as_browsers_strip(raw: &str) -> String {
    raw.trim_matches(|c: char| c <= ' ').chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect()
}

/// A heading's anchor and no more: the app keeps state of its own (`#key=value`) in the fragment.
fn parse_fragment(fragment: &str) -> Option<SafeUrl> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    fragment.chars().all(is_name).then(|| SafeUrl(format!("#{}", percent_encoded(fragment))))
}

/// `rest` is what follows the colon. Browsers forgive missing and surplus slashes and turn backslashes around;
/// here exactly two slashes are an authority's beginning, so that nobody can read another host than we do.
fn parse_web(scheme: &str, rest: &str) -> Option<SafeUrl> {
    let rest = rest.strip_prefix("//")?;
    let (authority, path) = rest.split_at_checked(rest.find(['/', '?', '#']).unwrap_or(rest.len()))?;
    // Userinfo reads as the host it is not (`https://good.example@evil.example`), a backslash ends the host in
    // some readers only.
    if authority.contains(['@', '\\']) {
        return None;
    }
    let (host, port) = split_port(authority)?;
    let host = ascii_host(host)?;
    Some(SafeUrl(format!("{scheme}://{host}{port}{}", percent_encoded(path))))
}

/// Host and port (with its colon), the port being empty or a number.
fn split_port(authority: &str) -> Option<(&str, &str)> {
    let host_end = if authority.starts_with('[') { authority.find(']')? + 1 } else { 0 };
    let colon = authority.get(host_end..)?.find(':').map_or(authority.len(), |at| at + host_end);
    let (host, port) = authority.split_at_checked(colon)?;
    match port.strip_prefix(':') {
        None => Some((host, "")),
        Some("") => Some((host, "")),
        Some(digits) => {
            let is_port = digits.bytes().all(|b| b.is_ascii_digit()) && digits.parse::<u16>().is_ok();
            is_port.then_some((host, port))
        }
    }
}

fn parse_mailto(rest: &str) -> Option<SafeUrl> {
    let (to, fields) = rest.split_at_checked(rest.find('?').unwrap_or(rest.len()))?;
    let is_address = to.contains('@') && !to.contains(['/', '\\', '#']);
    // `attach` is a file of the reader's; some mail programs have honoured it.
    let attaches = fields.to_ascii_lowercase().contains("attach");
    (is_address && !attaches)
        .then(|| SafeUrl(format!("mailto:{}{}", percent_encoded(to), percent_encoded(fields))))
}

/// Digits and their punctuation: `*` and `#` are commands to the network, not numbers.
fn parse_tel(rest: &str) -> Option<SafeUrl> {
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | '(' | ')' | ' ');
    let valid = rest.chars().all(is_number) && rest.chars().any(|c| c.is_ascii_digit());
    valid.then(|| SafeUrl(format!("tel:{}", rest.replace(' ', ""))))
}

/// Everything that is not plainly a letter of an address becomes `%XX`: spaces, quotes, angle brackets,
/// backslashes, and whatever is not ASCII, invisible and bidirectional characters with it.
fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?#[]%".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a `String` does not fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

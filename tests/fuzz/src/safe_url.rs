//! An address that is let through is read by a browser as it was read here. The browser's part is played by the
//! `url` crate, which follows the standard that browsers follow.

use crate::bytes;
use iris_core::markdown::SafeUrl;
use url::{Host, Url};

/// The input is the address.
pub(crate) fn run(data: &[u8]) {
    let raw = bytes::text(data);
    let Some(safe) = SafeUrl::parse(&raw) else { return };
    let written = safe.as_str();
    assert!(written.bytes().all(|byte| byte.is_ascii_graphic()), "{written:?} is not plain ASCII");
    assert!(!written.contains(['"', '<', '>', '`', '\\']), "{written:?} could end an attribute");
    if written.starts_with('#') {
        // It is drawn as words.
        return;
    }
    assert_eq!(SafeUrl::parse(written).as_ref(), Some(&safe), "what was read once reads the same again");
    // A browser may refuse what is let through (a name that is no punycode); the link is dead then.
    let Ok(browser) = Url::parse(written) else { return };
    assert!(matches!(browser.scheme(), "https" | "http" | "mailto" | "tel"), "{written:?}");
    assert_eq!(safe.is_web(), matches!(browser.scheme(), "https" | "http"), "{written:?}");
    if safe.is_web() {
        assert!(is_same_host(safe.host(), browser.host()), "{written:?} goes to {:?}", browser.host());
        assert!(browser.username().is_empty() && browser.password().is_none(), "{written:?} names a user");
    }
}

/// IPv6 addresses have more than one spelling, and none of them is another place.
fn is_same_host(here: Option<&str>, there: Option<Host<&str>>) -> bool {
    let Some(here) = here else { return false };
    match there {
        Some(Host::Ipv6(address)) => here.trim_matches(['[', ']']).parse() == Ok(address),
        Some(Host::Ipv4(address)) => here == address.to_string(),
        Some(Host::Domain(domain)) => here == domain,
        None => false,
    }
}

//! Hosts that are numbers: IPv4 addresses, and IPv6 addresses in the form in which browsers write them.
//!
//! The standard library reads and writes them too, with 5 kB of code that every visitor would download.

use std::fmt::Write;

/// The address in its one short form, or `None` if it is none. A zone (`%eth0`) is none, as in browsers.
pub(super) fn ipv6(text: &str) -> Option<String> {
    let pieces = match text.split_once("::") {
        // It stands for one zero at least.
        Some((head, tail)) => {
            let (mut pieces, tail) = (read(head, false)?, read(tail, true)?);
            let zeros = 8usize.checked_sub(pieces.len() + tail.len()).filter(|zeros| *zeros > 0)?;
            pieces.extend(std::iter::repeat_n(0, zeros).chain(tail));
            pieces
        }
        None => read(text, true).filter(|pieces| pieces.len() == 8)?,
    };
    Some(written(&pieces))
}

/// Pieces with a colon between them; the last may be an IPv4 address, which makes two.
fn read(text: &str, at_end: bool) -> Option<Vec<u32>> {
    let mut pieces = Vec::new();
    if text.is_empty() {
        return Some(pieces);
    }
    let mut parts = text.split(':').peekable();
    while let Some(part) = parts.next() {
        if part.contains('.') && at_end && parts.peek().is_none() {
            let address = ipv4(part)?;
            pieces.extend([address >> 16, address & 0xffff]);
        } else {
            let is_piece = (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_hexdigit());
            pieces.push(is_piece.then(|| u32::from_str_radix(part, 16).ok())??);
        }
    }
    Some(pieces)
}

/// Four decimal numbers below 256, without leading zeros, which some read as octal.
pub(super) fn ipv4(text: &str) -> Option<u32> {
    let (mut address, mut count) = (0, 0);
    for part in text.split('.') {
        let is_number =
            part.bytes().all(|byte| byte.is_ascii_digit()) && (part == "0" || !part.starts_with('0'));
        address = address << 8 | u32::from(is_number.then(|| part.parse::<u8>().ok())??);
        count += 1;
    }
    (count == 4).then_some(address)
}

/// Hexadecimal, with `::` in place of the longest run of zeros, if it is longer than one.
fn written(pieces: &[u32]) -> String {
    let (mut longest, mut run) = (0..0, 0..0);
    for (at, piece) in pieces.iter().enumerate() {
        run = if *piece == 0 { run.start..at + 1 } else { at + 1..at + 1 };
        if run.len() > longest.len().max(1) {
            longest = run.clone();
        }
    }
    let mut out = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        if at == longest.start && !longest.is_empty() {
            out.push_str("::");
        }
        if longest.contains(&at) {
            continue;
        }
        if !out.is_empty() && !out.ends_with(':') {
            out.push(':');
        }
        // Writing to a `String` does not fail.
        let _ = write!(out, "{piece:x}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::net::Ipv6Addr;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(ipv6(text).as_deref(), expected, "{text}");
    }

    #[test]
    fn the_longest_run_of_zeros_is_left_out() {
        check("2001:DB8:0:0:1:0:0:0", Some("2001:db8:0:0:1::"));
        check("1:0:0:2:0:0:3:4", Some("1::2:0:0:3:4"));
        check("0:0:0:0:0:0:0:0", Some("::"));
        check("::0001", Some("::1"));
        check("1:0:2:3:4:5:6:7", Some("1:0:2:3:4:5:6:7"));
    }

    #[test]
    fn the_last_part_may_be_an_ipv4_address() {
        check("::ffff:127.0.0.1", Some("::ffff:7f00:1"));
        check("1.2.3.4::", None);
        check("::1.2.3.04", None);
        check("::1.2.3", None);
        check("::1.2.3.256", None);
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "",
            ":",
            ":::",
            "1",
            "1::2::3",
            "::12345",
            "::g",
            "::+1",
            "::1%eth0",
            "1:2:3:4:5:6:7:8::",
            "1:2:3:4:5:6:7:8:9",
        ] {
            check(text, None);
        }
    }

    proptest! {
        #[test]
        fn the_standard_library_reads_the_same(text in "(:{0,2}([0-9A-Fa-f]{1,5}|0|[0-9]{1,3}(\\.[0-9]{1,3}){2,4})){0,9}:{0,2}") {
            let expected = text.parse::<Ipv6Addr>().ok();
            let found = ipv6(&text);
            prop_assert_eq!(found.is_some(), expected.is_some());
            if let (Some(found), Some(expected)) = (found, expected) {
                prop_assert_eq!(found.parse::<Ipv6Addr>().unwrap(), expected);
                if expected.to_ipv4_mapped().is_none() {
                    prop_assert_eq!(found, expected.to_string());
                }
            }
        }
    }
}

//! Host names: their ASCII form, and whether a link's text names another host than the link goes to.

use super::address;
use super::url::SafeUrl;

/// Domains that a bare word may end in to count as a host. No endings that files have too (`main.rs`, `notes.md`,
/// `run.sh`): a warning on every file name would teach people to overlook it.
const BARE_ENDINGS: &[&str] = &[
    "com", "org", "net", "edu", "gov", "mil", "int", "info", "biz", "io", "dev", "app", "ai", "co", "me",
    "cloud", "online", "site", "xyz", "shop", "store", "bank", "tech", "us", "ca", "uk", "de", "fr", "nl",
    "be", "eu", "ch", "at", "it", "es", "pt", "se", "no", "fi", "dk", "ie", "cz", "ru", "ua", "cn", "jp",
    "kr", "in", "au", "nz", "br", "mx", "ar", "za",
];

/// The ASCII form of a host: lower case, other letters as `xn--…`. `None` when no browser would take it, or when
/// readers would disagree about it.
///
/// Compatibility forms are not mapped, as IDNA would; their `xn--` form is one that browsers refuse.
pub(super) fn ascii_host(host: &str) -> Option<String> {
    if let Some(address) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return Some(format!("[{}]", address::ipv6(address)?));
    }
    let lower = host.to_lowercase();
    let labels: Option<Vec<String>> = lower.split('.').map(ascii_label).collect();
    let ascii = labels?.join(".");
    if ends_in_a_number(&ascii) {
        // `0x7f.1`, `127.1` and `2130706433` are addresses too, and browsers write them as 127.0.0.1.
        return address::ipv4(&ascii).map(|_| ascii);
    }
    let has_name = ascii.bytes().any(|byte| byte.is_ascii_alphanumeric());
    (has_name && !ascii.starts_with('.') && !ascii.contains("..")).then_some(ascii)
}

/// Whether browsers read a host as an IPv4 address, in any of its spellings.
fn ends_in_a_number(host: &str) -> bool {
    let last = host.strip_suffix('.').unwrap_or(host).rsplit('.').next().unwrap_or_default();
    let is_hex = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit())
        || last.strip_prefix("0x").is_some_and(is_hex)
}

fn ascii_label(label: &str) -> Option<String> {
    if label.is_ascii() {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        return label.bytes().all(is_name).then(|| label.to_owned());
    }
    let is_letter = |c: char| match c {
        '-' => true,
        // Invisible characters, other scripts' full stops, full-width forms of ASCII.
        '\u{ad}' | '\u{200b}'..='\u{206f}' | '\u{3002}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' => false,
        '\u{ff00}'..='\u{ff65}' | '\u{e0000}'..='\u{e0fff}' => false,
        c if c.is_ascii() => c.is_ascii_alphanumeric(),
        c => !c.is_control() && !c.is_whitespace(),
    };
    if !label.chars().all(is_letter) {
        return None;
    }
    punycode(label).map(|code| format!("xn--{code}"))
}

/// RFC 3492, with its parameters for host names.
fn punycode(label: &str) -> Option<String> {
    const BASE: u32 = 36;
    const T_MIN: u32 = 1;
    const T_MAX: u32 = 26;
    // The longest label DNS has is 63 letters long.
    let points: Vec<u32> = label.chars().map(u32::from).take(64).collect();
    if points.len() > 63 {
        return None;
    }
    let mut out: String = label.chars().filter(char::is_ascii).collect();
    let basic = u32::try_from(out.len()).ok()?;
    if basic > 0 {
        out.push('-');
    }
    let (mut next, mut delta, mut bias, mut handled) = (0x80_u32, 0_u32, 72_u32, basic);
    while (handled as usize) < points.len() {
        let smallest = points.iter().copied().filter(|&point| point >= next).min()?;
        delta = delta.checked_add((smallest - next).checked_mul(handled + 1)?)?;
        next = smallest;
        for &point in &points {
            if point < next {
                delta = delta.checked_add(1)?;
            }
            if point != next {
                continue;
            }
            let (mut rest, mut k) = (delta, BASE);
            loop {
                let threshold = k.saturating_sub(bias).clamp(T_MIN, T_MAX);
                if rest < threshold {
                    break;
                }
                out.push(digit(threshold + (rest - threshold) % (BASE - threshold))?);
                rest = (rest - threshold) / (BASE - threshold);
                k += BASE;
            }
            out.push(digit(rest)?);
            bias = adapt(delta, handled + 1, handled == basic);
            delta = 0;
            handled += 1;
        }
        delta = delta.checked_add(1)?;
        next = next.checked_add(1)?;
    }
    Some(out)
}

fn digit(value: u32) -> Option<char> {
    match value {
        0..26 => char::from_digit(value + 10, 36),
        26..36 => char::from_digit(value - 26, 10),
        _ => None,
    }
}

fn adapt(delta: u32, count: u32, first: bool) -> u32 {
    let mut delta = delta / if first { 700 } else { 2 };
    delta += delta / count;
    let mut k = 0;
    while delta > 455 {
        delta /= 35;
        k += 36;
    }
    k + 36 * delta / (delta + 38)
}

/// Whether a link's text looks like an address of another host than the one the link goes to, or like a host
/// written with letters of two scripts.
///
/// A subdomain of the host that the text names is not another host, and neither is `www.` before it.
pub(super) fn claims_other_host(text: &str, url: &SafeUrl) -> bool {
    let real = url.host().or_else(|| mail_host(url)).unwrap_or_default();
    let visible: String = text.chars().filter(|c| !is_invisible(*c)).collect();
    visible.split_whitespace().filter_map(claimed_host).any(|claim| match ascii_host(claim) {
        Some(host) => mixes_scripts(claim) || !is_same_site(&host, real),
        None => true,
    })
}

fn mail_host(url: &SafeUrl) -> Option<&str> {
    let address = url.as_str().strip_prefix("mailto:")?.split('?').next()?;
    address.rsplit_once('@').map(|(_, host)| host)
}

fn is_same_site(claimed: &str, real: &str) -> bool {
    let without_www =
        |host: &'_ str| host.strip_prefix("www.").unwrap_or(host).trim_end_matches('.').to_owned();
    let (claimed, real) = (without_www(claimed), without_www(real).to_ascii_lowercase());
    real == claimed || real.strip_suffix(claimed.as_str()).is_some_and(|rest| rest.ends_with('.'))
}

/// The host a word of a link's text names, if it looks like an address at all.
fn claimed_host(word: &str) -> Option<&str> {
    let is_wrapping = |c: char| !c.is_alphanumeric() && !matches!(c, '/' | '[' | ']');
    let word = word.trim_matches(is_wrapping);
    let after_scheme = word.split_once("//").filter(|(scheme, _)| scheme.is_empty() || scheme.ends_with(':'));
    let rest = after_scheme.map_or(word, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = if host.starts_with('[') { host } else { host.split(':').next()? };
    let looks_like_one =
        after_scheme.is_some() || is_bare_host(host) || authority.contains('@') && host.contains('.');
    (looks_like_one && !host.is_empty()).then_some(host)
}

fn is_bare_host(word: &str) -> bool {
    let lower = word.to_lowercase();
    let Some((name, ending)) = lower.rsplit_once('.') else { return false };
    !name.is_empty() && (name.starts_with("www.") || BARE_ENDINGS.contains(&ending))
}

/// A label with ASCII letters and others together: `аpple.com` with a Cyrillic `а`.
fn mixes_scripts(host: &str) -> bool {
    host.split('.').any(|label| {
        let other = |c: char| c.is_alphabetic() && !c.is_ascii() && !is_latin(c);
        label.contains(|c: char| c.is_ascii_alphabetic()) && label.contains(other)
    })
}

/// Latin letters with marks, which belong to ASCII letters in a word.
fn is_latin(c: char) -> bool {
    matches!(c, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_host(host: &str, expected: Option<&str>) {
        assert_eq!(ascii_host(host).as_deref(), expected, "{host:?}");
    }

    #[test]
    fn hosts_are_written_in_ascii() {
        check_host("Example.COM", Some("example.com"));
        check_host("bücher.de", Some("xn--bcher-kva.de"));
        check_host("BÜCHER.de", Some("xn--bcher-kva.de"));
        check_host("аpple.com", Some("xn--pple-43d.com"));
        check_host("日本語。jp", None);
        check_host("例え.テスト", Some("xn--r8jz45g.xn--zckzah"));
        check_host("他们为什么不说中文", Some("xn--ihqwcrb4cv8a8dqg056pqjye"));
        check_host("почемужеонинеговорятпорусски", Some("xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"));
        check_host("127.0.0.1", Some("127.0.0.1"));
        for number in
            ["0x7f.1", "127.1", "2130706433", "1.2.3.256", "01.2.3.4", "1.2.3.4.", "a.1", "a.0x", "a.0xG"]
        {
            check_host(number, (number == "a.0xG").then_some("a.0xg"));
        }
        check_host("[::1]", Some("[::1]"));
        check_host("a.b.", Some("a.b."));
    }

    #[test]
    fn hosts_that_readers_would_disagree_about_are_refused() {
        for host in [
            "",
            ".",
            "a..b",
            ".a",
            "a b",
            "a%2eb",
            "a<b",
            "a\u{200b}b",
            "ｅvil",
            "[::1",
            "[x]",
            "a\\b",
            "a|b",
        ] {
            check_host(host, None);
        }
        check_host(&"ü".repeat(64), None);
    }

    fn check_claim(text: &str, address: &str, expected: bool) {
        let url = SafeUrl::parse(address).unwrap();
        assert_eq!(claims_other_host(text, &url), expected, "{text:?} {address:?}");
    }

    #[test]
    fn text_that_names_the_host_or_none_is_honest() {
        for text in [
            "here",
            "e.g. this",
            "README.md",
            "main.rs and run.sh",
            "node.js",
            "1.2.3",
            "and/or",
            "a//b",
            "@me",
        ] {
            check_claim(text, "https://evil.example", false);
        }
        check_claim("https://good.com/a", "https://good.com/b?c", false);
        check_claim("www.good.com", "https://good.com", false);
        check_claim("good.com", "http://www.good.com", false);
        check_claim("Good.COM:8080", "http://docs.good.com", false);
        check_claim("me@good.com", "mailto:me@good.com", false);
        check_claim("bücher.de", "https://xn--bcher-kva.de", false);
        check_claim("(https://good.com).", "https://good.com", false);
    }

    #[test]
    fn text_that_names_another_host_is_told() {
        check_claim("https://good.com", "https://evil.example", true);
        check_claim("HTTPS://GOOD.com/x", "https://good.com.evil.example", true);
        check_claim("good.com", "https://notgood.com", true);
        check_claim("see good.com/login now", "https://evil.example/good.com", true);
        check_claim("docs.good.com", "https://good.com", true);
        check_claim("//good.com", "https://evil.example", true);
        check_claim("go\u{200b}od.com", "https://evil.example", true);
        check_claim("me@good.com", "mailto:me@evil.example", true);
        check_claim("good.com", "mailto:me@evil.example", true);
        check_claim("apple.com", "https://аpple.com", true);
        check_claim("аpple.com", "https://аpple.com", true);
        check_claim("https://good.com@evil.example", "https://good.com", true);
        check_claim("https://good.com", "#top", true);
        check_claim("http://[::1]:80/", "http://[::2]/", true);
    }
}

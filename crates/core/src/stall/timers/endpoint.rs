//! Which endpoints Hermes takes for local, and so gives more time.

use std::net::IpAddr;

/// Whether `url` is local: loopback, a container's name for its host, a name without a dot, `*.local`, a private or
/// link-local address, or a tailnet's (100.64/10).
pub fn is_local(url: &str) -> bool {
    let Some(host) = host(url) else { return false };
    if host.is_empty() {
        return false;
    }
    let by_name = host == "0.0.0.0"
        || [".docker.internal", ".containers.internal", ".lima.internal", ".local"]
            .iter()
            .any(|end| host.ends_with(end))
        || (!host.contains('.') && !host.contains(':'));
    by_name || host.parse::<IpAddr>().map_or_else(|_| looks_private(&host), is_private)
}

/// The host of a URL in lower case, without brackets; the scheme may be missing, as in Hermes.
fn host(url: &str) -> Option<String> {
    let url = url.trim();
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next()?;
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match authority.strip_prefix('[') {
        Some(inside) => inside.split_once(']')?.0,
        None => authority.split(':').next()?,
    };
    Some(host.to_ascii_lowercase())
}

fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            let [a, b, ..] = v4.octets();
            v4.is_private()
                || v4.is_loopback()
                || v4.is_link_local()
                || a == 0
                || a >= 240
                || (a == 100 && (64..128).contains(&b))
                || (a == 198 && (b == 18 || b == 19))
                || v4.is_documentation()
        }
        IpAddr::V6(v6) => {
            let first = v6.segments().first().copied().unwrap_or(0);
            v6.is_loopback()
                || v6.is_unspecified()
                || (first & 0xfe00) == 0xfc00
                || (first & 0xffc0) == 0xfe80
        }
    }
}

/// Four parts that are no address, of which the first two say a private range (`172.26.x.x`).
fn looks_private(host: &str) -> bool {
    let parts: Vec<&str> = host.split('.').collect();
    let [first, second, _, _] = parts.as_slice() else { return false };
    let (Ok(first), Ok(second)) = (first.parse::<u32>(), second.parse::<u32>()) else { return false };
    first == 10
        || (first == 172 && (16..=31).contains(&second))
        || (first == 192 && second == 168)
        || (first == 100 && (64..=127).contains(&second))
}

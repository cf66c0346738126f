//! Who may talk to the adapter. One decision for ordinary requests and for the WebSocket upgrade, made before either
//! is looked at, so that no route can be left out.
//!
//! The guard answers two attackers, both of them web pages open in the user's own browser: one whose name was made
//! to resolve to this machine (caught by the exact `Host` list) and one that opens a socket to this machine from its
//! own page (caught by the exact `Origin` list). Forwarded headers are never read: anyone can write them.
//! Everybody else is answered by the door (`door.rs`): without a paired device's token nothing is told.

mod backoff;
pub(crate) mod door;
pub mod headers;
pub mod host;
pub mod origin;
pub(crate) mod pairing;

use std::{fmt, net::SocketAddr, sync::Arc};

use axum::{
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, HeaderName, Method, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use door::Door;
use host::Authority;
use origin::Origin;

/// The names of the loopback interface under which a browser may ask for the app.
const LOOPBACK: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// The exact lists of hosts and origins that are let in.
#[derive(Clone, Debug)]
pub struct Guard {
    hosts: Vec<Authority>,
    own_origins: Vec<Origin>,
    listed_origins: Vec<Origin>,
}

/// Why a request was turned away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No `Host`, several, or one that cannot be read.
    HostUnreadable,
    /// A host that is not on the list.
    HostUnknown(Authority),
    /// An upgrade or an unsafe method without an `Origin` and without a paired device's token.
    OriginMissing,
    /// Several `Origin` headers, `null`, or one that cannot be read.
    OriginUnreadable,
    /// An origin that is not on the list.
    OriginUnknown(Origin),
    /// The browser says that another site made the request.
    CrossSite,
}

impl Guard {
    /// The guard of a server that listens on `port`, with what the user added by `--allow-host` and `--allow-origin`.
    pub fn new(port: u16, allow_hosts: &[Authority], allow_origins: &[Origin]) -> Self {
        let loopback: Vec<_> =
            LOOPBACK.iter().filter_map(|name| Authority::parse(name)).map(|a| a.with_port(port)).collect();
        Self {
            own_origins: loopback.iter().map(|a| Origin::http(a.clone())).collect(),
            hosts: loopback.into_iter().chain(allow_hosts.iter().cloned()).collect(),
            listed_origins: allow_origins.to_vec(),
        }
    }

    /// Lets a request in, or says why not. Only a request without any `Origin`, which no browser makes, may be let in
    /// all the same, for its token.
    pub fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        self.check_host(uri, headers)?;
        let upgrade = headers.contains_key(header::UPGRADE);
        if upgrade || !method.is_safe() { self.check_origin(headers) } else { check_fetch_site(headers) }
    }

    fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let named =
            single(headers, &header::HOST).and_then(Authority::parse).ok_or(Refusal::HostUnreadable)?;
        // `GET http://name/ HTTP/1.1`: the name in the request line counts as well.
        let in_line = match uri.authority() {
            Some(authority) => Some(Authority::parse(authority.as_str()).ok_or(Refusal::HostUnreadable)?),
            None => None,
        };
        match std::iter::once(named).chain(in_line).find(|host| !self.knows(host)) {
            Some(stranger) => Err(Refusal::HostUnknown(stranger)),
            None => Ok(()),
        }
    }

    /// A browser leaves out port 80, so a listed `name:80` is also plain `name`.
    fn knows(&self, host: &Authority) -> bool {
        self.hosts
            .iter()
            .any(|listed| listed == host || (host.port().is_none() && *listed == host.with_port(80)))
    }

    fn check_origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        if !headers.contains_key(header::ORIGIN) {
            return Err(Refusal::OriginMissing);
        }
        let origin =
            single(headers, &header::ORIGIN).and_then(Origin::parse).ok_or(Refusal::OriginUnreadable)?;
        if self.listed_origins.contains(&origin) {
            return Ok(());
        }
        if !self.own_origins.contains(&origin) {
            return Err(Refusal::OriginUnknown(origin));
        }
        // Our own origin and yet from another site: the two contradict each other.
        match fetch_site(headers) {
            Some("cross-site") => Err(Refusal::CrossSite),
            _ => Ok(()),
        }
    }
}

/// A link from another site may open the app; a script or an image of another site may not read from it.
fn check_fetch_site(headers: &HeaderMap) -> Result<(), Refusal> {
    let navigation = headers.get(SEC_FETCH_MODE).is_some_and(|mode| mode == "navigate");
    match fetch_site(headers) {
        Some("cross-site") if !navigation => Err(Refusal::CrossSite),
        _ => Ok(()),
    }
}

fn fetch_site(headers: &HeaderMap) -> Option<&str> {
    headers.get(SEC_FETCH_SITE).and_then(|value| value.to_str().ok())
}

/// The header's value if it stands there exactly once and is text.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

/// What the layer needs.
#[derive(Clone)]
pub(crate) struct Gate {
    pub(crate) guard: Arc<Guard>,
    pub(crate) door: Door,
}

/// The guard as a layer around every route. Behind it every request carries a [`door::Caller`].
pub(crate) async fn layer(
    State(gate): State<Gate>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    let checked = gate.guard.check(request.method(), request.uri(), request.headers());
    if let Err(refusal) = &checked
        && *refusal != Refusal::OriginMissing
    {
        return refuse(refusal);
    }
    let caller = gate.door.caller(from.ip(), request.headers()).await;
    match checked {
        Err(refusal) if caller.device.is_err() => refuse(&refusal),
        _ => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
    }
}

fn refuse(refusal: &Refusal) -> Response {
    tracing::warn!(reason = ?refusal, "refused a request");
    refusal.into_response()
}

impl Refusal {
    fn status(&self) -> StatusCode {
        match self {
            Self::HostUnreadable | Self::HostUnknown(_) => StatusCode::MISDIRECTED_REQUEST,
            _ => StatusCode::FORBIDDEN,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HostUnreadable => {
                f.write_str("Iris answers only requests with exactly one readable Host header.\n")
            }
            Self::HostUnknown(host) => write!(
                f,
                "Iris does not answer under the name {host}.\n\
                 If this is your own proxy or tunnel, start Iris with --allow-host {host}\n"
            ),
            Self::OriginMissing => f.write_str(
                "This request needs an Origin header.\n\
                 A program that is not a browser can send a paired device's token instead (Authorization: Bearer).\n",
            ),
            Self::OriginUnreadable => {
                f.write_str("Iris answers only requests with exactly one Origin header that names a site.\n")
            }
            Self::OriginUnknown(origin) => write!(
                f,
                "Iris does not take requests from pages of {origin}\n\
                 If this is your own proxy or tunnel, start Iris with --allow-origin {origin}\n"
            ),
            Self::CrossSite => f.write_str("Iris does not take requests that another site makes.\n"),
        }
    }
}

impl IntoResponse for &Refusal {
    fn into_response(self) -> Response {
        (self.status(), [(header::CACHE_CONTROL, "no-store")], self.to_string()).into_response()
    }
}

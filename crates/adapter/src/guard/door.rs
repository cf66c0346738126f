//! The door: which device is asking, may it come in, and for how long. The same for the socket's `hello`, for an
//! `Authorization` header and for pairing.
//!
//! A device that is paired gets in however often others behind the same proxy were wrong: its token is looked up before
//! the waiting time, which costs no access to the disk. Guessing one of 256 bits is hopeless at any speed; the waiting
//! time keeps guesses from costing us anything.

use std::{
    collections::HashMap,
    fmt,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use axum::{
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::backoff::Backoff;
use crate::devices::{Devices, DevicesError, Known, Paired};

/// Why somebody stays outside.
#[derive(Debug)]
pub enum Outside {
    /// It said no token.
    NoToken,
    /// No device that may come in has this token.
    Unknown,
    /// The code is wrong, too old or used already.
    BadCode,
    /// This address was wrong too often.
    Wait(Duration),
    /// The device has as many sockets as a device may have.
    TooManySockets,
    /// The list of devices cannot be read.
    Trouble(DevicesError),
}

/// Who asks, as a request's headers prove it. Every request carries one.
#[derive(Clone)]
pub(crate) struct Caller {
    /// Where the request comes from; behind a proxy that is the proxy.
    pub(crate) from: IpAddr,
    pub(crate) device: Result<Known, Arc<Outside>>,
}

/// The door of a server. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Door {
    inner: Arc<Inner>,
}

struct Inner {
    devices: Devices,
    backoff: Mutex<Backoff>,
    sockets: Mutex<HashMap<String, Arc<Semaphore>>>,
    sockets_per_device: usize,
}

/// A device's way in, for one socket.
pub(crate) struct Pass {
    pub(crate) device: Known,
    known: watch::Receiver<Arc<[Known]>>,
    _place: OwnedSemaphorePermit,
}

impl Door {
    pub(crate) fn new(devices: Devices, sockets_per_device: usize) -> Self {
        let (backoff, sockets) = (Mutex::default(), Mutex::default());
        Self { inner: Arc::new(Inner { devices, backoff, sockets, sockets_per_device }) }
    }

    /// Who says `Authorization: Bearer`.
    pub(crate) async fn caller(&self, from: IpAddr, headers: &HeaderMap) -> Caller {
        let device = match bearer(headers) {
            Some(token) => self.recognise(from, token).await,
            None => Err(Outside::NoToken),
        };
        Caller { from, device: device.map_err(Arc::new) }
    }

    /// Lets a socket in that said hello with this token, or proved itself by its headers before.
    pub(crate) async fn admit(&self, caller: &Caller, token: Option<&str>) -> Result<Pass, Outside> {
        let device = match (token, &caller.device) {
            (Some(token), _) => self.recognise(caller.from, token).await?,
            (None, Ok(device)) => device.clone(),
            (None, Err(_)) => return Err(Outside::NoToken),
        };
        let place = self.place(&device.id).ok_or(Outside::TooManySockets)?;
        self.note_seen(&device);
        Ok(Pass { device, known: self.inner.devices.known(), _place: place })
    }

    /// Pairs a device by its code.
    pub(crate) async fn pair(&self, from: IpAddr, code: String, name: String) -> Result<Paired, Outside> {
        self.wait(from)?;
        let paired = self.on_disk(move |devices| devices.pair(&code, &name)).await?;
        paired.ok_or_else(|| {
            self.mistake(from);
            Outside::BadCode
        })
    }

    async fn recognise(&self, from: IpAddr, token: &str) -> Result<Known, Outside> {
        if let Some(device) = self.inner.devices.recognise(token) {
            return Ok(device);
        }
        self.wait(from)?;
        // It may have been paired by another process a moment ago.
        self.on_disk(|devices| devices.refresh()).await?;
        self.inner.devices.recognise(token).ok_or_else(|| {
            self.mistake(from);
            Outside::Unknown
        })
    }

    fn wait(&self, from: IpAddr) -> Result<(), Outside> {
        let wait =
            self.inner.backoff.lock().unwrap_or_else(PoisonError::into_inner).wait(from, Instant::now());
        wait.map_or(Ok(()), |wait| Err(Outside::Wait(wait)))
    }

    fn mistake(&self, from: IpAddr) {
        tracing::warn!(%from, "a wrong token or pairing code");
        self.inner.backoff.lock().unwrap_or_else(PoisonError::into_inner).mistake(from, Instant::now());
    }

    fn place(&self, device: &str) -> Option<OwnedSemaphorePermit> {
        let mut sockets = self.inner.sockets.lock().unwrap_or_else(PoisonError::into_inner);
        let places = sockets
            .entry(device.to_owned())
            .or_insert_with(|| Arc::new(Semaphore::new(self.inner.sockets_per_device)));
        places.clone().try_acquire_owned().ok()
    }

    fn note_seen(&self, device: &Known) {
        let (devices, id) = (self.inner.devices.clone(), device.id.clone());
        tokio::task::spawn_blocking(move || {
            if let Err(error) = devices.seen(&id) {
                tracing::warn!(%error, "cannot note that a device was here");
            }
        });
    }

    async fn on_disk<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Devices) -> Result<T, DevicesError> + Send + 'static,
    ) -> Result<T, Outside> {
        let devices = self.inner.devices.clone();
        match tokio::task::spawn_blocking(move || work(&devices)).await {
            Ok(done) => done.map_err(Outside::Trouble),
            Err(stopped) => Err(Outside::Trouble(std::io::Error::other(stopped).into())),
        }
    }
}

impl Pass {
    /// Resolves once the device may not be here any more.
    pub(crate) async fn ended(&mut self) {
        let id = &self.device.id;
        let left = self.known.wait_for(|known| known.iter().all(|device| device.id != *id)).await.is_ok();
        if !left {
            // The list itself is gone: the server is going, which says so itself.
            std::future::pending::<()>().await;
        }
    }
}

/// The token of `Authorization: Bearer`, where the header stands there once and is of that kind.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (kind, token) = super::single(headers, &header::AUTHORIZATION)?.split_once(' ')?;
    kind.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

impl Outside {
    fn status(&self) -> StatusCode {
        match self {
            Self::NoToken | Self::Unknown => StatusCode::UNAUTHORIZED,
            Self::BadCode => StatusCode::FORBIDDEN,
            Self::Wait(_) | Self::TooManySockets => StatusCode::TOO_MANY_REQUESTS,
            Self::Trouble(_) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoToken => f.write_str("This device is not paired: it sent no token."),
            Self::Unknown => f.write_str("This device is not paired, or not any more."),
            Self::BadCode => f.write_str(
                "This pairing link does not work: it was used already, or is older than ten minutes. \
                 `iris-adapter pair` makes a new one.",
            ),
            Self::Wait(wait) => {
                write!(f, "There were too many wrong attempts. Try again in {} s.", wait.as_secs() + 1)
            }
            Self::TooManySockets => f.write_str("This device has too many connections to Iris."),
            Self::Trouble(_) => f.write_str("Iris cannot read its list of devices; its log says why."),
        }
    }
}

impl IntoResponse for &Outside {
    fn into_response(self) -> Response {
        if let Outside::Trouble(error) = self {
            tracing::error!(%error, "cannot tell who may come in");
        }
        let mut response =
            (self.status(), [(header::CACHE_CONTROL, "no-store")], format!("{self}\n")).into_response();
        if let Outside::Wait(wait) = self {
            response.headers_mut().insert(header::RETRY_AFTER, (wait.as_secs() + 1).into());
        }
        response
    }
}

//! The devices that may come in: pairing codes, tokens, and who holds them. It knows no HTTP and no socket; `guard/`
//! asks it. Only hashes are kept, so that whoever reads the file has no key.

pub(crate) mod secret;
mod store;

use std::{
    fmt, io,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use tokio::sync::watch;

use crate::{names, shutdown::Shutdown};
pub use secret::Secret;
use secret::{Hash, random_hex};
use store::{New, Store};

/// How long a pairing code is good.
pub const CODE_LASTS: Duration = Duration::from_secs(10 * 60);
/// How soon a running server notices what another process did, such as `iris-adapter devices revoke`.
const LOOK_EVERY: Duration = Duration::from_secs(1);
const MAX_NAME: usize = 60;
const NAMELESS: &str = "A device";

/// A paired device, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Its id; never used again for another.
    pub id: String,
    /// Its name; no two that may come in have the same.
    pub name: String,
    /// When it was paired, milliseconds since 1970.
    pub paired_ms: i64,
    /// When it was here last.
    pub seen_ms: Option<i64>,
    /// Since when it may not come in any more.
    pub revoked_ms: Option<i64>,
}

/// A device that may come in.
#[derive(Clone)]
pub(crate) struct Known {
    pub(crate) id: String,
    token: Hash,
}

/// A new device and the only copy of its token.
#[derive(Debug)]
pub struct Paired {
    /// The device.
    pub device: Device,
    /// Its token.
    pub token: Secret,
}

/// Why the devices cannot be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum DevicesError {
    /// The database.
    #[error("cannot use the list of devices (devices.db): {0}")]
    Database(#[from] rusqlite::Error),
    /// The file system.
    #[error("cannot use the list of devices (devices.db): {0}")]
    Disk(#[from] io::Error),
    /// A newer adapter wrote it.
    #[error("the list of devices (devices.db) is of a newer Iris (version {0}): install that one")]
    Newer(i64),
    /// The system has no randomness.
    #[error("this system gives no random numbers: {0}")]
    Randomness(#[from] getrandom::Error),
}

/// The devices. Cheap to clone. Its functions block for as long as a small write to the disk takes, but for
/// [`Devices::recognise`].
#[derive(Clone)]
pub struct Devices {
    inner: Arc<Inner>,
}

struct Inner {
    store: Mutex<(Store, i64)>,
    /// Who may come in now. Everybody who is in watches it.
    known: watch::Sender<Arc<[Known]>>,
}

impl Devices {
    /// The devices of a data folder.
    pub fn open(folder: &Path) -> Result<Self, DevicesError> {
        let store = Store::open(folder)?;
        let version = store.version()?;
        let known = store.known()?.into();
        let inner = Inner { store: Mutex::new((store, version)), known: watch::Sender::new(known) };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// A new pairing code, good for ten minutes and for one device. `name` is what that device will be called.
    pub fn invite(&self, name: Option<&str>) -> Result<Secret, DevicesError> {
        let code = Secret::random()?;
        let expires = now_ms() + i64::try_from(CODE_LASTS.as_millis()).unwrap_or(i64::MAX);
        self.store().0.add_code(&code.hash(), name.map(plain_name).as_deref(), expires)?;
        Ok(code)
    }

    /// Uses a code up. `None`: it is wrong, too old or used already.
    pub fn pair(&self, code: &str, name: &str) -> Result<Option<Paired>, DevicesError> {
        let Some(code) = Secret::claimed(code) else { return Ok(None) };
        self.enter(name, |store, new| store.pair(&code.hash(), new))
    }

    /// Adds a device without a code, for whoever sits at this machine.
    pub fn add(&self, name: &str) -> Result<Paired, DevicesError> {
        let paired = self.enter(name, |store, new| store.add(new).map(Some))?;
        paired.ok_or_else(|| rusqlite::Error::QueryReturnedNoRows.into())
    }

    fn enter(
        &self,
        name: &str,
        how: impl FnOnce(&mut Store, &New<'_>) -> Result<Option<Device>, DevicesError>,
    ) -> Result<Option<Paired>, DevicesError> {
        let token = Secret::random()?;
        let (id, name) = (random_hex::<8>()?, plain_name(name));
        let new = New { id: &id, name: &name, token: &token.hash(), now_ms: now_ms() };
        let mut store = self.store();
        let Some(device) = how(&mut store.0, &new)? else { return Ok(None) };
        self.publish(&store.0)?;
        Ok(Some(Paired { device, token }))
    }

    /// The device that holds this token, of those that may come in.
    pub(crate) fn recognise(&self, token: &str) -> Option<Known> {
        let claimed = Secret::claimed(token)?.hash();
        let known = self.inner.known.borrow();
        // Every one is looked at: how long it takes says nothing of which was close.
        let found = known.iter().fold(
            None,
            |found, device| {
                if device.token.is(&claimed) { Some(device) } else { found }
            },
        );
        found.cloned()
    }

    /// Who may come in, now and later.
    pub(crate) fn known(&self) -> watch::Receiver<Arc<[Known]>> {
        self.inner.known.subscribe()
    }

    /// Every device there ever was, the last paired first.
    pub fn list(&self) -> Result<Vec<Device>, DevicesError> {
        self.store().0.list()
    }

    /// Keeps a device out from now on, and returns it as it was before. `None`: there is none of this id or name.
    pub fn revoke(&self, which: &str) -> Result<Option<Device>, DevicesError> {
        let store = self.store();
        let Some(device) = store.0.find(which)? else { return Ok(None) };
        store.0.revoke(&device.id, now_ms())?;
        self.publish(&store.0)?;
        Ok(Some(device))
    }

    /// Remembers that a device is here.
    pub(crate) fn seen(&self, id: &str) -> Result<(), DevicesError> {
        self.store().0.seen(id, now_ms())
    }

    /// Reads again what another process may have changed.
    pub(crate) fn refresh(&self) -> Result<(), DevicesError> {
        let mut store = self.store();
        let version = store.0.version()?;
        if version != store.1 {
            store.1 = version;
            self.publish(&store.0)?;
        }
        Ok(())
    }

    /// Notices what other processes do, until the server stops.
    pub(crate) async fn keep_fresh(self, mut shutdown: Shutdown) {
        loop {
            tokio::select! {
                () = tokio::time::sleep(LOOK_EVERY) => {}
                () = shutdown.requested() => return,
            }
            let devices = self.clone();
            let looked = tokio::task::spawn_blocking(move || devices.refresh()).await;
            if let Ok(Err(error)) = looked {
                tracing::warn!(%error, "cannot look after the devices");
            }
        }
    }

    fn publish(&self, store: &Store) -> Result<(), DevicesError> {
        self.inner.known.send_replace(store.known()?.into());
        Ok(())
    }

    fn store(&self) -> MutexGuard<'_, (Store, i64)> {
        self.inner.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Devices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Devices").finish_non_exhaustive()
    }
}

fn plain_name(name: &str) -> String {
    let plain = names::plain(name, MAX_NAME);
    if plain.is_empty() { NAMELESS.to_owned() } else { plain }
}

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn devices() -> (tempfile::TempDir, Devices) {
        let folder = tempfile::tempdir().unwrap();
        let devices = Devices::open(folder.path()).unwrap();
        (folder, devices)
    }

    #[test]
    fn a_code_pairs_one_device_once() {
        let (_folder, devices) = devices();
        let code = devices.invite(None).unwrap();
        let paired = devices.pair(code.reveal(), "Phone").unwrap().unwrap();
        assert_eq!(paired.device.name, "Phone");
        assert_eq!(devices.recognise(paired.token.reveal()).unwrap().id, paired.device.id);
        assert!(devices.pair(code.reveal(), "Phone").unwrap().is_none(), "a second time");
        for wrong in ["", "x", paired.token.reveal(), &"0".repeat(64), &"0".repeat(100_000)] {
            assert!(devices.pair(wrong, "Phone").unwrap().is_none());
            assert!(wrong == paired.token.reveal() || devices.recognise(wrong).is_none());
        }
    }

    #[test]
    fn a_code_is_good_for_ten_minutes() {
        let (_folder, devices) = devices();
        let (old, good) = (Secret::random().unwrap(), Secret::random().unwrap());
        devices.store().0.add_code(&old.hash(), None, now_ms()).unwrap();
        devices.store().0.add_code(&good.hash(), None, now_ms() + 60_000).unwrap();
        assert!(devices.pair(old.reveal(), "Phone").unwrap().is_none());
        assert!(devices.pair(good.reveal(), "Phone").unwrap().is_some());
    }

    #[test]
    fn devices_of_one_name_can_be_told_apart_and_the_terminal_has_the_last_word() {
        let (_folder, devices) = devices();
        let names: Vec<_> = (0..3).map(|_| devices.add("Phone").unwrap().device.name).collect();
        assert_eq!(names, ["Phone", "Phone 2", "Phone 3"]);
        let code = devices.invite(Some("Kitchen\u{202e}")).unwrap();
        assert_eq!(devices.pair(code.reveal(), "Chrome").unwrap().unwrap().device.name, "Kitchen");
        assert_eq!(devices.add(" \0 ").unwrap().device.name, NAMELESS);
    }

    #[test]
    fn a_revoked_device_is_kept_out_and_stays_listed() {
        let (_folder, devices) = devices();
        let (phone, laptop) = (devices.add("Phone").unwrap(), devices.add("Laptop").unwrap());
        assert!(devices.revoke("Tablet").unwrap().is_none());
        assert_eq!(devices.revoke("Phone").unwrap().unwrap().id, phone.device.id);
        assert!(devices.recognise(phone.token.reveal()).is_none());
        devices.revoke(&laptop.device.id).unwrap().unwrap();
        assert!(devices.recognise(laptop.token.reveal()).is_none());
        assert!(devices.list().unwrap().iter().all(|device| device.revoked_ms.is_some()));
    }

    #[test]
    fn a_name_means_the_device_that_may_come_in() {
        let (_folder, devices) = devices();
        let old = devices.add("Phone").unwrap();
        devices.revoke("Phone").unwrap().unwrap();
        let new = devices.add("Phone").unwrap();
        assert_eq!(new.device.name, "Phone");
        assert_eq!(devices.revoke("Phone").unwrap().unwrap().id, new.device.id);
        assert!(devices.recognise(new.token.reveal()).is_none());
        let again = devices.revoke(&old.device.id).unwrap().unwrap();
        assert!(again.id == old.device.id && again.revoked_ms.is_some());
    }

    #[test]
    fn when_a_device_was_here_is_remembered() {
        let (_folder, devices) = devices();
        let phone = devices.add("Phone").unwrap().device;
        assert_eq!(phone.seen_ms, None);
        devices.seen(&phone.id).unwrap();
        assert!(devices.list().unwrap().iter().all(|device| device.seen_ms >= Some(phone.paired_ms)));
    }

    #[test]
    fn what_another_process_does_is_seen_and_what_is_on_disk_is_no_key() {
        let (folder, devices) = devices();
        let other = Devices::open(folder.path()).unwrap();
        let paired = other.add("Phone").unwrap();
        devices.refresh().unwrap();
        assert!(devices.recognise(paired.token.reveal()).is_some());
        other.revoke("Phone").unwrap();
        devices.refresh().unwrap();
        assert!(devices.recognise(paired.token.reveal()).is_none());
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            let token = paired.token.reveal().as_bytes();
            assert!(!bytes.windows(token.len()).any(|part| part == token));
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let (folder, devices) = devices();
        devices.add("Phone").unwrap();
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let entry = entry.unwrap();
            assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{entry:?}");
        }
    }
}

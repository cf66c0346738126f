//! What this device remembers in `localStorage`: settings, small choices, drafts, messages that wait,
//! and that it is paired. Transcripts are not kept here.
//!
//! Storage may be blocked, full or edited by hand: reading then gives nothing, writing reports `false`, and the page lives on.

mod choices;
mod device;
mod drafts;
mod outbox;
mod settings;
mod token;

pub use choices::{load_choice, save_choice};
pub use device::device_name;
pub use drafts::{load_draft, save_draft};
pub use outbox::{client_id_of, keep, load_outbox};
pub use settings::{SETTINGS_KEY, load_settings, save_settings};
pub use token::{TOKEN_KEY, load_token, save_token};

use web_sys::Storage;

fn local() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}

fn read(key: &str) -> Option<String> {
    local()?.get_item(key).ok()?
}

fn write(key: &str, value: &str) -> bool {
    local().is_some_and(|storage| storage.set_item(key, value).is_ok())
}

fn forget(key: &str) -> bool {
    local().is_some_and(|storage| storage.remove_item(key).is_ok())
}

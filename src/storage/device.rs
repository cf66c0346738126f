//! A name for this device, made once: the adapter takes each message of a device once.

use crate::browser::random_id;

const KEY: &str = "iris.device";

/// The name; a new one if none is stored. Where nothing can be stored it lasts as long as the page.
pub fn device_name() -> String {
    super::read(KEY).filter(|name| !name.is_empty()).unwrap_or_else(|| {
        let name = format!("web-{}", random_id());
        super::write(KEY, &name);
        name
    })
}

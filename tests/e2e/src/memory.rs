//! What a page and its workers take of the machine's memory, as Linux counts it.

use std::fs;

use crate::browser::Browser;

impl Browser {
    /// The most that any of the browser's renderers, a page with its workers, has taken so far, bytes; `None` where `/proc`
    /// does not say.
    pub fn renderer_peak(&self) -> Option<u64> {
        let driver = self.driver_process()?;
        let processes = fs::read_dir("/proc").ok()?.flatten();
        let ids: Vec<u32> = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
        let renders = |id: &u32| {
            let words = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&words).contains("--type=renderer") && descends(*id, driver)
        };
        ids.into_iter().filter(renders).filter_map(|id| status(id, "VmHWM:").map(|kb| kb * 1024)).max()
    }
}

fn descends(mut id: u32, from: u32) -> bool {
    while id > 1 && id != from {
        id = status(id, "PPid:").and_then(|id| u32::try_from(id).ok()).unwrap_or(0);
    }
    id == from
}

/// The first number behind a name.
fn status(id: u32, name: &str) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    text.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
}

//! What a person would call this device: its browser and its system.

/// What to look for, in this order, and what it is called. A browser names those it descends from too.
const BROWSERS: [(&str, &str); 9] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];
const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Mac OS", "Mac"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// `Chrome on Linux`.
pub fn device_name() -> String {
    let agent = web_sys::window().and_then(|window| window.navigator().user_agent().ok());
    named(&agent.unwrap_or_default())
}

/// The name for a `User-Agent`.
pub fn named(agent: &str) -> String {
    let find = |known: &[(&str, &'static str)]| {
        known.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name)
    };
    let browser = find(&BROWSERS).unwrap_or("Browser");
    find(&SYSTEMS).map_or_else(|| browser.to_owned(), |system| format!("{browser} on {system}"))
}

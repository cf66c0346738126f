//! What the browser tells about page and network, for whoever keeps a connection.

use crate::browser::{Listener, is_visible};

/// What happened to the page or the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageEvent {
    /// The reader looks at the page again, or it came back from the back-forward cache.
    Shown,
    /// The reader looks elsewhere.
    Hidden,
    /// The page is put away; it may be thrown out or come back as it is.
    PutAway,
    /// The browser has a network again.
    Online,
    /// The browser has none.
    Offline,
}

/// Listens until the answer is dropped.
pub(super) fn page_events(on: impl Fn(PageEvent) + Clone + 'static) -> Vec<Listener> {
    let plain = [
        ("pageshow", PageEvent::Shown),
        ("pagehide", PageEvent::PutAway),
        ("online", PageEvent::Online),
        ("offline", PageEvent::Offline),
    ];
    let plain = plain.into_iter().filter_map(|(kind, event)| {
        let on = on.clone();
        Listener::on_window(kind, move |_| on(event))
    });
    let visibility = {
        let on = on.clone();
        Listener::on_document("visibilitychange", move |_| {
            on(if is_visible() { PageEvent::Shown } else { PageEvent::Hidden });
        })
    };
    // A page that is frozen hears nothing for who knows how long: it keeps no socket either.
    let frozen = [("freeze", PageEvent::PutAway), ("resume", PageEvent::Shown)];
    let frozen = frozen.into_iter().filter_map(|(kind, event)| {
        let on = on.clone();
        Listener::on_document(kind, move |_| on(event))
    });
    plain.chain(frozen).chain(visibility).collect()
}

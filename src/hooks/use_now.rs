//! The time for running seconds: one timer a page, and only while something on it counts.

use leptos::prelude::{ArcReadSignal, ArcRwSignal, Get, Set, provide_context, use_context};

use crate::browser::{Interval, now_ms};
use crate::reactive::{effect, memo};

#[derive(Clone)]
struct Now(ArcReadSignal<f64>);

/// Provides the time to everything below; it moves once a second while `active` says so.
pub fn provide_now(active: impl Fn() -> bool + Send + Sync + 'static) {
    let now = ArcRwSignal::new(now_ms());
    provide_time(now.read_only());
    let active = memo(active);
    let mut running = None;
    effect(move || {
        drop(running.take());
        now.set(now_ms());
        let now = now.clone();
        running = active.get().then(|| Interval::new(1000.0, move || now.set(now_ms())));
    });
}

/// Provides this time to everything below: a test's, or that of a recording that is played.
pub fn provide_time(now: ArcReadSignal<f64>) {
    provide_context(Now(now));
}

/// The time in milliseconds of `browser::now_ms`, at most a second old while something runs.
pub fn use_now() -> ArcReadSignal<f64> {
    use_context::<Now>().map_or_else(|| ArcRwSignal::new(now_ms()).read_only(), |Now(now)| now)
}

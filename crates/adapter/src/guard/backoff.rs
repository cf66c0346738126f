//! How long an address has to wait after it was wrong too often. It is told the time and keeps no clock.

use std::{
    collections::HashMap,
    net::IpAddr,
    time::{Duration, Instant},
};

/// Mistakes that cost nothing: a page left open somewhere, a link that was used already.
const FREE: u32 = 5;
const LONGEST: Duration = Duration::from_secs(60);
/// So long after its last mistake an address is as good as new.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(10 * 60);
/// Addresses that are remembered at one time.
const ADDRESSES: usize = 1024;

/// The mistakes of every address.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    mistakes: HashMap<IpAddr, Mistakes>,
}

#[derive(Clone, Copy, Debug)]
struct Mistakes {
    count: u32,
    last: Instant,
}

impl Mistakes {
    fn wait(self) -> Duration {
        match self.count.checked_sub(FREE) {
            None => Duration::ZERO,
            Some(beyond) => Duration::from_secs(1u64.checked_shl(beyond).unwrap_or(u64::MAX)).min(LONGEST),
        }
    }
}

impl Backoff {
    /// How long this address has to wait before it is listened to again.
    pub(super) fn wait(&self, from: IpAddr, now: Instant) -> Option<Duration> {
        let mistakes = self.mistakes.get(&from)?;
        let over = mistakes.wait().checked_sub(now.saturating_duration_since(mistakes.last))?;
        (!over.is_zero()).then_some(over)
    }

    /// Notes a mistake.
    pub(super) fn mistake(&mut self, from: IpAddr, now: Instant) {
        self.mistakes.retain(|_, known| now.saturating_duration_since(known.last) < FORGOTTEN_AFTER);
        if self.mistakes.len() >= ADDRESSES && !self.mistakes.contains_key(&from) {
            // Whoever has so many addresses forgets his own first.
            let oldest =
                self.mistakes.iter().min_by_key(|(_, known)| known.last).map(|(address, _)| *address);
            oldest.map(|address| self.mistakes.remove(&address));
        }
        let known = self.mistakes.entry(from).or_insert(Mistakes { count: 0, last: now });
        *known = Mistakes { count: known.count.saturating_add(1), last: now };
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    #[test]
    fn the_wait_doubles_up_to_a_minute() {
        let (mut backoff, now) = (Backoff::default(), Instant::now());
        let waits: Vec<u64> = (0..13)
            .map(|_| {
                backoff.mistake(HERE, now);
                backoff.wait(HERE, now).map_or(0, |wait| wait.as_secs())
            })
            .collect();
        assert_eq!(waits, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
    }

    #[test]
    fn it_passes_and_is_forgotten_and_concerns_nobody_else() {
        let (mut backoff, now) = (Backoff::default(), Instant::now());
        for _ in 0..7 {
            backoff.mistake(HERE, now);
        }
        assert_eq!(backoff.wait(HERE, now + Duration::from_secs(1)), Some(Duration::from_secs(3)));
        assert_eq!(backoff.wait(HERE, now + Duration::from_secs(4)), None);
        assert_eq!(backoff.wait([127, 0, 0, 2].into(), now), None);
        backoff.mistake(HERE, now + FORGOTTEN_AFTER);
        assert_eq!(backoff.wait(HERE, now + FORGOTTEN_AFTER), None);
    }

    #[test]
    fn many_addresses_cost_bounded_memory() {
        let (mut backoff, now) = (Backoff::default(), Instant::now());
        for number in 0..3000u32 {
            backoff.mistake(Ipv4Addr::from(number).into(), now + Duration::from_millis(number.into()));
        }
        assert_eq!(backoff.mistakes.len(), ADDRESSES);
    }
}

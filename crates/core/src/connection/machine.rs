//! The machine: what happened in, what to do out. Every timer has a number of its own; one that was replaced or cleared
//! is not heard, however late it fires.

use super::State;
use super::backoff::Backoff;
use crate::protocol::{AppFrame, PROTOCOL};

/// A socket that has not opened by then never will.
const CONNECT_MS: f64 = 5_000.0;
/// An adapter that has not said hello by then speaks the plain frames only.
const HELLO_MS: f64 = 1_500.0;
/// After so much silence a visible page asks whether anybody is there.
const PING_MS: f64 = 20_000.0;
/// After so much silence nobody is.
const DEAD_MS: f64 = 45_000.0;
/// The answer to a probe comes by then, or the connection is gone: a phone may have lost it without a word.
const PROBE_MS: f64 = 2_000.0;
/// A connection that stood this long was good: tries are counted from 1 again.
const GOOD_MS: f64 = 10_000.0;
/// An opening that is older than this when the page comes back is begun anew.
const STALE_OPENING_MS: f64 = 1_000.0;
/// The adapter closes so when it wants nothing to do with us.
const POLICY_VIOLATION: u16 = 1008;

/// What this device says of itself in `hello`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Device {
    /// Its name.
    pub name: String,
    /// Proof that it is paired.
    pub token: Option<String>,
    /// Optional parts of the protocol that it speaks.
    pub capabilities: Vec<String>,
}

/// One timer; no two are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimerId(u32);

/// Something that happened. Events of a socket are those of the newest one.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The page has opened.
    Start,
    /// The socket can be written to.
    Opened,
    /// `hello` came.
    Hello {
        /// The adapter's protocol version.
        protocol: u32,
    },
    /// Any other frame that could be read.
    Frame,
    /// The socket is gone, or never came up.
    Closed {
        /// The close code; 1006 when the network gave none.
        code: u16,
        /// What the other side said.
        reason: String,
    },
    /// A timer ran out.
    Timer(TimerId),
    /// The user wants it tried now.
    Reconnect,
    /// The reader looks at the page again, or it came back from the back-forward cache.
    Shown,
    /// The reader looks elsewhere.
    Hidden,
    /// The page is put away; it may come back as it is.
    PutAway,
    /// The browser has a network again.
    Online,
    /// The browser says that it has none.
    Offline,
}

/// Something to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Open a socket.
    Open,
    /// Drop the socket; nothing that it still says matters.
    Close,
    /// Send this.
    Send(AppFrame),
    /// Call back with the timer's id after so many milliseconds.
    SetTimer {
        /// The timer.
        id: TimerId,
        /// How long.
        delay_ms: f64,
    },
    /// Forget this timer.
    ClearTimer(TimerId),
    /// The state is now this.
    State(State),
}

/// Where the machine stands.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    /// Not started, or put away.
    Asleep,
    /// Until the retry timer.
    Waiting,
    /// A socket opens, since then.
    Opening(f64),
    /// It is open and `hello` is sent.
    Greeting(f64),
    /// Live; `plain` peers answer no ping.
    Live { plain: bool, since_ms: f64 },
    /// For good.
    Refused,
}

/// The connection.
#[derive(Clone, Debug)]
pub struct Machine {
    device: Device,
    backoff: Backoff,
    phase: Phase,
    state: State,
    timer: Option<TimerId>,
    timers: u32,
    /// Tries that failed since the connection was last good.
    failed: u32,
    /// Since when there is no connection.
    down_ms: f64,
    /// There was one once.
    was_live: bool,
    heard_ms: f64,
    /// Silence until then means that nobody is there.
    answer_by_ms: Option<f64>,
    hidden: bool,
    effects: Vec<Effect>,
}

impl Machine {
    /// A machine that has not started. `seed` is a random number.
    pub fn new(device: Device, seed: u64) -> Self {
        Self {
            device,
            backoff: Backoff::new(seed),
            phase: Phase::Asleep,
            state: State::Connecting { attempt: 1, since_ms: None },
            timer: None,
            timers: 0,
            failed: 0,
            down_ms: 0.0,
            was_live: false,
            heard_ms: 0.0,
            answer_by_ms: None,
            hidden: false,
            effects: Vec::new(),
        }
    }

    /// How the connection stands.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Says this token from the next `hello` on.
    pub fn set_token(&mut self, token: Option<String>) {
        self.device.token = token;
    }

    /// The peer speaks the plain frames only: it acknowledges nothing and knows no chats.
    pub fn is_plain(&self) -> bool {
        matches!(self.phase, Phase::Live { plain: true, .. })
    }

    /// Takes what happened and says what to do, in order.
    pub fn handle(&mut self, event: Event, now_ms: f64) -> Vec<Effect> {
        match event {
            Event::Start if self.phase == Phase::Asleep => {
                self.down_ms = now_ms;
                self.open(now_ms);
            }
            Event::Start => {}
            Event::Opened => self.opened(now_ms),
            Event::Hello { protocol } => self.hello(protocol, now_ms),
            Event::Frame => self.heard(true, now_ms),
            Event::Closed { code, reason } => self.closed(code, &reason, now_ms),
            Event::Timer(id) => {
                if self.timer == Some(id) {
                    self.timer = None;
                    self.timeout(now_ms);
                }
            }
            Event::Reconnect => self.reconnect(now_ms),
            Event::Shown | Event::Online => self.shown(event == Event::Shown, now_ms),
            Event::Hidden => self.hidden = true,
            Event::PutAway => self.put_away(now_ms),
            Event::Offline => self.probe(now_ms),
        }
        std::mem::take(&mut self.effects)
    }

    fn opened(&mut self, now_ms: f64) {
        if !matches!(self.phase, Phase::Opening(_)) {
            return;
        }
        self.phase = Phase::Greeting(now_ms);
        self.effects.push(Effect::Send(AppFrame::Hello {
            protocol: PROTOCOL,
            token: self.device.token.clone(),
            device: self.device.name.clone(),
            capabilities: self.device.capabilities.clone(),
        }));
        self.set_timer(HELLO_MS);
    }

    fn hello(&mut self, protocol: u32, now_ms: f64) {
        if !matches!(self.phase, Phase::Greeting(_) | Phase::Live { .. }) {
            return;
        }
        if protocol == PROTOCOL {
            return self.heard(false, now_ms);
        }
        let newer = if protocol > PROTOCOL { "Reload the page" } else { "Update the adapter" };
        self.refuse(format!(
            "This page speaks version {PROTOCOL} of the protocol and the adapter version {protocol}. {newer}"
        ));
    }

    /// Somebody is there. One who speaks before `hello` does not know it.
    fn heard(&mut self, plain: bool, now_ms: f64) {
        match self.phase {
            Phase::Greeting(_) => self.live(plain, now_ms),
            Phase::Live { plain: true, .. } if !plain => self.live(false, now_ms),
            Phase::Live { .. } => {
                self.heard_ms = now_ms;
                self.answer_by_ms = None;
            }
            _ => {}
        }
    }

    fn live(&mut self, plain: bool, now_ms: f64) {
        self.phase = Phase::Live { plain, since_ms: now_ms };
        self.was_live = true;
        self.heard_ms = now_ms;
        self.answer_by_ms = None;
        self.clear_timer();
        self.say(State::Online);
        if !plain {
            self.set_timer(PING_MS);
        }
    }

    fn closed(&mut self, code: u16, reason: &str, now_ms: f64) {
        match self.phase {
            Phase::Asleep | Phase::Waiting | Phase::Refused => {}
            // Our hello was late (a page that was frozen, say): that is not meant for good.
            Phase::Greeting(since) if code == POLICY_VIOLATION && now_ms - since >= CONNECT_MS => {
                self.lost(now_ms);
            }
            _ if code == POLICY_VIOLATION => self.refuse(match reason.trim() {
                "" => "The adapter refused this page. Open the address that it printed when it started"
                    .to_owned(),
                reason => format!("The adapter refused this page: {reason}"),
            }),
            _ => self.lost(now_ms),
        }
    }

    fn timeout(&mut self, now_ms: f64) {
        match self.phase {
            Phase::Waiting => self.open(now_ms),
            Phase::Opening(_) => self.lost(now_ms),
            Phase::Greeting(_) => self.live(true, now_ms),
            Phase::Live { plain: false, .. } => self.heartbeat(now_ms),
            _ => {}
        }
    }

    /// Asks after silence, gives up after more. A hidden page asks nobody: it does so when it is shown.
    fn heartbeat(&mut self, now_ms: f64) {
        let silence = now_ms - self.heard_ms;
        match self.answer_by_ms {
            Some(by) if now_ms >= by => self.lost(now_ms),
            Some(by) => self.set_timer(by - now_ms),
            None if silence < PING_MS => self.set_timer(PING_MS - silence),
            None if self.hidden => {}
            None => self.ping(DEAD_MS - PING_MS, now_ms),
        }
    }

    fn ping(&mut self, answer_within_ms: f64, now_ms: f64) {
        self.effects.push(Effect::Send(AppFrame::Ping { t: now_ms as u64 }));
        let by = now_ms + answer_within_ms;
        let by = self.answer_by_ms.map_or(by, |earlier| earlier.min(by));
        self.answer_by_ms = Some(by);
        self.set_timer(by - now_ms);
    }

    /// Is it still there? Asked when there is reason to doubt it.
    fn probe(&mut self, now_ms: f64) {
        if let Phase::Live { plain: false, .. } = self.phase {
            self.ping(PROBE_MS, now_ms);
        }
    }

    fn shown(&mut self, shown: bool, now_ms: f64) {
        if shown {
            self.hidden = false;
        }
        match self.phase {
            Phase::Waiting => self.open(now_ms),
            Phase::Asleep if self.timers > 0 => self.open(now_ms),
            Phase::Opening(since) if now_ms - since > STALE_OPENING_MS => {
                self.effects.push(Effect::Close);
                self.open(now_ms);
            }
            _ => self.probe(now_ms),
        }
    }

    fn reconnect(&mut self, now_ms: f64) {
        match self.phase {
            Phase::Live { .. } => self.probe(now_ms),
            Phase::Opening(_) | Phase::Greeting(_) => {
                self.effects.push(Effect::Close);
                self.open(now_ms);
            }
            Phase::Asleep | Phase::Waiting | Phase::Refused => self.open(now_ms),
        }
    }

    /// A page that is put away keeps no socket: it would keep the page from coming back as it is.
    fn put_away(&mut self, now_ms: f64) {
        if matches!(self.phase, Phase::Refused | Phase::Asleep) {
            return;
        }
        self.hidden = true;
        self.down(now_ms);
        self.clear_timer();
        self.phase = Phase::Asleep;
        self.effects.push(Effect::Close);
        self.say(State::Offline { since_ms: self.down_ms, retry_at_ms: now_ms, attempt: self.failed });
    }

    fn open(&mut self, now_ms: f64) {
        self.phase = Phase::Opening(now_ms);
        let since_ms = self.was_live.then_some(self.down_ms);
        self.say(State::Connecting { attempt: self.failed.saturating_add(1), since_ms });
        self.effects.push(Effect::Open);
        self.set_timer(CONNECT_MS);
    }

    /// The connection is gone or did not come up: try again in a while.
    fn lost(&mut self, now_ms: f64) {
        self.down(now_ms);
        self.failed = self.failed.saturating_add(1);
        self.phase = Phase::Waiting;
        self.effects.push(Effect::Close);
        let delay_ms = self.backoff.delay_ms(self.failed);
        self.say(State::Offline {
            since_ms: self.down_ms,
            retry_at_ms: now_ms + delay_ms,
            attempt: self.failed,
        });
        self.set_timer(delay_ms);
    }

    /// Notes since when it is down, and whether it had been good.
    fn down(&mut self, now_ms: f64) {
        if let Phase::Live { since_ms, .. } = self.phase {
            self.down_ms = now_ms;
            if now_ms - since_ms >= GOOD_MS {
                self.failed = 0;
            }
        }
        self.answer_by_ms = None;
    }

    fn refuse(&mut self, reason: String) {
        self.clear_timer();
        self.phase = Phase::Refused;
        self.effects.push(Effect::Close);
        self.say(State::Refused { reason });
    }

    fn say(&mut self, state: State) {
        if self.state != state || state == (State::Connecting { attempt: 1, since_ms: None }) {
            self.state = state.clone();
            self.effects.push(Effect::State(state));
        }
    }

    fn set_timer(&mut self, delay_ms: f64) {
        self.clear_timer();
        self.timers = self.timers.wrapping_add(1);
        let id = TimerId(self.timers);
        self.timer = Some(id);
        // Never nothing: what rounding leaves over must not become a timer that fires for ever.
        self.effects.push(Effect::SetTimer { id, delay_ms: delay_ms.max(1.0) });
    }

    fn clear_timer(&mut self) {
        if let Some(id) = self.timer.take() {
            self.effects.push(Effect::ClearTimer(id));
        }
    }
}

#[cfg(test)]
mod tests;

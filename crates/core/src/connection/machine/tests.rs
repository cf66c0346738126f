//! The machine, by sentence. A `Run` keeps the clock and fires the machine's own timers when they are due.

use proptest::prelude::*;

use super::*;

/// A machine with a clock.
struct Run {
    machine: Machine,
    now: f64,
    timers: Vec<(TimerId, f64)>,
    log: Vec<Effect>,
}

impl Run {
    fn new() -> Self {
        let device = Device { name: "test".to_owned(), token: None, capabilities: vec!["append".to_owned()] };
        Self { machine: Machine::new(device, 1), now: 1_000.0, timers: Vec::new(), log: Vec::new() }
    }

    /// Connected to an adapter that says hello.
    fn live() -> Self {
        let mut run = Self::new();
        run.all([Event::Start, Event::Opened, Event::Hello { protocol: 1 }]);
        run.log.clear();
        run
    }

    fn event(&mut self, event: Event) -> &mut Self {
        let effects = self.machine.handle(event, self.now);
        for effect in &effects {
            match effect {
                Effect::SetTimer { id, delay_ms } => self.timers.push((*id, self.now + delay_ms)),
                Effect::ClearTimer(id) => self.timers.retain(|(known, _)| known != id),
                _ => {}
            }
        }
        self.log.extend(effects);
        assert!(self.timers.len() <= 1, "one timer at a time");
        self
    }

    fn all(&mut self, events: impl IntoIterator<Item = Event>) -> &mut Self {
        for event in events {
            self.event(event);
        }
        self
    }

    /// Lets time pass; timers fire when they are due.
    fn pass(&mut self, ms: f64) -> &mut Self {
        let end = self.now + ms;
        let most = self.log.len() + 100_000;
        while let Some(at) = self.timers.iter().position(|(_, due)| *due <= end) {
            let (id, due) = self.timers.remove(at);
            self.now = due;
            self.event(Event::Timer(id));
            assert!(self.log.len() < most, "time stands still at {due}: {:?}", self.log.last());
        }
        self.now = end;
        self
    }

    fn close(&mut self, code: u16, reason: &str) -> &mut Self {
        self.event(Event::Closed { code, reason: reason.to_owned() })
    }

    /// What was done, timers apart, and forgets it.
    fn done(&mut self) -> Vec<Effect> {
        let timer = |effect: &Effect| matches!(effect, Effect::SetTimer { .. } | Effect::ClearTimer(_));
        std::mem::take(&mut self.log).into_iter().filter(|effect| !timer(effect)).collect()
    }

    fn opens(&mut self) -> usize {
        self.done().iter().filter(|effect| **effect == Effect::Open).count()
    }

    fn is_online(&self) -> bool {
        *self.machine.state() == State::Online
    }
}

#[test]
fn it_opens_greets_and_is_online() {
    let mut run = Run::new();
    run.event(Event::Start);
    assert_eq!(run.done(), [Effect::State(State::Connecting { attempt: 1, since_ms: None }), Effect::Open]);
    run.event(Event::Opened);
    let hello = AppFrame::Hello {
        protocol: 1,
        token: None,
        device: "test".to_owned(),
        capabilities: vec!["append".to_owned()],
    };
    assert_eq!(run.done(), [Effect::Send(hello)]);
    run.event(Event::Hello { protocol: 1 });
    assert_eq!(run.done(), [Effect::State(State::Online)]);
    assert!(!run.machine.is_plain());
}

#[test]
fn a_second_start_changes_nothing() {
    assert_eq!(Run::live().event(Event::Start).done(), []);
}

#[test]
fn a_plain_peer_is_online_with_its_first_frame_or_after_a_moment() {
    let mut run = Run::new();
    run.all([Event::Start, Event::Opened, Event::Frame]);
    assert!(run.is_online() && run.machine.is_plain());
    let mut run = Run::new();
    run.all([Event::Start, Event::Opened]).pass(1_499.0);
    assert!(!run.is_online());
    run.pass(1.0);
    assert!(run.is_online() && run.machine.is_plain());
    run.done();
    run.pass(600_000.0);
    assert_eq!(run.done(), [], "it is never pinged");
}

#[test]
fn a_late_hello_is_still_one() {
    let mut run = Run::new();
    run.all([Event::Start, Event::Opened]).pass(2_000.0).event(Event::Hello { protocol: 1 });
    assert!(!run.machine.is_plain());
    run.done();
    run.pass(20_000.0);
    assert!(matches!(run.done()[..], [Effect::Send(AppFrame::Ping { .. })]));
}

#[test]
fn a_socket_that_does_not_open_is_given_up_after_five_seconds() {
    let mut run = Run::new();
    run.event(Event::Start);
    run.done();
    run.pass(4_999.0);
    assert_eq!(run.done(), []);
    run.pass(1.0);
    let done = run.done();
    let [Effect::Close, Effect::State(State::Offline { since_ms, retry_at_ms, attempt: 1 })] = done[..]
    else {
        panic!("{done:?}")
    };
    assert_eq!(since_ms, 1_000.0);
    assert!(retry_at_ms > 6_000.0 && retry_at_ms <= 6_500.0);
}

#[test]
fn it_tries_again_and_again_with_longer_waits() {
    let mut run = Run::live();
    run.pass(15_000.0).close(1006, "");
    let mut waits = Vec::new();
    for attempt in 1..=40 {
        let State::Offline { since_ms, retry_at_ms, attempt: counted } = *run.machine.state() else {
            panic!()
        };
        assert_eq!((since_ms, counted), (16_000.0, attempt));
        let wait = retry_at_ms - run.now;
        waits.push(wait);
        assert!(wait <= 30_000.0);
        run.pass(wait);
        assert_eq!(
            *run.machine.state(),
            State::Connecting { attempt: attempt + 1, since_ms: Some(16_000.0) }
        );
        run.close(1006, "");
    }
    assert!(waits[0] <= 500.0 && waits.iter().any(|wait| *wait > 15_000.0), "{waits:?}");
}

#[test]
fn tries_are_counted_from_one_again_only_after_a_good_connection() {
    let mut run = Run::live();
    for expected in 1..5 {
        run.pass(500.0).close(1006, "");
        assert!(matches!(run.machine.state(), State::Offline { attempt, .. } if *attempt == expected));
        run.pass(5_000.0);
        run.all([Event::Opened, Event::Hello { protocol: 1 }]);
    }
    run.pass(10_000.0).close(1006, "");
    assert!(matches!(run.machine.state(), State::Offline { attempt: 1, .. }));
}

#[test]
fn silence_is_asked_about_and_then_believed() {
    let mut run = Run::live();
    run.pass(19_999.0);
    assert_eq!(run.done(), []);
    run.pass(1.0);
    assert_eq!(run.done(), [Effect::Send(AppFrame::Ping { t: 21_000 })]);
    run.pass(24_999.0);
    assert_eq!(run.done(), []);
    run.pass(1.0);
    assert!(matches!(run.done()[..], [Effect::Close, Effect::State(State::Offline { .. }), ..]));
}

#[test]
fn any_frame_is_a_sign_of_life() {
    let mut run = Run::live();
    for _ in 0..100 {
        run.pass(15_000.0).event(Event::Frame);
    }
    assert_eq!(run.done(), [], "a chat that is alive is not pinged");
    run.pass(25_000.0).event(Event::Frame);
    run.pass(30_000.0);
    assert!(run.is_online(), "answered after the ping");
}

#[test]
fn a_hidden_page_asks_nobody_and_does_so_when_it_is_shown() {
    let mut run = Run::live();
    run.event(Event::Hidden).pass(300_000.0);
    assert_eq!(run.done(), []);
    run.event(Event::Shown);
    assert!(matches!(run.done()[..], [Effect::Send(AppFrame::Ping { .. })]));
    run.pass(1_999.0);
    assert!(run.is_online());
    run.pass(1.0);
    assert!(matches!(run.done()[..], [Effect::Close, Effect::State(State::Offline { .. }), ..]));
}

#[test]
fn an_answer_to_the_probe_keeps_the_connection() {
    let mut run = Run::live();
    run.all([Event::Hidden]).pass(60_000.0).event(Event::Shown).pass(500.0).event(Event::Frame);
    run.done();
    run.pass(19_000.0);
    assert!(run.is_online());
    assert_eq!(run.done(), []);
    run.pass(3_000.0);
    assert!(matches!(run.done()[..], [Effect::Send(AppFrame::Ping { .. })]), "and the heartbeat goes on");
}

#[test]
fn a_browser_that_says_offline_is_asked_to_prove_it() {
    let mut run = Run::live();
    run.event(Event::Offline).pass(2_000.0);
    assert!(matches!(run.machine.state(), State::Offline { .. }));
    let mut run = Run::live();
    run.event(Event::Offline).event(Event::Frame).pass(2_000.0);
    assert!(run.is_online());
}

#[test]
fn a_page_that_comes_back_or_a_network_that_does_tries_at_once() {
    for event in [Event::Shown, Event::Online, Event::Reconnect] {
        let mut run = Run::live();
        run.close(1006, "");
        run.done();
        run.event(event.clone());
        assert_eq!(run.opens(), 1, "{event:?}");
        run.event(event.clone());
        assert_eq!(run.opens(), usize::from(event == Event::Reconnect), "{event:?} while it opens");
    }
}

#[test]
fn an_opening_that_went_stale_in_the_background_is_begun_anew() {
    let mut run = Run::new();
    run.event(Event::Start).pass(1_500.0);
    run.done();
    run.event(Event::Shown);
    let connecting = State::Connecting { attempt: 1, since_ms: None };
    assert_eq!(run.done(), [Effect::Close, Effect::State(connecting), Effect::Open]);
}

#[test]
fn a_page_that_is_put_away_keeps_no_socket_and_comes_back() {
    let mut run = Run::live();
    run.event(Event::PutAway).close(1006, "");
    assert!(matches!(run.done()[..], [Effect::Close, Effect::State(State::Offline { .. })]));
    run.pass(600_000.0);
    assert_eq!(run.done(), []);
    run.event(Event::Shown);
    assert_eq!(run.opens(), 1);
    assert_eq!(Run::new().event(Event::Shown).opens(), 0, "before the start nothing comes back");
}

#[test]
fn another_version_is_refused_with_what_to_do() {
    for (protocol, todo) in [(2, "Reload the page"), (0, "Update the adapter")] {
        let mut run = Run::new();
        run.all([Event::Start, Event::Opened, Event::Hello { protocol }]);
        let State::Refused { reason } = run.machine.state() else { panic!() };
        assert!(reason.contains(todo), "{reason}");
        run.done();
        run.pass(600_000.0).all([Event::Shown, Event::Online, Event::Frame]).close(1000, "");
        assert_eq!(run.done(), [], "trying again would not help");
        run.event(Event::Reconnect);
        assert_eq!(run.opens(), 1, "unless the user says so");
    }
}

#[test]
fn an_adapter_that_refuses_us_is_quoted() {
    let mut run = Run::new();
    run.all([Event::Start, Event::Opened]).close(1008, "reload the app");
    let refused = |reason: &str| State::Refused { reason: reason.to_owned() };
    assert_eq!(*run.machine.state(), refused("The adapter refused this page: reload the app"));
    let mut run = Run::live();
    run.close(1008, " ");
    let State::Refused { reason } = run.machine.state() else { panic!() };
    assert!(reason.starts_with("The adapter refused this page. Open"), "{reason}");
}

#[test]
fn a_greeting_that_was_late_is_tried_again() {
    let mut run = Run::new();
    run.all([Event::Start, Event::Opened]);
    run.now += 60_000.0;
    run.close(1008, "say hello first, within 5 seconds");
    assert!(matches!(run.machine.state(), State::Offline { .. }));
}

#[test]
fn a_timer_that_was_replaced_is_not_heard() {
    let mut run = Run::new();
    run.event(Event::Start);
    let (stale, _) = run.timers[0];
    run.all([Event::Opened, Event::Hello { protocol: 1 }]);
    run.done();
    run.event(Event::Timer(stale));
    assert_eq!(run.done(), []);
    assert!(run.is_online());
}

#[test]
fn what_an_old_socket_would_say_is_ignored() {
    let mut run = Run::live();
    run.close(1006, "");
    run.done();
    run.all([Event::Opened, Event::Frame, Event::Hello { protocol: 1 }]).close(1008, "old");
    assert_eq!(run.done(), []);
}

proptest! {
    #[test]
    fn whatever_happens_there_is_a_way_back(events in prop::collection::vec((0usize..12, 0.0..30_000.0), 0..60)) {
        let mut run = Run::new();
        run.event(Event::Start);
        for (event, ms) in events {
            match event {
                0 => run.event(Event::Start),
                1 => run.event(Event::Opened),
                2 => run.event(Event::Hello { protocol: 1 }),
                3 => run.event(Event::Frame),
                4 => run.close(1006, ""),
                5 => run.close(1008, "no"),
                6 => run.event(Event::Reconnect),
                7 => run.event(Event::Shown),
                8 => run.event(Event::Hidden),
                9 => run.event(Event::PutAway),
                10 => run.event(Event::Online),
                _ => run.event(Event::Offline),
            };
            // Without a timer only a refusal, a page put away, a plain peer and a hidden page may rest.
            let rests = run.timers.is_empty();
            let may_rest = matches!(run.machine.phase, Phase::Refused | Phase::Asleep | Phase::Live { .. });
            prop_assert!(!rests || may_rest, "{:?}", run.machine.phase);
            run.pass(ms);
        }
        run.all([Event::Shown, Event::Reconnect, Event::Opened, Event::Hello { protocol: 1 }]);
        prop_assert!(run.is_online(), "{:?}", run.machine.phase);
    }
}

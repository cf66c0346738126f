//! A plain reconnecting machine, until the one of `iris_core::connection` is there.
use iris_core::connection::State;
use iris_core::protocol::AppFrame;
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TimerId {
    Retry,
}
pub(super) enum Event {
    Start,
    Opened,
    Closed { code: u16, reason: String },
    Hello,
    Timer(TimerId),
    Reconnect,
}
pub(super) enum Effect {
    Open,
    Close,
    Send(AppFrame),
    SetTimer { id: TimerId, delay_ms: f64 },
    ClearTimer(TimerId),
    State(State),
}
#[derive(Default)]
pub(super) struct Machine {
    n: u32,
}
impl Machine {
    pub(super) fn handle(&mut self, event: Event, now: f64) -> Vec<Effect> {
        match event {
            Event::Start | Event::Timer(_) | Event::Reconnect => {
                self.n += 1;
                vec![
                    Effect::ClearTimer(TimerId::Retry),
                    Effect::State(State::Connecting { attempt: self.n, since_ms: None }),
                    Effect::Open,
                ]
            }
            Event::Opened => vec![Effect::Send(AppFrame::Hello {
                protocol: 1,
                token: None,
                device: crate::browser::random_id(),
                capabilities: vec!["append".into()],
            })],
            Event::Hello => {
                self.n = 0;
                vec![Effect::State(State::Online)]
            }
            Event::Closed { .. } => vec![
                Effect::Close,
                Effect::State(State::Offline { since_ms: now, retry_at_ms: now + 1000.0, attempt: self.n }),
                Effect::SetTimer { id: TimerId::Retry, delay_ms: 1000.0 },
            ],
        }
    }
}

//! The page's animation clock and what bears on it. The other clock, timers as effects, belongs to `transport`.

pub mod motion;
pub mod raf;

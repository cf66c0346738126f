//! A timeline as its reader sees it, for comparing two of them. The hub's own tests have it from here too.

use iris_core::timeline::{Item, ItemKind, Phase, Timeline};

/// Rows without what may differ: keys, and whether a text came live.
pub(crate) fn picture(timeline: &Timeline) -> Vec<ItemKind> {
    let plain = |item: &Item| match item.kind.clone() {
        ItemKind::Answer(mut answer) => {
            answer.generation = 0;
            if answer.phase == Phase::Stopped {
                answer.phase = Phase::Settled;
            }
            ItemKind::Answer(answer)
        }
        other => other,
    };
    timeline.items().iter().map(plain).collect()
}

//! Plain text that grows: what is new is appended to one text node, so that the reader's selection in it stays.

use iris_core::format::visible;
use leptos::prelude::*;

use crate::fixed::fixed;
use crate::held::Held;
use crate::reactive::effect;

/// Monospace text as it is, hostile characters made visible; grows in place.
#[component]
pub fn LiveText(
    /// All of it so far.
    text: RwSignal<String>,
) -> impl IntoView {
    let body = Held::new();
    let mut drawn = None;
    effect(move || {
        if let Some(element) = body.get::<web_sys::Element>() {
            let drawn = drawn.get_or_insert_with(|| Drawn::new(&element));
            text.with(|now| drawn.bring_to(now));
        }
    });
    view! { <pre {..fixed(&[("class", "live-text"), ("data-reasoning", "")])} node_ref=body></pre> }
}

struct Drawn {
    node: web_sys::Text,
    text: String,
}

impl Drawn {
    fn new(element: &web_sys::Element) -> Self {
        let node = document().create_text_node("");
        // An element that Leptos just made takes any child.
        let _ = element.append_child(&node);
        Self { node, text: String::new() }
    }

    /// The whole text is looked at, not what is new of it: an escape sequence may come in two pieces.
    fn bring_to(&mut self, now: &str) {
        let now = visible(now);
        match now.strip_prefix(self.text.as_str()) {
            Some("") => {}
            Some(new) => {
                let _ = self.node.append_data(new);
                self.text.push_str(new);
            }
            None => {
                self.node.set_data(&now);
                self.text = now.into_owned();
            }
        }
    }
}

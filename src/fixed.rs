//! What of an element never changes: its attributes as one list, set in one loop.
//!
//! Leptos makes a type of each attribute's name, and compiles how it is set, set again and taken away for each.
//! Written as `{..fixed(&[("type", "button"), ("class", "button")])}`, all of them are of one type.

use leptos::tachys::html::attribute::any_attribute::{AnyAttribute, IntoAnyAttribute};
use leptos::tachys::html::attribute::{Attribute, NamedAttributeKey, NextAttribute};
use web_sys::Element;

/// Names and values.
type List = &'static [(&'static str, &'static str)];

/// Attributes that never change.
#[derive(Clone, Copy, Debug)]
pub struct Fixed(List);

/// These attributes.
pub fn fixed(list: List) -> Fixed {
    Fixed(list)
}

fn set(element: &Element, list: List) {
    for (name, value) in list {
        // It fails only for a name that is none.
        let _ = element.set_attribute(name, value);
    }
}

impl Attribute for Fixed {
    const MIN_LENGTH: usize = 0;
    type State = (Element, List);
    type AsyncOutput = Self;
    type Cloneable = Self;
    type CloneableOwned = Self;

    fn html_len(&self) -> usize {
        0
    }

    /// Nothing here is drawn on a server.
    fn to_html(self, _: &mut String, _: &mut String, _: &mut String, _: &mut String) {}

    fn hydrate<const FROM_SERVER: bool>(self, element: &Element) -> Self::State {
        self.build(element)
    }

    fn build(self, element: &Element) -> Self::State {
        set(element, self.0);
        (element.clone(), self.0)
    }

    /// Another view has come into the same element.
    fn rebuild(self, (element, before): &mut Self::State) {
        if *before != self.0 {
            for (name, _) in *before {
                let _ = element.remove_attribute(name);
            }
            set(element, self.0);
            *before = self.0;
        }
    }

    fn into_cloneable(self) -> Self {
        self
    }

    fn into_cloneable_owned(self) -> Self {
        self
    }

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    fn keys(&self) -> Vec<NamedAttributeKey> {
        self.0.iter().map(|(name, _)| NamedAttributeKey::Attribute((*name).into())).collect()
    }
}

impl NextAttribute for Fixed {
    type Output<New: Attribute> = Vec<AnyAttribute>;

    fn add_any_attr<New: Attribute>(self, new: New) -> Vec<AnyAttribute> {
        vec![self.into_any_attr(), new.into_any_attr()]
    }
}

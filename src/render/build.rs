//! Fresh nodes for a piece of the tree. Touches nothing that already stands on the page.

use iris_core::markdown::{Kind, Node, SafeUrl};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, Element, Text};

use super::element::{self, Context, LinkForm};
use crate::browser::modules;

/// A node as it stands on the page, with what is needed to patch it.
#[derive(Debug)]
pub(super) struct Drawn {
    /// What it shows.
    pub(super) kind: Kind,
    /// What stands in its parent's list.
    pub(super) outer: web_sys::Node,
    /// What it holds.
    pub(super) inside: Inside,
}

/// What a drawn node holds.
#[derive(Debug)]
pub(super) enum Inside {
    /// Nothing that could be patched.
    Nothing,
    /// Text. The closing newlines of code stand in a node of their own, so that the cursor fits before them.
    Text { text: Text, newlines: Option<Text> },
    /// Children, appended to `slot` after anything that the element itself put there.
    Children { slot: Element, list: Vec<Drawn> },
}

/// Makes and patches nodes in one page.
#[derive(Debug)]
pub(super) struct Pen {
    /// The page.
    pub(super) document: Document,
    /// The cursor of the text being written. Whoever adds a node takes it off the page first; it is put back last.
    pub(super) cursor: Element,
}

impl Pen {
    /// Builds `node` with all it holds, outside the page.
    pub(super) fn build(&self, node: &Node, context: Context) -> Result<Drawn, JsValue> {
        let (outer, inside) = self.build_kind(&node.kind, context)?;
        let mut drawn = Drawn { kind: node.kind.clone(), outer, inside };
        if let Inside::Children { slot, list } = &mut drawn.inside {
            let context = context.inside(&node.kind);
            for child in &node.children {
                let child = self.build(child, context)?;
                slot.append_child(&child.outer)?;
                list.push(child);
            }
        }
        Ok(drawn)
    }

    fn build_kind(&self, kind: &Kind, context: Context) -> Result<(web_sys::Node, Inside), JsValue> {
        match kind {
            Kind::Text(text) => {
                let text = self.document.create_text_node(text);
                Ok((text.clone().into(), Inside::Text { text, newlines: None }))
            }
            Kind::Code(text) => self.text_element("code", "", text),
            Kind::HtmlSource(text) => self.text_element("span", "html-source", trim_newlines(text).0),
            Kind::CodeBlock { lang, .. } => self.code_block(lang),
            Kind::Lines(text) => self.lines(text),
            Kind::Table => self.table(),
            Kind::Alert(alert) => {
                let (class, title) = element::alert(*alert);
                let outer = self.element("div", class)?;
                outer.set_attribute("role", "note")?;
                put(&outer, &self.label("p", "alert-title", title)?)?;
                Ok(children(&outer, &outer))
            }
            Kind::Link { url, title, .. } => self.link(kind, url, title, context),
            Kind::Math { tex, display } => self.formula(tex, *display),
            Kind::Image { source, alt, .. } => {
                let card = self.image_card(source.as_ref(), alt, context)?;
                Ok((card.into(), Inside::Nothing))
            }
            _ => self.plain(kind, context),
        }
    }

    /// The kinds that are one element with their children straight inside.
    fn plain(&self, kind: &Kind, context: Context) -> Result<(web_sys::Node, Inside), JsValue> {
        let tag = element::plain_tag(kind, context).unwrap_or("span");
        let outer = self.element(tag, element::class(kind))?;
        match kind {
            Kind::List { start, .. } => set_start(&outer, *start)?,
            Kind::Item(Some(done)) => put(&outer, &self.checkbox(*done)?)?,
            Kind::Cell(_) if tag == "th" => outer.set_attribute("scope", "col")?,
            Kind::Rule | Kind::Break => return Ok((outer.into(), Inside::Nothing)),
            _ => {}
        }
        Ok(children(&outer, &outer))
    }

    fn text_element(
        &self,
        tag: &'static str,
        class: &'static str,
        text: &str,
    ) -> Result<(web_sys::Node, Inside), JsValue> {
        let outer = self.element(tag, class)?;
        let text = self.document.create_text_node(text);
        outer.append_child(&text)?;
        Ok((outer.into(), Inside::Text { text, newlines: None }))
    }

    fn code_block(&self, lang: &str) -> Result<(web_sys::Node, Inside), JsValue> {
        let outer = self.code_frame(lang)?;
        let pre = self.element("pre", "")?;
        // A keyboard must be able to scroll it.
        pre.set_attribute("tabindex", "0")?;
        pre.set_attribute("role", "group")?;
        pre.set_attribute("aria-label", "Code")?;
        let code = self.element("code", "")?;
        // The cursor stands after it as long as there is no code.
        code.append_child(&self.document.create_text_node(""))?;
        pre.append_child(&code)?;
        outer.append_child(&pre)?;
        Ok(children(&outer, &code))
    }

    fn lines(&self, text: &str) -> Result<(web_sys::Node, Inside), JsValue> {
        let outer = self.element("span", "lines")?;
        let (text, newlines) = trim_newlines(text);
        let text = self.document.create_text_node(text);
        let newlines = self.document.create_text_node(newlines);
        outer.append_child(&text)?;
        outer.append_child(&newlines)?;
        Ok((outer.into(), Inside::Text { text, newlines: Some(newlines) }))
    }

    /// The source of a formula, which a module of its own makes mathematics of.
    fn formula(&self, tex: &str, display: bool) -> Result<(web_sys::Node, Inside), JsValue> {
        let (class, marks) = if display { ("math display", "$$") } else { ("math", "$") };
        let source = self.label("span", class, &format!("{marks}{tex}{marks}"))?;
        modules::load("math", &source);
        Ok((source.into(), Inside::Nothing))
    }

    fn table(&self) -> Result<(web_sys::Node, Inside), JsValue> {
        let outer = self.element("div", "wide")?;
        outer.set_attribute("tabindex", "0")?;
        outer.set_attribute("role", "group")?;
        outer.set_attribute("aria-label", "Table")?;
        let table = self.element("table", "")?;
        outer.append_child(&table)?;
        Ok(children(&outer, &table))
    }

    fn link(
        &self,
        kind: &Kind,
        url: &SafeUrl,
        title: &str,
        context: Context,
    ) -> Result<(web_sys::Node, Inside), JsValue> {
        let form = element::link_form(kind);
        if form == LinkForm::Words || !context.may_link() {
            let words = self.element("span", "words")?;
            return Ok(children(&words, &words));
        }
        let link = self.element("a", "")?;
        set_link(&link, url, &element::link_title(url, title))?;
        if form == LinkForm::Plain {
            return Ok(children(&link, &link));
        }
        let outer = self.element("span", "claims")?;
        outer.append_child(&link)?;
        put(&outer, &self.label("span", "host", element::host(url))?)?;
        Ok(children(&outer, &link))
    }

    /// What stands for an image, which is never loaded here: what it shows, in words, and the way to it.
    fn image_card(&self, source: Option<&SafeUrl>, alt: &str, context: Context) -> Result<Element, JsValue> {
        let card = self.element("span", "image")?;
        let words = if alt.is_empty() { "Image" } else { alt };
        put(&card, &self.label("span", "image-alt", words)?)?;
        if let Some(url) = source.filter(|url| url.is_web() && context.may_link()) {
            let link = self.label("a", "", "Open image")?;
            set_link(&link, url, element::host(url))?;
            card.append_child(&link)?;
            put(&card, &self.label("span", "host", element::host(url))?)?;
        }
        Ok(card)
    }

    fn checkbox(&self, done: bool) -> Result<Element, JsValue> {
        let checkbox = self.element("input", "")?;
        checkbox.set_attribute("type", "checkbox")?;
        checkbox.set_attribute("disabled", "")?;
        set_checked(&checkbox, done)?;
        Ok(checkbox)
    }

    /// An element of the closed table.
    pub(super) fn element(&self, tag: &'static str, class: &'static str) -> Result<Element, JsValue> {
        let element = self.document.create_element(tag)?;
        if !class.is_empty() {
            element.set_class_name(class);
        }
        Ok(element)
    }

    /// An element that holds one text.
    pub(super) fn label(
        &self,
        tag: &'static str,
        class: &'static str,
        text: &str,
    ) -> Result<Element, JsValue> {
        let element = self.element(tag, class)?;
        element.append_child(&self.document.create_text_node(text))?;
        Ok(element)
    }
}

/// Appends one element to another.
pub(super) fn put(parent: &Element, child: &Element) -> Result<(), JsValue> {
    parent.append_child(child).map(drop)
}

fn children(outer: &Element, slot: &Element) -> (web_sys::Node, Inside) {
    (outer.clone().unchecked_into(), Inside::Children { slot: slot.clone(), list: Vec::new() })
}

/// A text, and the newlines at its end.
pub(super) fn trim_newlines(text: &str) -> (&str, &str) {
    text.split_at_checked(text.trim_end_matches('\n').len()).unwrap_or((text, ""))
}

/// Sets what makes a link: where it goes, and that it takes nothing of this page along.
pub(super) fn set_link(link: &Element, url: &SafeUrl, title: &str) -> Result<(), JsValue> {
    link.set_attribute("href", url.as_str())?;
    link.set_attribute("title", title)?;
    link.set_attribute("rel", "noopener noreferrer nofollow ugc")?;
    link.set_attribute("target", "_blank")?;
    link.set_attribute("referrerpolicy", "no-referrer")
}

/// Sets the first number of a list.
pub(super) fn set_start(list: &Element, start: Option<u64>) -> Result<(), JsValue> {
    match start {
        Some(start) if start != 1 => list.set_attribute("start", &start.to_string()),
        _ => list.remove_attribute("start"),
    }
}

/// Sets whether a task is done, for eyes and ears.
pub(super) fn set_checked(checkbox: &Element, done: bool) -> Result<(), JsValue> {
    checkbox.set_attribute("aria-label", if done { "Done" } else { "To do" })?;
    if done { checkbox.set_attribute("checked", "") } else { checkbox.remove_attribute("checked") }
}

//! Fresh nodes for a piece of the tree. Touches nothing that already stands on the page.

use iris_core::markdown::{Kind, Node, SafeUrl, fenced_formula};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, Element};

use super::actions;
use super::element::{self, Context, LinkForm};
use super::slot::Slot;
use super::text::Leaf;
use crate::browser::{SizeObserver, modules};

/// A node as it stands on the page, with what is needed to patch it.
#[derive(Debug)]
pub(super) struct Drawn {
    /// What it is; the text of a leaf is in `inside`.
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
    /// A text.
    Text(Leaf),
    /// Children, in the order of `list`.
    Children { slot: Slot, list: Vec<Drawn> },
}

impl Drawn {
    /// It is no longer the last in its list and will hardly change again: its last text need not be kept twice.
    /// All texts before that one were let go when the next came.
    pub(super) fn release(&mut self) {
        match &mut self.inside {
            Inside::Nothing => {}
            Inside::Text(leaf) => leaf.release(),
            Inside::Children { list, .. } => {
                if let Some(last) = list.last_mut() {
                    last.release();
                }
            }
        }
    }
}

/// Makes and patches nodes in one page.
#[derive(Debug)]
pub(super) struct Pen {
    /// The page.
    pub(super) document: Document,
    /// The cursor of the text being written.
    pub(super) cursor: Element,
    /// What keeps the columns of long tables in line.
    pub(super) columns: Vec<SizeObserver>,
}

impl Pen {
    /// Builds `node` with all it holds, outside the page.
    pub(super) fn build(&mut self, node: &Node, context: Context) -> Result<Drawn, JsValue> {
        let formula = fenced_formula(node);
        let node = formula.as_ref().unwrap_or(node);
        let (outer, inside) = self.build_kind(&node.kind, context)?;
        let mut drawn = Drawn { kind: without_text(&node.kind), outer, inside };
        if let Inside::Children { slot, list } = &mut drawn.inside {
            let context = context.inside(&node.kind);
            node.children.iter().try_for_each(|child| self.add(slot, list, child, context))?;
        }
        Ok(drawn)
    }

    /// Builds `node` at the end of a list.
    pub(super) fn add(
        &mut self,
        slot: &mut Slot,
        list: &mut Vec<Drawn>,
        node: &Node,
        context: Context,
    ) -> Result<(), JsValue> {
        let new = self.build(node, context)?;
        if let Some(before) = list.last_mut() {
            before.release();
        }
        self.columns.extend(slot.append(list.len(), &new.outer)?);
        list.push(new);
        Ok(())
    }

    fn build_kind(&self, kind: &Kind, context: Context) -> Result<(web_sys::Node, Inside), JsValue> {
        match kind {
            Kind::Text(text) => {
                let leaf = Leaf::new(&self.document, text);
                Ok((leaf.node().clone().into(), Inside::Text(leaf)))
            }
            Kind::Code(text) => self.text_element("code", "", text),
            Kind::HtmlSource(text) => self.text_element("span", "html-source", html(text)),
            Kind::Lines(text) => self.text_element("span", "lines", text),
            Kind::CodeBlock { lang, .. } => self.code_block(lang),
            Kind::Table => self.table(),
            Kind::Alert(alert) => {
                let (class, title) = element::alert(*alert);
                let outer = self.element("div", class)?;
                outer.set_attribute("role", "note")?;
                put(&outer, &self.label("p", "alert-title", title)?)?;
                Ok(children(&outer, Slot::Plain(outer.clone())))
            }
            Kind::Shortened(limit) => {
                let (tag, words) = element::shortened(*limit);
                let outer = self.element(tag, "shortened")?;
                outer.set_attribute("role", "note")?;
                put(&outer, &self.label("span", "shortened-words", words)?)?;
                Ok(children(&outer, Slot::Plain(outer.clone())))
            }
            Kind::Link { url, title, .. } => self.link(kind, url, title, context),
            // It stands among the notes.
            Kind::Definition(_) => Ok((self.document.create_text_node("").into(), Inside::Nothing)),
            Kind::Note(number) => self.note(*number),
            Kind::NoteRef { name, number } => self.note_ref(name, *number, context),
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
        Ok(children(&outer, Slot::Plain(outer.clone())))
    }

    fn text_element(
        &self,
        tag: &'static str,
        class: &'static str,
        text: &str,
    ) -> Result<(web_sys::Node, Inside), JsValue> {
        let outer = self.element(tag, class)?;
        let leaf = Leaf::new(&self.document, text);
        outer.append_child(leaf.node())?;
        Ok((outer.into(), Inside::Text(leaf)))
    }

    fn code_block(&self, lang: &str) -> Result<(web_sys::Node, Inside), JsValue> {
        let outer = self.code_frame(lang)?;
        let pre = self.element("pre", "")?;
        // A keyboard must be able to scroll it.
        pre.set_attribute("tabindex", "0")?;
        pre.set_attribute("role", "group")?;
        pre.set_attribute("aria-label", "Code")?;
        let code = self.element("code", "")?;
        put(&pre, &code)?;
        put(&outer, &pre)?;
        Ok(children(&outer, Slot::Plain(code)))
    }

    /// A footnote, with the way back to what first refers to it.
    fn note(&self, number: Option<u32>) -> Result<(web_sys::Node, Inside), JsValue> {
        let outer = self.element("li", "")?;
        outer.set_attribute("tabindex", "-1")?;
        if let Some(number) = number {
            put(&outer, &actions::way(&self.document, "↩", "Back to the text", &format!(".to-{number}"))?)?;
        }
        Ok(children(&outer, Slot::Plain(outer.clone())))
    }

    /// The number of a footnote, which leads to it; what leads nowhere is the text that it is written as.
    fn note_ref(
        &self,
        name: &str,
        number: Option<u32>,
        context: Context,
    ) -> Result<(web_sys::Node, Inside), JsValue> {
        let Some(number) = number else {
            return Ok((self.document.create_text_node(&format!("[^{name}]")).into(), Inside::Nothing));
        };
        if !context.may_link() {
            return Ok((self.label("sup", "", &number.to_string())?.into(), Inside::Nothing));
        }
        let outer = self.element("sup", "")?;
        let (words, note) = (format!("Footnote {number}"), format!(".notes>:nth-child({number})"));
        let button = actions::way(&self.document, &number.to_string(), &words, &note)?;
        button.set_class_name(&format!("to-{number}"));
        put(&outer, &button)?;
        Ok((outer.into(), Inside::Nothing))
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
        put(&outer, &table)?;
        Ok(children(&outer, Slot::rows(table)))
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
            return Ok(children(&words, Slot::Plain(words.clone())));
        }
        let link = self.element("a", "")?;
        set_link(&link, url, &element::link_title(url, title))?;
        if form == LinkForm::Plain {
            return Ok(children(&link, Slot::Plain(link.clone())));
        }
        let outer = self.element("span", "claims")?;
        outer.append_child(&link)?;
        put(&outer, &self.label("span", "host", element::host(url))?)?;
        Ok(children(&outer, Slot::Plain(link)))
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

fn children(outer: &Element, slot: Slot) -> (web_sys::Node, Inside) {
    (outer.clone().unchecked_into(), Inside::Children { slot, list: Vec::new() })
}

/// The kind of a node without the text that its leaf keeps.
fn without_text(kind: &Kind) -> Kind {
    match kind {
        Kind::Text(_) => Kind::Text(String::new()),
        Kind::Code(_) => Kind::Code(String::new()),
        Kind::Lines(_) => Kind::Lines(String::new()),
        Kind::HtmlSource(_) => Kind::HtmlSource(String::new()),
        other => other.clone(),
    }
}

/// The text that a leaf of this kind shows; `None` for what is no leaf.
pub(super) fn leaf_text(kind: &Kind) -> Option<&str> {
    match kind {
        Kind::Text(text) | Kind::Code(text) | Kind::Lines(text) => Some(text),
        Kind::HtmlSource(text) => Some(html(text)),
        _ => None,
    }
}

fn html(source: &str) -> &str {
    source.trim_end_matches('\n')
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

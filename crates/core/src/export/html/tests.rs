use super::*;
use crate::export::rows;
use crate::ids::MessageId;
use crate::protocol::frame::{Envelope, ServerFrame};

fn answered(text: &str) -> String {
    let frame = ServerFrame::Message {
        message_id: MessageId("m1".into()),
        text: text.to_owned(),
        reasoning: Some(text.to_owned()),
        model: Some(text.to_owned()),
        tokens: None,
    };
    let about = About { title: text.to_owned(), exported_ms: None };
    export(&about, &rows(&[Envelope { chat: None, seq: None, frame }]))
}

#[track_caller]
fn contains(text: &str, expected: &str) {
    let html = answered(text);
    let main = html.split("<main>").nth(1).unwrap();
    assert!(main.contains(expected), "{main}");
}

/// Every tag of the file with its attributes' names.
fn tags(html: &str) -> Vec<(String, Vec<String>)> {
    let opened = html.split('<').skip(1).filter(|tag| !tag.starts_with(['/', '!']));
    let parse = |tag: &str| {
        let tag = tag.split('>').next().unwrap().to_owned();
        let name = tag.split(' ').next().unwrap().to_owned();
        let attributes = tag.split('"').step_by(2).filter_map(|part| part.trim().strip_suffix('='));
        (name, attributes.map(|part| part.rsplit(' ').next().unwrap().to_owned()).collect())
    };
    opened.map(parse).collect()
}

#[test]
fn markdown_becomes_what_it_means() {
    contains("# A\n\nb **c** `d`", "<h2>A</h2><p>b <strong>c</strong> <code>d</code></p>");
    contains("```rust\n<b>\n```", "<pre>\n<code class=\"language-rust\">&lt;b&gt;\n</code></pre>");
    contains("3. a\n4. b", "<ol class=\"tight\" start=\"3\"><li><p>a</p>");
    contains("- [x] done", "<li class=\"task\">☑ <p>done</p>");
    contains("|a|\n|-:|\n|1|", "<tr><th class=\"right\">a</th></tr><tr><td class=\"right\">1</td></tr>");
    contains(
        "[x](https://a.example/?a=1&b=2 \"t\")",
        "<a href=\"https://a.example/?a=1&amp;b=2\" rel=\"noopener noreferrer nofollow\" title=\"t\">x</a>",
    );
    contains("[https://good.example](https://evil.example)", "</a> (evil.example)");
    contains("![a cat](https://a.example/cat.png)", "rel=\"noopener noreferrer nofollow\">🖼 a cat</a>");
    contains(
        "a[^1] b[^2]\n\n[^1]: The note",
        "<p>a<sup>1</sup> b[^2]</p>\n<div class=\"note\"><sup>1</sup><p>The note</p>",
    );
    contains("$$x<y$$", "<code class=\"math\">x&lt;y</code>");
}

#[test]
fn nothing_in_it_loads_or_runs_anything() {
    let hostile = concat!(
        "<script>alert(1)</script><img src=x onerror=alert(1)>\n\n",
        "![p](https://evil.example/p.png) [j](javascript:alert(1)) [f](file:///etc/passwd) [r](/files/f1) [a](#top)\n\n",
        "</main></body><link rel=stylesheet href=//evil.example>\n\n```\"><script>\n</code></pre><iframe src=//evil.example>\n```\n",
        "<style>@import url(//evil.example)</style> &lt;b&gt; \" ' \u{0} \u{1b}[31m\n"
    );
    let html = answered(hostile);
    assert!(html.contains(&format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">",
        POLICY.replace('\'', "&#39;")
    )));
    for (tag, attributes) in tags(&html) {
        let known = [
            "html",
            "head",
            "meta",
            "title",
            "style",
            "body",
            "header",
            "h1",
            "p",
            "main",
            "article",
            "details",
            "summary",
            "pre",
            "code",
            "a",
            "footer",
            "br",
            "em",
            "strong",
            "blockquote",
        ];
        assert!(known.contains(&tag.as_str()), "<{tag}> in {html}");
        for name in attributes {
            let known = [
                "lang",
                "charset",
                "http-equiv",
                "content",
                "name",
                "class",
                "aria-label",
                "href",
                "rel",
                "title",
            ];
            assert!(known.contains(&name.as_str()), "{name} of <{tag}>");
        }
    }
    let links: Vec<&str> = html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(links, ["https://evil.example/p.png"], "a link is followed only when somebody clicks on it");
    assert!(!html.contains('\u{0}') && !html.contains('\u{1b}'));
    assert_eq!(html.matches("<style>").count(), 1);
}

#[test]
fn what_would_act_unseen_is_seen() {
    contains("a \u{202e}gnp.exe", "a [U+202E]gnp.exe");
    contains("`\u{1b}[31mred`", "<code>red</code>");
}

#[test]
fn our_own_style_loads_nothing() {
    let style = include_str!("style.css");
    for word in ["url(", "@import", "@font-face", "</", "image-set"] {
        assert!(!style.contains(word), "{word}");
    }
}

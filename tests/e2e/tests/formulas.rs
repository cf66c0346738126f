//! Formulas in answers: MathML once they are closed, from a module that is loaded for the first of them, under the production
//! policy.

use e2e::adapter::Adapter;
use e2e::browser::{Browser, Screen};
use e2e::page::Page;
use serde_json::{Value, json};

const ANSWER: &str = "[data-row=answer] .markdown";

/// Opens the demo, which answers with what it is told.
async fn open(screen: Screen) -> anyhow::Result<(Adapter, Page)> {
    let adapter = Adapter::start(10.0).await?;
    let page = Page::open(Browser::chromium(screen).await?, &adapter.url()).await?;
    page.until_online().await?;
    Ok((adapter, page))
}

async fn modules(page: &Page) -> anyhow::Result<Value> {
    let names = "return performance.getEntriesByType('resource').map((entry) => entry.name)\
                 .filter((name) => name.includes('/modules/math.js')).length";
    page.script(names, vec![]).await
}

#[tokio::test]
async fn closed_formulas_are_typeset_and_money_is_not() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Phone).await?;
    page.paste_and_send("It costs $5 and $10, in `$HOME/$USER`.").await?;
    page.until_quiet().await?;
    assert_eq!(page.count(&format!("{ANSWER} .math")).await?, 0);
    assert_eq!(modules(&page).await?, json!(0), "nothing is loaded without a formula");

    page.paste_and_send(
        "Inline $e^{i\\pi}+1=0$ and \\(c\\), display\n\n\\[a=b\\]\n\n$$\n\\begin{align}\na &= b \\\\\n&= \\frac{c}{d}\n\\end{align}\n$$\n",
    )
    .await?;
    page.until_quiet().await?;
    page.until(
        "four formulas",
        "return document.querySelectorAll('[data-row=answer] .math math').length === 4",
    )
    .await?;
    assert_eq!(page.count(&format!("{ANSWER} .math.display math[display=block]")).await?, 2);
    assert_eq!(modules(&page).await?, json!(1), "the module comes once");
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

/// What is copied when all of a part of the answer is selected.
async fn copied(page: &Page, part: &str) -> anyhow::Result<String> {
    let copied = page
        .script(
            "let text;
             addEventListener('copy', (event) => {
                 text = event.clipboardData.getData('text/plain') || getSelection().toString();
             }, { once: true });
             getSelection().selectAllChildren(document.querySelector(`[data-row=answer] ${arguments[0]}`));
             document.execCommand('copy');
             return text;",
            vec![json!(part)],
        )
        .await?;
    Ok(copied.as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_fence_of_mathematics_is_a_formula_and_is_copied_as_its_source() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Phone).await?;
    page.paste_and_send("Before.\n\n```math\n\\frac{a}{b}\n= c\n```\n\nThen $x^2$ after.").await?;
    page.until_quiet().await?;
    let two = "return document.querySelectorAll('[data-row=answer] .math math').length === 2";
    page.until("two formulas", two).await?;
    assert_eq!(page.count(&format!("{ANSWER} .math.display mfrac")).await?, 1);
    assert_eq!(page.count(&format!("{ANSWER} .code")).await?, 0);
    let all = copied(&page, ".markdown").await?;
    assert!(all.contains("$$\\frac{a}{b}\n= c$$") && all.contains("Then $x^2$ after."), "{all:?}");
    page.until("the formulas again", two).await?;
    assert_eq!(copied(&page, "mfrac").await?, "$$\\frac{a}{b}\n= c$$");
    page.until("the formulas still", two).await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn what_is_no_formula_for_the_typesetter_stays_its_source() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop).await?;
    let long = format!("$${}x$$", "x+".repeat(3_000));
    page.paste_and_send(&format!(
        "$\\unknown{{x}}$ then $x^$ then $\\href{{https://evil.example}}{{x}}$ then $ok$\n\n{long}"
    ))
    .await?;
    page.until_quiet().await?;
    page.until("the one formula", "return document.querySelector('[data-row=answer] .math math') !== null")
        .await?;
    let shown = page
        .script(
            "return [...document.querySelectorAll('[data-row=answer] .math')].map((math) => math.textContent)",
            vec![],
        )
        .await?;
    let expected = json!(["$\\unknown{x}$", "$x^$", "$\\href{https://evil.example}{x}$", "ok", long]);
    assert_eq!(shown, expected);
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn brackets_and_roots_are_as_high_as_what_they_hold_on_any_platform() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Phone).await?;
    page.paste_and_send("$$\\left(\\frac{\\sum_{i=0}^{n} x_i}{\\int_0^1 g(t)\\,dt}\\right)$$").await?;
    page.until_quiet().await?;
    let stretched = "const height = (part) => part.getBoundingClientRect().height;
        const held = document.querySelector('[data-row=answer] mfrac');
        const brackets = [...document.querySelectorAll('[data-row=answer] mo')].filter((mo) => '()'.includes(mo.textContent));
        const around = brackets.filter((mo) => mo.parentElement.contains(held) && !held.contains(mo));
        return held && around.length === 2 && around.every((mo) => height(mo) >= 0.9 * height(held));";
    page.until("brackets that stretch", stretched).await?;
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

#[tokio::test]
async fn no_formula_names_links_or_leaves_its_place() -> anyhow::Result<()> {
    let (adapter, page) = open(Screen::Desktop).await?;
    page.paste_and_send(
        "$\\label{app}\\ref{app} x$ $\\kern-50em y$ $\\raisebox{-500em}{far}$ $\\hspace{-40em}z$",
    )
    .await?;
    page.until_quiet().await?;
    page.until(
        "the formulas",
        "return document.querySelectorAll('[data-row=answer] .math math').length === 4",
    )
    .await?;
    assert_eq!(page.count(&format!("{ANSWER} .math :is([id], [href])")).await?, 0);
    let outside = page
        .script(
            "const box = document.querySelector('[data-row=answer] .markdown').getBoundingClientRect();\
             return [...document.querySelectorAll('[data-row=answer] .math *')].filter((part) => {\
               const place = part.getBoundingClientRect();\
               const drawn = part.getClientRects().length > 0;\
               return drawn && (place.left < box.left - 8 || place.bottom > box.bottom + 40);\
             }).length",
            vec![],
        )
        .await?;
    assert_eq!(outside, json!(0));
    page.assert_healthy(&adapter.url()).await?;
    page.browser.quit().await
}

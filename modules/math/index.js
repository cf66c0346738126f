// Formulas: the TeX in an element becomes MathML in its place. What does not parse, or is too much, stays the source it is.
//
// Temml makes DOM nodes, never HTML. `\href`, `\includegraphics` and whatever else asks for trust is refused by it; what
// could reach out of the formula all the same is taken away here.

import css from "temml/dist/Temml-Local.css";
import temml from "temml";
import font from "./stix-two-math.woff2";

// More takes longer than a frame, and no model means it as one formula.
const LONGEST = 4_000;
// Temml calls itself for each brace: deeper ones cost time, and in the end the stack.
const DEEPEST = 60;
// How far, in em, a part may be moved out of its place.
const FARTHEST = 3;

// Temml's script font is not shipped: a mathematical font has those letters. Android and most of Linux come without one, and
// there no bracket would stretch: then the browser loads ours, and only then.
const families = '"Cambria Math", "STIX Two Math", "STIXTwoMath-Regular", "Iris Math", math';
const styles = new CSSStyleSheet();
styles.replaceSync(`${css.replace(/@font-face\s*\{[^}]*\}/, "")} math { font-family: ${families}; }`);
document.adoptedStyleSheets.push(styles);
document.fonts.add(new FontFace("Iris Math", `url("${new URL(font, import.meta.url)}")`, { display: "swap" }));

/** What is typeset, and its source as it is written. */
const sources = new WeakMap();

/** Typesets `element`, whose text is the TeX between one dollar or, on a line of its own, between two. */
export default function typeset(element) {
  const display = element.classList.contains("display");
  const marks = display ? 2 : 1;
  const source = element.textContent;
  const tex = source.slice(marks, -marks);
  if (tex.length > LONGEST || depth(tex) > DEEPEST) return;
  const made = document.createElement("span");
  try {
    temml.render(tex, made, { displayMode: display, throwOnError: true, maxSize: [20, 200], maxExpand: 200 });
  } catch (error) {
    element.title = `Not a formula that can be drawn: ${firstLine(error)}`;
    return;
  }
  for (const part of made.querySelectorAll("*")) tame(part);
  element.replaceChildren(...made.childNodes);
  sources.set(element, source);
}

// Copied, a formula is its source: the letters of MathML in a row say nothing. While the browser makes the copy the sources
// stand on the page; it is not drawn in between.
document.addEventListener("copy", (event) => {
  const selection = getSelection();
  const formulas = [...document.querySelectorAll(".math")].filter((element) => sources.has(element));
  const inside = formulas.find((element) => element.contains(selection.anchorNode) && element.contains(selection.focusNode));
  if (inside && !selection.isCollapsed) {
    event.clipboardData.setData("text/plain", sources.get(inside));
    event.preventDefault();
    return;
  }
  const copied = formulas.filter((element) => selection.containsNode(element));
  const drawn = copied.map((element) => [...element.childNodes]);
  for (const element of copied) element.replaceChildren(sources.get(element));
  setTimeout(() => copied.forEach((element, number) => element.replaceChildren(...drawn[number])));
});

/** How deep the braces nest. */
function depth(tex) {
  let now = 0;
  let most = 0;
  for (const letter of tex) {
    if (letter === "{") most = Math.max(most, ++now);
    else if (letter === "}") now--;
  }
  return most;
}

function firstLine(error) {
  return String(error.message).trim().split("\n", 1)[0];
}

/** Takes away names and addresses, which belong to the page, and moves that would put a part over other text. */
function tame(part) {
  for (const name of ["id", "href"]) part.removeAttribute(name);
  const moved = [part.style.marginLeft, part.style.paddingBottom, part.style.paddingTop];
  const shifted = ["voffset", "lspace", "rspace", "width", "height", "depth"].map((name) => part.getAttribute(name));
  const far = (length) => /em$/.test(length ?? "") && Math.abs(parseFloat(length)) > FARTHEST;
  if (moved.some(far)) part.removeAttribute("style");
  if (part.localName === "mpadded" && shifted.some(far)) {
    for (const { name } of [...part.attributes]) part.removeAttribute(name);
  }
}

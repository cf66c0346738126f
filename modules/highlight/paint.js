// Colours on text that stays as it is: ranges over a text node in the page's highlight registry, which `theme.css` gives a
// colour. No node is made, moved or changed, and so the reader's selection lives on.
//
// A browser looks at every range of the page whenever anything changes: 1 µs each to look, 3 µs to draw in Chromium. So only
// the lines on the screen have ranges.

import { KINDS } from "./kinds.js";
import theme from "./theme.css";

let highlights = null;

// Whether this browser can; otherwise code stays plain.
export function canPaint() {
  return typeof Highlight === "function" && "highlights" in CSS;
}

function registry() {
  if (!highlights) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(theme);
    document.adoptedStyleSheets.push(sheet);
    highlights = KINDS.map((kind) => {
      const highlight = new Highlight();
      CSS.highlights.set(`code-${kind}`, highlight);
      return highlight;
    });
  }
  return highlights;
}

// The colours of one text node.
export class Paint {
  node;
  // For each coloured line, its ranges with their kinds.
  #lines = new Map();

  constructor(node) {
    this.node = node;
  }

  // Shows the tokens of the lines from `from` up to `to` and of no other. What is coloured before line `changed` is right
  // already.
  show(lines, from, to, changed) {
    for (const number of this.#lines.keys()) {
      if (number < from || number >= to || number >= changed) this.#remove(number);
    }
    const end = Math.min(to, lines.length);
    for (let number = Math.max(from, 0); number < end; number += 1) {
      if (lines[number].length > 0 && !this.#lines.has(number)) this.#add(number, lines[number]);
    }
  }

  clear() {
    for (const number of this.#lines.keys()) this.#remove(number);
  }

  #add(number, tokens) {
    const made = [];
    for (let at = 0; at < tokens.length; at += 3) {
      // A live range would be looked at with every change of the text. Text only grows behind this one, or is read anew.
      const range = new StaticRange({
        startContainer: this.node, startOffset: tokens[at], endContainer: this.node, endOffset: tokens[at + 1],
      });
      registry()[tokens[at + 2]].add(range);
      made.push(tokens[at + 2], range);
    }
    this.#lines.set(number, made);
  }

  #remove(number) {
    const made = this.#lines.get(number);
    for (let at = 0; at < made.length; at += 2) registry()[made[at]].delete(made[at + 1]);
    this.#lines.delete(number);
  }
}

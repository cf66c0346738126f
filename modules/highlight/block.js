// A code block of the page: keeps its chunks read up to the last one on the screen, and their visible lines coloured.
//
// What changes is heard from one MutationObserver, before the frame is drawn that shows it: new text and its colours come
// together. Where there is much to read, it goes on in idle moments, and text never waits. It changes nothing on the page.

import { language, lexer } from "./languages.js";
import { Lexer } from "./lexer.js";
import { Piece } from "./piece.js";
import { measureAll } from "./view.js";

// Milliseconds for reading in one go: within the frame that shows the text, and in an idle moment.
const AT_ONCE = 2;
const IDLE = 8;
// So often a reader may go on without looking at the clock: some 16 lines, more than a frame brings.
const FREE = 2;
// What follows so many chunks stays plain: 32,768 lines.
const MAX_CHUNKS = 512;

const idle = globalThis.requestIdleCallback
  ? (work) => requestIdleCallback(work, { timeout: 300 })
  : (work) => setTimeout(work, 30);

const isChunk = (node) => node.className === "lines";

export class Block {
  #code;
  #label;
  #pieces = [];
  // So many pieces, from the first one on, are read to their ends.
  #read = 0;
  #language;
  #lexer = null;
  #waits = false;

  constructor(element) {
    this.#label = element.querySelector(".lang");
    this.#code = element.querySelector("pre > code");
    const observer = new MutationObserver((records) => this.#heard(records));
    const everything = { childList: true, characterData: true, subtree: true };
    observer.observe(this.#label, everything);
    observer.observe(this.#code, everything);
    // Wrapped lines have other places.
    observer.observe(element, { attributeFilter: ["class"] });
    this.#name();
    this.#collect(false);
  }

  // Goes on reading, up to the last piece on the screen.
  work(budget = AT_ONCE) {
    if (!this.#lexer) return;
    const end = Math.min(this.#pieces.findLastIndex((piece) => piece.isSeen) + 1, MAX_CHUNKS);
    const until = performance.now() + budget;
    let asked = 0;
    const stop = () => (asked += 1) > FREE && performance.now() > until;
    for (; this.#read < end; this.#read += 1) {
      const before = this.#pieces[this.#read - 1];
      const done = this.#pieces[this.#read].read(this.#lexer, before ? before.end : Lexer.START, stop);
      if (!done) return this.#later();
    }
  }

  #later() {
    if (this.#waits) return;
    this.#waits = true;
    idle(() => {
      this.#waits = false;
      this.work(IDLE);
    });
  }

  #heard(records) {
    for (const { type, target, addedNodes, removedNodes } of records) {
      if (type === "attributes") measureAll();
      else if (this.#label.contains(target)) this.#name();
      else if (type === "characterData") this.#changed(target.parentNode);
      else if (target !== this.#code) this.#changed(target);
      else if ([...addedNodes, ...removedNodes].some(isChunk)) this.#collect(true);
    }
    this.work();
  }

  // The text of a chunk has changed. It is nearly always the last one.
  #changed(span) {
    const index = this.#pieces.findLastIndex((piece) => piece.span === span);
    if (index < 0) return;
    this.#pieces[index].changed();
    this.#read = Math.min(this.#read, index);
  }

  // Takes in the chunks that stand on the page now; up to the first other one, all stay as they are. What is being written
  // is seen if it follows something that is seen to its end.
  #collect(isWritten) {
    const spans = [...this.#code.children].filter(isChunk);
    let same = 0;
    while (same < spans.length && this.#pieces[same]?.span === spans[same]) same += 1;
    for (const gone of this.#pieces.splice(same)) gone.drop();
    for (const span of spans.slice(same)) {
      const piece = new Piece(this, span);
      const before = this.#pieces.at(-1);
      if (isWritten && (!before || before.to === Infinity)) piece.changed();
      this.#pieces.push(piece);
    }
    this.#read = Math.min(this.#read, same);
  }

  // Takes the language from the block's label.
  #name() {
    const wanted = language(this.#label.textContent);
    if (wanted === this.#language) return;
    this.#language = wanted;
    this.#lexer = null;
    this.#read = 0;
    for (const piece of this.#pieces) piece.reset();
    if (!wanted) return;
    lexer(wanted).then((made) => {
      if (this.#language !== wanted) return;
      this.#lexer = made;
      this.work();
    }, console.warn);
  }
}

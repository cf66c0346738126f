// A chunk of code on the page: its element, what is read of its text, and the colours of its lines that are on the screen.

import { Chunk } from "./chunk.js";
import { Paint } from "./paint.js";
import { forget, watch } from "./view.js";

export class Piece {
  // The lines that may be seen, up to `to`; set by `view.js`.
  from = 0;
  to = 0;
  #block;
  #chunk = new Chunk();
  #paint = null;
  // Whether the text is another than the one that was read.
  #stale = true;

  // Whether the browser has said where the piece is.
  #placed = false;

  constructor(block, span) {
    this.#block = block;
    this.span = span;
    watch(this);
  }

  get isSeen() {
    return this.from < this.to;
  }

  // The state behind the last whole line that is read.
  get end() {
    return this.#chunk.end;
  }

  get #text() {
    return this.span.firstChild?.data ?? "";
  }

  // How many lines stand on the page, the unfinished one included.
  countLines() {
    const lines = this.#text.split("\n");
    return lines.at(-1) === "" ? lines.length - 1 : lines.length;
  }

  // Other lines are on the screen.
  look(from, to) {
    this.#placed = true;
    this.from = from;
    this.to = to;
    this.#show(Infinity);
    this.#block.work();
  }

  // Reads the piece to its end with `start` as the state before it. Returns whether there was the time.
  read(lexer, start, stop) {
    if (!this.#chunk.begin(start) && !this.#stale) return true;
    const { changed, done } = this.#chunk.read(lexer, this.#text, stop);
    this.#stale = !done;
    this.#show(changed);
    return done;
  }

  // The text has grown, or is another one. Where something is written there is somebody to see it, until the browser, which
  // takes its time, knows better.
  changed() {
    this.#stale = true;
    if (!this.#placed) this.to = Infinity;
  }

  // The language is another one.
  reset() {
    this.#hide();
    this.#chunk = new Chunk();
    this.#stale = true;
  }

  // The element is gone.
  drop() {
    forget(this);
    this.#hide();
  }

  // Shows the lines on the screen; those from `changed` on are others than before.
  #show(changed) {
    if (!this.isSeen) {
      this.#hide();
      return;
    }
    if (this.#paint?.node !== this.span.firstChild) this.#hide();
    this.#paint ??= new Paint(this.span.firstChild);
    this.#paint.show(this.#chunk.lines, this.from, this.to, changed);
  }

  #hide() {
    this.#paint?.clear();
    this.#paint = null;
  }
}

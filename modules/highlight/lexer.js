// Lines of code to tokens, one line at a time: Ace's tokenizer, whose state where a line ends is a value. Owns the limits for a
// hostile line; knows neither the page nor when it is called.

import { Tokenizer } from "ace-code/src/tokenizer.js";

// A longer line stays plain behind this point: nobody reads it, and while it grows it is read again with every change. Some
// rules take a time that grows with the square of a hostile line, or faster.
export const MAX_LINE = 500;
// Deeper than anybody nests. A state is copied for each line, so it must not grow with the code.
const MAX_DEPTH = 500;
// The state of a lexer that has given up: everything behind it stays plain.
export const LOST = null;

export class Lexer {
  #tokenizer;

  constructor(rules) {
    this.#tokenizer = new Tokenizer(rules);
    // Its own report throws into the page. Code that no language expects is no error of ours.
    this.#tokenizer.reportError = () => {};
  }

  // Reads one line without its newline and calls `token(from, to, type)` for each of its tokens. Takes the state where the
  // line before it has ended, and returns the one where this line ends.
  line(text, state, token) {
    if (state === LOST) return LOST;
    const { tokens, state: end } = this.#tokenizer.getLineTokens(text.slice(0, MAX_LINE), state);
    let from = 0;
    for (const { type, value } of tokens) {
      const to = from + value.length;
      token(from, to, type);
      from = to;
    }
    return end.length > MAX_DEPTH && Array.isArray(end) ? LOST : end;
  }
}

// The state before the first line.
Lexer.START = "start";

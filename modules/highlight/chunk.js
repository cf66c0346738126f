// One chunk of a block's code: how far it is read, and the tokens of its lines. Pure: knows neither the page nor the time.
//
// A chunk that grows is read on from the end of its last whole line; the unfinished line behind that is read anew each time.
// So its tokens are those of a reading in one go, whatever the steps, which `chunk.test.js` holds it to.

import { LOST, MAX_LINE } from "./lexer.js";
import { kindOf } from "./kinds.js";

// Longer chunks stay plain, and everything behind them: code with such lines is not read by people.
export const MAX_CHUNK = 64 * 400;
// After so many lines, or one that is long, somebody is asked whether to go on.
const STRIDE = 8;

export class Chunk {
  // For each line, what is coloured in it: from, to, kind, from, to, kind …, counted from the chunk's start.
  lines = [];
  #start;
  #end;
  // The whole lines that are read.
  #read = "";
  // Whether the last of `lines` is an unfinished one.
  #open = false;

  // The state behind the last whole line that is read.
  get end() {
    return this.#end;
  }

  // Says in which state the chunk begins. Another one than before makes everything read so far void; returns whether.
  begin(state) {
    if (this.#start !== undefined && same(this.#start, state)) return false;
    this.#start = state;
    this.#restart();
    return true;
  }

  // Reads on in `text`, the whole chunk, until `stop()`. Returns the first line that may have changed, and whether the end
  // was reached.
  read(lexer, text, stop) {
    if (text.length > MAX_CHUNK) {
      this.#restart();
      this.#end = LOST;
      return { changed: 0, done: true };
    }
    let from = this.#read.length;
    if (!text.startsWith(this.#read)) {
      this.#restart();
      from = 0;
    } else if (this.#open) {
      this.lines.pop();
    }
    const changed = this.lines.length;
    this.#open = false;
    let done = true;
    let length = 0;
    for (let end = text.indexOf("\n", from); end >= 0 && done; end = text.indexOf("\n", from)) {
      this.#line(lexer, text, from, end);
      length += end - from;
      from = end + 1;
      if (this.lines.length % STRIDE === 0 || length > MAX_LINE) {
        length = 0;
        done = !stop();
      }
    }
    this.#read = text.slice(0, from);
    if (done && from < text.length) {
      const before = this.#end;
      this.#line(lexer, text, from, text.length);
      this.#end = before;
      this.#open = true;
    }
    return { changed, done };
  }

  #line(lexer, text, from, to) {
    const tokens = [];
    this.#end = lexer.line(text.slice(from, to), this.#end, (start, end, type) => {
      const kind = kindOf(type);
      const last = tokens.length - 1;
      if (kind < 0 || start === end) return;
      // One range for what looks the same.
      if (tokens[last] === kind && tokens[last - 1] === from + start) tokens[last - 1] = from + end;
      else tokens.push(from + start, from + end, kind);
    });
    this.lines.push(tokens);
  }

  #restart() {
    this.lines = [];
    this.#read = "";
    this.#open = false;
    this.#end = this.#start;
  }
}

// States are names, or short lists of names and numbers.
function same(one, other) {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((part, index) => part === other[index]);
}

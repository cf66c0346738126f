// marked and innerHTML: the whole text again at every chunk, which is all that it offers.

import { Marked } from "marked";

const marked = new Marked({ gfm: true });

export function create(host) {
  let text = "";
  return {
    write(delta) {
      text += delta;
      host.innerHTML = marked.parse(text);
    },
    end() {},
  };
}

// markdown-it and innerHTML: the whole text again at every chunk, which is all that it offers.

import MarkdownIt from "markdown-it";

const markdownIt = new MarkdownIt();

export function create(host) {
  let text = "";
  return {
    write(delta) {
      text += delta;
      host.innerHTML = markdownIt.render(text);
    },
    end() {},
  };
}

// The renderers by name. Each module is loaded alone, so that no renderer pays for another's code or styles.
//
// A module has `create(host)`, which gives `write(delta)`, `end()` and perhaps `close()`; the first may answer with a promise
// that is fulfilled when the DOM is up to date. `styles` are the stylesheets that its documentation asks for.

export const peers = {
  iris: () => import("./iris.js"),
  "streaming-markdown": () => import("./streaming-markdown.js"),
  "markstream-vue": () => import("./markstream-vue.js"),
  streamdown: () => import("./streamdown.js"),
  incremark: () => import("./incremark.js"),
  "markdown-it": () => import("./markdown-it.js"),
  marked: () => import("./marked.js"),
  "react-markdown": () => import("./react-markdown.js"),
};

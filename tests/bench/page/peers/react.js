// What the renderers for React have in common: a root, and a commit that has happened when `flush` returns.

import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";

export function mount(host) {
  const root = createRoot(host);
  return {
    draw: (element) => flushSync(() => root.render(element)),
    flush: flushSync,
    close: () => root.unmount(),
  };
}

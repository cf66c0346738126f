// The page that is measured: one renderer at a time, named in the address, driven by the program over `window.bench`.
// Owns the order of things; `measure.js` has the clock, `watch.js` the DOM, `peers/` the renderers.

import { measure } from "./measure.js";
import { peers } from "./peers/index.js";
import { settle } from "./frames.js";
import { watch } from "./watch.js";

const scroller = document.getElementById("scroller");
let peer;

/** Loads the renderer and its styles. */
async function load(name) {
  peer = await peers[name]();
  await Promise.all((peer.styles ?? []).map(link));
}

function link(href) {
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  const loaded = new Promise((resolve, reject) => Object.assign(sheet, { onload: resolve, onerror: reject }));
  document.head.append(sheet);
  return loaded;
}

async function chunks(trace) {
  const answer = await fetch(`traces/${trace}.json`);
  if (!answer.ok) throw new Error(`no trace ${trace}`);
  return answer.json();
}

/** A renderer in an element of its own; `last` takes both away. */
function open() {
  const host = document.createElement("div");
  host.className = peer.className ?? "";
  scroller.append(host);
  const renderer = peer.create(host);
  return { host, renderer, close: () => (renderer.close?.(), host.remove()) };
}

let kept;

window.bench = {
  load,

  /** Both JIT compilers and the caches of the renderer get to know the work. */
  async warmUp(trace, characters) {
    const some = [];
    let length = 0;
    for (const chunk of await chunks(trace)) {
      if ((length += chunk.length) > characters) break;
      some.push(chunk);
    }
    const { host, renderer, close } = open();
    await measure(host, scroller, renderer, some, Infinity);
    await settle(host);
    close();
  },

  /** The timed run. What was drawn stays, so that its memory can be counted. */
  async measure(trace, limit, enough) {
    kept = open();
    const all = await chunks(trace);
    const result = await measure(kept.host, scroller, kept.renderer, all, limit, enough ?? Infinity);
    return { ...result, memory: peer.memory?.() ?? 0 };
  },

  /** The same once more without a clock: what happens to the DOM. */
  watch: async (trace, limit) => watch(open, await chunks(trace), limit),
};

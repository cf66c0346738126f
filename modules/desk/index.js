// The page's second program (`crates/desk`, WebAssembly): recorded runs, the doctor and what else is seldom asked for. This
// is all of its JavaScript: it starts the program, on the page or in a worker, and says so when that has stopped. The chat
// is another program.

import init, * as desk from "iris-desk/desk.js";
import wasm from "iris-desk/desk_bg.wasm";
import doctor from "./doctor.css";
import exported from "./export.css";
import field from "./field.css";
import frame from "./frame.css";
import log from "./log.css";
import panel from "./panel.css";
import player from "./player.css";
import runs from "./runs.css";
import streams from "./streams.css";

const onPage = typeof document !== "undefined";
let words;

const host = {
  stopped(said) {
    words = said;
    if (!onPage) return postMessage({ stopped: said });
    // What it drew stays, dead; the words stand above it.
    const places = document.querySelectorAll("dialog.desk-sheet, [data-page]:not(dialog)");
    for (const place of places.length > 0 ? places : [document.body]) tell(place);
  },
  worker: () => globalThis.irisDeskWorker(),
  dialer: (worker) => () => {
    const { port1, port2 } = new MessageChannel();
    worker.postMessage({ order: '{"order":"connect"}', port: port2 }, [port2]);
    return new PortSocket(port1);
  },
};

// A port that looks like a WebSocket: the app's link holds it.
class PortSocket {
  readyState = 0;
  #port;
  constructor(port) {
    this.#port = port;
    port.onmessage = ({ data }) => this.onmessage?.({ data });
    queueMicrotask(() => {
      if (this.readyState !== 0) return;
      this.readyState = 1;
      this.onopen?.();
    });
  }
  send(text) { this.#port.postMessage(text); }
  close() {
    this.readyState = 3;
    this.#port.close();
  }
}

const started = init({ module_or_path: new URL(wasm, import.meta.url) }).then(() => {
  desk.start(host);
  if (!onPage) desk.serve(globalThis);
});

if (onPage) {
  for (const css of [frame, runs, player, panel, field, doctor, log, streams, exported]) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
  }
}

/** Draws the page that the element's `data-page` names into it. */
export default async function mount(element) {
  await started;
  if (words) tell(element);
  else desk.mount(element);
}

/** Opens a page in a sheet over the app. `what`, if there is something: files to replay, or the address of one. */
export async function open(page, what = []) {
  await started;
  if (words) return tell(document.body);
  if (typeof what !== "string") return desk.open(page, [...what]);
  try {
    desk.open(page, [await fetched(what)]);
  } catch (error) {
    desk.refuse(what, error.message);
  }
}

// A run from this page's own host, whatever the address says: nothing is asked of another.
async function fetched(address) {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin) {
    throw new Error(`It lies with ${url.host || "nobody"}, and runs are only loaded from this page's own host. Download it and open the file.`);
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`It cannot be loaded: the server says ${answer.status} ${answer.statusText}`.trim());
  return new File([await answer.blob()], decodeURIComponent(url.pathname.split("/").pop()) || "run.jsonl");
}

function tell(place) {
  const note = document.createElement("section");
  note.className = "desk-stopped";
  note.setAttribute("role", "alert");
  const say = (name, text) => { note.appendChild(document.createElement(name)).textContent = text; };
  say("strong", "This part of Iris has stopped");
  say("p", "The chat goes on. Reload the page to use this part again.");
  say("pre", String(words).slice(0, 2000));
  place.prepend(note);
}

// The page's second program (`crates/desk`, WebAssembly): recorded runs, the doctor and what else is seldom asked for. This
// is all of its JavaScript: it starts the program, and says so when that has stopped. The chat is another program.

import init, * as desk from "iris-desk/desk.js";
import wasm from "iris-desk/desk_bg.wasm";
import frame from "./frame.css";

const sheets = [frame];

let stopped;
const started = init({ module_or_path: new URL(wasm, import.meta.url) }).then(() => desk.start(stop));

for (const css of sheets) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}

/** Draws the page that the element's `data-page` names into it. */
export default async function mount(element) {
  await started;
  if (stopped) tell(element);
  else desk.mount(element);
}

/** Opens a page in a sheet over the app. */
export async function open(page) {
  await started;
  if (stopped) tell(document.body);
  else desk.open(page);
}

// A panic. What it drew stays, dead; the words stand above it.
function stop(words) {
  stopped = words;
  const places = document.querySelectorAll("dialog.desk-sheet, [data-page]:not(dialog)");
  for (const place of places.length > 0 ? places : [document.body]) tell(place);
}

function tell(place) {
  const note = document.createElement("section");
  note.className = "desk-stopped";
  note.setAttribute("role", "alert");
  const say = (name, text) => note.appendChild(document.createElement(name)).textContent = text;
  say("strong", "This part of Iris has stopped");
  say("p", "The chat goes on. Reload the page to use this part again.");
  say("pre", String(stopped).slice(0, 2000));
  place.prepend(note);
}

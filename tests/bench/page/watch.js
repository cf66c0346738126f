// What a renderer does to the DOM while it streams: churn, settled blocks made again, selections lost, and whether what
// stands at the end is what the same renderer draws in one go. No clock runs here.

import { settle } from "./frames.js";
import { picture } from "./picture.js";

/** Every so many chunks a selection is made; it is looked at so many chunks later. */
const ROUND = 32;
const LOOK = 24;

export async function watch(open, chunks, limit) {
  const { host, renderer, close } = open();
  const churn = new Churn(host);
  const blocks = new Blocks(host);
  const selections = new Selections(host);
  const began = performance.now();
  let [text, frames] = ["", 0];
  for (const chunk of chunks) {
    const pending = renderer.write(chunk);
    if (pending) await pending;
    text += chunk;
    churn.count();
    blocks.look();
    selections.step(frames++);
    // Renderers that defer their work get a turn.
    if (frames % 8 === 0) await new Promise((resolve) => setTimeout(resolve));
    if (performance.now() - began > limit) break;
  }
  getSelection().removeAllRanges();
  await renderer.end();
  await settle(host);
  churn.count();
  const elements = host.getElementsByTagName("*").length;
  const shown = picture(host);
  close();
  const once = open();
  const pending = once.renderer.write(text);
  if (pending) await pending;
  await once.renderer.end();
  await settle(once.host);
  const difference = differ(shown, picture(once.host));
  once.close();
  const { added, removed } = churn;
  return { elements, added, removed, difference, recreated: blocks.recreated, ...selections.kept };
}

/** Where two drawings part, or null. */
function differ(streamed, once) {
  if (streamed === once) return null;
  let at = 0;
  while (streamed[at] === once[at]) at++;
  const around = (text) => text.slice(Math.max(0, at - 40), at + 40);
  return `${around(streamed)} ≠ ${around(once)}`;
}

/** Elements that came and went. */
class Churn {
  added = 0;
  removed = 0;

  constructor(host) {
    this.observer = new MutationObserver((records) => this.add(records));
    this.observer.observe(host, { subtree: true, childList: true });
  }

  count() {
    this.add(this.observer.takeRecords());
  }

  add(records) {
    for (const { addedNodes, removedNodes } of records) {
      this.added += elementsIn(addedNodes);
      this.removed += elementsIn(removedNodes);
    }
  }
}

function elementsIn(nodes) {
  let count = 0;
  for (const node of nodes) {
    if (node.nodeType === Node.ELEMENT_NODE) count += 1 + node.getElementsByTagName("*").length;
  }
  return count;
}

const BLOCK = /^(P|PRE|UL|OL|TABLE|BLOCKQUOTE|H[1-6]|HR)$/;

/** The element whose children are the blocks: renderers wrap them in a few layers of their own. */
function blockList(host) {
  let list = host;
  while (list.childElementCount === 1 && !BLOCK.test(list.firstElementChild.tagName)) list = list.firstElementChild;
  return list;
}

/** Blocks that another block follows are settled: an element among them that vanishes was made again. */
class Blocks {
  settled = new Set();
  recreated = 0;

  constructor(host) {
    this.host = host;
  }

  look() {
    for (const block of this.settled) {
      if (block.isConnected) continue;
      this.settled.delete(block);
      this.recreated++;
    }
    const children = blockList(this.host).children;
    for (let index = children.length - 2; index >= 0 && !this.settled.has(children[index]); index--) {
      this.settled.add(children[index]);
    }
  }
}

/** In turn a word of the first block and the beginning of the last text is selected, as a reader would. */
class Selections {
  kept = { settledKept: 0, settledTried: 0, tailKept: 0, tailTried: 0 };

  constructor(host) {
    this.host = host;
  }

  step(frame) {
    if (frame % ROUND === 0) this.select(frame % (2 * ROUND) === 0);
    if (frame % ROUND === LOOK && this.wanted) this.look();
  }

  select(tail) {
    this.wanted = undefined;
    const list = blockList(this.host);
    const node = tail ? lastText(this.host) : list.childElementCount > 1 && firstText(list);
    if (!node) return;
    const start = node.data.search(LETTERS);
    getSelection().setBaseAndExtent(node, start, node, start + 4);
    this.wanted = getSelection().toString();
    this.tail = tail;
  }

  look() {
    const kept = getSelection().toString() === this.wanted;
    const where = this.tail ? "tail" : "settled";
    this.kept[`${where}Tried`]++;
    this.kept[`${where}Kept`] += kept;
    this.wanted = undefined;
  }
}

const LETTERS = /[\p{L}\p{N}_]{4}/u;
const enough = { acceptNode: (node) => (LETTERS.test(node.data) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT) };

function firstText(root) {
  return document.createTreeWalker(root, NodeFilter.SHOW_TEXT, enough).nextNode();
}

function lastText(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, enough);
  let last = null;
  while (walker.nextNode()) last = walker.currentNode;
  return last;
}

// Syntax colours for a code block: `<div class="code"> <header> <span class="lang">…</span> … </header> <pre> <code>
// <span class="lines">…</span> …`. Each chunk has one text node. The app hands a block over once; from then on the block's
// own changes are heard.

import { Block } from "./block.js";
import { canPaint } from "./paint.js";

const known = new WeakSet();

// Colours a block from now on.
export default function watch(element) {
  if (!canPaint() || known.has(element)) return;
  known.add(element);
  new Block(element);
}

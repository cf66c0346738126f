// The timed run: one chunk a frame, layout forced inside the frame that caused it, nothing else on the page.

import { inFrame } from "./frames.js";

/** Frames after the last chunk in which a renderer that defers its work may do it. */
const AFTER = 10;

/**
 * Streams `chunks`; stops early when `limit` milliseconds have passed, or when the calls of `write` took `enough` of them.
 * All times are milliseconds.
 *
 * The work is done by the frame's own callback and not by what follows an `await`: Chromium's counter of script time leaves
 * out what promises call.
 */
export async function measure(host, scroller, renderer, chunks, limit, enough = Infinity) {
  const [writes, layouts, starts, long] = [[], [], [], []];
  const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map((entry) => entry.duration)));
  observer.observe({ type: "longtask" });
  const write = (chunk) => {
    const start = performance.now();
    const layOut = () => {
      const done = performance.now();
      scroller.scrollTop = scroller.scrollHeight;
      host.getBoundingClientRect();
      starts.push(start);
      writes.push(done - start);
      layouts.push(performance.now() - done);
    };
    const pending = renderer.write(chunk);
    return pending ? pending.then(layOut) : layOut();
  };
  const began = performance.now();
  let written = 0;
  for (const chunk of chunks) {
    await inFrame(() => write(chunk));
    written += writes.at(-1);
    if (performance.now() - began > limit || written > enough) break;
  }
  await inFrame(() => renderer.end());
  for (let after = 0; after < AFTER; after++) await inFrame(() => {});
  observer.takeRecords().forEach((entry) => long.push(entry.duration));
  observer.disconnect();
  return { frames: writes.length, writes, layouts, starts, long };
}

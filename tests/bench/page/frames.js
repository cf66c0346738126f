// Waiting: for a frame, and for a renderer that works on after it was called.

/** Does `work` in the next animation frame; fulfilled when that, and what it promises, is done. */
export function inFrame(work) {
  return new Promise((resolve, reject) =>
    requestAnimationFrame(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    }),
  );
}

/** Until nothing has changed below `host` for a while, but not for ever. */
export async function settle(host, quiet = 150, limit = 3000) {
  let last = performance.now();
  const began = last;
  const observer = new MutationObserver(() => (last = performance.now()));
  observer.observe(host, { subtree: true, childList: true, characterData: true, attributes: true });
  while (performance.now() - last < quiet && performance.now() - began < limit) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  observer.disconnect();
}

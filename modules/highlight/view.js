// Which lines of which chunks are on the screen, with a margin. It measures only when the browser has just done its layout (on
// scrolling, and when a chunk comes or goes), so that it never makes the page do it twice.

// Lines above and below the screen that are coloured too; three times as many may stay.
const MARGIN = 8;

// The pieces on the screen.
const shown = new Set();
const pieces = new WeakMap();
let observer;

// Watches a piece: sets the lines `from` and up to `to` that may be seen, and tells it so.
export function watch(piece) {
  if (!observer) {
    observer = new IntersectionObserver(crossed, { rootMargin: "200px 0px", scrollMargin: "200px" });
    for (const event of ["scroll", "resize"]) addEventListener(event, measureAll, { capture: true, passive: true });
  }
  pieces.set(piece.span, piece);
  observer.observe(piece.span);
}

// The piece is no longer what its element shows.
export function forget(piece) {
  shown.delete(piece);
  observer.unobserve(piece.span);
}

function crossed(entries) {
  for (const { target, isIntersecting } of entries) {
    const piece = pieces.get(target);
    if (isIntersecting) {
      shown.add(piece);
      measure(piece);
    } else {
      shown.delete(piece);
      piece.look(0, 0);
    }
  }
}

// Looks anew where everything is: after scrolling, or when the places have changed otherwise.
export function measureAll() {
  for (const piece of shown) measure(piece);
}

function measure(piece) {
  // Lines that wrap have no height that is known: all of the chunk is taken then.
  if (getComputedStyle(piece.span).whiteSpace !== "pre") {
    piece.look(0, Infinity);
    return;
  }
  const { top, height } = piece.span.getBoundingClientRect();
  const lines = piece.countLines();
  const first = Math.floor((-top * lines) / height);
  const last = Math.ceil(((innerHeight - top) * lines) / height);
  const covered = piece.from <= Math.max(first, 0) && piece.to >= Math.min(last, lines);
  const tight = piece.from >= first - 3 * MARGIN && Math.min(piece.to, lines) <= last + 3 * MARGIN;
  if (covered && tight) return;
  const to = last + MARGIN;
  // A chunk that is seen to its end is seen to its end when it grows.
  piece.look(Math.max(first - MARGIN, 0), to >= lines ? Infinity : to);
}

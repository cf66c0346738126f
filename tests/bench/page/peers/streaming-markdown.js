// streaming-markdown with its own DOM renderer, as its readme shows.

import { default_renderer, parser, parser_end, parser_write } from "streaming-markdown";

export function create(host) {
  const state = parser(default_renderer(host));
  return {
    write: (delta) => parser_write(state, delta),
    end: () => parser_end(state),
  };
}

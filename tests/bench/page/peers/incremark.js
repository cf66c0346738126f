// incremark for React: its hook `useIncremark` with `append`, the path its readme calls advanced and the cheaper one. Its code
// blocks are highlighted with Shiki, which cannot be turned off by an option.

import { Incremark, useIncremark } from "@incremark/react";
import { createElement } from "react";
import { mount } from "./react.js";

export const styles = ["bundle/peers/incremark.css"];
import "@incremark/theme/styles.css";

const options = { gfm: true };

export function create(host) {
  const { draw, flush, close } = mount(host);
  let incremark;
  const View = () => {
    incremark = useIncremark(options);
    return createElement(Incremark, { incremark, showBlockStatus: false });
  };
  draw(createElement(View));
  return {
    write: (delta) => flush(() => void incremark.append(delta)),
    end: () => flush(() => void incremark.finalize()),
    close,
  };
}

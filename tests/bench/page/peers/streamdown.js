// Streamdown in its streaming mode, without controls, animation and plugins: highlighting would be counted against it.

import { createElement } from "react";
import { Streamdown } from "streamdown";
import { mount } from "./react.js";

export function create(host) {
  const { draw, close } = mount(host);
  let text = "";
  const show = (isAnimating) =>
    draw(createElement(Streamdown, { mode: "streaming", controls: false, isAnimating }, text));
  return {
    write(delta) {
      text += delta;
      show(true);
    },
    end: () => show(false),
    close,
  };
}

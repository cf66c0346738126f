// react-markdown with remark-gfm: the reference to which all ratios are taken.

import { createElement } from "react";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { mount } from "./react.js";

const plugins = [remarkGfm];

export function create(host) {
  const { draw, close } = mount(host);
  let text = "";
  return {
    write(delta) {
      text += delta;
      draw(createElement(Markdown, { remarkPlugins: plugins }, text));
    },
    end() {},
    close,
  };
}

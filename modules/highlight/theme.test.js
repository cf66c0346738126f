import assert from "node:assert/strict";
import { test } from "node:test";
import { KINDS } from "./kinds.js";
import theme from "./theme.css";

// `--code-bg` of style/tokens.css.
const BACKGROUND = ["#f5f5f8", "#1a1a22"];

function luminance(colour) {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test("every kind has a colour that is read in light and in dark", () => {
  for (const kind of KINDS) {
    const colours = new RegExp(`--code-${kind}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(theme).slice(1);
    colours.forEach((colour, scheme) => {
      const reached = contrast(colour, BACKGROUND[scheme]);
      assert.ok(reached >= 4.5, `${kind} ${colour}: ${reached.toFixed(2)}`);
    });
    assert.ok(theme.includes(`::highlight(code-${kind}) { color: var(--code-${kind}); }`), kind);
  }
});

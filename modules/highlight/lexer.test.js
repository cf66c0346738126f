import assert from "node:assert/strict";
import { test } from "node:test";
import { Lexer, LOST, MAX_LINE } from "./lexer.js";
import { NAMES, language, lexer } from "./languages.js";

const named = (name) => lexer(language(name));

// The tokens of some lines, as "text:type", and the state behind them.
function read(lexer, lines, state = Lexer.START) {
  const found = [];
  for (const line of lines) {
    state = lexer.line(line, state, (from, to, type) => found.push(`${line.slice(from, to)}:${type}`));
  }
  return { found, state };
}

test("a lexer carries its state over the end of a line", async () => {
  const { found } = read(await named("rust"), ["/* a", "b */ fn"]);
  assert.deepEqual(found, [
    "/*:comment.start.block.source.rust",
    " a:comment.block.source.rust",
    "b :comment.block.source.rust",
    "*/:comment.end.block.source.rust",
    " :text",
    "fn:identifier",
  ]);
});

test("a state is a value: reading on from it does not change it", async () => {
  const js = await named("js");
  const { state } = read(js, ["`one ${{"]);
  const once = read(js, ["} two`", "three"], state);
  assert.deepEqual(read(js, ["} two`", "three"], state), once);
});

test("an unknown or unfinished name of a language has no lexer", () => {
  for (const name of ["", "ru", "rus", "text", "toString", "__proto__", "c c", "rust "]) {
    assert.equal(language(name), undefined, name);
  }
  assert.equal(language("Rust"), language("rs"));
});

test("a line that is too long stays plain behind the limit", async () => {
  const ends = [];
  (await named("py")).line(`# ${"x".repeat(9000)}`, Lexer.START, (from, to) => ends.push(to));
  assert.equal(Math.max(...ends), MAX_LINE);
});

test("a lexer gives up where nothing is meant to be read", async () => {
  const { state } = read(await named("js"), Array(9).fill("`${".repeat(100)));
  assert.equal(state, LOST);
  assert.deepEqual(read(await named("js"), ["let a"], state), { found: [], state: LOST });
});

test("a difference has the colour of what was done to the line", async () => {
  const { found } = read(await named("diff"), ["--- a/b", "@@ -1 +1 @@", " same", "-gone", "+new", "--- "]);
  assert.deepEqual(found, ["--- a/b:keyword", "@@ -1 +1 @@:entity.name.function", " same:text", "-gone:deleted", "+new:inserted", "--- :keyword"]);
});

test("every language loads, and its tokens are the line", async () => {
  const lines = ["<a b=\"c\"> 'x' \"y\" `z` ${q} // d", "# e /* f", "g */ (1 + 0x2f) { h: [i] }", "", "\tlet j = /k/; -- l", "}\r", "😀é\u0301"];
  for (const name of NAMES) {
    const lexer = await named(name);
    let state = Lexer.START;
    for (const line of lines) {
      let end = 0;
      state = lexer.line(line, state, (from, to) => {
        assert.equal(from, end, name);
        end = to;
      });
      assert.equal(end, line.length, `${name}: ${line}`);
    }
  }
});

test("no line takes long, whatever stands in it", async () => {
  const parts = ["a", "`", "\"", "(", "<a ", "a.", " ", "\\", "/", "-", "0x", "${"];
  for (const name of NAMES) {
    const lexer = await named(name);
    for (const part of parts) {
      const line = `${part.repeat(MAX_LINE).slice(0, MAX_LINE - 1)}!`;
      const before = process.cpuUsage();
      lexer.line(line, Lexer.START, () => {});
      const { user, system } = process.cpuUsage(before);
      // Most take well below a millisecond; the first one compiles.
      assert.ok(user + system < 150_000, `${name}: ${part} ${user + system} µs`);
    }
  }
});

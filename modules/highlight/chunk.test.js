import assert from "node:assert/strict";
import { test } from "node:test";
import { Chunk, MAX_CHUNK } from "./chunk.js";
import { KINDS } from "./kinds.js";
import { NAMES, language, lexer } from "./languages.js";
import { Lexer, LOST } from "./lexer.js";

const GO_ON = () => false;

// Code with what lexers keep over the end of a line: remarks, strings, templates, here-documents, blocks in blocks.
const SOURCE = [
  "/* one", " * two */ let a = `x ${b + `y", "z` } w`;", "def f(x: int) -> str:", '    """doc', '    string"""', "\treturn f'{x!r}'",
  "<script>", "  if (a < b && c > d) { return /re[/]x/g; }", "</script><style>p { color: #fff }</style>", "<!-- open", "closed -->",
  "cat <<EOF", "in $HERE", "EOF", "key: |", "  block", "other: [1, 2.5e3, true]", "", "SELECT 'a''b' FROM t -- end", "{- nested {- deeper -}",
  "-}", "r#\"raw \"quoted\"\"#", "=begin", "=end", "@@ -1 +1 @@", "+added", "-removed", "# Heading", "```js", "let a;", "```", "😀 = 'é';",
];

// A small generator of numbers, so that a failure can be run again.
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

// What a reading in one go gives.
function atOnce(lexer, text) {
  const chunk = new Chunk();
  chunk.begin(Lexer.START);
  chunk.read(lexer, text, GO_ON);
  return { lines: chunk.lines, end: chunk.end };
}

test("however a text grows, its tokens and its state are those of a reading in one go", async () => {
  for (const name of NAMES) {
    const lexed = await lexer(language(name));
    for (let seed = 1; seed <= 6; seed += 1) {
      const below = numbers(seed);
      const source = Array.from({ length: 40 }, () => SOURCE[below(SOURCE.length)]).join("\n");
      const chunk = new Chunk();
      chunk.begin(Lexer.START);
      let shown = 0;
      while (shown < source.length) {
        shown = Math.min(shown + 1 + below(seed % 2 ? 9 : 90), source.length);
        const text = source.slice(0, shown);
        // Interrupted now and then: what is missing is read with the next call.
        while (!chunk.read(lexed, text, () => below(3) === 0).done);
        assert.deepEqual({ lines: chunk.lines, end: chunk.end }, atOnce(lexed, text), `${name}, seed ${seed}: ${text}`);
      }
    }
  }
});

test("a text that changes before its end is read anew", async () => {
  const rust = await lexer(language("rust"));
  const chunk = new Chunk();
  chunk.begin(Lexer.START);
  for (const text of ["let a = 1;\nlet b", "// a = 1;\nlet b", "/* a = 1;\nlet b", ""]) {
    chunk.read(rust, text, GO_ON);
    assert.deepEqual(chunk.lines, atOnce(rust, text).lines, text);
  }
});

test("growing by a line reads that line and the unfinished one, not the chunk", async () => {
  const rust = await lexer(language("rust"));
  let read = 0;
  const counting = { line: (text, ...rest) => ((read += 1), rust.line(text, ...rest)) };
  const chunk = new Chunk();
  chunk.begin(Lexer.START);
  let text = "";
  for (let line = 0; line < 64; line += 1) {
    for (const part of ["let value", " = 1;", "\n"]) {
      text += part;
      const { changed } = chunk.read(counting, text, GO_ON);
      assert.equal(changed, line);
    }
  }
  assert.equal(read, 64 * 3);
});

test("another state at the beginning makes what was read void, the same one does not", async () => {
  const js = await lexer(language("js"));
  const chunk = new Chunk();
  assert.equal(chunk.begin(Lexer.START), true);
  chunk.read(js, "let a;\n", GO_ON);
  assert.equal(chunk.begin("start"), false);
  const inside = atOnce(js, "`${`\n").end;
  assert.ok(Array.isArray(inside));
  assert.equal(chunk.begin(inside), true);
  chunk.read(js, "let a;\n", GO_ON);
  assert.equal(chunk.begin([...inside]), false);
  assert.deepEqual(chunk.lines, [[0, 6, KINDS.indexOf("string")]]);
});

test("a chunk that is too long stays plain, and so does all behind it", async () => {
  const js = await lexer(language("js"));
  const chunk = new Chunk();
  chunk.begin(Lexer.START);
  chunk.read(js, `let a;${" ".repeat(MAX_CHUNK)}`, GO_ON);
  assert.deepEqual(chunk.lines, []);
  const next = new Chunk();
  next.begin(chunk.end);
  next.read(js, "let a;", GO_ON);
  assert.deepEqual([chunk.end, next.lines], [LOST, [[]]]);
});

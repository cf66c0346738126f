// Which lexer a code block's language means. A lexer is loaded when the first block of its kind is on the page; a name that is
// unknown, or not yet typed to its end, has none, and its code stays plain.

import { Lexer } from "./lexer.js";

// The names that people and models write behind a fence, and the rules for them. Julia and Prolog are missing: on a long word
// Ace's expressions for them take a time that grows with its cube.
const LANGUAGES = [
  ["bash console sh shell shellsession zsh", () => import("ace-code/src/mode/sh_highlight_rules.js")],
  ["bat batch cmd", () => import("ace-code/src/mode/batchfile_highlight_rules.js")],
  ["c c++ cc cpp cxx h hpp ino", () => import("ace-code/src/mode/c_cpp_highlight_rules.js")],
  ["c# cs csharp", () => import("ace-code/src/mode/csharp_highlight_rules.js")],
  ["clj clojure edn", () => import("ace-code/src/mode/clojure_highlight_rules.js")],
  ["cl elisp lisp", () => import("ace-code/src/mode/lisp_highlight_rules.js")],
  ["css", () => import("ace-code/src/mode/css_highlight_rules.js")],
  ["csv", () => import("ace-code/src/mode/csv_highlight_rules.js")],
  ["dart", () => import("ace-code/src/mode/dart_highlight_rules.js")],
  ["diff patch", () => import("./diff.js")],
  ["docker dockerfile", () => import("ace-code/src/mode/dockerfile_highlight_rules.js")],
  ["elixir ex exs", () => import("ace-code/src/mode/elixir_highlight_rules.js")],
  ["elm", () => import("ace-code/src/mode/elm_highlight_rules.js")],
  ["erl erlang", () => import("ace-code/src/mode/erlang_highlight_rules.js")],
  ["f# fs fsharp", () => import("ace-code/src/mode/fsharp_highlight_rules.js")],
  ["f90 fortran", () => import("ace-code/src/mode/fortran_highlight_rules.js")],
  ["gd gdscript", () => import("ace-code/src/mode/gdscript_highlight_rules.js")],
  ["glsl shader", () => import("ace-code/src/mode/glsl_highlight_rules.js")],
  ["go golang", () => import("ace-code/src/mode/golang_highlight_rules.js")],
  ["gql graphql", () => import("ace-code/src/mode/graphqlschema_highlight_rules.js")],
  ["gradle groovy", () => import("ace-code/src/mode/groovy_highlight_rules.js")],
  ["haskell hs", () => import("ace-code/src/mode/haskell_highlight_rules.js")],
  ["hcl terraform tf", () => import("ace-code/src/mode/terraform_highlight_rules.js")],
  ["htm html svelte xhtml", () => import("ace-code/src/mode/html_highlight_rules.js")],
  ["conf dotenv env ini", () => import("ace-code/src/mode/ini_highlight_rules.js")],
  ["java", () => import("ace-code/src/mode/java_highlight_rules.js")],
  ["cjs javascript js jsx mjs node", () => import("ace-code/src/mode/javascript_highlight_rules.js")],
  ["json jsonl ndjson", () => import("ace-code/src/mode/json_highlight_rules.js")],
  ["json5 jsonc", () => import("ace-code/src/mode/json5_highlight_rules.js")],
  ["kotlin kt kts", () => import("ace-code/src/mode/kotlin_highlight_rules.js")],
  ["latex tex", () => import("ace-code/src/mode/latex_highlight_rules.js")],
  ["less", () => import("ace-code/src/mode/less_highlight_rules.js")],
  ["lua", () => import("ace-code/src/mode/lua_highlight_rules.js")],
  ["make makefile mk", () => import("ace-code/src/mode/makefile_highlight_rules.js")],
  ["markdown md mdx", () => import("ace-code/src/mode/markdown_highlight_rules.js")],
  ["matlab octave", () => import("ace-code/src/mode/matlab_highlight_rules.js")],
  ["nginx", () => import("ace-code/src/mode/nginx_highlight_rules.js")],
  ["nim", () => import("ace-code/src/mode/nim_highlight_rules.js")],
  ["nix", () => import("ace-code/src/mode/nix_highlight_rules.js")],
  ["objc objective-c objectivec", () => import("ace-code/src/mode/objectivec_highlight_rules.js")],
  ["ml ocaml", () => import("ace-code/src/mode/ocaml_highlight_rules.js")],
  ["pascal delphi", () => import("ace-code/src/mode/pascal_highlight_rules.js")],
  ["perl pl", () => import("ace-code/src/mode/perl_highlight_rules.js")],
  ["php", () => import("ace-code/src/mode/php_highlight_rules.js"), "PhpLangHighlightRules"],
  ["powershell ps1 pwsh", () => import("ace-code/src/mode/powershell_highlight_rules.js")],
  ["prisma", () => import("ace-code/src/mode/prisma_highlight_rules.js")],
  ["properties", () => import("ace-code/src/mode/properties_highlight_rules.js")],
  ["proto protobuf", () => import("ace-code/src/mode/protobuf_highlight_rules.js")],
  ["py pycon python python3", () => import("ace-code/src/mode/python_highlight_rules.js")],
  ["r", () => import("ace-code/src/mode/r_highlight_rules.js")],
  ["rb ruby", () => import("ace-code/src/mode/ruby_highlight_rules.js")],
  ["rs rust", () => import("ace-code/src/mode/rust_highlight_rules.js")],
  ["sass", () => import("ace-code/src/mode/sass_highlight_rules.js")],
  ["scala", () => import("ace-code/src/mode/scala_highlight_rules.js")],
  ["racket scheme scm", () => import("ace-code/src/mode/scheme_highlight_rules.js")],
  ["scss", () => import("ace-code/src/mode/scss_highlight_rules.js")],
  ["mysql postgres postgresql psql sql sqlite", () => import("ace-code/src/mode/pgsql_highlight_rules.js")],
  ["swift", () => import("ace-code/src/mode/swift_highlight_rules.js")],
  ["toml", () => import("ace-code/src/mode/toml_highlight_rules.js")],
  ["tsx", () => import("ace-code/src/mode/tsx_highlight_rules.js")],
  ["cts mts ts typescript", () => import("ace-code/src/mode/typescript_highlight_rules.js")],
  ["vue", () => import("ace-code/src/mode/vue_highlight_rules.js")],
  ["asm nasm x86asm", () => import("ace-code/src/mode/assembly_x86_highlight_rules.js")],
  ["svg xml xsd xsl", () => import("ace-code/src/mode/xml_highlight_rules.js")],
  ["yaml yml", () => import("ace-code/src/mode/yaml_highlight_rules.js")],
  ["zig", () => import("ace-code/src/mode/zig_highlight_rules.js")],
];

const BY_NAME = new Map(LANGUAGES.flatMap((language) => language[0].split(" ").map((name) => [name, language])));
const LEXERS = new Map();

// Every language, by the first of its names.
export const NAMES = LANGUAGES.map(([names]) => names.split(" ")[0]);

// The language that a name means, as a value to compare; nothing where there is none.
export function language(name) {
  return BY_NAME.get(name.toLowerCase());
}

// A promise of a language's lexer, one for the page. The state is the caller's.
export function lexer(language) {
  if (!LEXERS.has(language)) {
    const made = make(language);
    LEXERS.set(language, made);
    // The network may be back for the next block.
    made.catch(() => LEXERS.delete(language));
  }
  return LEXERS.get(language);
}

// In steps, because some take longer than a frame has room for: HTML brings CSS and JavaScript along.
async function make([, load, name]) {
  const { default: exported } = await load();
  await pause();
  // A file exports one set of rules, or we say which.
  const Rules = exported[name ?? Object.keys(exported).find((key) => key.endsWith("HighlightRules"))];
  const rules = new Rules().getRules();
  await pause();
  return new Lexer(rules);
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve));
}

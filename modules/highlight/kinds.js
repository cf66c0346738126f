// What a token looks like. Ace's types are TextMate's: words from the general to the special, with dots between.

// The kinds with a colour; `theme.css` has it. No more, so that a page of code stays calm.
export const KINDS = [
  "comment", "keyword", "string", "number", "function", "type", "variable", "tag", "attribute", "added", "removed",
];

// The longest rule that a type begins with decides; an empty kind is plain.
const RULES = {
  "comment": "comment",
  "doctype": "comment",
  "xml-pe": "comment",
  "keyword": "keyword",
  "keyword.operator": "",
  "storage": "keyword",
  "support.php_tag": "keyword",
  "meta.directive": "keyword",
  "markup.heading": "keyword",
  "heading": "keyword",
  "directive": "keyword",
  "string": "string",
  "markup.raw": "string",
  "support.constant": "type",
  "constant": "number",
  "constant.other": "",
  "boolean": "number",
  "support.function": "function",
  "entity.name.function": "function",
  "entity.name.tag": "tag",
  "meta.tag": "tag",
  "meta.tag.punctuation": "",
  "keyword.other.tag": "tag",
  "support.type": "type",
  "support.class": "type",
  "entity.name.type": "type",
  "entity.name.class": "type",
  "class": "type",
  "variable.language": "keyword",
  "variable.instance": "variable",
  "variable.other": "",
  "variable.parameter": "",
  "variable": "variable",
  "entity.other.attribute-name": "attribute",
  "entity.other.attribute": "attribute",
  "inserted": "added",
  "deleted": "removed",
};

const KNOWN = new Map();

// The number of a type's kind; -1 for plain text.
export function kindOf(type) {
  let kind = KNOWN.get(type);
  if (kind === undefined) {
    kind = KINDS.indexOf(rule(type));
    KNOWN.set(type, kind);
  }
  return kind;
}

function rule(type) {
  for (let words = type; words; words = words.slice(0, Math.max(words.lastIndexOf("."), 0))) {
    if (Object.hasOwn(RULES, words)) return RULES[words];
  }
  return "";
}

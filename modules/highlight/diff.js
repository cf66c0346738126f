// Ace's rules for differences colour what a line is next to; these colour the line.

class DiffHighlightRules {
  getRules() {
    return {
      start: [
        { regex: /^(?:diff|index|Index:|---|\+\+\+|\*\*\*)(?: .*)?$/, token: "keyword" },
        { regex: /^@@.*$/, token: "entity.name.function" },
        { regex: /^[+>].*$/, token: "inserted" },
        { regex: /^[-<].*$/, token: "deleted" },
        { defaultToken: "text" },
      ],
    };
  }
}

export default { DiffHighlightRules };

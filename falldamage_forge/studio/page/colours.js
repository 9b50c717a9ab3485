import { STATEMENTS as ELEMENTS } from "./elements.js";

// The text in colours: what lies under the field it is typed in, line by line the same signs.
const STATEMENTS = [
  "forge|title|author|license|players|board|rules|map|define|place",
  ...ELEMENTS,
  "import|symmetry|rotate|mirror|expect|allow|print|inventory|extras",
].join("|");
const WORDS = [
  "at|as|height|level|except|row|col|ring|all|rotate|mirror|raise|swap|x|y|arch|sides|radius",
  "cover|north|east|south|west",
].join("|");
const TOKENS = new RegExp([
  "(?<comment>#.*$)",
  '(?<string>"[^"\\n]*"?)',
  `(?<statement>(?<=^[ \\t]*|[{}][ \\t]*)(?:${STATEMENTS})\\b)`,
  "(?<tile>\\b[A-Za-z]{1,2}[1-9][0-9]{0,2}(?:@[0-9]+)?(?![A-Za-z0-9_]))",
  `(?<word>\\b(?:${WORDS})\\b)`,
  "(?<number>[+-]?\\b[0-9]+(?:\\.[0-9]+)?(?:x[0-9]+|mm|cm|in)?)",
  "(?<sign>->|\\.\\.|<=|>=|[<>={},|])",
].join("|"), "g");
const GROUPS = ["comment", "string", "statement", "tile", "word", "number", "sign"];

export const MOST = 60_000; // signs; a longer text is shown plain, so that typing stays quick

// A line's pieces [from, to, kind], in order and without overlap.
export function tokens(line) {
  const found = [];
  for (const match of line.matchAll(TOKENS)) {
    const group = GROUPS.find((name) => match.groups[name] !== undefined);
    found.push([match.index, match.index + match[0].length, group]);
  }
  return found;
}

// The lines as elements; `faults` are {first, last, severity} by line from 1.
export function coloured(text, faults) {
  const out = document.createDocumentFragment();
  text.split("\n").forEach((line, number) => {
    const own = faults.get(number + 1) ?? [];
    const cuts = new Set([0, line.length]);
    const parts = tokens(line);
    for (const [from, to] of parts) cuts.add(from).add(to);
    for (const { first, last } of own)
      cuts.add(Math.min(first, line.length)).add(Math.min(last, line.length));
    const at = [...cuts].sort((a, b) => a - b);
    at.slice(0, -1).forEach((from, i) => {
      const piece = document.createElement("span");
      piece.textContent = line.slice(from, at[i + 1]);
      const kind = parts.find(([a, b]) => a <= from && from < b)?.[2];
      const fault = own.find(({ first, last }) => first <= from && from < last);
      // Names of their own: a class of a board or of a game must never style what is typed.
      piece.className = [kind, fault && "fault", fault?.severity]
        .filter(Boolean).map((name) => `typed-${name}`).join(" ");
      out.append(piece);
    });
    out.append("\n");
  });
  return out;
}

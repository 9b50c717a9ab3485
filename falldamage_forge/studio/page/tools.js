import { TOOLS as ELEMENT_TOOLS } from "./elements.js";

// Tools: a group, a key, a name that its icon has too, and the words of the gesture that they
// say. Those of elements come from `elements.js`, which is made from their modules. Words with
// tiles are `area` tools, by click, stroke or choice, `exact` ones with the level where a bridge
// passes over, `single` is a click alone; `two` take two ends, `beside` ones also the side of a
// column; the others have ways of their own in board.js. Those with a `fitting` are there where
// the map's game knows it.
const OWN = [
  { group: "hands", key: "v", name: "look" },
  { group: "hands", key: "q", name: "choose" },
  { group: "terrain", key: "r", name: "raise", words: "raise {tiles}" },
  { group: "terrain", key: "f", name: "lower", words: "lower {tiles}" },
  { group: "terrain", key: "p", name: "level", words: "paint {tiles} level {level}" },
  { group: "stampsGroup", key: "g", name: "stamp" },
  {
    group: "stampsGroup",
    key: "e",
    name: "erase",
    exact: true,
    words: "erase {tiles}",
    single: (place, beside) => `erase one ${place}${beside ? ` toward ${beside}` : ""}`,
  },
];
const GROUPS = ["hands", "terrain", "things", "ways", "starts", "stampsGroup"];

const filled = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => values[name]);

// The functions that say a tool's words: `area` of tiles, `one` surface, `two` ends.
function ways({ words = "", ...tool }) {
  if (words.includes("{tiles}"))
    return { ...tool, area: (tiles, level) => filled(words, { tiles, level }) };
  if (words.includes("{place}")) return { ...tool, one: (place) => filled(words, { place }) };
  if (words) return { ...tool, two: (from, to) => filled(words, { from, to }) };
  return tool;
}

const at = ({ group, order = 0 }) => 1000 * GROUPS.indexOf(group) + order;
export const TOOLS = [...OWN, ...ELEMENT_TOOLS].sort((a, b) => at(a) - at(b)).map(ways);

export function nameOf(row, col) {
  let letters = "";
  for (let n = col; n >= 0; n = Math.floor(n / 26) - 1)
    letters = String.fromCharCode(65 + (n % 26)) + letters;
  return `${letters}${row + 1}`;
}

export function tileOf(name) {
  const found = /^([A-Z]+)([0-9]+)$/.exec(name);
  if (!found) return null;
  let col = 0;
  for (const letter of found[1]) col = col * 26 + letter.charCodeAt(0) - 64;
  return [Number(found[2]) - 1, col - 1];
}

const rectangle = (r0, c0, r1, c1, level = "") =>
  nameOf(r0, c0) + level + (r0 === r1 && c0 === c1 ? "" : `..${nameOf(r1, c1)}`);

export function between(one, other) {
  const rows = [one[0], other[0]].sort((a, b) => a - b),
    cols = [one[1], other[1]].sort((a, b) => a - b);
  const found = [];
  for (let row = rows[0]; row <= rows[1]; row += 1)
    for (let col = cols[0]; col <= cols[1]; col += 1) found.push([row, col]);
  return found;
}

// Tiles as the shortest list of rectangles that is quickly found: `A1..C2, D4`. A tile that
// has a third number is its surface of that level: `A1..C2, D4@2`.
export function areaOf(tiles) {
  const levels = new Map();
  for (const tile of tiles) levels.set(tile[2], [...(levels.get(tile[2]) ?? []), tile]);
  return [...levels]
    .map(([level, own]) => rectangles(own, level === undefined ? "" : `@${level}`))
    .join(", ");
}

function rectangles(tiles, level) {
  const runs = new Map(); // "first-last" columns -> rectangle that grows downwards
  const done = [];
  const rows = new Map();
  for (const [row, col] of tiles) rows.set(row, [...(rows.get(row) ?? []), col]);
  let last = -2;
  for (const row of [...rows.keys()].sort((a, b) => a - b)) {
    const cols = [...new Set(rows.get(row))].sort((a, b) => a - b);
    const here = [];
    for (const col of cols) {
      const run = here.at(-1);
      if (run && run[1] === col - 1) run[1] = col;
      else here.push([col, col]);
    }
    const names = new Set(here.map((run) => run.join("-")));
    for (const [name, box] of runs)
      if (row !== last + 1 || !names.has(name)) {
        done.push(box);
        runs.delete(name);
      }
    for (const [first, end] of here) {
      const name = `${first}-${end}`;
      if (runs.has(name)) runs.get(name)[2] = row;
      else runs.set(name, [row, first, row, end]);
    }
    last = row;
  }
  return [...done, ...runs.values()].map((box) => rectangle(...box, level)).join(", ");
}

export function frameOf(tiles) {
  const rows = tiles.map(([row]) => row),
    cols = tiles.map(([, col]) => col);
  return rectangle(Math.min(...rows), Math.min(...cols), Math.max(...rows), Math.max(...cols));
}

// Tools: a group, a key, a name that its icon has too, and the words of the gesture that they
// say. `area` tools take tiles, by click, stroke or choice, `exact` ones with the level where
// a bridge passes over, `single` is a click alone; `two` take two ends, `beside` ones also the
// side of a column; the others have ways of their own in board.js. Those with a `fitting` are
// there where the map's game knows it.
export const TOOLS = [
  { group: "hands", key: "v", name: "look" },
  { group: "hands", key: "q", name: "choose" },
  { group: "terrain", key: "r", name: "raise", area: (tiles) => `raise ${tiles}` },
  { group: "terrain", key: "f", name: "lower", area: (tiles) => `lower ${tiles}` },
  {
    group: "terrain",
    key: "p",
    name: "level",
    area: (tiles, level) => `paint ${tiles} level ${level}`,
  },
  { group: "terrain", key: "n", name: "battlement", area: (tiles) => `battlement ${tiles}` },
  { group: "terrain", key: "x", name: "step", area: (tiles) => `step ${tiles}` },
  { group: "terrain", key: "w", name: "water", area: (tiles) => `water ${tiles}` },
  { group: "terrain", key: "l", name: "lava", area: (tiles) => `lava ${tiles}` },
  { group: "things", key: "t", name: "tree", area: (tiles) => `tree ${tiles}` },
  { group: "things", key: "s", name: "spire", area: (tiles) => `spire ${tiles}` },
  { group: "things", key: "c", name: "treasure", one: (place) => `treasure ${place}` },
  {
    group: "things",
    key: "y",
    name: "railing",
    fitting: "railing",
    area: (tiles) => `railing ${tiles}`,
  },
  {
    group: "things",
    key: "o",
    name: "obstruction",
    fitting: "obstruction",
    area: (tiles) => `obstruction ${tiles}`,
  },
  {
    group: "things",
    key: "h",
    name: "field",
    fitting: "field",
    area: (tiles) => `field heavy-g ${tiles}`,
  },
  {
    group: "things",
    key: "u",
    name: "pitfall",
    fitting: "pitfall",
    area: (tiles) => `pitfall ${tiles}`,
  },
  { group: "things", key: "k", name: "gate", fitting: "gate", area: (tiles) => `gate ${tiles}` },
  { group: "ways", key: "b", name: "bridge", two: (from, to) => `bridge ${from} ${to}` },
  { group: "ways", key: "a", name: "arch", two: (from, to) => `bridge ${from} ${to} arch` },
  {
    group: "ways",
    key: "d",
    name: "ladder",
    beside: true,
    two: (from, to) => `ladder ${from} ${to}`,
  },
  { group: "starts", key: "1", name: "start-red", side: "red" },
  { group: "starts", key: "2", name: "start-blue", side: "blue" },
  {
    group: "starts",
    key: "3",
    name: "base-red",
    fitting: "base",
    area: (tiles) => `base red ${tiles}`,
  },
  {
    group: "starts",
    key: "4",
    name: "base-blue",
    fitting: "base",
    area: (tiles) => `base blue ${tiles}`,
  },
  { group: "stampsGroup", key: "g", name: "stamp" },
  {
    group: "stampsGroup",
    key: "e",
    name: "erase",
    exact: true,
    area: (tiles) => `erase ${tiles}`,
    single: (place, beside) => `erase one ${place}${beside ? ` toward ${beside}` : ""}`,
  },
];

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

// The picture of a stamp: its columns seen from the south-west corner, as polygons with their
// colours and signs with their places. Nothing here knows the page.
const TOPS = {
  ground: ["#cfd1a4", "#ddc998", "#e4d3a9", "#ebddbb", "#f2e8cf", "#f7f0de"],
  water: ["#6fb1cf"],
  lava: ["#e2622b"],
};
const EAST = "#8f7d5c",
  SOUTH = "#c0ad86";
const SIGNS = { tree: "♠", spire: "▲", treasure: "◆" };
const WIDE = 12,
  FLAT = 6,
  HIGH = 9; // of a tile: half its width and depth, and the height of a level
const EDGE = 2;

const at = (row, col, level) => [(col - row) * WIDE, (col + row) * FLAT - level * HIGH];

// The faces of a column that are seen, from the back to the front.
function column([level, ground], row, col) {
  const tops = TOPS[ground] ?? TOPS.ground;
  const top = [at(row, col, level), at(row, col + 1, level)];
  top.push(at(row + 1, col + 1, level), at(row + 1, col, level));
  const side = (from, to) => [at(...from, level), at(...to, level), at(...to, 0), at(...from, 0)];
  const corner = [row + 1, col + 1];
  const sides = [
    { points: side([row + 1, col], corner), fill: SOUTH },
    { points: side([row, col + 1], corner), fill: EAST },
  ];
  return [...(level ? sides : []), { points: top, fill: tops[Math.min(level, tops.length - 1)] }];
}

// `cells` are rows of [level, ground, feature]; `box` is [left, top, width, height].
export function pictureOf(cells) {
  const rows = cells.length,
    cols = cells[0].length;
  const most = Math.max(...cells.flat().map(([level]) => level));
  const each = cells.flatMap((line, row) => line.map((cell, col) => [cell, row, col]));
  const [left, up] = [-rows * WIDE - EDGE, -most * HIGH - 10];
  const [wide, high] = [(rows + cols) * WIDE, (rows + cols) * FLAT + most * HIGH];
  return {
    box: [left, up, wide + 2 * EDGE, high + 14],
    faces: each.flatMap((one) => column(...one)),
    signs: each
      .filter(([[, , feature]]) => feature)
      .map(([[level, , feature], row, col]) => ({
        place: at(row + 0.5, col + 0.5, level),
        sign: SIGNS[feature] ?? "•",
      })),
  };
}

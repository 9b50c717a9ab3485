// Marks on the board as triangles: x, y, z and a tint r, g, b, a with premultiplied order kept.
// `height(row, col, level)` is how high a surface is seen. Nothing here knows the page.
import { unit } from "./camera.js";
import { UP } from "./shapes.js";

const WHITE = [1, 1, 1, 0.92];
const OUTER = 0.11,
  FROM = 0.03,
  TO = 0.085; // of a tile: the white outline, and the colour on it
const DASHES = 4;

function quad(data, x0, z0, x1, z1, y, c) {
  for (const [x, z] of [
    [x0, z0],
    [x0, z1],
    [x1, z1],
    [x0, z0],
    [x1, z1],
    [x1, z0],
  ])
    data.push(x, y, z, ...c);
}

// The four sides of a tile between two insets; dashed ones have gaps.
function outline(data, row, col, y, [near, far], colour, dashes = 1) {
  const long = 1 - 2 * near,
    piece = long / (dashes * 2 - 1);
  for (let i = 0; i < dashes; i += 1) {
    const from = near + (dashes === 1 ? 0 : 2 * i * piece),
      to = dashes === 1 ? 1 - near : from + piece;
    quad(data, col + from, row + near, col + to, row + far, y, colour);
    quad(data, col + from, row + 1 - far, col + to, row + 1 - near, y, colour);
    quad(data, col + near, row + from, col + far, row + to, y, colour);
    quad(data, col + 1 - far, row + from, col + 1 - near, row + to, y, colour);
  }
}

// The sides of a column that a click would set down or take away.
function walls(data, row, col, low, high, colour) {
  const ring = [
    [0.02, 0.02],
    [0.98, 0.02],
    [0.98, 0.98],
    [0.02, 0.98],
  ].map(([x, z]) => [col + x, row + z]);
  ring.forEach(([x0, z0], i) => {
    const [x1, z1] = ring[(i + 1) % 4];
    const corners = [
      [x0, low, z0],
      [x1, low, z1],
      [x1, high, z1],
      [x0, low, z0],
      [x1, high, z1],
      [x0, high, z0],
    ];
    for (const [x, y, z] of corners) data.push(x, y, z, ...colour);
  });
}

function arrow(data, { line: [from, to], colour, bare }, height) {
  const [a, b] = [from, to].map(([row, col, level]) => [
    col + 0.5,
    height(row, col, level) + 0.06,
    row + 0.5,
  ]);
  const way = unit([b[0] - a[0], 0, b[2] - a[2]]),
    side = [-way[2] * 0.07, 0, way[0] * 0.07];
  const back = b.map((v, i) => v - way[i] * (bare ? 0 : 0.28));
  const put = (p, s) => data.push(p[0] + side[0] * s, p[1], p[2] + side[2] * s, ...colour);
  for (const [p, s] of [
    [a, -1],
    [a, 1],
    [back, 1],
    [a, -1],
    [back, 1],
    [back, -1],
  ])
    put(p, s);
  if (!bare)
    for (const [p, s] of [
      [back, -2.6],
      [back, 2.6],
      [b, 0],
    ])
      put(p, s);
}

// Marks: {row, col, level, colour} lies on a tile; with `box`, a level, it stands between
// both; with
// `frame` it is a double outline alone, with `edge` both; `bad` ones are dashed. {line:
// [place, place],
// colour} is an arrow between two places [row, col, level].
export function trianglesOf(marks, height) {
  const data = [];
  for (const mark of marks) {
    if (mark.line) {
      arrow(data, mark, height);
      continue;
    }
    const { row, col, level, colour, frame, edge, bad, box } = mark;
    const y = height(row, col, level);
    if (box !== undefined && box !== level)
      walls(data, row, col, Math.min(box, level) * UP, Math.max(box, level) * UP, colour);
    if (!frame) quad(data, col + 0.08, row + 0.08, col + 0.92, row + 0.92, y, colour);
    if (!frame && !edge) continue;
    outline(data, row, col, y, [0, OUTER], WHITE);
    outline(data, row, col, y, [FROM, TO], [...colour.slice(0, 3), 1], bad ? DASHES : 1);
  }
  return new Float32Array(data);
}

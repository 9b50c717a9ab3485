// The table as triangles: the board drawn, while its printed parts are not there.
import { Mesh, OTHERS, PAINT, SIDES, SURFACE } from "./solids.js";
import { addThing } from "./things.js";

export const UP = 1; // a level in tiles: 30 mm both
export const SLAB = 0.16;

const noise = (row, col, salt) => {
  const value = Math.sin(row * 127.1 + col * 311.7 + salt * 74.7) * 43758.5453;
  return value - Math.floor(value);
};

export const keyOf = (row, col) => row * 1000 + col;
export const column = (board, row, col) => board.columns[row * board.cols + col];

// The table the board lies on, and the board drawn; of `only` these tiles (keys of `keyOf`) where
// the rest is shown as printed parts. `ground` has the level below models that are shown.
export function meshOf(board, only = null, figures = [], ground = new Map()) {
  const mesh = new Mesh();
  const below = (of, row, col) => {
    const level = ground.get(keyOf(row, col)), [own, ...rest] = column(of, row, col);
    return [level ?? own, ...rest];
  };
  const { rows, cols } = board;
  const has = ([row, col]) => !only || only.has(keyOf(row, col));
  const low = only ? -0.125 : -0.2;
  mesh.quad([-6, low, -6], [-6, low, rows + 6], [cols + 6, low, rows + 6], [cols + 6, low, -6],
    [0, 1, 0], ...PAINT.table);
  if (!only) mesh.box([-0.12, -0.2, -0.12], [cols + 0.12, -0.02, rows + 0.12], ...PAINT.base);
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1)
      if (has([row, col])) addColumn(mesh, board, row, col, below);
  }
  for (const thing of board.things) {
    const shown = thing.tiles.some(has);
    // A tile of a model without a top has the feature that stops units and sight.
    const [row, col] = thing.tiles[0];
    if (ground.has(keyOf(row, col)) && column(board, row, col)[2]) continue;
    if (!shown && thing.part) continue;
    const turn = noise(thing.at[0], thing.at[1], 3) * 6;
    addThing(mesh, thing, board.shapes[thing.shape], !shown, turn);
  }
  board.starts.forEach((zone, number) => {
    const colour = SIDES[zone.side] ?? OTHERS[number % OTHERS.length];
    for (const [row, col, level] of zone.places.filter(has)) {
      // Told by shape as well as by colour: a disc, a diamond, a triangle.
      const corners = [20, 4, 3][number % 3], at = [col + 0.5, level * UP, row + 0.5];
      mesh.cone(...at, 0.3, 0.035, corners, colour, SURFACE.sign, 0, 0.29);
    }
  });
  for (const figure of figures) addStand(mesh, ...figure);
  return new Float32Array(mesh.data);
}

// The stand of a unit: sides differ in shape, too, a diamond or a disc.
function addStand(mesh, row, col, y, side) {
  const corners = side === "red" ? 4 : 24;
  const colour = SIDES[side] ?? OTHERS[0];
  mesh.cone(col + 0.5, y, row + 0.5, 0.42, 0.07, corners, colour, SURFACE.sign, 0, 0.4);
}

const LIQUIDS = {
  lava: [[0.86, 0.36, 0.14], SURFACE.lava],
  water: [[0.38, 0.66, 0.79], SURFACE.water],
};

function addColumn(mesh, board, row, col, below) {
  const [level, ground] = below(board, row, col);
  const y = level * UP;
  const shade = 0.95 + 0.1 * noise(row, col, level);
  const stone = [0.83, 0.76, 0.62].map((v) => v * shade);
  const bare = [0.68, 0.70, 0.50].map((v) => v * shade);
  const dry = level ? [stone, SURFACE.stone] : [bare, SURFACE.ground];
  const [colour, top] = LIQUIDS[ground] ?? dry;
  const flat = y - (ground in LIQUIDS ? 0.015 : 0);
  const corners = [[0, 0], [0, 1], [1, 1], [1, 0]].map(([c, r]) => [col + c, flat, row + r]);
  mesh.quad(...corners, [0, 1, 0], colour, top);
  for (const [dr, dc] of [[0, 1], [0, -1], [1, 0], [-1, 0]]) {
    const r = row + dr, c = col + dc;
    const inside = r >= 0 && c >= 0 && r < board.rows && c < board.cols;
    const near = inside ? below(board, r, c)[0] : 0;
    if (near >= level) continue;
    const low = near * UP, x = col + (dc > 0), z = row + (dr > 0);
    const ends = dc
      ? [[x, row + (dc > 0)], [x, row + (dc < 0)]]
      : [[col + (dr < 0), z], [col + (dr > 0), z]];
    const [[ax, az], [bx, bz]] = ends;
    const corners = [[ax, low, az], [bx, low, bz], [bx, y, bz], [ax, y, az]];
    mesh.quad(...corners, [dc, 0, dr], stone, SURFACE.stone);
  }
}

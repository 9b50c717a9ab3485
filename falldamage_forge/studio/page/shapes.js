// The table as triangles: the board drawn, while its printed parts are not there.
import { addFitting } from "./fittings.js";
import { Mesh, OTHERS, PAINT, SIDES, SURFACE } from "./solids.js";

export const UP = 1; // a level in tiles: 30 mm both
export const SLAB = 0.16;

const noise = (row, col, salt) => {
  const value = Math.sin(row * 127.1 + col * 311.7 + salt * 74.7) * 43758.5453;
  return value - Math.floor(value);
};

export const keyOf = (row, col) => row * 1000 + col;
export const column = (board, row, col) => board.columns[row * board.cols + col];

// The table the board lies on, and the board drawn; of `only` these tiles (keys of `keyOf`) where
// the rest is shown as printed parts.
export function meshOf(board, only = null, figures = []) {
  const mesh = new Mesh();
  const { rows, cols } = board;
  const has = ([row, col]) => !only || only.has(keyOf(row, col));
  const low = only ? -0.125 : -0.2;
  mesh.quad([-6, low, -6], [-6, low, rows + 6], [cols + 6, low, rows + 6], [cols + 6, low, -6],
    [0, 1, 0], ...PAINT.table);
  if (!only) mesh.box([-0.12, -0.2, -0.12], [cols + 0.12, -0.02, rows + 0.12], ...PAINT.base);
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) if (has([row, col])) addColumn(mesh, board, row, col);
  }
  for (const deck of board.decks) if (deck.tiles.some(has)) addDeck(mesh, deck);
  for (const ladder of board.ladders)
    if (has(ladder.foot) || has(ladder.top)) addLadder(mesh, ladder);
  for (const [row, col] of board.steps.filter(has)) {
    const y = column(board, row, col)[0] * UP;
    mesh.box([col + 0.06, y, row + 0.06], [col + 0.94, y + UP / 2, row + 0.94], ...PAINT.step);
  }
  for (const { tile: [row, col], sides } of board.battlements.filter(({ tile }) => has(tile))) {
    const y = column(board, row, col)[0] * UP;
    for (const [dr, dc] of sides) {
      for (const along of [-0.36, 0, 0.36]) {
        const x = col + 0.5 + dc * 0.42 + (dr ? along : 0);
        const z = row + 0.5 + dr * 0.42 + (dc ? along : 0);
        mesh.box([x - 0.08, y, z - 0.08], [x + 0.08, y + 0.26, z + 0.08], ...PAINT.merlon);
      }
    }
  }
  for (const fitting of board.fittings) addFitting(mesh, fitting, !has(fitting.tile));
  for (const [row, col, level] of board.chests.filter(has)) addChest(mesh, row, col, level * UP);
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

function addColumn(mesh, board, row, col) {
  const [level, ground, feature] = column(board, row, col);
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
    const near = inside ? column(board, r, c)[0] : 0;
    if (near >= level) continue;
    const low = near * UP, x = col + (dc > 0), z = row + (dr > 0);
    const ends = dc
      ? [[x, row + (dc > 0)], [x, row + (dc < 0)]]
      : [[col + (dr < 0), z], [col + (dr > 0), z]];
    const [[ax, az], [bx, bz]] = ends;
    const corners = [[ax, low, az], [bx, low, bz], [bx, y, bz], [ax, y, az]];
    mesh.quad(...corners, [dc, 0, dr], stone, SURFACE.stone);
  }
  const x = col + 0.5, z = row + 0.5, turn = noise(row, col, 3) * 6;
  if (feature === "tree") {
    mesh.cone(x, y, z, 0.09, 0.4, 7, ...PAINT.trunk, turn, 0.07);
    [[0.43, 0.25], [0.35, 0.55], [0.25, 0.86]].forEach(([wide, up], i) => {
      const green = [0.30 + 0.05 * i, 0.50 + 0.05 * i, 0.28];
      mesh.cone(x, y + up, z, wide, 0.55, 9, green, SURFACE.leaf, turn + i);
    });
  } else if (feature === "spire") {
    mesh.cone(x, y, z, 0.46, 0.95, 7, ...PAINT.rock, turn, 0.26);
    mesh.cone(x, y + 0.95, z, 0.26, 0.8, 6, ...PAINT.crag, turn);
  }
}

function addDeck(mesh, deck) {
  const y = deck.level * UP;
  const along = deck.a[0] === deck.b[0];
  for (const [row, col] of deck.tiles) {
    mesh.box([col, y - SLAB, row], [col + 1, y, row + 1], ...PAINT.deck);
    for (const side of [0.02, 0.92]) {
      const from = along ? [col, y, row + side] : [col + side, y, row];
      const end = along ? [col + 1, row + side + 0.06] : [col + side + 0.06, row + 1];
      mesh.box(from, [end[0], y + 0.09, end[1]], ...PAINT.rim);
    }
  }
}

function addLadder(mesh, { foot, top, low, high }) {
  const [dr, dc] = [Math.sign(top[0] - foot[0]), Math.sign(top[1] - foot[1])];
  const x = foot[1] + 0.5 + dc * 0.42, z = foot[0] + 0.5 + dr * 0.42;
  const bar = (a, b, y0, y1) => {
    const [x0, x1] = dr ? [x + a, x + b] : [x - 0.04, x + 0.04];
    const [z0, z1] = dr ? [z - 0.04, z + 0.04] : [z + a, z + b];
    mesh.box([x0, y0, z0], [x1, y1, z1], ...PAINT.rung);
  };
  bar(-0.24, -0.17, low * UP, high * UP + 0.2);
  bar(0.17, 0.24, low * UP, high * UP + 0.2);
  for (let y = low * UP + 0.12; y < high * UP + 0.1; y += 0.19) bar(-0.17, 0.17, y, y + 0.05);
}

function addChest(mesh, row, col, y) {
  mesh.box([col + 0.28, y, row + 0.34], [col + 0.72, y + 0.2, row + 0.66], ...PAINT.chest);
  mesh.box([col + 0.26, y + 0.2, row + 0.32], [col + 0.74, y + 0.32, row + 0.68], ...PAINT.bronze);
  mesh.box([col + 0.45, y + 0.1, row + 0.64], [col + 0.55, y + 0.26, row + 0.70], ...PAINT.gold);
  for (const x of [0.3, 0.66]) {
    const to = [col + x + 0.05, y + 0.33, row + 0.685];
    mesh.box([col + x, y, row + 0.315], to, ...PAINT.gold);
  }
}

// The table as triangles: x east, z south, y up, all in tiles; and what light it gets.
export const UP = 1; // a level in tiles: 30 mm both
export const SLAB = 0.16;
const SURFACE = { ground: 0, stone: 1, water: 2, lava: 3, wood: 4, leaf: 5, rock: 6, gold: 7, sign: 8, table: 9 };
const SIDES = { red: [0.78, 0.25, 0.1], blue: [0.12, 0.37, 0.66] };
const OTHERS = [[0.07, 0.5, 0.36], [0.54, 0.25, 0.56], [0.54, 0.43, 0], [0.33, 0.33, 0.33]];

// One vertex: place 3, normal 3, colour 3, surface 1.
class Mesh {
  data = [];

  quad(a, b, c, d, normal, colour, surface) {
    for (const at of [a, b, c, a, c, d]) this.data.push(...at, ...normal, ...colour, surface);
  }

  triangle(a, b, c, colour, surface) {
    const u = b.map((v, i) => v - a[i]);
    const w = c.map((v, i) => v - a[i]);
    const n = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
    const size = Math.hypot(...n) || 1;
    for (const at of [a, b, c]) this.data.push(...at, ...n.map((v) => v / size), ...colour, surface);
  }

  box([x0, y0, z0], [x1, y1, z1], colour, surface, top = surface) {
    this.quad([x0, y1, z0], [x0, y1, z1], [x1, y1, z1], [x1, y1, z0], [0, 1, 0], colour, top);
    this.quad([x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1], [0, 0, 1], colour, surface);
    this.quad([x1, y0, z0], [x0, y0, z0], [x0, y1, z0], [x1, y1, z0], [0, 0, -1], colour, surface);
    this.quad([x1, y0, z1], [x1, y0, z0], [x1, y1, z0], [x1, y1, z1], [1, 0, 0], colour, surface);
    this.quad([x0, y0, z0], [x0, y0, z1], [x0, y1, z1], [x0, y1, z0], [-1, 0, 0], colour, surface);
    this.quad([x0, y0, z1], [x0, y0, z0], [x1, y0, z0], [x1, y0, z1], [0, -1, 0], colour, surface);
  }

  cone(x, y, z, wide, high, corners, colour, surface, turn = 0, tip = 0) {
    const ring = (radius, at) => Array.from({ length: corners }, (_, i) => {
      const angle = turn + (i * 2 * Math.PI) / corners;
      return [x + radius * Math.cos(angle), at, z + radius * Math.sin(angle)];
    });
    const low = ring(wide, y);
    const top = ring(tip, y + high);
    for (let i = 0; i < corners; i += 1) {
      const j = (i + 1) % corners;
      this.triangle(low[i], top[i], low[j], colour, surface);
      if (tip) this.triangle(low[j], top[i], top[j], colour, surface);
      if (tip) this.triangle([x, y + high, z], top[j], top[i], colour, surface);
    }
  }
}

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
    [0, 1, 0], [0.9, 0.86, 0.77], SURFACE.table);
  if (!only) mesh.box([-0.12, -0.2, -0.12], [cols + 0.12, -0.02, rows + 0.12], [0.66, 0.56, 0.4], SURFACE.wood);
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) if (has([row, col])) addColumn(mesh, board, row, col);
  }
  for (const deck of board.decks) if (deck.tiles.some(has)) addDeck(mesh, deck);
  for (const ladder of board.ladders) if (has(ladder.foot) || has(ladder.top)) addLadder(mesh, ladder);
  for (const [row, col] of board.steps.filter(has)) {
    const y = column(board, row, col)[0] * UP;
    mesh.box([col + 0.06, y, row + 0.06], [col + 0.94, y + UP / 2, row + 0.94], [0.8, 0.74, 0.62], SURFACE.stone);
  }
  for (const { tile: [row, col], sides } of board.battlements.filter(({ tile }) => has(tile))) {
    const y = column(board, row, col)[0] * UP;
    for (const [dr, dc] of sides) {
      for (const along of [-0.36, 0, 0.36]) {
        const x = col + 0.5 + dc * 0.42 + (dr ? along : 0);
        const z = row + 0.5 + dr * 0.42 + (dc ? along : 0);
        mesh.box([x - 0.08, y, z - 0.08], [x + 0.08, y + 0.26, z + 0.08], [0.8, 0.74, 0.62], SURFACE.rock);
      }
    }
  }
  for (const fitting of board.fittings) addFitting(mesh, fitting, !has(fitting.tile));
  for (const [row, col, level] of board.chests.filter(has)) addChest(mesh, row, col, level * UP);
  board.starts.forEach((zone, number) => {
    const colour = SIDES[zone.side] ?? OTHERS[number % OTHERS.length];
    for (const [row, col, level] of zone.places.filter(has)) {
      // Told by shape as well as by colour: a disc, a diamond, a triangle.
      mesh.cone(col + 0.5, level * UP, row + 0.5, 0.3, 0.035, [20, 4, 3][number % 3], colour, SURFACE.sign, 0, 0.29);
    }
  });
  for (const figure of figures) addStand(mesh, ...figure);
  return new Float32Array(mesh.data);
}

// The stand of a unit: sides differ in shape, too, a diamond or a disc.
function addStand(mesh, row, col, y, side) {
  const corners = side === "red" ? 4 : 24;
  mesh.cone(col + 0.5, y, row + 0.5, 0.42, 0.07, corners, SIDES[side] ?? OTHERS[0], SURFACE.sign, 0, 0.4);
}

function addColumn(mesh, board, row, col) {
  const [level, ground, feature] = column(board, row, col);
  const y = level * UP;
  const shade = 0.95 + 0.1 * noise(row, col, level);
  const stone = [0.83, 0.76, 0.62].map((v) => v * shade);
  const bare = [0.68, 0.70, 0.50].map((v) => v * shade);
  const top = ground === "water" ? SURFACE.water : ground === "lava" ? SURFACE.lava : level ? SURFACE.stone : SURFACE.ground;
  const colour = top === SURFACE.water ? [0.38, 0.66, 0.79] : top === SURFACE.lava ? [0.86, 0.36, 0.14] : level ? stone : bare;
  const sunk = top === SURFACE.water || top === SURFACE.lava ? 0.015 : 0;
  mesh.quad([col, y - sunk, row], [col, y - sunk, row + 1], [col + 1, y - sunk, row + 1], [col + 1, y - sunk, row],
    [0, 1, 0], colour, top);
  for (const [dr, dc] of [[0, 1], [0, -1], [1, 0], [-1, 0]]) {
    const r = row + dr, c = col + dc;
    const inside = r >= 0 && c >= 0 && r < board.rows && c < board.cols;
    const near = inside ? column(board, r, c)[0] : 0;
    if (near >= level) continue;
    const low = near * UP, x = col + (dc > 0), z = row + (dr > 0);
    const ends = dc ? [[x, row + (dc > 0)], [x, row + (dc < 0)]] : [[col + (dr < 0), z], [col + (dr > 0), z]];
    const [[ax, az], [bx, bz]] = ends;
    mesh.quad([ax, low, az], [bx, low, bz], [bx, y, bz], [ax, y, az], [dc, 0, dr], stone, SURFACE.stone);
  }
  const x = col + 0.5, z = row + 0.5, turn = noise(row, col, 3) * 6;
  if (feature === "tree") {
    mesh.cone(x, y, z, 0.09, 0.4, 7, [0.48, 0.33, 0.19], SURFACE.wood, turn, 0.07);
    [[0.43, 0.25], [0.35, 0.55], [0.25, 0.86]].forEach(([wide, up], i) =>
      mesh.cone(x, y + up, z, wide, 0.55, 9, [0.30 + 0.05 * i, 0.50 + 0.05 * i, 0.28], SURFACE.leaf, turn + i));
  } else if (feature === "spire") {
    mesh.cone(x, y, z, 0.46, 0.95, 7, [0.62, 0.57, 0.5], SURFACE.rock, turn, 0.26);
    mesh.cone(x, y + 0.95, z, 0.26, 0.8, 6, [0.66, 0.61, 0.54], SURFACE.rock, turn);
  }
}

function addDeck(mesh, deck) {
  const y = deck.level * UP;
  const along = deck.a[0] === deck.b[0];
  for (const [row, col] of deck.tiles) {
    mesh.box([col, y - SLAB, row], [col + 1, y, row + 1], [0.70, 0.51, 0.31], SURFACE.wood);
    for (const side of [0.02, 0.92]) {
      const from = along ? [col, y, row + side] : [col + side, y, row];
      const to = along ? [col + 1, y + 0.09, row + side + 0.06] : [col + side + 0.06, y + 0.09, row + 1];
      mesh.box(from, to, [0.55, 0.38, 0.22], SURFACE.rock);
    }
  }
}

function addLadder(mesh, { foot, top, low, high }) {
  const [dr, dc] = [Math.sign(top[0] - foot[0]), Math.sign(top[1] - foot[1])];
  const x = foot[1] + 0.5 + dc * 0.42, z = foot[0] + 0.5 + dr * 0.42;
  const bar = (a, b, y0, y1) => {
    const [x0, x1] = dr ? [x + a, x + b] : [x - 0.04, x + 0.04];
    const [z0, z1] = dr ? [z - 0.04, z + 0.04] : [z + a, z + b];
    mesh.box([x0, y0, z0], [x1, y1, z1], [0.55, 0.36, 0.19], SURFACE.rock);
  };
  bar(-0.24, -0.17, low * UP, high * UP + 0.2);
  bar(0.17, 0.24, low * UP, high * UP + 0.2);
  for (let y = low * UP + 0.12; y < high * UP + 0.1; y += 0.19) bar(-0.17, 0.17, y, y + 0.05);
}

function addChest(mesh, row, col, y) {
  mesh.box([col + 0.28, y, row + 0.34], [col + 0.72, y + 0.2, row + 0.66], [0.55, 0.31, 0.16], SURFACE.rock);
  mesh.box([col + 0.26, y + 0.2, row + 0.32], [col + 0.74, y + 0.32, row + 0.68], [0.62, 0.36, 0.18], SURFACE.rock);
  mesh.box([col + 0.45, y + 0.1, row + 0.64], [col + 0.55, y + 0.26, row + 0.70], [0.95, 0.76, 0.19], SURFACE.gold);
  for (const x of [0.3, 0.66]) mesh.box([col + x, y, row + 0.315], [col + x + 0.05, y + 0.33, row + 0.685], [0.95, 0.76, 0.19], SURFACE.gold);
}

const TILE_UM = 30000, INCH_UM = 25400;
const RAIL = [0.42, 0.38, 0.36];

// What only some games know. Only railings of up to an inch are parts, and shown so on `printed` tiles.
function addFitting(mesh, { kind, tile: [row, col], level, sides, name, length }, printed) {
  const y = level * UP + (printed ? 0.05 : 0), high = (length / TILE_UM) * UP;
  const flat = (inset, up, colour, surface = SURFACE.sign) =>
    mesh.box([col + inset, y, row + inset], [col + 1 - inset, y + up, row + 1 - inset], colour, surface);
  if (kind === "railing" && !(printed && length <= INCH_UM)) for (const side of sides) addRail(mesh, row, col, y, high, side);
  if (kind === "obstruction") {
    flat(0.14, high, [0.60, 0.43, 0.26], SURFACE.wood);
    mesh.box([col + 0.12, y + high - 0.05, row + 0.12], [col + 0.88, y + high, row + 0.88], [0.48, 0.33, 0.19], SURFACE.rock);
  }
  if (kind === "pitfall") flat(0.08, 0.02, [0.08, 0.07, 0.08], SURFACE.rock);
  if (kind === "field") {
    addRing(mesh, col + 0.5, y + 0.02, row + 0.5, length / TILE_UM, [0.45, 0.2, 0.55]);
    mesh.cone(col + 0.5, y, row + 0.5, 0.2, 0.06, 16, [0.45, 0.2, 0.55], SURFACE.sign, 0, 0.16);
  }
  if (kind === "gate") {
    for (let bar = 0; bar < 5; bar += 1) {
      const x = col + 0.14 + 0.18 * bar;
      mesh.box([x - 0.02, y, row + 0.12], [x + 0.02, y + 0.03, row + 0.88], [0.95, 0.76, 0.19], SURFACE.gold);
    }
  }
  if (kind === "base") {
    const colour = SIDES[name] ?? OTHERS[0];
    for (const [r0, c0, r1, c1] of [[0.04, 0.04, 0.1, 0.96], [0.9, 0.04, 0.96, 0.96], [0.1, 0.04, 0.9, 0.1], [0.1, 0.9, 0.9, 0.96]]) {
      mesh.box([col + c0, y, row + r0], [col + c1, y + 0.025, row + r1], colour, SURFACE.sign);
    }
  }
}

// Posts and two bars along one side of a tile, a little within it.
function addRail(mesh, row, col, y, high, [dr, dc]) {
  const x = col + 0.5 + dc * 0.46, z = row + 0.5 + dr * 0.46;
  const bar = (from, to, low, top) => mesh.box(
    dr ? [x + from, y + low, z - 0.025] : [x - 0.025, y + low, z + from],
    dr ? [x + to, y + top, z + 0.025] : [x + 0.025, y + top, z + to], RAIL, SURFACE.rock);
  for (const at of [-0.46, -0.25, 0, 0.25, 0.46]) bar(at - 0.025, at + 0.025, 0, high);
  bar(-0.46, 0.46, high / 2 - 0.03, high / 2);
  bar(-0.46, 0.46, high - 0.04, high);
}

// A flat ring of dashes: how far a field reaches.
function addRing(mesh, x, y, z, reach, colour) {
  for (let i = 0; i < 48; i += 2) {
    const [a, b] = [i, i + 1].map((n) => (n * 2 * Math.PI) / 48);
    const at = (angle, radius) => [x + radius * Math.cos(angle), y, z + radius * Math.sin(angle)];
    mesh.quad(at(a, reach), at(a, reach - 0.06), at(b, reach - 0.06), at(b, reach), [0, 1, 0], colour, SURFACE.sign);
  }
}

// Fittings in the sketch: what only some games know.
import { OTHERS, PAINT, SIDES, SURFACE } from "./solids.js";

const TILE_UM = 30000, INCH_UM = 25400;
// The four bars of a frame on a tile: first row and column, last row and column.
const FRAME = [
  [0.04, 0.04, 0.1, 0.96], [0.9, 0.04, 0.96, 0.96], [0.1, 0.04, 0.9, 0.1], [0.1, 0.9, 0.9, 0.96],
];

// Only railings of up to an inch are parts, and shown so on `printed` tiles.
export function addFitting(mesh, fitting, printed) {
  const { kind, tile: [row, col], level, sides, name, length, boxes, part } = fitting;
  const y = level + (printed ? 0.05 : 0), high = length / TILE_UM;
  const flat = (inset, up, paint) => {
    const to = [col + 1 - inset, y + up, row + 1 - inset];
    mesh.box([col + inset, y, row + inset], to, ...paint);
  };
  if (kind === "railing" && !(printed && length <= INCH_UM))
    for (const side of sides) addRail(mesh, row, col, y, high, side);
  for (const [r0, c0, low, r1, c1, top, paint, shade] of printed && part ? [] : boxes) {
    const [colour, surface] = PAINT[paint] ?? PAINT.wood;
    const tone = colour.map((value) => value * shade);
    mesh.box([col + c0, y + low, row + r0], [col + c1, y + top, row + r1], tone, surface);
  }
  if (kind === "pitfall") flat(0.08, 0.02, PAINT.pit);
  if (kind === "field") {
    addRing(mesh, col + 0.5, y + 0.02, row + 0.5, length / TILE_UM, PAINT.violet);
    mesh.cone(col + 0.5, y, row + 0.5, 0.2, 0.06, 16, ...PAINT.violet, 0, 0.16);
  }
  if (kind === "gate") {
    for (let bar = 0; bar < 5; bar += 1) {
      const x = col + 0.14 + 0.18 * bar;
      mesh.box([x - 0.02, y, row + 0.12], [x + 0.02, y + 0.03, row + 0.88], ...PAINT.gold);
    }
  }
  if (kind === "base") {
    const colour = SIDES[name] ?? OTHERS[0];
    for (const [r0, c0, r1, c1] of FRAME) {
      mesh.box([col + c0, y, row + r0], [col + c1, y + 0.025, row + r1], colour, SURFACE.sign);
    }
  }
}

// Posts and two bars along one side of a tile, a little within it.
function addRail(mesh, row, col, y, high, [dr, dc]) {
  const x = col + 0.5 + dc * 0.46, z = row + 0.5 + dr * 0.46;
  const bar = (from, to, low, top) => mesh.box(
    dr ? [x + from, y + low, z - 0.025] : [x - 0.025, y + low, z + from],
    dr ? [x + to, y + top, z + 0.025] : [x + 0.025, y + top, z + to], ...PAINT.rail);
  for (const at of [-0.46, -0.25, 0, 0.25, 0.46]) bar(at - 0.025, at + 0.025, 0, high);
  bar(-0.46, 0.46, high / 2 - 0.03, high / 2);
  bar(-0.46, 0.46, high - 0.04, high);
}

// A flat ring of dashes: how far a field reaches.
function addRing(mesh, x, y, z, reach, paint) {
  for (let i = 0; i < 48; i += 2) {
    const [a, b] = [i, i + 1].map((n) => (n * 2 * Math.PI) / 48);
    const at = (angle, radius) => [x + radius * Math.cos(angle), y, z + radius * Math.sin(angle)];
    const corners = [at(a, reach), at(a, reach - 0.06), at(b, reach - 0.06), at(b, reach)];
    mesh.quad(...corners, [0, 1, 0], ...paint);
  }
}

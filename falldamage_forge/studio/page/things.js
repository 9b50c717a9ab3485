// Elements in the sketch: solids of stacked rings, as the server sends them; a single ring is a
// flat area. Nothing here knows an element.
import { OTHERS, PAINT, SIDES, SURFACE } from "./solids.js";

const ABOVE_PARTS = 0.05; // in tiles: caps and stones of parts lie above their level

const paintOf = (name, side) =>
  name === "side" ? [SIDES[side] ?? OTHERS[0], SURFACE.sign] : PAINT[name] ?? PAINT.wood;

// A thing of a board; `printed` where its tiles are shown as parts. `turn` is that of its tile.
export function addThing(mesh, { at: [row, col, level], side }, shape, printed, turn) {
  const up = level + (printed ? ABOVE_PARTS : 0);
  for (const { rings, paint, top, shade, free } of shape) {
    const [sin, cos] = free ? [Math.sin(turn), Math.cos(turn)] : [0, 1];
    const placed = rings.map((ring) => ring.map(([r, c, l]) => {
      const [down, right] = [r - 0.5, c - 0.5];
      return [
        col + 0.5 + right * cos + down * sin, up + l, row + 0.5 + down * cos - right * sin,
      ];
    }));
    const [colour, surface] = paintOf(paint, side);
    const tone = colour.map((value) => value * shade);
    placed.slice(1).forEach((ring, i) => addWall(mesh, placed[i], ring, tone, surface));
    const [above, cover] = top === paint ? [tone, surface] : paintOf(top, side);
    addArea(mesh, placed.at(-1), above, cover);
  }
}

function addWall(mesh, low, high, colour, surface) {
  low.forEach((corner, i) => {
    const j = (i + 1) % low.length;
    mesh.triangle(corner, low[j], high[j], colour, surface);
    mesh.triangle(corner, high[j], high[i], colour, surface);
  });
}

function addArea(mesh, ring, colour, surface) {
  for (let i = 2; i < ring.length; i += 1)
    mesh.triangle(ring[0], ring[i - 1], ring[i], colour, surface);
}

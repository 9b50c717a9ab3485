import { SLAB, UP, column } from "./shapes.js";

// The ways [row, col] out of the side by which a ray enters a box, by its axis x, y, z; null:
// by the top.
const SIDES = [(way) => [0, way > 0 ? -1 : 1], () => null, (way) => [way > 0 ? -1 : 1, 0]];

// The boxes under a pointer: columns (with what stands on them) and decks, as {tile, level, side}.
// Through glass only their tops are hit, so that every tile can be, however high the columns
// before it.
export function pick(board, origin, way, glass = false) {
  let best = null;
  const hit = (low, high, tile, level) => {
    let near = 0,
      far = Infinity,
      axis = 1;
    for (let i = 0; i < 3; i += 1) {
      const a = (low[i] - origin[i]) / way[i],
        b = (high[i] - origin[i]) / way[i];
      if (Math.min(a, b) > near) {
        near = Math.min(a, b);
        axis = i;
      }
      far = Math.min(far, Math.max(a, b));
    }
    if (near > far || (glass && axis !== 1) || (best && near >= best.near)) return;
    best = { near, tile, level, side: SIDES[axis](way[axis]) };
  };
  for (let row = 0; row < board.rows; row += 1) {
    for (let col = 0; col < board.cols; col += 1) {
      const [level] = column(board, row, col);
      hit([col, -0.2, row], [col + 1, level * UP, row + 1], [row, col], level);
    }
  }
  for (const { tiles, level } of board.decks) {
    const top = level * UP;
    for (const [row, col] of tiles)
      hit([col, top - SLAB, row], [col + 1, top, row + 1], [row, col], level);
  }
  return best;
}

import { SLAB, UP, column } from "./shapes.js";

// The boxes under a pointer: columns (with what stands on them) and decks. Through glass only their
// tops are hit, so that every tile can be, however high the columns before it are.
export function pick(board, origin, way, glass = false) {
  let best = null;
  const hit = (low, high, tile, level) => {
    let near = 0, far = Infinity;
    for (let i = 0; i < 3; i += 1) {
      const a = (low[i] - origin[i]) / way[i], b = (high[i] - origin[i]) / way[i];
      near = Math.max(near, Math.min(a, b));
      far = Math.min(far, Math.max(a, b));
    }
    if (glass && (high[1] - origin[1]) / way[1] < near - 1e-6) return;
    if (near <= far && (!best || near < best.near)) best = { near, tile, level };
  };
  for (let row = 0; row < board.rows; row += 1) {
    for (let col = 0; col < board.cols; col += 1) {
      const [level] = column(board, row, col);
      hit([col, -0.2, row], [col + 1, level * UP, row + 1], [row, col], level);
    }
  }
  for (const deck of board.decks) {
    for (const [row, col] of deck.tiles) hit([col, deck.level * UP - SLAB, row], [col + 1, deck.level * UP, row + 1], [row, col], deck.level);
  }
  return best;
}

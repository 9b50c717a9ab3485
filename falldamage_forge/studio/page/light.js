import { SLAB, UP, column } from "./shapes.js";

// Light over the board, `FINE` texels a tile with a border of one tile: the height below which the
// sun is hidden (red, in levels of 1/16) and how open the sky is (green).
const FINE = 8;
export const SUN = [0.62, 0.78, 0.3]; // on the sides that home shows

export function lightOf(board) {
  const wide = (board.cols + 2) * FINE,
    deep = (board.rows + 2) * FINE;
  const heights = new Float32Array((board.cols + 2) * (board.rows + 2));
  const tall = new Float32Array(heights.length);
  for (let row = 0; row < board.rows; row += 1) {
    for (let col = 0; col < board.cols; col += 1) {
      const [level, , feature] = column(board, row, col);
      heights[(row + 1) * (board.cols + 2) + col + 1] = level * UP;
      if (feature) tall[(row + 1) * (board.cols + 2) + col + 1] = 0.7;
    }
  }
  // What stands on a column is round and thinner than its tile.
  const bare = (x, z) => {
    const at = Math.floor(z) * (board.cols + 2) + Math.floor(x);
    const round = tall[at] ? Math.max(0, 1 - Math.hypot((x % 1) - 0.5, (z % 1) - 0.5) / 0.42) : 0;
    return (heights[at] ?? 0) + (tall[at] ?? 0) * 2 * round;
  };
  // Heights of all texels once; beyond the table there is nothing.
  const grid = new Float32Array(wide * deep);
  for (let j = 0; j < deep; j += 1)
    for (let i = 0; i < wide; i += 1) grid[j * wide + i] = bare((i + 0.5) / FINE, (j + 0.5) / FINE);
  const height = (i, j) =>
    i < 0 || j < 0 || i >= wide || j >= deep ? 0 : grid[(j | 0) * wide + (i | 0)];
  const flat = Math.hypot(SUN[0], SUN[2]),
    slope = SUN[1] / flat;
  const [dx, dz] = [SUN[0] / flat, SUN[2] / flat];
  const highest = Math.max(...heights) + 1.4;
  const decks = board.decks.map((deck) => [
    new Set(deck.tiles.map(([row, col]) => (row + 1) * 1000 + col + 1)),
    deck.level * UP - SLAB,
  ]);
  const round = Array.from({ length: 8 }, (_, k) => [
    Math.cos((k * Math.PI) / 4),
    Math.sin((k * Math.PI) / 4),
  ]);
  const data = new Uint8Array(wide * deep * 4);
  for (let j = 0; j < deep; j += 1) {
    for (let i = 0; i < wide; i += 1) {
      const x = i + 0.5,
        z = j + 0.5,
        here = grid[j * wide + i];
      let dark = 0;
      for (let t = 0.1; t * slope + dark < highest; t += 0.12)
        dark = Math.max(dark, height(x + dx * t * FINE, z + dz * t * FINE) - t * slope);
      for (const [tiles, y] of decks) {
        const t = (y - here) / slope;
        if (
          t > 0 &&
          tiles.has(Math.floor(z / FINE + dz * t) * 1000 + Math.floor(x / FINE + dx * t))
        )
          dark = Math.max(dark, y);
      }
      let open = 0;
      for (const [a, b] of round) {
        let rise = 0;
        for (const t of [0.12, 0.3, 0.6, 1.1])
          rise = Math.max(rise, (height(x + a * t * FINE, z + b * t * FINE) - here) / t);
        open += 1 - rise / Math.hypot(1, rise);
      }
      data.set([Math.min(255, (dark / UP) * 20), (open / 8) * 255, 0, 255], (j * wide + i) * 4);
    }
  }
  return { data, wide, deep };
}

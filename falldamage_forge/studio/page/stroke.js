// What a stroke goes over: tiles without a gap, however fast the hand is. Nothing here knows
// the page.

// The tiles on a straight line from one to another, without the first; each touches the one before.
export function line([row, col], [toRow, toCol]) {
  const far = Math.max(Math.abs(toRow - row), Math.abs(toCol - col));
  const on = (from, to, step) => from + Math.round(((to - from) * step) / far);
  return Array.from({ length: far }, (_, at) => [on(row, toRow, at + 1), on(col, toCol, at + 1)]);
}

// A tile as a gesture names it that means one surface alone: with its level where a bridge
// passes over.
export function exactly(board, [row, col], level) {
  const over = board.decks.filter(({ tiles }) => tiles.some(([r, c]) => r === row && c === col));
  if (!over.length) return [row, col];
  return [
    row,
    col,
    over.some((deck) => deck.level === level) ? level : board.columns[row * board.cols + col][0],
  ];
}

// The levels that a hand pulls a column by: each takes as many pixels as a level is seen high,
// but at least some, because from above a level has no height.
const LEAST_PX = 14;
export const levelsOf = (pulled, step) => Math.round(pulled / Math.max(LEAST_PX, step)) || 0;

import { keyOf } from "./shapes.js";

// Tiles on which two boards of one size differ.
export function changed(before, after) {
  const found = new Set();
  if (before === after) return found;
  after.columns.forEach((column, at) => {
    if (column.some((value, i) => value !== before.columns[at][i]))
      found.add(keyOf(Math.floor(at / after.cols), at % after.cols));
  });
  const things = (board) =>
    new Map([
      ...board.decks.map((x) => [JSON.stringify(x), [x.a, ...x.tiles, x.b]]),
      ...board.starts.flatMap(({ side, places }) => places.map((x) => [`${side} ${x}`, [x]])),
      ...board.things.map(({ shape, ...x }) => [
        JSON.stringify([x, board.shapes[shape]]), x.tiles,
      ]),
    ]);
  const [one, other] = [things(before), things(after)];
  for (const [here, there] of [
    [one, other],
    [other, one],
  ]) {
    for (const [name, tiles] of here)
      if (!there.has(name)) for (const [row, col] of tiles) found.add(keyOf(row, col));
  }
  return found;
}

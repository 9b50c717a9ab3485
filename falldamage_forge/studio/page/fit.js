// What a view of the whole board has room for: rim, coordinates, what stands on it, figures.
import { TIGHT, fitted, upOf } from "./camera.js";
import { UP } from "./shapes.js";

const LOW_PX = 400; // of such a height a share leaves too little for a coordinate
const TALL = 2; // levels that a spire or a tree reaches above its column at most
const FIGURE = 1.35; // tiles that a figure reaches above its surface
const NAME_PX = 16; // of its name above it
const ACROSS = 12; // tiles that a picture shows of a board, or more

// The way up of a figure with its name: it is seen upright, however the board is tilted.
function headOf({ clientWidth: wide, clientHeight: high }, angles) {
  const tiles = FIGURE + (NAME_PX * ACROSS) / Math.min(wide, high);
  return upOf(angles).map((value) => value * tiles);
}

// The pose of a view at these angles that shows its whole board.
export function poseOf({ board, figures, canvas, aspect }, angles) {
  const { rows, cols, columns } = board;
  const rim = [[0, 0, 0], [cols, 0, 0], [cols, 0, rows], [0, 0, rows]];
  const over = (high) => columns.map(([level, , feature], at) => (
    [(at % cols) + 0.5, level * UP + high(feature), Math.floor(at / cols) + 0.5]));
  const tops = over((feature) => (feature ? TALL : 0));
  // Its coordinates lie before it and behind it, where there is little room.
  const tight = angles.share === TIGHT || canvas.clientHeight < LOW_PX;
  const edges = tight ? [-1, rows + 1] : [];
  const labels = edges.flatMap((z) => [[0, 0, z], [cols, 0, z]]);
  const head = headOf(canvas, angles);
  const heads = figures.length // a figure may climb any column
    ? over(() => 0).map((at) => at.map((value, i) => value + head[i]))
    : [];
  return fitted(angles, aspect, rim, [...labels, ...tops, ...heads], angles.share);
}

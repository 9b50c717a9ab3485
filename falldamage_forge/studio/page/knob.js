// The knob over what is chosen: pulled up or down, by hand or by arrow keys, it raises or lowers
// the columns.
import { app, state } from "./app.js";
import { gesture, marks, tiles } from "./board.js";
import { $ } from "./dom.js";
import { foresee } from "./foresee.js";
import { UP } from "./shapes.js";
import { levelsOf } from "./stroke.js";
import { t } from "./texts.js";
import { areaOf, nameOf } from "./tools.js";

const OVER = 0.7; // of a level between the column and the knob
let pull = null; // {from, step, by}: the pointer's height at first, pixels of a level, levels

// The tiles that the knob moves: the chosen ones, or the one that was looked at.
function held() {
  if (state.play || state.carry || !state.whole || !app.view.board) return [];
  const pinned = state.tool?.name === "look" && state.pin ? [state.pin.tile] : [];
  const { rows, cols } = app.view.board;
  const found = state.chosen.size ? tiles(state.chosen) : pinned;
  return found.filter(([row, col]) => row < rows && col < cols);
}

const level = ([row, col]) => app.view.board.columns[row * app.view.board.cols + col][0];
const highest = (found) => found.reduce((one, other) => (level(other) > level(one) ? other : one));

function wordsOf(by) {
  const words = `${by > 0 ? "raise" : "lower"} ${areaOf(held())}`;
  return Math.abs(by) > 1 ? `${words} by ${Math.abs(by)}` : words;
}

export function place() {
  const found = held(),
    at = $("knob");
  at.hidden = !found.length;
  if (at.hidden) return;
  const tile = highest(found),
    high = level(tile) + (pull?.by ?? 0);
  const [x, y] = app.view.point([tile[1] + 0.5, (high + OVER) * UP, tile[0] + 0.5]);
  at.style.left = `${x}px`;
  at.style.top = `${y}px`;
  at.setAttribute("aria-valuenow", high);
  at.setAttribute("aria-valuetext", t("at", { tile: nameOf(...tile), level: high }));
}

function down(event) {
  const tile = highest(held());
  const [low, high] = [0, 1].map((more) => app.view.spot(...tile, level(tile) + more)[1]);
  pull = { from: event.clientY, step: low - high, by: 0 };
  $("knob").setPointerCapture(event.pointerId);
  event.preventDefault();
}

function move(event) {
  if (!pull || !held().length) return; // another text may have taken what was chosen
  const by = levelsOf(pull.from - event.clientY, pull.step);
  if (by === pull.by) return;
  pull.by = by;
  foresee(by ? wordsOf(by) : null);
  marks();
}

function up(event) {
  const by = pull?.by;
  pull = null;
  foresee(null);
  if (by && held().length && event.type === "pointerup") gesture(wordsOf(by));
  marks();
}

function pressed(event) {
  const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  gesture(wordsOf(by));
}

export function listen() {
  const at = $("knob");
  at.addEventListener("pointerdown", down);
  at.addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel"]) at.addEventListener(end, up);
  at.addEventListener("keydown", pressed);
}

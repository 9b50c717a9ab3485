// What is chosen on the board, and what is carried from there to another place.
import { app, state } from "./app.js";
import { gesture, marks, mirrorHeld, tiles, turnHeld } from "./board.js";
import { $, act, element } from "./dom.js";
import { foreseen } from "./foresee.js";
import { speak } from "./notes.js";
import { keyOf } from "./shapes.js";
import { t } from "./texts.js";
import { areaOf, frameOf } from "./tools.js";

export function pick(found, add, area = null) {
  const keys = (area ?? found).map(([row, col]) => keyOf(row, col));
  if (!add) {
    const alone = keys.length === 1 && state.chosen.size === 1 && state.chosen.has(keys[0]);
    state.chosen = new Set(alone ? [] : keys);
  } else if (keys.length === 1 && state.chosen.has(keys[0])) state.chosen.delete(keys[0]);
  else for (const key of keys) state.chosen.add(key);
  bar();
  marks();
}

// What makes tiles alike: the feature on them, else water or lava, else their level.
const kind = ([level, ground, feature]) => feature || (ground === "ground" ? level : ground);

// Chooses a tile; where it is the only one that is chosen, all that are alike, as a search finds
// them: what is done then replaces them.
export function pickOne([row, col]) {
  const { cols, columns } = app.view.board, own = kind(columns[row * cols + col]);
  const alone = state.chosen.size === 1 && state.chosen.has(keyOf(row, col));
  const same = columns.flatMap((column, at) => (
    kind(column) === own ? [[Math.floor(at / cols), at % cols]] : []));
  pick(alone ? same : [[row, col]], false);
  if (alone) speak(t("chosen", { count: state.chosen.size }));
}

// Tiles whose top is seen inside a line that hands drew.
export function within(points) {
  const found = new Map();
  const { board } = app.view;
  for (let row = 0; row < board.rows; row += 1) {
    for (let col = 0; col < board.cols; col += 1) {
      const [x, y] = app.view.spot(row, col, board.columns[row * board.cols + col][0]);
      let within = false;
      points.forEach(([x1, y1], i) => {
        const [x0, y0] = points[(i || points.length) - 1];
        if (y1 > y !== y0 > y && x < ((x0 - x1) * (y - y1)) / (y0 - y1) + x1) within = !within;
      });
      if (within) found.set(keyOf(row, col), [row, col]);
    }
  }
  return found;
}

export function bar() {
  const at = $("chosen"),
    count = state.chosen.size;
  at.hidden = !count && !state.carry;
  if (at.hidden) return at.replaceChildren();
  const frame = () => frameOf(tiles(state.chosen));
  const doing = (sign, name, words) =>
    foreseen(
      act(sign, name, () => gesture(words())),
      words,
    );
  const parts = state.carry
    ? [
        element("span", t("carrying", { verb: t(state.carry.verb), area: state.carry.area })),
        act("turn-left", t("turnStamp"), () => turnHeld(90)),
        act("symmetry", t("mirrorStamp"), mirrorHeld),
        act("stop", t("leave"), () => carried(null)),
      ]
    : [
        element("span", t("chosen", { count })),
        doing("raise", t("raise"), () => `raise ${areaOf(tiles(state.chosen))}`),
        doing("lower", t("lower"), () => `lower ${areaOf(tiles(state.chosen))}`),
        act("stamp", t("copy"), () => carried("copy")),
        act("move", t("move"), () => carried("move")),
        doing("turn-left", t("turn"), () => `rotate ${frame()} 90`),
        doing("symmetry", t("mirror"), () => `mirror ${frame()} x`),
        doing("erase", t("erase"), () => `erase ${areaOf(tiles(state.chosen))}`),
        act("stop", t("leave"), () => pick([], false)),
      ];
  return at.replaceChildren(...parts);
}

export function carried(verb) {
  state.carry =
    verb && state.chosen.size
      ? { verb, area: frameOf(tiles(state.chosen)), turn: 0, mirror: false }
      : null;
  if (state.carry) speak(t("carrying", { verb: t(verb), area: state.carry.area }));
  else if (verb === null) state.chosen = new Set();
  bar();
  marks();
}

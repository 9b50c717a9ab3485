// Pointers on the board: a click acts, a stroke draws or chooses, a drag beside the board or with
// `look` turns. One finger draws or moves the board, two turn it and zoom; a tap of two undoes.
import { app, state } from "./app.js";
import {
  act, forget, held, hover, marks, meant, rules, turnHeld, wished, wordsAt, wordsOf,
} from "./board.js";
import { pick, within } from "./choice.js";
import { $ } from "./dom.js";
import { Pair, pinched } from "./fingers.js";
import { foresee } from "./foresee.js";
import * as lens from "./lens.js";
import { speak } from "./notes.js";
import { asks, meant as meantBy } from "./play.js";
import { keyOf } from "./shapes.js";
import { standsAt } from "./standees.js";
import { slide, turn, zoom } from "./steer.js";
import { line } from "./stroke.js";
import { t } from "./texts.js";

const FAR_PX = 6; // how far a pointer goes before a click is a stroke
const FINGER_PX = 10; // a finger is less steady
const TURN = [0.008, 0.006]; // radians of a pixel, round and up

const fingers = new Map();
let moved = 0,
  mode = "",
  pair = null, // two fingers
  shown = null; // the tile and the tool of the last tap that only showed
function here(event) {
  const box = $("board").getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

// The surface under a point; in a game that of a unit, if its figure is there.
function under(x, y) {
  const tile = app.view.under(x, y);
  return state.play ? meantBy(standsAt(x, y), tile) : tile;
}

const touches = (event) => event.pointerType === "touch";
const strayed = (event) => moved > (touches(event) ? FINGER_PX : FAR_PX);

function begun(event, [x, y]) {
  const at = under(x, y);
  const around = event.shiftKey || touches(event) ? "slide" : "turn";
  if (state.play || event.button > 0) return around;
  if (state.tool.name === "choose" && !state.carry) return "lasso";
  if (at && rules(state.tool) && !state.carry) return "paint";
  if (at && state.tool.two && !state.carry) return "span";
  return around;
}

function down(event) {
  const at = here(event);
  $("board").setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, at);
  if (fingers.size > 1) {
    const first = state.stroke ? state.stroke.first : state.first;
    state.stroke = null;
    moved = 99;
    mode = "pinch";
    pair = fingers.size === 2 ? new Pair(event.timeStamp) : null;
    lens.leave();
    lasso([]);
    state.built = null;
    forget(first); // the first finger was the beginning of a pinch, and draws nothing
    return;
  }
  moved = 0;
  mode = begun(event, at);
  state.stroke = {
    tool: state.tool,
    tiles: new Map(),
    points: [at],
    at: under(...at),
    last: null,
    first: state.first,
    add: event.shiftKey,
  };
  if (touches(event)) lens.wait(at, () => !state.play && hover(under(...at)));
}

function draw(x, y) {
  const at = app.view.under(x, y);
  state.at = at ?? state.at;
  if (mode === "paint") paint(at);
  if (mode === "lasso") {
    state.stroke.points.push([x, y]);
    state.stroke.tiles = within(state.stroke.points);
    lasso(state.stroke.points);
  }
  if (mode === "span" && at && !state.first) state.first = state.stroke.at;
  if (mode === "span" && at) hover(at);
}

// Goes on with a state.stroke: to where the hand is now, and over all that it passed since.
function paint(at) {
  const { last, tool, tiles: over } = state.stroke;
  for (const tile of at ? (last ? line(last.tile, at.tile) : [at.tile]) : [])
    over.set(keyOf(...tile), meant(tool, tile, at.level));
  state.stroke.last = at;
}

// Lets go of a state.stroke without doing it.
export function drop() {
  state.stroke = null;
  mode = "dropped";
  state.first = null;
  lasso([]);
  hover(state.at);
}

function move(event) {
  const before = fingers.get(event.pointerId),
    now = here(event);
  state.keyed = false;
  if (!before) return hover(under(...now), event.shiftKey, false);
  const way = now.map((value, i) => value - before[i]);
  moved += Math.abs(way[0]) + Math.abs(way[1]);
  if (fingers.size === 2) both(event.pointerId, before, now, way);
  else if (mode === "pinch" || !strayed(event)) lens.follow(now);
  else if (mode === "slide" || mode === "turn") {
    lens.leave();
    if (mode === "slide") slide(before, now);
    else turn(...way.map((value, i) => value * TURN[i]));
  } else if (state.stroke) {
    lens.follow(now);
    if (mode === "paint" && !state.stroke.tiles.size) paint(state.stroke.at);
    const passed = event.getCoalescedEvents?.() ?? [];
    for (const one of passed.length ? passed : [event]) draw(...here(one));
    if (mode === "paint") foresee(wordsOf(state.stroke.tool, [...state.stroke.tiles.values()]));
    marks();
  }
  return fingers.set(event.pointerId, now);
}

// Two fingers: what they spread zooms there, what they twist or move together turns.
function both(id, before, now, way) {
  const other = [...fingers].find(([one]) => one !== id)[1];
  const { spread, twist } = pinched(before, now, other);
  const [round, rise] = pair?.moved(id, way) ?? [0, 0];
  zoom(1 / spread, now.map((value, i) => (value + other[i]) / 2));
  turn(round * TURN[0] - twist, rise * TURN[1]);
}

// A tap of two fingers takes back what was done last.
function back() {
  const one = $(state.play ? "back" : "undo");
  if (one.disabled || !one.checkVisibility()) speak(t("noStep"), true);
  else one.click();
}

function up(event) {
  const last = fingers.get(event.pointerId);
  fingers.delete(event.pointerId);
  lens.leave();
  lasso([]);
  if (pair && !fingers.size) {
    if (event.type === "pointerup" && pair.tapped(event.timeStamp)) back();
    pair = null;
  }
  const done = state.stroke;
  if (!last || fingers.size || event.type === "pointercancel") {
    state.stroke = null;
    marks();
    return;
  }
  const at = under(...last);
  state.stroke = null;
  if (!done) {
    marks();
    return;
  }
  if (!strayed(event) && event.button <= 0 && mode !== "pinch") {
    if (touches(event)) tapped(at);
    else {
      state.at = at;
      act(at, event.shiftKey, event.ctrlKey || event.metaKey);
    }
  } else if (mode === "paint" && done.tiles.size)
    wished(wordsOf(done.tool, [...done.tiles.values()]));
  else if (mode === "lasso") pick([...done.tiles.values()], done.add);
  else if (mode === "span" && state.first && at) act(at);
  if (event.pointerType === "mouse") hover(at, event.shiftKey, false);
  else if (strayed(event)) forget(state.first); // no finger points at anything any more
  else marks();
}

// A tap shows what it would do; a second one on the same tile does it, and each one after it
// does it again.
function tapped(at) {
  const own = at && JSON.stringify([at.tile, state.tool.name]);
  const again = own && (own === state.built || (state.ghost?.tapped && own === shown));
  state.at = at;
  if (at && (state.play ? asks(at) : state.whole && wordsAt(at) && !again)) {
    state.built = null;
    shown = own;
    hover(at, false, true);
    return;
  }
  state.built = again ? own : null;
  if (again) forget(state.first);
  act(at);
}

const lasso = (points) =>
  $("lasso").firstElementChild.setAttribute(
    "points",
    points.map((point) => point.join(",")).join(" "),
  );

export function listen() {
  const canvas = $("board");
  canvas.addEventListener("pointerdown", down);
  canvas.addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, up);
  canvas.addEventListener("pointerleave", (event) => {
    if (!fingers.size && !touches(event)) hover(null);
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      if (event.shiftKey && held()) turnHeld(event.deltaX + event.deltaY > 0 ? 90 : 270);
      else zoom(Math.exp(event.deltaY * 0.001));
    },
    { passive: false },
  );
  for (const id of ["to-level", "brush"])
    $(id).addEventListener("change", () => {
      if (state.at) hover(state.at);
    });
}

// Pointers on the board: a click acts, a stroke draws or chooses, a drag beside the board or with
// `look` turns, two fingers pinch and move.
import { app, state } from "./app.js";
import {
  act, forget, held, hover, marks, meant, rules, turnHeld, wished, wordsAt, wordsOf,
} from "./board.js";
import { pick } from "./choice.js";
import { $ } from "./dom.js";
import { foresee } from "./foresee.js";
import { asks, meant as meantBy } from "./play.js";
import { keyOf } from "./shapes.js";
import { standsAt } from "./standees.js";
import { slide, turn, zoom } from "./steer.js";
import { line } from "./stroke.js";

const FAR_PX = 6; // how far a pointer goes before a click is a stroke

const fingers = new Map();
let moved = 0,
  mode = "",
  shown = null, // the tile and the tool of the last tap that only showed
  built = null; // the tile and the tool of the last tap that built: a further tap builds again
function here(event) {
  const box = $("board").getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

// The surface under a point; in a game that of a unit, if its figure is there.
function under(x, y) {
  const tile = app.view.under(x, y);
  return state.play ? meantBy(standsAt(x, y), tile) : tile;
}

function begun(event, [x, y]) {
  const at = under(x, y);
  if (state.play || event.button > 0)
    return event.shiftKey ? "slide" : "turn";
  if (state.tool.name === "choose" && !state.carry) return "lasso";
  if (at && rules(state.tool) && !state.carry) return "paint";
  if (at && state.tool.two && !state.carry) return "span";
  return event.shiftKey ? "slide" : "turn";
}

function down(event) {
  const at = here(event);
  $("board").setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, at);
  state.stroke = null;
  if (fingers.size > 1) {
    moved = 99;
    mode = "pinch";
    lasso([]);
    forget(); // the first finger was the beginning of a pinch, and draws nothing
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
    add: event.shiftKey,
  };
}

function draw(x, y) {
  const at = app.view.under(x, y);
  state.at = at ?? state.at;
  if (mode === "paint") paint(at);
  if (mode === "lasso") {
    state.stroke.points.push([x, y]);
    state.stroke.tiles = inside(state.stroke.points);
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
  const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
  moved += Math.abs(dx) + Math.abs(dy);
  if (fingers.size === 2) {
    const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
    const span = (a) => Math.hypot(a[0] - other[0], a[1] - other[1]);
    zoom(span(before) / Math.max(1, span(now)));
    slide(dx / 2, dy / 2);
  } else if (moved > FAR_PX && mode === "slide") slide(dx, dy);
  else if (moved > FAR_PX && mode === "turn") turn(dx * 0.008, dy * 0.006);
  else if (state.stroke && (moved > FAR_PX || mode === "lasso")) {
    if (mode === "paint" && !state.stroke.tiles.size) paint(state.stroke.at);
    const passed = event.getCoalescedEvents?.() ?? [];
    for (const one of passed.length ? passed : [event]) draw(...here(one));
    if (mode === "paint") foresee(wordsOf(state.stroke.tool, [...state.stroke.tiles.values()]));
    marks();
  }
  return fingers.set(event.pointerId, now);
}

function up(event) {
  const last = fingers.get(event.pointerId);
  fingers.delete(event.pointerId);
  lasso([]);
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
  if (moved <= FAR_PX && event.button <= 0 && mode !== "pinch") {
    if (event.pointerType === "touch") tapped(at);
    else {
      state.at = at;
      act(at, event.shiftKey, event.ctrlKey || event.metaKey);
    }
  } else if (mode === "paint" && done.tiles.size)
    wished(wordsOf(done.tool, [...done.tiles.values()]));
  else if (mode === "lasso") pick([...done.tiles.values()], done.add);
  else if (mode === "span" && state.first && at) act(at);
  if (event.pointerType === "mouse") hover(at, event.shiftKey, false);
  else if (moved > FAR_PX) forget(state.first); // no finger points at anything any more
  else marks();
}

// A tap shows what it would do; a second one on the same tile does it, and each one after it
// does it again.
function tapped(at) {
  const own = at && JSON.stringify([at.tile, state.tool.name]);
  const again = own && (own === built || (state.ghost?.tapped && own === shown));
  state.at = at;
  if (at && (state.play ? asks(at) : state.whole && wordsAt(at) && !again)) {
    built = null;
    shown = own;
    hover(at, false, true);
    return;
  }
  built = again ? own : null;
  if (again) forget(state.first);
  act(at);
}

// Tiles whose top is seen inside a line that hands drew.
function inside(points) {
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
    if (!fingers.size && event.pointerType !== "touch") hover(null);
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

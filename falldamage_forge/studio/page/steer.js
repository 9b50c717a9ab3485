// The camera under hands: turn, zoom, slide, and the buttons and keys for views.
import { app, state } from "./app.js";
import { groundOf } from "./camera.js";
import { $ } from "./dom.js";
import { hover } from "./board.js";
import * as hints from "./hints.js";

const NEAREST = 4,
  FARTHEST = 160; // in tiles
const FLATTEST = 0.12,
  STEEPEST = 1.55; // radians
const STEP = 0.4; // radians a button turns

// Nearer or farther; what lies at a point of the picture stays there.
export function zoom(by, at = null) {
  const { view } = app;
  const before = at && onGround(at);
  view.moved({ far: Math.max(NEAREST, Math.min(FARTHEST, view.far * by)) });
  if (before) carry(before, onGround(at));
}

export function turn(yaw, pitch) {
  const { view } = app;
  hints.done("view");
  view.moved({
    yaw: view.yaw - yaw,
    pitch: Math.max(FLATTEST, Math.min(STEEPEST, view.pitch + pitch)),
  });
}

// The board goes with a hand from one point of the picture to another.
export function slide(from, to) {
  hints.done("view");
  carry(onGround(from), onGround(to));
}

const onGround = ([x, y]) => {
  const { clientWidth: wide, clientHeight: high } = app.view.canvas;
  return groundOf(app.view, app.view.aspect, [(x / wide) * 2 - 1, 1 - (y / high) * 2]);
};

// Moves the camera so that a point of the ground comes to where another one is seen.
function carry(from, to) {
  const { view } = app;
  if (!from || !to) return; // the hand is in the sky
  view.moved({ aim: view.aim.map((value, i) => value + from[i] - to[i]) });
}

// Columns are glass by a button, or while Alt is held.
export function glass(on = !app.view.glass) {
  app.view.glass = on;
  $("camera").querySelector("[data-view=glass]").setAttribute("aria-pressed", String(on));
  hover(state.at);
}

const VIEWS = {
  home: () => app.view.whole(app.view.homeOf, true),
  above: () => {
    hints.done("view");
    app.view.above();
  },
  left: () => turn(STEP, 0),
  right: () => turn(-STEP, 0),
  glass: () => glass(),
};
export const VIEW_KEYS = {
  "[": VIEWS.left,
  "]": VIEWS.right,
  "+": () => zoom(0.85),
  "=": () => zoom(0.85),
  "-": () => zoom(1.18),
  0: VIEWS.home,
  9: VIEWS.above,
  8: VIEWS.glass,
  "?": () => $("keys").showModal(),
};

export function listen() {
  for (const made of $("camera").querySelectorAll("[data-view]"))
    made.addEventListener("click", VIEWS[made.dataset.view]);
  let before = false;
  window.addEventListener("keydown", (event) => {
    if (event.key !== "Alt" || event.repeat || document.activeElement !== $("board")) return;
    event.preventDefault(); // no menu of the browser
    before = app.view.glass;
    glass(true);
  });
  window.addEventListener("keyup", (event) => {
    if (event.key === "Alt" && app.view.glass !== before) glass(before);
  });
}

// Hints, one after another; each leaves when its thing is done, or by its button, and does not come
// back in this browser. Those of a first visit also point at what the hand does next.
import { app, keep, state } from "./app.js";
import { $, button, element, icon } from "./dom.js";
import { calm } from "./moving.js";
import { t } from "./texts.js";
import { TOOLS } from "./tools.js";

const SPAN = TOOLS.find(({ group }) => group === "ways").name;
const FIRST = ["raise", SPAN, "play"]; // moves on the beginner's map
const EMPTY = { tool: "hintTool", view: "hintView", print: "hintPrint" };
// Where the moves of a first visit are made: tiles [row, col] of the beginner's map.
const TILES = { raise: [[8, 5]], [SPAN]: [[4, 3], [6, 3]] };
const WORDS = { raise: ["coachTile"], [SPAN]: ["coachOne", "coachOther"] };
const RING_PX = 44; // of a ring round a tile
const CALL = [{ transform: "scale(1.5)" }, { transform: "none" }];
const CALLING = { duration: 700, iterations: 3, easing: "ease-out" };
const PHONE = matchMedia("(max-width: 599px), (max-height: 499px)");
const SEEN = (name) => `hint.${name}`;
let begun = [];

const left = () => begun.filter((name) => !keep.get(SEEN(name)));

// What comes next in a move of a first visit: {words, at: an element or a tile}; `at` may be null.
function next(name) {
  if (name === "play") {
    const found = [...document.querySelectorAll("#play, #places [data-press=play]")];
    const ready = !$("play").disabled;
    return {
      words: ready ? "coachPlay" : "notYetPlayable",
      at: ready ? found.find((one) => one.checkVisibility()) : null,
    };
  }
  if (state.tool?.name !== name)
    return { words: "coachTool", at: $("tools").querySelector(`[data-tool=${name}]`) };
  if (!$("offer").hidden)
    return { words: "coachBuild", at: $("build").disabled ? null : $("build") };
  const tiles = TILES[name],
    end = state.first ? tiles.length - 1 : 0,
    level = new Set(tiles.map(heightOf)).size === 1; // as they were, or both changed alike
  return { words: WORDS[name][end], at: level ? tiles[end] : null };
}

function heightOf([row, col]) {
  const { board } = app.view;
  return row < board?.rows && col < board.cols ? board.columns[row * board.cols + col][0] : null;
}

function boxOf(at) {
  if (at instanceof Element) return at.getBoundingClientRect();
  const level = heightOf(at);
  if (level === null) return null;
  const stage = $("stage").getBoundingClientRect();
  const [x, y] = app.view.spot(...at, level);
  return {
    left: stage.left + x - RING_PX / 2, top: stage.top + y - RING_PX / 2,
    width: RING_PX, height: RING_PX,
  };
}

// Shows what the hand does next.
export function point() {
  const [name] = left();
  if (!FIRST.includes(name)) {
    $("ring").hidden = true;
    return;
  }
  const { words, at } = next(name);
  const said = $("hints").querySelector("span"),
    box = at && !document.querySelector("dialog[open]") && boxOf(at);
  if (said && said.textContent !== t(words)) {
    said.textContent = t(words);
    if (!calm()) $("ring").animate(CALL, CALLING);
  }
  $("ring").hidden = !box || Boolean(state.play);
  if (box)
    for (const key of ["left", "top", "width", "height"]) $("ring").style[key] = `${box[key]}px`;
}

function draw() {
  const [name] = left();
  (PHONE.matches ? document.querySelector("footer") : $("float")).append($("hints"));
  $("hints").hidden = !name;
  const away = button("", () => (FIRST.includes(name) ? close() : done(name)));
  away.setAttribute("aria-label", t("close"));
  away.append(icon("stop"));
  const row = element("li");
  row.append(icon("hint"), element("span", name in EMPTY ? t(EMPTY[name]) : ""), away);
  $("hints").replaceChildren(...(name ? [row] : []));
  point();
}

// The thing of a hint has been done: it does not come back in this browser.
export function done(name) {
  if (!left().includes(name)) return;
  keep.set(SEEN(name), "done");
  draw();
}

// The moves of a first visit are left, with all that come after.
export function close() {
  for (const name of FIRST) if (begun.includes(name)) keep.set(SEEN(name), "done");
  draw();
}

// Hints on an empty board.
export function begin() {
  close();
  begun = Object.keys(EMPTY);
  draw();
}

// The first visit: three moves on the beginner's map; false if they were made before.
export function beginFirst() {
  begun = FIRST;
  draw();
  return left().length > 0;
}

export const redraw = draw;

export function listen() {
  PHONE.addEventListener("change", draw);
  window.addEventListener("resize", point);
  $("tools").addEventListener("scroll", point);
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("toggle", point);
    dialog.addEventListener("close", point);
  }
}

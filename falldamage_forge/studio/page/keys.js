// Keys on the board: only while it has the focus, so that typing is safe.
import { pressKind } from "./acts.js";
import { app, state } from "./app.js";
import {
  act, described, erasing, gesture, held, hover, mirrorHeld, tiles, turnHeld,
} from "./board.js";
import { carried, pick } from "./choice.js";
import { $ } from "./dom.js";
import { speak } from "./notes.js";
import { offeredPlaces } from "./play.js";
import { drop } from "./pointer.js";
import { VIEW_KEYS } from "./steer.js";
import { t } from "./texts.js";
import { choose, toolOf } from "./toolbar.js";
import { TOOLS, areaOf } from "./tools.js";

const TURNS = { ",": 270, ".": 90 };
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function step([down_, right]) {
  const { board } = app.view;
  const [row, col] = state.at?.tile ?? [0, -right || 0];
  const tile = [
    Math.max(0, Math.min(board.rows - 1, row + down_)),
    Math.max(0, Math.min(board.cols - 1, col + right)),
  ];
  const [level] = board.columns[tile[0] * board.cols + tile[1]];
  state.keyed = true;
  hover({ tile, level });
  speak(described({ tile, level }));
}

// Keys of a game: its acts by their first letter, and Tab from one place that is offered to the
// next; after the last one the focus goes on as usual.
const ACTS = { m: ["move", "free"], a: ["attack", "attack rooted"], e: ["end_turn", "end"] };

function inGame(key, back) {
  if (ACTS[key]) return pressKind(ACTS[key]);
  if (key !== "Tab") return false;
  const places = back ? offeredPlaces().reverse() : offeredPlaces();
  const next = places[places.findIndex((place) => isAt(place)) + 1];
  if (!next) return false;
  const at = { tile: next.slice(0, 2), level: next[2] };
  state.keyed = true;
  hover(at);
  speak(described(at));
  return true;
}

const isAt = ([row, col, level]) =>
  state.at?.tile[0] === row && state.at.tile[1] === col && state.at.level === level;

const tileAt = (at) => [Math.floor(at / app.view.board.cols), at % app.view.board.cols];

function withControl(key) {
  if (key === "a") pick(app.view.board.columns.map((_, at) => tileAt(at)), true);
  else if (key === "c") carried("copy");
  else if (key === "x") carried("move");
  else if (key === "v" && state.at && state.carry) act(state.at);
  else return false;
  return true;
}

// What Delete says: it erases all that is chosen, or else one thing at the cursor.
const erased = () =>
  state.chosen.size ? `erase ${areaOf(tiles(state.chosen))}` : erasing(state.at);

// Where the tool is refused, Enter does the nearest legal act.
function nearest(words) {
  state.first = null;
  gesture(words);
  hover(state.at);
}

function escape() {
  if (state.stroke) {
    drop();
    return;
  }
  state.first = null;
  if (state.carry || state.chosen.size) carried(null);
  else choose(TOOLS[0]);
}

function pressed(event) {
  const { key } = event;
  if (event.altKey || !app.view.board) return;
  const control = event.ctrlKey || event.metaKey;
  const turns = TURNS[key] ?? (key === "r" && held()?.model && 90);
  const tool = control || state.play ? null : toolOf(key);
  if (state.play && (control || key === "Delete" || key === "Escape")) return;
  if (state.play && inGame(key, event.shiftKey)) {
    event.preventDefault();
    return;
  }
  if (control) {
    if (!withControl(key.toLowerCase())) return;
  } else if (held() && turns) turnHeld(turns);
  else if (held() && key === "m") mirrorHeld();
  else if (tool) {
    choose(tool);
    speak(t("toolIs", { tool: t(tool.name) }));
  } else if (ARROWS[key]) step(ARROWS[key]);
  else if (key === "Enter" && state.ghost?.near) nearest(state.ghost.near);
  else if (key === "Enter" || key === " ") act(state.at, event.shiftKey);
  else if (VIEW_KEYS[key]) VIEW_KEYS[key]();
  else if (key === "Delete" && (state.chosen.size || state.at))
    gesture(erased());
  else if (key === "Escape") escape();
  else return;
  event.preventDefault();
}

export function listen() {
  $("board").addEventListener("keydown", pressed);
  $("skip").addEventListener("click", () => $("board").focus());
}

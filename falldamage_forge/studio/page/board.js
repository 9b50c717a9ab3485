// Hands on the board: tools, strokes, the lasso, what is carried, and the view.
import { app, change, say, state } from "./app.js";
import { $, button, element } from "./dom.js";
import { foresee, foreseen } from "./foresee.js";
import { askOverlay, pinned } from "./lay.js";
import { speak, tip } from "./notes.js";
import { clicked, pointed } from "./play.js";
import { keyOf } from "./shapes.js";
import { exactly, line } from "./stroke.js";
import { t } from "./texts.js";
import { TOOLS, areaOf, between, frameOf, nameOf } from "./tools.js";

const LONG_MS = 380; // how long a finger rests before it paints
const FAR_PX = 6; // how far a pointer goes before a click is a stroke
export const label = (at) => nameOf(...at.tile);
const tiles = (keys) => [...keys].map((key) => [Math.floor(key / 1000), key % 1000]);
const rules = (tool) => Boolean(tool.area || tool.side);

// -- what hands say ------------------------------------------------------------------------------

export function gesture(words, copies = "ask") {
  // Whether a text that is still under way is whole, the studio tells.
  if (!state.whole && app.sync.idle) return speak(t("mendFirst"), true);
  return change("gesture", { words, copies, brush: $("brush").checked });
}

function zone(side, stroke) {
  const now = state.board?.starts.find((one) => one.side === side)?.places.map(([row, col]) => [row, col]) ?? [];
  const has = new Set(now.map(([row, col]) => keyOf(row, col)));
  const picked = stroke.map(([row, col]) => keyOf(row, col));
  const out = picked.every((key) => has.has(key));
  for (const key of picked) if (out) has.delete(key); else has.add(key);
  return has.size ? `start ${side} ${areaOf(tiles(has))}` : null;
}

// The words of what a tool does to tiles.
function wordsOf(tool, stroke) {
  if (!stroke.length) return null;
  if (tool.side) return zone(tool.side, stroke);
  return tool.area(areaOf(stroke), $("to-level").value);
}

// A tile that a tool is used on at a level.
const meant = (tool, tile, level) => (tool.exact ? exactly(app.view.board, tile, level) : tile);

// No words say a zone without tiles.
const wished = (words) => (words ? gesture(words) : speak(t("emptyZone"), true));

// What hangs on the pointer and can be turned: what is carried, or else the stamp.
const held = () => state.carry ?? (state.tool.name === "stamp" ? state.stamp : null);
const turned = ({ turn, mirror }) => (turn ? ` rotate ${turn}` : "") + (mirror ? " mirror x" : "");

// The words of a click at a surface; null where a click says none.
export function wordsAt(at, extend = false) {
  const { tool, first, carry, stamp } = state;
  if (carry) return `${carry.verb} ${carry.area} to ${label(at)}${turned(carry)}`;
  if (tool.two) return first ? tool.two(label(first), label(at)) : null;
  if (tool.one) return tool.one(`${label(at)}@${at.level}`);
  if (tool.name === "stamp") return stamp ? `stamp ${stamp.name} at ${label(at)}${turned(stamp)}` : null;
  if (!rules(tool)) return null;
  if (state.chosen.has(keyOf(...at.tile))) return wordsOf(tool, tiles(state.chosen));
  return wordsOf(tool, extend && first ? between(first.tile, at.tile) : [meant(tool, at.tile, at.level)]);
}

function act(at, extend = false, add = false) {
  if (!at) return;
  if (state.play) { clicked(at); return; }
  const { tool, carry } = state;
  if (!carry && tool.name === "choose") { pick([at.tile], extend || add, extend && state.first ? between(state.first.tile, at.tile) : null); state.first = at; return; }
  if (!carry && tool.name === "stamp" && !state.stamp) { speak(t("chooseStamp"), true); return; }
  if (!carry && tool.two && !state.first) { state.first = at; speak(t("from", { tool: t(tool.name), tile: label(at) })); marks(); return; }
  const words = wordsAt(at, extend);
  if (words || tool.side) wished(words);
  else if (tool.name === "look") {
    speak(t("at", { tile: label(at), level: at.level }));
    pinned(at);
    say("written", { tile: label(at) });
  }
  if (carry?.verb === "move") carried(null);
  state.first = tool.two ? null : at;
}

// -- what is chosen ------------------------------------------------------------------------------

function pick(found, add, area = null) {
  const keys = (area ?? found).map(([row, col]) => keyOf(row, col));
  if (!add) {
    const alone = keys.length === 1 && state.chosen.size === 1 && state.chosen.has(keys[0]);
    state.chosen = new Set(alone ? [] : keys);
  } else if (keys.length === 1 && state.chosen.has(keys[0])) state.chosen.delete(keys[0]);
  else for (const key of keys) state.chosen.add(key);
  bar();
  marks();
}

export function bar() {
  const at = $("chosen"), count = state.chosen.size;
  at.hidden = !count && !state.carry;
  if (at.hidden) return at.replaceChildren();
  const frame = () => frameOf(tiles(state.chosen));
  const doing = (name, words) => foreseen(button(name, () => gesture(words())), words);
  const parts = state.carry
    ? [element("span", t("carrying", { verb: t(state.carry.verb), area: state.carry.area })), button(t("turnStamp"), () => turnHeld(90)), button(t("mirrorStamp"), mirrorHeld), button(t("leave"), () => carried(null))]
    : [element("span", t("chosen", { count })),
      doing(t("raise"), () => `raise ${areaOf(tiles(state.chosen))}`), doing(t("lower"), () => `lower ${areaOf(tiles(state.chosen))}`),
      button(t("copy"), () => carried("copy")), button(t("move"), () => carried("move")),
      doing(t("turn"), () => `rotate ${frame()} 90`), doing(t("mirror"), () => `mirror ${frame()} x`),
      doing(t("erase"), () => `erase ${areaOf(tiles(state.chosen))}`), button(t("leave"), () => pick([], false))];
  return at.replaceChildren(...parts);
}

function carried(verb) {
  state.carry = verb && state.chosen.size ? { verb, area: frameOf(tiles(state.chosen)), turn: 0, mirror: false } : null;
  if (state.carry) speak(t("carrying", { verb: t(verb), area: state.carry.area }));
  else if (verb === null) state.chosen = new Set();
  bar();
  marks();
}

// -- what is seen --------------------------------------------------------------------------------

let covering;

export function hover(at, extend = false) {
  state.at = at;
  clearTimeout(covering);
  if (state.play) { state.ghost = null; if (at) pointed(at); else tip(""); marks(); return; }
  const words = at && state.whole ? wordsAt(at, extend) : null;
  const known = state.ghost;
  foresee(words);
  if (state.ghost?.why && state.ghost === known) tip(known.why, true);
  else tip(at && state.whole ? words ?? label(at) : "");
  if (at && state.whole) covering = setTimeout(askOverlay, 70);
  marks();
}

const tint = (colour, share) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255).concat(share);
const BLUE = [0.12, 0.37, 0.66], RED = [0.75, 0.15, 0.05];

export function marks() {
  const found = [];
  const { view } = app;
  const top = (row, col) => view.board?.columns[row * view.board.cols + col]?.[0] ?? 0;
  for (const [row, col, level, colour] of state.cover?.marks ?? []) found.push({ row, col, level, colour: tint(colour, 0.62) });
  for (const [from, to, colour] of state.cover?.arrows ?? []) found.push({ line: [from, to], colour: tint(colour, 0.95) });
  for (const [row, col] of state.lit) found.push({ row, col, level: top(row, col), colour: [0.8, 0.47, 0.65, 0.8], frame: true });
  for (const [row, col] of tiles(state.chosen)) found.push({ row, col, level: top(row, col), colour: [0.9, 0.6, 0.0, 0.9], frame: true });
  const shade = state.ghost?.why ? RED : BLUE;
  for (const [row, col, level] of stroke?.tiles.values() ?? []) found.push({ row, col, level: level ?? top(row, col), colour: [...shade, 0.55] });
  for (const [row, col, level] of state.ghost?.tiles ?? []) found.push({ row, col, level, box: top(row, col), colour: [...shade, 0.4] });
  if (state.first && state.tool.two) found.push({ row: state.first.tile[0], col: state.first.tile[1], level: state.first.level, colour: [...BLUE, 1], frame: true });
  if (state.at) found.push({ row: state.at.tile[0], col: state.at.tile[1], level: state.at.level, colour: state.ghost?.why ? [...RED, 1] : [1, 1, 1, 0.95], frame: true });
  view.mark(found);
}

// -- tools ---------------------------------------------------------------------------------------

export function choose(tool) {
  state.tool = tool;
  state.first = null;
  for (const one of $("tools").querySelectorAll("[data-tool]")) one.setAttribute("aria-pressed", String(one.dataset.tool === tool.name));
  $("level-of").hidden = tool.name !== "level";
  $("stamps").hidden = tool.name !== "stamp";
  if (tool.name === "stamp") say("stamps");
  if (state.at) hover(state.at);
}

const kindOf = (tool) => (tool.area ? "tipArea" : tool.two ? "tipTwo" : tool.one ? "tipOne" : tool.side ? "tipStart" : { look: "tipLook", choose: "tipChoose", stamp: "tipStamp" }[tool.name]);

export function drawTools() {
  $("tools").querySelectorAll("[data-tool]").forEach((one) => one.remove());
  $("tools").prepend(...TOOLS.map((tool) => {
    const made = button(t(tool.name), () => choose(tool), `${t(tool.name)} (${t("key", { key: tool.key })}): ${t(kindOf(tool))}`);
    made.dataset.tool = tool.name;
    made.setAttribute("aria-keyshortcuts", tool.key);
    made.append(element("kbd", tool.key));
    return made;
  }));
  choose(state.tool ?? TOOLS[0]);
  knownTools();
}

const known = (tool) => !tool.fitting || (state.fittings ?? []).includes(tool.fitting);

// The tools that mean something in the map's game.
export function knownTools() {
  for (const tool of TOOLS) {
    const made = $("tools").querySelector(`[data-tool="${tool.name}"]`);
    if (made) made.hidden = !known(tool);
  }
  if (state.tool && !known(state.tool)) choose(TOOLS[0]);
}

// -- pointers: a click acts, a stroke paints or chooses, a drag turns, two fingers pinch and move --

const fingers = new Map();
let moved = 0, mode = "", stroke = null, resting;
function here(event) {
  const box = $("board").getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

function begun(event, [x, y]) {
  const at = app.view.under(x, y);
  if (state.play || event.button > 0 || (event.pointerType === "touch" && !event.held)) return event.shiftKey ? "slide" : "turn";
  if (state.tool.name === "choose" && !state.carry) return "lasso";
  if (at && rules(state.tool) && !state.carry) return "paint";
  if (at && state.tool.two && !state.carry) return "span";
  return event.shiftKey ? "slide" : "turn";
}

function down(event) {
  const at = here(event);
  $("board").setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, at);
  clearTimeout(resting);
  stroke = null;
  if (fingers.size > 1) { moved = 99; mode = "pinch"; return; }
  moved = 0;
  mode = begun(event, at);
  stroke = { tool: state.tool, tiles: new Map(), points: [at], at: app.view.under(...at), last: null, add: event.shiftKey };
  if (event.pointerType === "touch") {
    resting = setTimeout(() => {
      if (moved > FAR_PX || fingers.size !== 1) return;
      mode = begun({ button: 0, pointerType: "touch", held: true, shiftKey: false }, at);
      navigator.vibrate?.(15);
      draw(...at);
      marks();
    }, LONG_MS);
  }
}

function draw(x, y) {
  const at = app.view.under(x, y);
  state.at = at ?? state.at;
  if (mode === "paint") paint(at);
  if (mode === "lasso") { stroke.points.push([x, y]); stroke.tiles = inside(stroke.points); lasso(stroke.points); }
  if (mode === "span" && at && !state.first) state.first = stroke.at;
  if (mode === "span" && at) hover(at);
}

// Goes on with a stroke: to where the hand is now, and over all that it passed since.
function paint(at) {
  const { last, tool, tiles: over } = stroke;
  for (const tile of at ? (last ? line(last.tile, at.tile) : [at.tile]) : []) over.set(keyOf(...tile), meant(tool, tile, at.level));
  stroke.last = at;
}

// Lets go of a stroke without doing it.
function drop() {
  stroke = null;
  mode = "dropped";
  state.first = null;
  clearTimeout(resting);
  lasso([]);
  hover(state.at);
}

function move(event) {
  const before = fingers.get(event.pointerId), now = here(event);
  state.keyed = false;
  if (!before) return hover(app.view.under(...now), event.shiftKey);
  const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
  moved += Math.abs(dx) + Math.abs(dy);
  if (fingers.size === 2) {
    const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
    const span = (a) => Math.hypot(a[0] - other[0], a[1] - other[1]);
    zoom(span(before) / Math.max(1, span(now)));
    slide(dx / 2, dy / 2);
  } else if (moved > FAR_PX && mode === "slide") slide(dx, dy);
  else if (moved > FAR_PX && mode === "turn") turn(dx * 0.008, dy * 0.006);
  else if (stroke && (moved > FAR_PX || mode === "lasso")) {
    if (mode === "paint" && !stroke.tiles.size) paint(stroke.at);
    const passed = event.getCoalescedEvents?.() ?? [];
    for (const one of passed.length ? passed : [event]) draw(...here(one));
    if (mode === "paint") foresee(wordsOf(stroke.tool, [...stroke.tiles.values()]));
    marks();
  }
  return fingers.set(event.pointerId, now);
}

function up(event) {
  const last = fingers.get(event.pointerId);
  fingers.delete(event.pointerId);
  clearTimeout(resting);
  lasso([]);
  const done = stroke;
  if (!last || fingers.size || event.type === "pointercancel") { stroke = null; marks(); return; }
  const at = app.view.under(...last);
  stroke = null;
  if (!done) { marks(); return; }
  if (moved <= FAR_PX && event.button <= 0 && mode !== "pinch") { state.at = at; act(at, event.shiftKey, event.ctrlKey || event.metaKey); }
  else if (mode === "paint" && done.tiles.size) wished(wordsOf(done.tool, [...done.tiles.values()]));
  else if (mode === "lasso") pick([...done.tiles.values()], done.add);
  else if (mode === "span" && state.first && at) act(at);
  if (event.pointerType === "mouse") hover(at, event.shiftKey); else marks();
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
        if ((y1 > y) !== (y0 > y) && x < ((x0 - x1) * (y - y1)) / (y0 - y1) + x1) within = !within;
      });
      if (within) found.set(keyOf(row, col), [row, col]);
    }
  }
  return found;
}

const lasso = (points) => $("lasso").firstElementChild.setAttribute("points", points.map((point) => point.join(",")).join(" "));

function zoom(by) {
  const { view } = app;
  view.far = Math.max(4, Math.min(160, view.far * by));
  view.draw();
}
function turn(yaw, pitch) {
  const { view } = app;
  view.yaw -= yaw;
  view.pitch = Math.max(0.12, Math.min(1.55, view.pitch + pitch));
  view.draw();
}
function slide(dx, dy) {
  const { view } = app;
  const step = view.far / 900, sin = Math.sin(view.yaw), cos = Math.cos(view.yaw);
  view.aim[0] += (-dx * cos - dy * sin) * step;
  view.aim[2] += (dx * sin - dy * cos) * step;
  view.draw();
}

// -- keys: only while the board has the focus, so that typing is safe ------------------------------

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const VIEW = { "[": () => turn(0.2, 0), "]": () => turn(-0.2, 0), "+": () => zoom(0.85), "=": () => zoom(0.85), "-": () => zoom(1.18), 0: () => app.view.home(), "?": () => $("keys").showModal() };

function step([down_, right]) {
  const { board } = app.view;
  const [row, col] = state.at?.tile ?? [0, -right || 0];
  const tile = [Math.max(0, Math.min(board.rows - 1, row + down_)), Math.max(0, Math.min(board.cols - 1, col + right))];
  const [level, ground, feature] = board.columns[tile[0] * board.cols + tile[1]];
  state.keyed = true;
  hover({ tile, level });
  speak([t("at", { tile: nameOf(...tile), level }), ground === "ground" ? "" : t(ground), feature ? t(feature) : ""].filter(Boolean).join(", "));
}

function withControl(key) {
  if (key === "c") carried("copy");
  else if (key === "x") carried("move");
  else if (key === "v" && state.at && state.carry) act(state.at);
  else return false;
  return true;
}

function escape() {
  if (stroke) { drop(); return; }
  state.first = null;
  if (state.carry || state.chosen.size) carried(null);
  else choose(TOOLS[0]);
}

export function turnHeld(by) { const it = held(); if (it) { it.turn = (it.turn + by) % 360; if (state.at) hover(state.at); } }
export function mirrorHeld() { const it = held(); if (it) { it.mirror = !it.mirror; if (state.at) hover(state.at); } }

function pressed(event) {
  const { key } = event;
  if (event.altKey || !app.view.board) return;
  const control = event.ctrlKey || event.metaKey;
  const tool = control || state.play ? null : TOOLS.find((one) => one.key === key && known(one));
  if (state.play && (control || key === "Delete" || key === "Escape")) return;
  if (control) { if (!withControl(key.toLowerCase())) return; }
  else if (held() && (key === "," || key === ".")) turnHeld(key === "," ? 270 : 90);
  else if (held() && key === "m") mirrorHeld();
  else if (tool) { choose(tool); speak(t("toolIs", { tool: t(tool.name) })); }
  else if (ARROWS[key]) step(ARROWS[key]);
  else if (key === "Enter" || key === " ") act(state.at, event.shiftKey);
  else if (VIEW[key]) VIEW[key]();
  else if (key === "Delete" && (state.chosen.size || state.at)) gesture(`erase ${areaOf(state.chosen.size ? tiles(state.chosen) : [exactly(app.view.board, state.at.tile, state.at.level)])}`);
  else if (key === "Escape") escape();
  else return;
  event.preventDefault();
}

export function listen() {
  const canvas = $("board");
  canvas.addEventListener("pointerdown", down);
  canvas.addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, up);
  canvas.addEventListener("pointerleave", () => { if (!fingers.size) hover(null); });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoom(Math.exp(event.deltaY * 0.001)); }, { passive: false });
  canvas.addEventListener("keydown", pressed);
  for (const id of ["to-level", "brush"]) $(id).addEventListener("change", () => { if (state.at) hover(state.at); });
}

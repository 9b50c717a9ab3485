// What hands say on the board: the words of a click, and marks.
import { app, change, say, state } from "./app.js";
import { carried, pick, pickOne } from "./choice.js";
import { $ } from "./dom.js";
import { foresee } from "./foresee.js";
import { point } from "./hints.js";
import { askOverlay, pinned } from "./lay.js";
import { speak, tip } from "./notes.js";
import { draw as offer } from "./offer.js";
import { clicked, pointed } from "./play.js";
import { keyOf } from "./shapes.js";
import { pointAt } from "./rim.js";
import { exactly } from "./stroke.js";
import { t, worded } from "./texts.js";
import { TINTS, tint } from "./tints.js";
import { arm } from "./toolbar.js";
import { TOOLS, areaOf, between, nameOf } from "./tools.js";

export const label = (at) => nameOf(...at.tile);
export const tiles = (keys) => [...keys].map((key) => [Math.floor(key / 1000), key % 1000]);
export const rules = (tool) => Boolean(tool.area || tool.side);

// -- what hands say ------------------------------------------------------------------------------

export function gesture(words, copies = "ask") {
  // Whether a text that is still under way is whole, the studio tells.
  if (!state.whole && app.sync.idle) return speak(t("mendFirst"), true);
  return change("gesture", { words, copies, brush: $("brush").checked });
}

function zone(side, stroke) {
  const now =
    state.board?.starts.find((one) => one.side === side)?.places.map(([row, col]) => [row, col]) ??
    [];
  const has = new Set(now.map(([row, col]) => keyOf(row, col)));
  const picked = stroke.map(([row, col]) => keyOf(row, col));
  const out = picked.every((key) => has.has(key));
  for (const key of picked)
    if (out) has.delete(key);
    else has.add(key);
  return has.size ? `start ${side} ${areaOf(tiles(has))}` : null;
}

// The words of what a tool does to tiles.
export function wordsOf(tool, stroke) {
  if (!stroke.length) return null;
  if (tool.side) return zone(tool.side, stroke);
  return tool.area(areaOf(stroke), $("to-level").value);
}

// A tile that a tool is used on at a level.
export const meant = (tool, tile, level) =>
  tool.exact ? exactly(app.view.board, tile, level) : tile;

// No words say a zone without tiles.
export const wished = (words) => (words ? gesture(words) : speak(t("emptyZone"), true));

// What hangs on the pointer and can be turned: what is carried, or else the stamp.
export const held = () => state.carry ?? (state.tool.name === "stamp" ? state.stamp : null);
const turned = ({ turn, mirror }) => (turn ? ` rotate ${turn}` : "") + (mirror ? " mirror x" : "");

// The tile before the side of a column that is pointed at; null where there is none.
function beside({ tile: [row, col], side }) {
  const [r, c] = [row + side?.[0], col + side?.[1]],
    { rows, cols } = app.view.board;
  return r >= 0 && c >= 0 && r < rows && c < cols ? nameOf(r, c) : null;
}

// What an erasing click at a surface says: of what lies there, one thing.
export const erasing = (at) =>
  TOOLS.find(({ single }) => single).single(`${label(at)}@${at.level}`, beside(at));

// The words of a click at a surface; null where a click says none.
export function wordsAt(at, extend = false) {
  const { tool, first, carry, stamp } = state;
  if (carry) return `${carry.verb} ${carry.area} to ${label(at)}${turned(carry)}`;
  if (tool.two && first) return tool.two(label(first), label(at));
  if (tool.two) return tool.beside && beside(at) ? tool.two(beside(at), label(at)) : null;
  if (tool.one) return tool.one(`${label(at)}@${at.level}`);
  if (tool.name === "stamp")
    return stamp ? `stamp ${stamp.name} at ${label(at)}${turned(stamp)}` : null;
  if (!rules(tool)) return null;
  if (state.chosen.has(keyOf(...at.tile))) return wordsOf(tool, tiles(state.chosen));
  if (tool.single && !(extend && first)) return erasing(at);
  return wordsOf(
    tool,
    extend && first ? between(first.tile, at.tile) : [meant(tool, at.tile, at.level)],
  );
}

// What a person sees at a surface: its tile, its level, and what lies or stands there.
export function described({ tile: [row, col], level }) {
  const [top_, ground, feature] = app.view.board.columns[row * app.view.board.cols + col];
  const lies = [ground === "ground" ? "" : t(ground), feature ? t(feature) : ""];
  const on = level === top_ ? lies : [];
  return [t("at", { tile: nameOf(row, col), level }), ...on].filter(Boolean).join(", ");
}

export function act(at, extend = false, add = false) {
  if (!at) return;
  if (state.play) {
    clicked(at);
    return;
  }
  const { tool, carry } = state;
  if (!carry && tool.name === "choose") {
    if (extend || add)
      pick([at.tile], true, extend && state.first ? between(state.first.tile, at.tile) : null);
    else pickOne(at.tile);
    state.first = at;
    return;
  }
  if (!carry && tool.name === "stamp" && !state.stamp) {
    speak(t("chooseStamp"), true);
    return;
  }
  if (!carry && tool.two && !state.first && !wordsAt(at)) {
    state.first = at;
    speak(t("from", { tool: t(tool.name), tile: label(at) }));
    marks();
    return;
  }
  const words = wordsAt(at, extend);
  if (words || tool.side) wished(words);
  else if (tool.name === "look") {
    speak(described(at));
    pinned(at);
    say("written", { tile: label(at) });
  }
  if (carry?.verb === "move") carried(null);
  state.first = tool.two ? null : at;
}

// -- what is seen --------------------------------------------------------------------------------

let covering;

export function hover(at, extend = false, tapped = Boolean(state.ghost?.tapped)) {
  state.at = at;
  clearTimeout(covering);
  app.view.cutTo(at && (state.keyed || app.view.glass) ? [...at.tile, at.level] : null);
  pointAt(at);
  if (state.play) {
    state.ghost = null;
    app.view.haunt([]);
    pointed(at);
    return;
  }
  const words = at && state.whole ? wordsAt(at, extend) : null;
  const known = state.ghost;
  foresee(words, tapped);
  if (state.ghost !== known || !words) tip(worded(words ?? ""));
  if (at && state.whole) covering = setTimeout(askOverlay, 70);
  marks();
}

// Nothing is pointed at, shown or begun any more; `first` is kept of two ends.
export function forget(first = null) {
  state.first = first;
  state.tap = null;
  hover(null, false, false);
}

const top = (row, col) => app.view.board?.columns[row * app.view.board.cols + col]?.[0] ?? 0;
const onTop = ([row, col]) => ({ row, col, level: top(row, col) });
const surface = ({ tile: [row, col], level }) => ({ row, col, level });

export function marks() {
  const { cover, ghost, stroke, first, at } = state;
  const bad = Boolean(ghost?.why),
    shade = bad ? TINTS.illegal : TINTS.legal;
  app.view.mark([
    ...(cover?.marks ?? []).map(([row, col, level, colour]) => ({
      row,
      col,
      level,
      colour: tint(colour, 0.62),
    })),
    ...(cover?.arrows ?? []).map(([from, to, colour]) => ({
      line: [from, to],
      colour: tint(colour, 0.95),
    })),
    ...state.lit.map((tile) => ({ ...onTop(tile), colour: tint(TINTS.lit, 0.9), frame: true })),
    ...tiles(state.chosen).map((tile) => ({
      ...onTop(tile),
      colour: tint(TINTS.choice, 0.9),
      frame: true,
    })),
    ...[...(stroke?.tiles.values() ?? [])].map(([row, col, level]) => ({
      row,
      col,
      level: level ?? top(row, col),
      colour: tint(shade, 0.5),
      edge: true,
      bad,
    })),
    ...(ghost?.tiles ?? []).map(([row, col, level, box]) => ({
      row,
      col,
      level: app.view.haunted ? box : level, // a model is seen as it is, not as its columns
      box,
      colour: tint(shade, 0.45),
      edge: true,
      bad,
    })),
    ...(first && state.tool.two
      ? [{ ...surface(first), colour: tint(TINTS.choice, 1), frame: true }]
      : []),
    ...(at
      ? [{ ...surface(at), colour: tint(bad ? TINTS.illegal : TINTS.pointer, 1), frame: true, bad }]
      : []),
  ]);
  arm();
  offer();
  point();
}

export function turnHeld(by) {
  const it = held();
  if (it) {
    it.turn = (it.turn + by) % 360;
    if (state.at) hover(state.at);
  }
}
export function mirrorHeld() {
  const it = held();
  if (it) {
    it.mirror = !it.mirror;
    if (state.at) hover(state.at);
  }
}

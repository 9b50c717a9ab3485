// The game on the board: figures, the moves there are lit, hot-seat or against bots.
import * as acts from "./acts.js";
import { app, say, state } from "./app.js";
import { marks } from "./board.js";
import * as dice from "./dice.js";
import { $, button, element, icon } from "./dom.js";
import * as ending from "./ending.js";
import { foretell, told } from "./forecast.js";
import * as friend from "./friend.js";
import * as games from "./games.js";
import * as hints from "./hints.js";
import { cover } from "./lay.js";
import * as match from "./match.js";
import { lighting } from "./meaning.js";
import { leaving } from "./modes.js";
import { question, speak, tip } from "./notes.js";
import { stand } from "./standees.js";
import * as strip from "./strip.js";
import * as thinking from "./thinking.js";
import { t } from "./texts.js";
import { SIDES, TINTS } from "./tints.js";
import { nameOf, tileOf } from "./tools.js";
import * as card from "./unit_card.js";

const LIT = TINTS.move;
const RECENT = 12; // events whose dice stay in sight
const AGAIN_MS = 500;
let watching;

const named = ([row, col, level]) => `${nameOf(row, col)}@${level}`;
const health = (unit) => `♥${unit.health}/${unit.most}`;
const light = (names) => {
  state.lit = names.map(tileOf);
  marks();
};
const same = (a, b) => a && b && a[0] === b[0] && a[1] === b[1] && a[2] === b[2];

export function came(said) {
  clearTimeout(watching);
  thinking.thought();
  const before = state.play;
  if (said.on !== Boolean(before)) leaving(); // before the mode changes: it is of the old one
  state.play = said.on ? said : null;
  document.body.classList.toggle("playing", said.on);
  $("play").setAttribute("aria-pressed", String(said.on));
  $("design").setAttribute("aria-pressed", String(!said.on));
  for (const id of ["table", "strip", "acts"]) $(id).hidden = !said.on;
  $("meaning").hidden = said.on;
  if (!said.on) {
    games.left();
    dice.away();
    for (const id of ["turn", "turn-short"]) $(id).textContent = "";
    if (state.board) app.view.show(state.board);
    stood([]);
    cover();
    foretell([], []);
    card.show(null);
    return light([]);
  }
  games.store(said);
  hints.done("play");
  if (!before || JSON.stringify(before.board) !== JSON.stringify(said.board))
    app.view.show(said.board);
  stood(said.units.filter((one) => one.place), said.active);
  turned(said);
  draw(said);
  const fresh = before?.id === said.id ? said.count - before.count : 0;
  if (fresh > 0) dice.happened(said.log.slice(-fresh), before.hand);
  if (!said.hand && !said.over && !said.waits)
    watching = setTimeout(() => say("play", { do: "next", values: {} }), AGAIN_MS);
}

function stood(units, active) {
  stand(units, active);
  app.view.stand(units);
}

function replay(game) {
  $("replay").hidden = !game.over || !game.all;
  $("replay-at").max = game.all;
  $("replay-at").value = game.count;
  $("replay-count").textContent = t("replayAt", { count: game.count, all: game.all });
}

const make = ({ text }) => thinking.move(text);
const at = (place) =>
  acts.offered(state.play?.moves ?? []).filter((move) => same(move.place, place));
const unitAt = (place) => state.play.units.find((one) => same(one.place, place));
const acting = () => state.play.units[state.play.active];

function turned(game) {
  friend.draw(game);
  replay(game);
  ending.draw(game);
  const head = strip.headOf(game);
  $("turn").textContent = head;
  $("turn-short").textContent = game.link ? $("friend-state").textContent : head;
  speak(""); // the head is seen, and a live region, elsewhere
  acts.forget();
  state.tap = null;
}

function listed(move) {
  const made = button(move.words, () => make(move));
  made.setAttribute("aria-label", [move.words, ...told(move)].join(": "));
  if (move.text === state.play.hint) {
    made.classList.add("hinted");
    made.prepend(icon("hint"));
  }
  for (const on of ["pointerenter", "focus"])
    made.addEventListener(on, () => foretell([move], state.play.units));
  return move.place ? lighting(made, [nameOf(...move.place)], light) : made;
}

// The places of the moves that are offered, each once, in their order.
export function offeredPlaces() {
  const moves = acts.offered(state.play?.moves ?? []).filter(({ place }) => place);
  return [...new Map(moves.map(({ place }) => [named(place), place])).values()];
}

// Colours on the tiles of the moves that are offered, and below the units.
function covered(game) {
  const seen = new Map();
  for (const move of acts.offered(game.moves))
    if (move.place) seen.set(named(move.place), [...(seen.get(named(move.place)) ?? []), move]);
  const marked = [...seen.values()].map((moves) => {
    const best = moves.some((move) => move.text === game.hint);
    const count = moves.length > 1 ? String(moves.length) : "";
    return [...moves[0].place, best ? TINTS.choice : LIT, best ? `★ ${count}` : count];
  });
  for (const unit of game.units)
    if (unit.place) {
      const colour = unit.number === game.active ? TINTS.acting : SIDES[unit.side];
      marked.push([...unit.place, colour, ""]);
    }
  const legend = { legal: LIT, red: SIDES.red, blue: SIDES.blue, active: TINTS.acting };
  cover({
    marks: marked,
    arrows: [],
    legend: Object.entries(legend).map(([key, colour]) => [colour, t(key)]),
  });
}

function draw(game) {
  strip.draw(game, { point: pointedUnit, press: pressedUnit });
  acts.draw(game.moves, { make, redraw: () => draw(game) });
  $("moves").replaceChildren(...game.moves.map(listed));
  $("all-moves").hidden = !game.moves.length;
  const rolls = game.log
    .slice(-RECENT)
    .filter((text) => text.startsWith("die "))
    .map((text) => text.slice(4));
  $("dice").hidden = !rolls.length;
  $("dice").replaceChildren(icon("dice"), t("rolled", { rolls: rolls.join(", ") }));
  $("log").replaceChildren(...game.log.slice(-RECENT).map((text) => element("li", text)));
  covered(game);
  pointed(null);
}

// A bot's advice for this decision; one for an earlier decision is out of date.
export function hinted(said) {
  const game = state.play;
  const move = game?.count === said.count && game.moves.find((one) => one.text === said.move);
  if (!move) return;
  game.hint = said.move;
  draw(game);
  foretell([move], game.units);
  const words = t("wouldPlay", { bot: match.playerName(said.bot), move: move.words });
  speak([words, ...told(move)].join("; "));
  document.querySelector("#moves .hinted").scrollIntoView({ block: "nearest" });
}

function advise() {
  if (state.making) return speak(t("hintWaits"), true);
  speak(t("thinking"));
  return say("build", { what: "hint" });
}

// Of a figure and the tile behind it the one that is meant: the first with a legal move.
export const meant = (figure, tile) =>
  [figure, tile].find((one) => one && at([...one.tile, one.level]).length) ?? figure ?? tile;

// A click on the board while a game is on.
export function clicked({ tile, level }) {
  const place = [...tile, level];
  const found = at(place);
  state.tap = null;
  if (found.length === 1) return make(found[0]);
  if (found.length)
    return question(named(place), [
      ...found.map((move) => [[move.words, ...told(move)].join(": "), () => make(move)]),
      [t("leaveIt"), () => {}],
    ]);
  const unit = unitAt(place);
  pointed({ tile, level });
  return speak(unit ? `${unit.title} ${health(unit)}` : t("noMove"));
}

// Whether a tap only shows what a second one does.
export function asks({ tile, level }) {
  const place = [...tile, level];
  const [move] = at(place);
  const again = same(state.tap?.place, place);
  state.tap = move && !again ? { place, act: move.act } : null;
  return Boolean(state.tap);
}

// In another language all lists are made again.
export function redraw() {
  dice.draw();
  match.draw();
}

// A surface is pointed at; null: none.
export function pointed(on) {
  const place = on && [...on.tile, on.level];
  tip("");
  card.show(place && unitAt(place), acting());
  foretell(place ? at(place) : [], state.play.units);
}

const onBoard = ({ place: [row, col, level] }) => ({ tile: [row, col], level });

function pointedUnit(unit) {
  if (!state.play) return; // the strip loses the pointer when a game is left
  light(unit?.place ? [nameOf(...unit.place)] : []);
  pointed(unit?.place ? onBoard(unit) : null);
  if (unit) card.show(unit);
}

function pressedUnit(unit, touch) {
  if (!unit.place) return speak(unit.title);
  const on = onBoard(unit);
  const choice = at(unit.place).some(({ kind }) => kind === "unit");
  if (!touch || choice || !asks(on)) return clicked(on);
  state.at = on;
  return pointed(on);
}

const leave = () => state.play && say("play", { do: "leave", values: {} });

export function listen() {
  $("design").addEventListener("click", leave);
  $("back").addEventListener("click", () => say("play", { do: "back", values: {} }));
  $("leave").addEventListener("click", leave);
  $("advise").addEventListener("click", advise);
  for (const part of [dice, ending, friend, games, match]) part.listen();
}

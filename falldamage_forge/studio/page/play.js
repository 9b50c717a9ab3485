// The game on the board: figures, the moves there are lit, hot-seat or against bots.
import { app, say, state } from "./app.js";
import { marks } from "./board.js";
import * as dice from "./dice.js";
import { $, button, element, icon } from "./dom.js";
import * as friend from "./friend.js";
import * as games from "./games.js";
import { cover } from "./lay.js";
import { lighting } from "./meaning.js";
import { faces } from "./moving.js";
import { question, speak, tip } from "./notes.js";
import { stand } from "./standees.js";
import { t } from "./texts.js";
import { SIDES, TINTS } from "./tints.js";
import { nameOf, tileOf } from "./tools.js";

const LIT = TINTS.move;
const RECENT = 12; // events whose dice stay in sight
const SHOWN = 8; // lines of a forecast
const AGAIN_MS = 500;
let watching;

const named = ([row, col, level]) => `${nameOf(row, col)}@${level}`;
const playerName = (name) =>
  name.startsWith("search-") ? t("search", { rung: name.slice(7) }) : t(name);
const health = (unit) => `♥${unit.health}/${unit.most}`;
const light = (names) => {
  state.lit = names.map(tileOf);
  marks();
};
const told = (move) => move.effects.map(({ words }) => words).filter(Boolean);
const same = (a, b) => a && b && a[0] === b[0] && a[1] === b[1] && a[2] === b[2];

export function came(said) {
  clearTimeout(watching);
  const before = state.play;
  state.play = said.on ? said : null;
  document.body.classList.toggle("playing", said.on);
  $("play").setAttribute("aria-pressed", String(said.on));
  $("design").setAttribute("aria-pressed", String(!said.on));
  $("table").hidden = !said.on;
  $("meaning").hidden = said.on;
  if (!said.on) {
    games.left();
    $("turn-short").textContent = "";
    if (state.board) app.view.show(state.board);
    stood([]);
    light([]);
    return cover();
  }
  games.store(said);
  if (!before || JSON.stringify(before.board) !== JSON.stringify(said.board))
    app.view.show(said.board);
  stood(said.units.filter((one) => one.place), said.active);
  draw(said);
  const fresh = before?.id === said.id ? said.count - before.count : 0;
  if (fresh > 0) dice.roll(faces(said.log.slice(-fresh)));
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

function draw(game) {
  friend.draw(game);
  replay(game);
  const active = game.units[game.active];
  const playing = { round: game.round, side: t(game.turn), unit: active?.title ?? "" };
  const key = game.over ? "gameOver" : active ? "turnWith" : "turnOf";
  const head =
    game.link && !game.link.begun
      ? t("friendSoon")
      : t(key, { ...playing, result: t(game.result ?? "") });
  $("turn").textContent = head;
  $("turn-short").textContent = game.link ? $("friend-state").textContent : head;
  speak(head);
  $("roster").replaceChildren(
    ...game.units.map((unit) => {
      const row = element(
        "li",
        "",
        `${unit.side}${unit.place ? "" : " gone"}${unit.number === game.active ? " active" : ""}`,
      );
      row.append(
        element("b", unit.title),
        ` ${health(unit)}${unit.place ? ` ${named(unit.place)}` : ""}${unit.done ? " ✓" : ""}`,
      );
      return lighting(row, unit.place ? [nameOf(...unit.place)] : [], light);
    }),
  );
  $("moves").replaceChildren(
    ...game.moves.map((move) => {
      const made = button(move.words, () => make(move));
      if (move.text === game.hint) {
        made.classList.add("hinted");
        made.prepend(icon("hint"));
      }
      for (const on of ["pointerenter", "focus"]) made.addEventListener(on, () => foretell([move]));
      return move.place ? lighting(made, [nameOf(...move.place)], light) : made;
    }),
  );
  const rolls = game.log
    .slice(-RECENT)
    .filter((text) => text.startsWith("die "))
    .map((text) => text.slice(4));
  $("dice").hidden = !rolls.length;
  $("dice").replaceChildren(icon("dice"), t("rolled", { rolls: rolls.join(", ") }));
  $("log").replaceChildren(...game.log.slice(-RECENT).map((text) => element("li", text)));
  const seen = new Map();
  for (const move of game.moves)
    if (move.place) seen.set(named(move.place), [...(seen.get(named(move.place)) ?? []), move]);
  const marks = [...seen.values()].map((moves) => {
    const best = moves.some((move) => move.text === game.hint);
    const count = moves.length > 1 ? String(moves.length) : "";
    return [...moves[0].place, best ? TINTS.choice : LIT, best ? `★ ${count}` : count];
  });
  for (const unit of game.units)
    if (unit.place)
      marks.push([
        ...unit.place,
        unit.number === game.active ? TINTS.acting : SIDES[unit.side],
        "",
      ]);
  cover({
    marks,
    arrows: [],
    legend: [
      [LIT, t("legal")],
      [SIDES.red, t("red")],
      [SIDES.blue, t("blue")],
      [TINTS.acting, t("active")],
    ],
  });
}

// A bot's advice for this decision; one for an earlier decision is out of date.
export function hinted(said) {
  const game = state.play;
  const move = game?.count === said.count && game.moves.find((one) => one.text === said.move);
  if (!move) return;
  game.hint = said.move;
  draw(game);
  foretell([move]);
  const words = t("wouldPlay", { bot: playerName(said.bot), move: move.words });
  speak([words, ...told(move)].join("; "));
  document.querySelector("#moves .hinted").scrollIntoView({ block: "nearest" });
}

function advise() {
  if (state.making) return speak(t("hintWaits"), true);
  speak(t("thinking"));
  return say("build", { what: "hint" });
}

const make = (move) => say("play", { do: "move", values: { move: move.text } });
const at = (place) => (state.play?.moves ?? []).filter((move) => same(move.place, place));

// Of a figure and the tile behind it the one that is meant: the first with a legal move.
export const meant = (figure, tile) =>
  [figure, tile].find((one) => one && at([...one.tile, one.level]).length) ?? figure ?? tile;

// A click on the board while a game is on.
export function clicked({ tile, level }) {
  const found = at([...tile, level]);
  if (found.length === 1) return make(found[0]);
  if (found.length)
    return question(named([...tile, level]), [
      ...found.map((move) => [[move.words, ...told(move)].join(": "), () => make(move)]),
      [t("leaveIt"), () => {}],
    ]);
  const unit = state.play.units.find((one) => same(one.place, [...tile, level]));
  return speak(unit ? `${unit.title} ${health(unit)}` : t("noMove"));
}

// The numbers of a unit's card, as a line of the tip.
const card = ({ facts }) => [
  ["·", facts.map(([name, value]) => `${t(`fact-${name}`)} ${value}`).join(", ")],
];

// What moves would do, before one is made; `unit` stands where they lead.
function foretell(moves, unit) {
  const many = moves.length > 1;
  const lines = moves.flatMap((move) => [
    ...(many ? [[">", move.words]] : []),
    ...told(move).map((words) => ["·", words]),
  ]);
  if (unit) lines.unshift(...card(unit));
  const title = many ? t("movesHere", { count: moves.length }) : moves[0].words;
  tip(title, many ? "" : "good", lines.slice(0, SHOWN));
}

export function pointed({ tile, level }) {
  const place = [...tile, level],
    moves = at(place);
  const unit = state.play.units.find((one) => same(one.place, place));
  if (moves.length) return foretell(moves, unit);
  return unit ? tip(`${unit.title} ${health(unit)}`, "", card(unit)) : tip("");
}

export function drawPlayers() {
  dice.draw();
  for (const side of ["red", "blue"]) {
    const list = $(`player-${side}`),
      now = list.value || (side === "red" ? "hand" : "greedy");
    list.replaceChildren(
      ...state.players.map((name) => {
        const option = element("option", playerName(name));
        option.value = name;
        return option;
      }),
    );
    list.value = now;
  }
}

export function listen() {
  const leave = () => state.play && say("play", { do: "leave", values: {} });
  $("play").addEventListener("click", () => {
    if (state.play) return;
    games.draw();
    $("match").showModal();
  });
  $("design").addEventListener("click", leave);
  $("begin").addEventListener("click", () => {
    $("match").close();
    say("play", {
      do: "begin",
      values: {
        red: $("player-red").value,
        blue: $("player-blue").value,
        seed: Math.floor(Math.random() * 1e9),
        draw: !$("draft").checked,
      },
    });
  });
  $("back").addEventListener("click", () => say("play", { do: "back", values: {} }));
  $("leave").addEventListener("click", leave);
  $("advise").addEventListener("click", advise);
  for (const part of [dice, friend, games]) part.listen();
}

// What moves would do, before one is made: causes with their figures, the outcome, and skulls.
import { app, state } from "./app.js";
import { marks } from "./board.js";
import { causesOf, deathsOf, outcomeOf, pushesOf, signOf } from "./decision.js";
import { $, element, icon } from "./dom.js";
import { t } from "./texts.js";
import { TINTS } from "./tints.js";

const SHOWN = 6; // moves of one tile
let doomed = [];

function row(kind, symbol, text, figure = "") {
  const made = element("div", "", kind);
  made.append(icon(symbol), element("span", text));
  if (figure) made.append(element("b", figure.replace("-", "−")));
  return made;
}

function cause({ kind, words, unit, figure }, units) {
  const known = figure && units[unit];
  const text = known ? t(`effect-${kind}`, { unit: known.title }) : words;
  return row("cause", signOf(kind), text, figure);
}

// The outcome of a move as one line, or none where nothing happens.
function outcome(move, units) {
  const { deaths, left } = outcomeOf(move);
  const healths = left.map(({ number, left: now }) => {
    const { title, most } = units[number];
    return t("outcomeLeft", { unit: title, left: now, most });
  });
  const words = [...deaths, ...healths];
  if (!words.length && !move.effects.length) return [];
  const calm = t("outcomeNone");
  return [row(deaths.length ? "out" : "end", deaths.length ? "skull" : "heart",
    words.join(" · ") || calm)];
}

// The outcome and the effects of a move as a sentence for who does not see the card.
export const told = (move) => move.effects.map(({ words }) => words).filter(Boolean);

function card(move, units, whole) {
  const title = element("b", move.words);
  title.prepend(icon(signOf(move.kind)));
  const causes = whole ? causesOf(move).map((effect) => cause(effect, units)) : [];
  return [title, ...causes, ...outcome(move, units)];
}

// The card lies in the corner away from the tile that it is about.
function aside(at) {
  const [x] = app.view.spot(...at);
  $("sheet").classList.toggle("left", x > app.view.canvas.clientWidth / 2);
}

function doom(places) {
  doomed = places;
  $("doom").replaceChildren(
    ...places.map(() => {
      const made = element("span");
      made.append(icon("skull"));
      return made;
    }),
  );
  place();
}

// Shows what moves to one tile would do; without moves, nothing. A choice of a unit does nothing.
export function foretell(all, units) {
  const moves = all.filter(({ kind }) => kind !== "unit");
  const one = moves.length === 1;
  $("forecast").replaceChildren(
    ...(moves.length > 1 ? [element("small", t("movesHere", { count: moves.length }))] : []),
    ...moves.slice(0, SHOWN).flatMap((move) => card(move, units, one)),
  );
  if (moves[0]?.place) aside(moves[0].place);
  const sheet = $("sheet");
  sheet.tabIndex = sheet.scrollHeight > sheet.clientHeight + 1 ? 0 : -1; // keys scroll it
  doom(deathsOf(moves));
  if (state.cover) {
    const ways = one ? pushesOf(moves[0], units) : [];
    state.cover.arrows = ways.map(([from, to]) => [from, to, TINTS.illegal]);
  }
  marks();
}

// Skulls go where their tiles are seen.
export function place() {
  doomed.forEach((at, number) => {
    const [x, y] = app.view.spot(...at);
    const { style } = $("doom").children[number];
    style.left = `${x}px`;
    style.top = `${y}px`;
  });
}

// The end of a game: who won, what is left of each side, and one more game.
import { state } from "./app.js";
import { $, element } from "./dom.js";
import { start } from "./match.js";
import { t } from "./texts.js";
import { SIDES } from "./tints.js";

const HEADS = { red: "gameWon", blue: "gameWon", draw: "gameDrawn" };

export const headline = ({ result, round }) =>
  t(HEADS[result] ?? "gameOver", { round, result: t(result), side: t(result) });

function left(game, side) {
  const own = game.units.filter((unit) => unit.side === side && unit.card);
  const count = own.filter(({ place }) => place).length;
  return element("p", t("standing", { side: t(side), count, all: own.length }), `side ${side}`);
}

export function draw(game) {
  const { over, link, players } = game;
  $("ending").hidden = !over;
  $("advise").hidden = over;
  $("again").hidden = !over || Boolean(link);
  $("exchange").hidden = $("again").hidden || players[0] === players[1];
  if (!over) return;
  const sides = Object.keys(SIDES).map((side) => left(game, side));
  $("ending").replaceChildren(element("h2", headline(game)), ...sides);
}

const again = ([red, blue]) => start({ red, blue, draw: state.play.drawn });

export function listen() {
  $("again").addEventListener("click", () => again(state.play.players));
  $("exchange").addEventListener("click", () => again([...state.play.players].reverse()));
}

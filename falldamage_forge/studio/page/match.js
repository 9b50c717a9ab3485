// The dialog that begins a game: who plays each side.
import { say, state } from "./app.js";
import { $, element } from "./dom.js";
import * as games from "./games.js";
import { load } from "./signs.js";
import { t } from "./texts.js";

export const playerName = (name) =>
  name.startsWith("search-") ? t("search", { rung: name.slice(7) }) : t(name);

export function draw() {
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

// Begins a game of some players, `red` and `blue`, with dice of its own; `draw` draws the teams.
export const start = (values) =>
  say("play", { do: "begin", values: { ...values, seed: Math.floor(Math.random() * 1e9) } });

function begin() {
  $("match").close();
  start({
    red: $("player-red").value,
    blue: $("player-blue").value,
    draw: !$("draft").checked,
  });
}

export function listen() {
  $("play").addEventListener("click", () => {
    if (state.play) return;
    load(); // so that figures are there when the game begins
    games.draw();
    $("match").showModal();
  });
  $("begin").addEventListener("click", begin);
}

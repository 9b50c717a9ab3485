// A bot that decides shows that it thinks, until its moves have come.
import { say, state } from "./app.js";
import { $ } from "./dom.js";
import { speak } from "./notes.js";
import { t } from "./texts.js";

const SOON_MS = 200; // a quick answer shows nothing
const PEOPLE = ["hand", "friend"];
let soon;

export function thought() {
  clearTimeout(soon);
  $("strip").classList.remove("thinking");
}

// Makes a move in the game; bots may answer it.
export function move(text) {
  const bots = state.play.players.some((player) => !PEOPLE.includes(player));
  clearTimeout(soon);
  if (bots)
    soon = setTimeout(() => {
      $("strip").classList.add("thinking");
      speak(t("botThinks"));
    }, SOON_MS);
  return say("play", { do: "move", values: { move: text } });
}

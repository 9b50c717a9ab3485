// A game with a friend by link: what the link is for now, and links that come in.
import { say, state } from "./app.js";
import { $ } from "./dom.js";
import * as games from "./games.js";
import { notice } from "./notes.js";
import * as panes from "./panes.js";
import { code, copy, page } from "./sharing.js";
import { t } from "./texts.js";

const ROUNDS = 20;
const GAME = /(?:^|[#&]game=)(\d{1,6}-([\w-]{22})-[\w-]+)/;
let asked = null, // the game before the link that was opened last
  sent = null; // the code in sight

const linkOf = (code) => `${page()}#game=${code}`;

// What the player does now, as a key of the texts.
function stage({ over, hand, waits, turn, link }) {
  if (!link.begun) return link.side === "red" ? "friendInvite" : "friendJoined";
  if (over) return link.complete ? "friendOver" : "friendLast";
  if (hand) return "friendYou";
  return waits && turn === "chance" ? "friendDice" : "friendWaits";
}

export function draw(game) {
  const { link } = game;
  $("friend").hidden = !link;
  $("back").hidden = !!link;
  if (!link) return;
  $("friend-state").textContent = t(stage(game), { side: t(link.side) });
  $("friend-link").value = linkOf(link.code);
  $("friend-out").hidden = game.hand;
  if (game.hand) $("friend-code").toggleAttribute("hidden", true);
  else code($("friend-code"), linkOf(link.code));
  if (!game.hand && sent !== link.code) panes.open("result"); // on a phone, the link is in sight
  sent = link.code;
  const same = asked?.before === game.saved;
  if (same) notice(t("friendOld"));
  asked = null;
}

// Opens a link, or its part behind `#`.
export function open(text) {
  const found = GAME.exec(text.trim());
  if (!found) return notice(t("friendBad"));
  const before = games.saved(found[2]) ?? (state.play?.id === found[2] ? state.play.saved : null);
  asked = { before };
  notice("");
  return say("play", { do: "link", values: { code: found[1], saved: before } });
}

// A link that was refused is not asked for any more.
export function refused() {
  asked = null;
}

export function listen() {
  $("friend-rounds").max = ROUNDS;
  $("friend-begin").addEventListener("click", () => {
    const rounds = Number($("friend-rounds").value);
    $("match").close();
    say("play", { do: "offer", values: { rounds } });
  });
  $("friend-copy").addEventListener("click", () => copy($("friend-link")));
  for (const form of document.querySelectorAll("form.take"))
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const [field] = form.elements;
      $("match").close();
      open(field.value);
      field.value = "";
    });
}

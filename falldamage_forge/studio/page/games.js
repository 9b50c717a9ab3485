// Games kept in this browser, each under its identity: one goes on after a reload, or is shared
// as a file. A browser that stores nothing is named once; the file is there all the same.
import { say, state } from "./app.js";
import { $, button, element } from "./dom.js";
import { notice, speak } from "./notes.js";
import { fileName, hand } from "./share.js";
import { forgotten, stored } from "./stored.js";
import { t, timed } from "./texts.js";

const PREFIX = "fdforge-game:",
  OWN = "fdforge-playing";
const MOST = 8;
let warned = false;

const read = (key) => stored(key, "saved");

// The saved game of an identity, or null.
export const saved = (id) => read(PREFIX + id)?.saved ?? null;

export function list() {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => ({ ...read(key), id: key.slice(PREFIX.length) }))
      .filter((kept) => kept.saved)
      .sort((a, b) => (a.when < b.when ? 1 : -1));
  } catch {
    return [];
  }
}

// Keeps a game as it stands; the oldest ones go.
export function store(game) {
  const { id, over, round, link } = game;
  const kept = { saved: game.saved, when: new Date().toISOString(), over, round, link: !!link };
  try {
    sessionStorage.setItem(OWN, id);
    if (saved(id) !== game.saved) localStorage.setItem(PREFIX + id, JSON.stringify(kept));
    for (const old of list().slice(MOST)) forgotten(PREFIX + old.id);
  } catch {
    if (!warned) notice(t("gameNotKept"));
    warned = true;
  }
}

export function left() {
  try {
    sessionStorage.removeItem(OWN);
  } catch {
    /* nothing was kept */
  }
}

const resume = (text) => say("play", { do: "resume", values: { saved: text } });

// The game that was on in this tab before a reload.
export function again() {
  let own = null;
  try {
    own = sessionStorage.getItem(OWN);
  } catch {
    /* nothing was kept */
  }
  const text = own && !state.play && saved(own);
  return !!text && resume(text);
}

export function draw() {
  const rows = list().map(({ id, when, round, over, link, saved: text }) => {
    const row = element("li");
    const values = { when: timed(when), round };
    const name = [t(over ? "gameDone" : "gameKept", values), link ? t("byLink") : ""];
    const open = button(name.filter(Boolean).join(" · "), () => {
      $("match").close();
      resume(text);
    });
    const away = button("✕", () => {
      forgotten(PREFIX + id);
      row.remove();
    });
    away.setAttribute("aria-label", t("forgetGame", values));
    row.append(open, away);
    return row;
  });
  $("games").replaceChildren(...rows);
  $("games-title").hidden = !rows.length;
}

const named = (end) => `${fileName()}-${end}.json`;

export const recorded = (said) => hand(new Blob([said.text]), named("record"));

function download() {
  const game = state.play;
  const whole = game.all === game.count && game.over && (!game.link || game.link.complete);
  if (whole || game.all > game.count) return say("play", { do: "record", values: {} });
  return hand(new Blob([game.saved]), named("game"));
}

export function listen() {
  $("game-file").addEventListener("change", async () => {
    const [file] = $("game-file").files;
    $("game-file").value = "";
    $("match").close();
    if (file) resume(await file.text());
  });
  $("game-download").addEventListener("click", download);
  $("replay-at").addEventListener("input", () =>
    say("play", { do: "show", values: { at: Number($("replay-at").value) } }),
  );
  // Another tab of this browser went on with the same game.
  window.addEventListener("storage", (event) => {
    const text = event.key === PREFIX + state.play?.id && read(event.key)?.saved;
    if (!text || text === state.play.saved) return;
    resume(text);
    speak(t("gameElsewhere"));
  });
}

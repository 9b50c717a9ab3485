// What comes in and goes out: links, files, what is built.
import { app, say, state } from "./app.js";
import { $ } from "./dom.js";
import * as friend from "./friend.js";
import * as gallery from "./gallery.js";
import * as games from "./games.js";
import * as hints from "./hints.js";
import { notice, speak } from "./notes.js";
import { fileName, hand, unpacked } from "./share.js";
import { t } from "./texts.js";

const EMPTY = (title) => `forge 1
title "${title}"
board 10x10

start red at B1..I1
start blue at B10..I10

expect symmetric rotate-180
`;

// The first word of the studio: a link's map, or the gallery where nothing is open yet.
export async function greeted(said) {
  notice("");
  const behind = new URLSearchParams(location.hash.slice(1));
  const shared = behind.get("map");
  if (behind.has("game")) {
    history.replaceState(null, "", location.pathname + location.search);
    return friend.open(behind.get("game"));
  }
  if (shared) {
    history.replaceState(null, "", location.pathname + location.search);
    try {
      const text = await unpacked(shared);
      if (!said.file || confirm(t("replace"))) app.editor.put(text);
    } catch {
      notice(t("badLink"));
    }
  } else if (!games.again() && said.blank && !hints.beginFirst()) gallery.show();
}

export function progress(said) {
  if (said.what === null) {
    built();
    return speak(t("stopped"));
  }
  if (said.of !== state.making) begin(said.of);
  $("progress").value = said.share;
  return speak(said.what);
}

const maker = (what) => document.querySelector(`[data-make="${what}"]`);

export async function made(said) {
  const name = said.name ?? fileName() + maker(said.of).dataset.ends;
  const mine = state.making === said.of && state.asked;
  built();
  if (!mine) return; // another page asked for it
  try {
    hand(await app.wire.made(said.of), name);
    speak(t("made", { name, size: (said.size / 1e6).toFixed(1) }));
  } catch (error) {
    notice(String(error.message ?? error));
  }
}

export function built() {
  state.making = null;
  state.asked = false;
  $("making").hidden = true;
}

function begin(what) {
  state.making = what;
  $("making").hidden = false;
  $("progress").value = 0;
}

function build(what) {
  if (!say("build", { what })) return;
  $("printing").close();
  state.asked = true;
  begin(what);
  speak(t("building"));
}

export function listen() {
  $("gallery").addEventListener("click", gallery.show);
  $("blank").addEventListener("click", () => {
    $("presets").close();
    app.editor.put(EMPTY(t("newTable")));
    hints.begin();
  });
  $("save").addEventListener("click", () =>
    hand(new Blob([app.editor.area.value], { type: "text/plain" }), `${fileName()}.forge`),
  );
  for (const one of document.querySelectorAll("[data-make]"))
    one.addEventListener("click", () => build(one.dataset.make));
  $("print-button").addEventListener("click", () => {
    hints.done("print");
    $("printing").showModal();
  });
  $("cancel").addEventListener("click", () => {
    say("cancel");
    built();
  });
}

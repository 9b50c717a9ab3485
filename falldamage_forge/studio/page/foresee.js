// What a gesture would do, shown before it is done.
import { app, say, state } from "./app.js";
import { marks } from "./board.js";
import { $ } from "./dom.js";
import { shake, speak, tip } from "./notes.js";
import { t, worded } from "./texts.js";
import { areaOf } from "./tools.js";

const APART_MS = 50; // so long after a question the next one is asked
let asking,
  asked = 0;

// Asks what a gesture would do, at most once in a while; the board shows it, in red where it
// is refused. Of what was `tapped` it stays until it is done or left.
export function foresee(words, tapped = false) {
  const of = JSON.stringify([words, tapped, $("brush").checked, state.revision]);
  if (state.ghost?.of === of) return;
  clearTimeout(asking);
  state.ghost = words && state.whole ? { of, words, tapped, tiles: [], why: null } : null;
  if (!state.ghost) app.view.haunt([]); // else until it is known what the next one shows
  if (!state.ghost) return;
  asking = setTimeout(
    () => {
      asked = performance.now();
      say("preview", { words, brush: $("brush").checked });
    },
    Math.max(0, asked + APART_MS - performance.now()),
  );
}

// The names of what a gesture removes, each with its tiles.
const removal = (removed) =>
  t("removes", {
    things: removed.map(([name, tiles]) => `${t(name)} ${areaOf(tiles)}`).join("; "),
  });

export function previewed(said) {
  if (state.ghost?.words !== said.words) return;
  app.view.haunt(said.models);
  state.ghost = {
    ...state.ghost,
    known: true,
    tiles: said.tiles,
    why: said.why,
    near: said.near,
    lines: said.lines,
  };
  if (said.why && state.ghost.tapped) shake();
  const less = said.removed.length ? removal(said.removed) : "";
  if (said.why && (state.keyed || !state.at))
    speak(
      [said.why, said.near && t("nearest", { near: worded(said.near) })].filter(Boolean).join(". "),
      true,
    );
  else {
    if (less && state.keyed) speak(less);
    tip(
      said.why ?? worded(said.words),
      said.why ? "bad" : "good",
      said.near ? [["↵", worded(said.near)]] : said.lines,
      less,
    );
  }
  marks();
}

// A button that shows what it would do while it is pointed at or has the focus.
export function foreseen(made, words) {
  const show = (said) => () => {
    foresee(said && said());
    marks();
  };
  for (const on of ["pointerenter", "focus"]) made.addEventListener(on, show(words));
  for (const off of ["pointerleave", "blur"]) made.addEventListener(off, show(null));
  return made;
}

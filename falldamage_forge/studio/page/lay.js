// What lies over the board: colours with a word on each, so that nothing is told by colour alone.
import { app, say, state } from "./app.js";
import { label, marks } from "./board.js";
import { $, element, patch } from "./dom.js";
import { speak } from "./notes.js";
import { t } from "./texts.js";
import { knownTools } from "./toolbar.js";

const POINTED = ["reach", "farther", "path", "sight", "push", "loss"];
const WHOLE = ["turns", "control", "hazard", "islands"];

export function drawKinds() {
  const now = $("overlay").value;
  $("overlay").replaceChildren(
    ...["", ...POINTED, ...WHOLE].map((kind) => {
      const option = element("option", t(kind || "nothing"));
      option.value = kind;
      return option;
    }),
  );
  $("overlay").value = now;
}

export function drawUnits({ names, fittings }) {
  state.fittings = fittings;
  knownTools();
  const now = $("unit").value;
  state.units = names;
  $("unit").replaceChildren(
    ...names.map((name, number) => {
      const option = element("option", name);
      option.value = number ? name : "";
      return option;
    }),
  );
  $("unit").value = names.includes(now) ? now : "";
}

export function cover(found = { marks: [], arrows: [], legend: [] }) {
  state.cover = found;
  $("labels").replaceChildren(...found.marks.map(([, , , , text]) => element("span", text)));
  $("legend").replaceChildren(
    ...found.legend.map(([colour, words]) => {
      const row = element("li", words);
      row.prepend(patch(colour));
      return row;
    }),
  );
  marks();
}

// Labels go where their tiles are seen.
export function place() {
  const spans = $("labels").children;
  (state.cover?.marks ?? []).forEach(([row, col, level], number) => {
    const [x, y] = app.view.spot(row, col, level);
    const seen = app.view.under(x, y);
    spans[number].hidden =
      Boolean(seen) && (seen.level !== level || seen.tile[0] !== row || seen.tile[1] !== col);
    spans[number].style.left = `${x}px`;
    spans[number].style.top = `${y}px`;
  });
}

const exact = (at) => `${label(at)}@${at.level}`;

export function askOverlay(board = false) {
  const kind = $("overlay").value,
    pointed = POINTED.includes(kind),
    unit = $("unit").value;
  if (state.play || !kind || !state.whole || (pointed && !state.at) || (!pointed && !board)) return;
  if (kind === "path") {
    if (state.pin) say("overlay", { kind, tile: exact(state.pin), to: exact(state.at), unit });
    return;
  }
  say("overlay", { kind, tile: pointed ? exact(state.at) : "A1", to: "", unit });
}

// A click while looking: a path begins there.
export function pinned(at) {
  state.pin = at;
  if ($("overlay").value === "path") speak(t("pathFrom", { tile: label(at) }));
}

export function laid(said) {
  if (state.play || said.revision !== state.revision || $("overlay").value !== said.kind) return;
  const end = said.kind === "path" ? said.to : said.tile;
  if (POINTED.includes(said.kind) && (!state.at || end !== exact(state.at))) return;
  if (said.why) {
    cover();
    speak(said.why, true);
    return;
  }
  speak(said.title);
  cover(said);
}

export function listen() {
  $("overlay").addEventListener("change", () => {
    cover();
    askOverlay(true);
  });
  $("unit").addEventListener("change", () => {
    cover();
    askOverlay(true);
  });
}

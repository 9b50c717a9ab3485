// Wires the three panes to one another and to the studio.
import { app, change, keep, say, state } from "./app.js";
import * as board from "./board.js";
import * as choice from "./choice.js";
import { $ } from "./dom.js";
import { Editor } from "./editor.js";
import * as hands from "./hand.js";
import { HEARD, last, light } from "./heard.js";
import * as drop from "./drop.js";
import * as find from "./find.js";
import * as forecast from "./forecast.js";
import * as hints from "./hints.js";
import * as keys from "./keys.js";
import { away } from "./kept.js";
import * as knob from "./knob.js";
import * as offer from "./offer.js";
import * as lay from "./lay.js";
import * as lens from "./lens.js";
import * as models from "./models.js";
import { mention, notice, speak, tip } from "./notes.js";
import * as panes from "./panes.js";
import * as past from "./past.js";
import * as play from "./play.js";
import * as pointer from "./pointer.js";
import * as rim from "./rim.js";
import * as settings from "./settings.js";
import * as sharing from "./sharing.js";
import * as standees from "./standees.js";
import * as steer from "./steer.js";
import * as stock from "./stock.js";
import { Sync } from "./sync.js";
import { t, translate } from "./texts.js";
import { drawTools } from "./toolbar.js";
import * as unsent from "./unsent.js";
import { View } from "./view.js";
import { Wire } from "./wire.js";

translate();
app.view = new View($("board"));
app.editor = new Editor(
  {
    area: $("text"),
    numbers: $("numbers"),
    colours: $("colours"),
    ruler: $("ruler"),
    hint: $("hint"),
    words: $("words-list"),
  },
  typed,
  (type, fields) => (type === "format" ? change(type) : say(type, fields)),
);
app.sync = new Sync({ say, show: (text, moved) => app.editor.take(text, moved), ...unsent.keeper });
const { view, editor } = app;
if (keep.get("printed") !== null) view.printed = keep.get("printed") === "true";
view.after = () => {
  for (const part of [lay, rim, standees, forecast, knob, lens]) part.place();
  hints.point();
};
view.oncame = board.marks;
view.onslow = () => {
  if (keep.get("printed") === null) {
    view.look(false);
    $("printed").checked = false;
    mention(t("slow"));
  }
};
if (!view.gl) tip(t("noWebgl"));
window.studio = { view, state, app }; // for whoever tests or wonders

// -- text ----------------------------------------------------------------------------------------

function typed(text, caret, rested) {
  app.sync.edited(text, caret);
  if (rested) app.sync.go();
}
for (const kind of ["start", "end"])
  editor.area.addEventListener(`composition${kind}`, () => app.sync.composing(kind === "start"));
window.addEventListener("pagehide", () => app.sync.go());
window.addEventListener("beforeunload", (event) => {
  app.sync.go();
  if (!app.sync.idle) event.preventDefault();
});

let line = 0;
document.addEventListener("selectionchange", () => {
  if (document.activeElement !== editor.area || editor.changed || editor.line === line) return;
  line = editor.line;
  say("tiles", { line });
});
editor.area.addEventListener("blur", () => {
  line = 0;
  light([]);
});

// -- buttons -------------------------------------------------------------------------------------

$("say").addEventListener("submit", (event) => {
  event.preventDefault();
  if ($("words").value.trim()) board.gesture($("words").value.trim());
  $("find").close();
});
for (const way of ["undo", "redo"]) $(way).addEventListener("click", () => change(way));
$("format").addEventListener("click", () => change("format"));
window.addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  const elsewhere = event.target instanceof HTMLInputElement && event.target.type !== "checkbox";
  if (
    !(event.ctrlKey || event.metaKey) ||
    event.altKey ||
    elsewhere ||
    (key !== "z" && key !== "y")
  )
    return;
  event.preventDefault();
  change(key === "y" || event.shiftKey ? "redo" : "undo");
});
window.addEventListener("hashchange", () => {
  if (location.hash.includes("token=")) location.reload();
  else if (last.state) hands.greeted(last.state);
});
$("text").setAttribute("aria-label", t("text"));

function redraw() {
  drawTools();
  panes.draw();
  hints.redraw();
  lay.drawKinds();
  choice.bar();
  play.redraw();
  if (state.settings) settings.came(state.settings);
}
for (const part of [pointer, keys, steer, panes, find, knob, offer, stock, models, drop,
  hints, past])
  part.listen();
lay.listen();
hands.listen();
sharing.listen();
play.listen();
redraw();
// In another language all that was told last is told again.
settings.listen(() => {
  redraw();
  for (const type of ["state", "verdict", "pieces", "measures", "advice"])
    if (last[type]) HEARD[type](last[type]);
  if (state.play) say("play", { do: "next", values: {} });
});

app.wire = new Wire(
  (said) => {
    last[said.type] = said;
    HEARD[said.type]?.(said);
  },
  (why) => {
    notice(why && t(why));
    if (why === "silent") away();
    if (why) app.sync.broke();
  },
);

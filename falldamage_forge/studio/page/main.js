// Wires the three panes to one another and to the studio.
import { app, change, keep, say, state } from "./app.js";
import * as board from "./board.js";
import * as choice from "./choice.js";
import { $ } from "./dom.js";
import { Editor } from "./editor.js";
import { previewed } from "./foresee.js";
import * as gallery from "./gallery.js";
import * as hands from "./hand.js";
import * as find from "./find.js";
import * as friend from "./friend.js";
import * as games from "./games.js";
import * as hints from "./hints.js";
import * as keys from "./keys.js";
import * as knob from "./knob.js";
import * as offer from "./offer.js";
import * as lay from "./lay.js";
import * as meaning from "./meaning.js";
import { answered, became, notice, question, speak, tip } from "./notes.js";
import * as panes from "./panes.js";
import * as play from "./play.js";
import * as pointer from "./pointer.js";
import * as rim from "./rim.js";
import * as settings from "./settings.js";
import * as standees from "./standees.js";
import * as stamps from "./stamps.js";
import * as steer from "./steer.js";
import { Sync, plain } from "./sync.js";
import { t, translate } from "./texts.js";
import { drawTools } from "./toolbar.js";
import { tileOf } from "./tools.js";
import * as unsent from "./unsent.js";
import { View } from "./view.js";
import { Wire } from "./wire.js";

translate();
app.view = new View($("board"));
app.editor = new Editor({ area: $("text"), numbers: $("numbers"), colours: $("colours"), hint: $("hint"), words: $("words-list") }, typed, (type, fields) => (type === "format" ? change(type) : say(type, fields)));
app.sync = new Sync({ say, show: (text, moved) => app.editor.take(text, moved), ...unsent.keeper });
const { view, editor } = app;
if (keep.get("printed") !== null) view.printed = keep.get("printed") === "true";
view.after = () => { for (const part of [lay, rim, standees, knob]) part.place(); };
view.onslow = () => { if (keep.get("printed") === null) { view.look(false); $("printed").checked = false; notice(t("slow")); } };
if (!view.gl) tip(t("noWebgl"));
window.studio = { view, state, app }; // for whoever tests or wonders

// -- what the studio says ------------------------------------------------------------------------

const current = (run) => (said) => { if (said.revision === state.revision) run(said); };
const light = (names) => { state.lit = names.map(tileOf).filter(Boolean); board.marks(); };

const last = {}; // the last message of each type
const HEARD = {
  state(said) {
    const changed = state.revision !== said.revision;
    state.revision = said.revision;
    state.home = said.home;
    editor.file = said.name;
    editor.known = plain(said.text);
    app.sync.state(said);
    for (const way of ["undo", "redo"]) {
      $(way).disabled = said[way] === null;
      $(way).title = said[way] === null ? "" : `${t(way)}: ${said[way]}`;
    }
    $("kept").title = said.why ?? said.file ?? "";
    $("kept").className = said.why || (!said.file && !said.saved) ? "bad" : said.file && said.saved ? "ok" : "";
    $("kept").textContent = said.file ? t(said.saved ? "kept" : "notKept", { file: said.file.split(/[\\/]/).at(-1) }) : t(said.saved ? "noFile" : "unstored");
    if (said.why && said.why !== state.why) notice(said.why);
    state.why = said.why;
    if (!state.greeted) { state.greeted = true; hands.greeted(said).then(unsent.offer).then(() => last.drafts && HEARD.drafts(last.drafts)); say("units"); }
    if (changed) { meaning.stale(); became(said); }
  },
  board: current((said) => {
    state.whole = said.whole;
    $("title").textContent = said.title;
    document.title = `${said.title} · Studio`;
    if (!state.play) lay.cover();
    if (said.whole) { state.board = said.board; if (!state.play) view.show(said.board); }
    lay.askOverlay(true);
    issuesCame(said.issues);
    if (state.at) board.hover(state.at);
    if (state.tool?.name === "stamp") say("stamps");
  }),
  verdict: current((said) => { meaning.verdict(said); issuesCame(said.issues); say("units"); }),
  parts: current((said) => { if (state.whole) view.build(said.parts, state.board); }),
  measures: current((said) => meaning.measures(said, light)),
  advice: current((said) => meaning.advice(said.remedies, (one) => change("apply", { edits: one.edits, label: one.gestures.join(", "), revision: said.revision }))),
  drafts: async (said) => (await import("./drafts.js")).drafts(said, app.wire, await unsent.rows(), () => $("presets").close()),
  pieces: current(meaning.pieces),
  settings: settings.came,
  units: lay.drawUnits,
  stamps: stamps.came,
  game: play.came,
  hint: play.hinted,
  record: games.recorded,
  overlay: lay.laid,
  completions: (said) => editor.completion.came(said),
  meaning: (said) => editor.meant(said),
  answer(said) {
    if (said.answer === "edited" && said.words === $("words").value.trim()) $("words").value = "";
    if (said.answer === "edited") answered(said);
    else if (said.answer === "refused") speak(t("refused", { words: said.words, why: said.message }), true);
    else ask(said);
  },
  preview: previewed,
  written(said) {
    const place = said.places.find((one) => one.file === editor.file);
    if (place) editor.show(place);
    const other = said.places.find((one) => one.file !== editor.file);
    if (!place) speak(other ? t("writtenIn", { tile: said.tile, file: other.file, line: other.line }) : t("notWritten", { tile: said.tile }));
  },
  tiles: (said) => light(said.tiles),
  presets: gallery.came,
  stock: gallery.stock,
  foreign(said) {
    if (said.text === null) return notice(t(said.merged ? "merged" : "changedOnDisk"));
    return notice(t("conflict"), ["mine", "theirs"].map((keepers) => [t(keepers), () => change("foreign", { keep: keepers })]));
  },
  progress: hands.progress,
  made: hands.made,
  error(said) { hands.built(); friend.refused(); notice(said.message); app.sync.refused(said.number); },
};

function ask(said) {
  const ways = ["all", "here"].filter((way) => said[way]).map((way) => [t(way), () => board.gesture(said.words, way)]);
  question(said.message, [...ways, [t("leaveIt"), () => {}]]);
}

function issuesCame(issues) {
  editor.faults(issues);
  meaning.issues(issues, {
    show: (issue) => light(issue.tiles),
    go: (issue) => { panes.open("text"); light(issue.tiles); editor.go(issue.place); },
    mend: (issue) => editor.fix(issue.place, issue.fix),
  });
}

// -- text ----------------------------------------------------------------------------------------

function typed(text, caret, rested) {
  app.sync.edited(text, caret);
  if (rested) app.sync.go();
}
for (const kind of ["start", "end"]) editor.area.addEventListener(`composition${kind}`, () => app.sync.composing(kind === "start"));
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
editor.area.addEventListener("blur", () => { line = 0; light([]); });

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
  if (!(event.ctrlKey || event.metaKey) || event.altKey || elsewhere || (key !== "z" && key !== "y")) return;
  event.preventDefault();
  change(key === "y" || event.shiftKey ? "redo" : "undo");
});
window.addEventListener("hashchange", () => { if (location.hash.includes("token=")) location.reload(); else if (last.state) hands.greeted(last.state); });
$("text").setAttribute("aria-label", t("text"));

function redraw() {
  drawTools();
  panes.draw();
  hints.redraw();
  lay.drawKinds();
  choice.bar();
  play.drawPlayers();
  if (state.settings) settings.came(state.settings);
}
for (const part of [pointer, keys, steer, panes, find, knob, offer]) part.listen();
lay.listen();
hands.listen();
play.listen();
redraw();
// In another language all that was told last is told again.
settings.listen(() => { redraw(); for (const type of ["state", "verdict", "pieces", "measures", "advice"]) if (last[type]) HEARD[type](last[type]); });

app.wire = new Wire((said) => { last[said.type] = said; HEARD[said.type]?.(said); }, (why) => {
  notice(why && t(why));
  if (why) app.sync.broke();
});

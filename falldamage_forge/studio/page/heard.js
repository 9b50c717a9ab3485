// What the studio says, by the type of the message, and where it is shown.
import { app, change, say, state } from "./app.js";
import * as board from "./board.js";
import { $ } from "./dom.js";
import { previewed } from "./foresee.js";
import * as friend from "./friend.js";
import * as gallery from "./gallery.js";
import * as games from "./games.js";
import * as hands from "./hand.js";
import { saved } from "./kept.js";
import * as lay from "./lay.js";
import * as meaning from "./meaning.js";
import { answered, became, notice, question, speak, stepOf } from "./notes.js";
import * as panes from "./panes.js";
import * as past from "./past.js";
import * as play from "./play.js";
import * as settings from "./settings.js";
import * as sharing from "./sharing.js";
import * as stamps from "./stamps.js";
import * as stock from "./stock.js";
import { plain } from "./sync.js";
import { t, worded } from "./texts.js";
import { thought } from "./thinking.js";
import { nameOf, tileOf } from "./tools.js";
import * as unsent from "./unsent.js";

const current = (run) => (said) => {
  if (said.revision === state.revision) run(said);
};
export const light = (names) => {
  state.lit = names.map(tileOf).filter(Boolean);
  board.marks();
};

export const last = {}; // the last message of each type
export const HEARD = {
  state(said) {
    const changed = state.revision !== said.revision;
    state.revision = said.revision;
    state.home = said.home;
    app.editor.file = said.name;
    app.editor.known = plain(said.text);
    app.sync.state(said);
    for (const way of ["undo", "redo"]) {
      $(way).disabled = said[way] === null;
      $(way).title = said[way] === null ? t("noStep") : `${t(way)}: ${stepOf(said[way])}`;
    }
    saved(said);
    if (!state.greeted) {
      state.greeted = true;
      hands
        .greeted(said)
        .then(unsent.offer)
        .then(() => last.drafts && HEARD.drafts(last.drafts));
      say("units");
    }
    if (changed) {
      meaning.stale();
      became(said);
    }
  },
  board: current((said) => {
    state.whole = said.whole;
    $("title").textContent = said.title;
    document.title = `${said.title} · Studio`;
    if (!state.play) lay.cover();
    if (said.whole) {
      state.board = said.board;
      if (!state.play) app.view.show(said.board);
    }
    lay.askOverlay(true);
    issuesCame(said.issues);
    if (state.at) board.hover(state.at);
    if (state.tool?.name === "stamp") say("stamps");
  }),
  verdict: current((said) => {
    const places = state.board?.starts.flatMap((zone) => zone.places) ?? [];
    meaning.verdict(said, [...new Set(places.map(([row, col]) => nameOf(row, col)))], light);
    issuesCame(said.issues);
    say("units");
  }),
  parts: current((said) => {
    if (state.whole) app.view.build(said.parts, state.board, said.models);
  }),
  measures: current((said) => meaning.measures(said, light)),
  advice: current((said) =>
    meaning.advice(said.remedies, (one) =>
      change("apply", {
        edits: one.edits,
        label: one.gestures.join(", "),
        revision: said.revision,
      }),
    ),
  ),
  drafts: async (said) =>
    (await import("./drafts.js")).drafts(said, app.wire, await unsent.rows(), () =>
      $("presets").close(),
    ),
  pieces: current(meaning.pieces),
  settings: settings.came,
  units: lay.drawUnits,
  stamps: stamps.came,
  game: play.came,
  hint: play.hinted,
  record: games.recorded,
  qr: sharing.came,
  history: past.came,
  compared: past.compared,
  overlay: lay.laid,
  completions: (said) => app.editor.completion.came(said),
  meaning: (said) => app.editor.explanation.meant(said),
  answer(said) {
    if (said.answer === "edited" && said.words === $("words").value.trim()) $("words").value = "";
    if (said.answer === "edited") answered(said);
    else if (said.answer === "refused")
      speak(t("refused", { words: worded(said.words), why: said.message }), true);
    else ask(said);
  },
  preview: previewed,
  written(said) {
    const place = said.places.find((one) => one.file === app.editor.file);
    if (place) app.editor.show(place);
    const other = said.places.find((one) => one.file !== app.editor.file);
    if (!place && other)
      speak(t("writtenIn", { tile: said.tile, file: other.file, line: other.line }));
  },
  tiles: (said) => light(said.tiles),
  presets(said) {
    stock.hello();
    gallery.came(said);
    state.players = said.players;
    play.redraw();
  },
  stock: gallery.stock,
  foreign(said) {
    if (said.text === null) return notice(t(said.merged ? "merged" : "changedOnDisk"));
    return notice(
      t("conflict"),
      ["mine", "theirs"].map((keepers) => [t(keepers), () => change("foreign", { keep: keepers })]),
    );
  },
  progress: hands.progress,
  made: hands.made,
  error(said) {
    if (said.of === "stock") return stock.refused(said);
    if (said.of === "back") return speak(said.message); // below its button; the board stays
    hands.built();
    friend.refused();
    thought();
    notice(said.message);
    app.sync.refused(said.number);
  },
};

function ask(said) {
  const ways = ["all", "here"]
    .filter((way) => said[way])
    .map((way) => [t(way), () => board.gesture(said.words, way)]);
  question(said.message, [...ways, [t("leaveIt"), () => {}]]);
}

function issuesCame(issues) {
  app.editor.faults(issues);
  meaning.issues(issues, {
    light,
    go: (issue) => {
      panes.open("text");
      light(issue.tiles);
      app.editor.go(issue.place);
    },
    mend: (issue) => app.editor.fix(issue.fix),
  });
}

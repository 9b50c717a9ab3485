// Texts that no studio has: kept in this browser as they are typed, and offered when it is back.
import { app, change, state } from "./app.js";
import { holds } from "./changes.js";
import { $ } from "./dom.js";
import { notice } from "./notes.js";
import { fileName, hand } from "./share.js";
import { t, timed } from "./texts.js";

const site = () => "site" in document.documentElement.dataset;
// Whether no studio has the text on a disk either.
const alone = () => site() || app.sync.cut || !app.sync.safe;
let warned = false; // that this browser does not store what is typed
const settled = new Set(); // what has been decided of here
const title = () => $("title").textContent;

// What the text's keeping needs of the page.
export const keeper = {
  keep({ base, text }) {
    const kept = app.wire.keeps(text, title(), { base, home: state.home });
    const told = warned;
    warned = !kept && (warned || alone());
    if (warned && !told) notice(t("notStored"), [[t("save"), () => $("save").click()]]);
  },
  kept: () => app.wire.released(),
  strange(base, text) {
    app.wire.keeps(text, title(), { base, home: state.home });
    ask("strange", {
      base,
      text,
      title: title(),
      when: new Date().toISOString(),
      id: app.wire.parted(),
    });
  },
};

// Lines that others changed are kept beside it; where both changed the same ones it is asked about.
const bring = (one) =>
  change("join", { base: one.base, text: one.text }, () => app.wire.keep.forget(one.id));

// Those of other maps take the whole place, and are one step to undo.
function open(one) {
  settled.add(one.id);
  if (one.home === state.home) return bring(one);
  app.editor.put(one.text);
  return app.wire.keep.forget(one.id);
}

// Rows of the gallery.
export async function rows() {
  return (await app.wire.left()).map((one) => ({
    ...one,
    open: () => open(one),
    forget: () => app.wire.keep.forget(one.id),
  }));
}

function ask(how, one) {
  const ways = [
    ["putBack", () => open(one)],
    [
      "copyOf",
      () => {
        hand(new Blob([one.text], { type: "text/plain" }), `${fileName()}.forge`);
        ask(how, one);
      },
    ],
    ["throwAway", () => app.wire.keep.forget(one.id)],
  ];
  notice(
    t(how, { title: one.title, when: timed(one.when) }),
    ways.map(([name, run]) => [
      t(name),
      () => {
        run();
        if (name !== "copyOf") offer();
      },
    ]),
  );
}

// Asks about the newest text of this map that the studio lacks; what it has after all is forgotten.
export async function offer() {
  const left = (await app.wire.left()).filter(
    (one) => one.home === state.home && one.base !== undefined,
  );
  for (const one of left) {
    if (settled.has(one.id)) continue;
    if (holds(app.sync.known, one.base, one.text)) app.wire.keep.forget(one.id);
    else return ask("unsent", one);
  }
  return undefined;
}

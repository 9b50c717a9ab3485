// Where the text is saved; while the studio is away, since how many seconds.
import { state } from "./app.js";
import { $ } from "./dom.js";
import { notice } from "./notes.js";
import { t } from "./texts.js";

const SECOND_MS = 1000;
let counting = null;

function shown(kind, text, title = "") {
  Object.assign($("kept"), { className: kind, textContent: text, title });
}

export function saved(said) {
  clearInterval(counting);
  counting = null;
  $("kept").ariaLive = null;
  const file = said.file?.split(/[\\/]/).at(-1);
  const bad = said.why || (!file && !said.saved);
  const text = file
    ? t(said.saved ? "kept" : "notKept", { file })
    : t(said.saved ? "noFile" : "unstored");
  shown(bad ? "bad" : file && said.saved ? "ok" : "", text, said.why ?? said.file ?? "");
  if (said.why && said.why !== state.why) notice(said.why, [[t("save"), () => $("save").click()]]);
  state.why = said.why;
}

// The notice says it aloud once; the seconds are for the eye.
export function away() {
  if (counting) return;
  $("kept").ariaLive = "off";
  const since = performance.now();
  const count = () => {
    const seconds = Math.round((performance.now() - since) / SECOND_MS);
    shown("bad", t("reconnecting", { seconds }));
  };
  counting = setInterval(count, SECOND_MS);
  count();
}

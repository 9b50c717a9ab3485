// Models of others: a file dropped on the board, or opened, becomes a stamp that hands turn and set
// down. The studio keeps it beside the map and measures it.
import { app, state } from "./app.js";
import { hover } from "./board.js";
import { $ } from "./dom.js";
import { notice, speak } from "./notes.js";
import { t } from "./texts.js";
import { choose } from "./toolbar.js";
import { TOOLS } from "./tools.js";

const KINDS = /\.(stl|obj|ply|3mf|glb)$/i;
let busy = false;

export const isModel = ({ name }) => KINDS.test(name);

// `at` is the surface on which it was dropped, if it was one.
export async function open(file, at = null) {
  if (busy || state.play) return;
  if (!state.whole) {
    notice(t("mendFirst"));
    return;
  }
  busy = true;
  notice(t("measuring", { file: file.name }));
  try {
    taken(await app.wire.model(file), at);
  } catch (error) {
    notice(String(error.message ?? error));
  }
  busy = false;
}

function taken(said, at) {
  if (said.type === "error") return refused(said);
  const { name, known, tiles, notes, size_mm: size = [] } = said;
  state.stamp = { name, turn: 0, mirror: false, model: true };
  choose(TOOLS.find((tool) => tool.name === "stamp"));
  const what = known
    ? t("modelKnown", { name })
    : t("modelNew", { name, tiles, size: size.join(" x ") });
  notice(notes.length ? [what, ...notes].join(" · ") : "");
  speak(`${what}. ${t("modelSet")}`);
  if (at) hover(at);
}

const reason = ({ message, hint }) => [message, hint].filter(Boolean).join(": ");

// Why a file is not taken.
export const refused = ({ message, issues }) =>
  notice([message, ...issues.map(reason)].join(" · "));

export function listen() {
  $("model-file").addEventListener("change", () => {
    const [file] = $("model-file").files;
    if (file) open(file);
    $("model-file").value = "";
  });
}

// By touch a tap shows what it would do; a button does it.
import { state } from "./app.js";
import { act, gesture, hover } from "./board.js";
import { $ } from "./dom.js";
import { tip } from "./notes.js";
import { t } from "./texts.js";

// The buttons are there as long as the preview of a tap.
export function draw() {
  const { ghost, tap } = state;
  $("offer").hidden = !tap && !ghost?.tapped;
  if ($("offer").hidden) return;
  if (tap) {
    $("build").disabled = false;
    $("build").textContent = tap.act;
    return;
  }
  $("build").disabled = !ghost.known || Boolean(ghost.why && !ghost.near);
  $("build").textContent = ghost.near ? t("buildNear", { near: ghost.near }) : t("buildIt");
}

function away() {
  state.first = null;
  state.tap = null;
  tip("");
  hover(null);
}

export function listen() {
  $("build").addEventListener("click", () => {
    const { at, ghost } = state;
    if (ghost?.near) gesture(ghost.near);
    else act(at);
    away();
  });
  $("refuse").addEventListener("click", away);
}

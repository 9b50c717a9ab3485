// By touch a tap shows what it would do; a button does it.
import { state } from "./app.js";
import { act, forget, gesture } from "./board.js";
import { $ } from "./dom.js";
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

export function listen() {
  $("build").addEventListener("click", () => {
    const { at, ghost } = state;
    if (ghost?.near) gesture(ghost.near);
    else act(at);
    forget();
  });
  $("refuse").addEventListener("click", () => forget());
}

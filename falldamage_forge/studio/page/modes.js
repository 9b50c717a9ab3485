// Design and play: nothing that one of them shows is left in the other.
import { state } from "./app.js";
import { forget } from "./board.js";
import { $ } from "./dom.js";

// A mode ends: previews, ends, choices, what is carried, lit or open are its own.
export function leaving() {
  Object.assign(state, { chosen: new Set(), carry: null, lit: [], pin: null, stroke: null });
  for (const id of ["chosen", "stamps"]) $(id).hidden = true;
  forget();
}

// What is told: one spoken line, a tip at the pointer, a notice on top, questions.
import { app, state } from "./app.js";
import { $, button } from "./dom.js";
import { t } from "./texts.js";

export function speak(text, bad = false) {
  $("spoken").textContent = text;
  if (bad) tip(text, true);
}

export function tip(text, bad = false) {
  const at = $("tip");
  at.textContent = text;
  at.classList.toggle("bad", bad);
  place();
}

// At its tile, within the stage as wide as it is now.
function place() {
  const at = $("tip");
  if (!state.at || !at.textContent) return;
  const [x, y] = app.view.spot(...state.at.tile, state.at.level);
  at.style.left = `${Math.max(0, Math.min(x + 18, $("stage").clientWidth - at.offsetWidth - 4))}px`;
  at.style.top = `${Math.max(0, y - 44)}px`;
}

new ResizeObserver(place).observe($("stage"));

export function notice(text, choices = []) {
  const at = $("notice");
  at.hidden = !text;
  at.replaceChildren(text);
  for (const [name, run] of [...choices, ...(text ? [[t("close"), () => {}]] : [])]) {
    at.append(button(name, () => { notice(""); run(); }));
  }
}

export function question(title, ways) {
  $("question-title").textContent = title;
  $("answers").replaceChildren(...ways.map(([name, run]) => button(name, () => { $("question").close(); run(); })));
  $("question").showModal();
}

let done = "", before = { undo: null, redo: null };

export function answered(said) {
  done = said.words;
  speak(t(said.edits.length ? "done" : "same0", { words: said.words }));
}

// The text has changed: what was told of the one before is not true any more.
export function became(said) {
  if (said.redo !== null && said.redo === before.undo) speak(t("undone", { words: said.redo }));
  else if (before.redo !== null && said.undo === before.redo) speak(t("redone", { words: said.undo }));
  else if (said.undo !== done && $("spoken").textContent === t("done", { words: done })) speak("");
  before = { undo: said.undo, redo: said.redo };
}

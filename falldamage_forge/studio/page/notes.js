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

// What is told: one spoken line, a card at the corner, a notice on top, questions.
import { $, button, element, icon } from "./dom.js";
import * as hints from "./hints.js";
import { t } from "./texts.js";

export function speak(text, bad = false) {
  $("spoken").textContent = text;
  if (bad) tip(text, "bad");
}

const SIGNS = { good: "check", bad: "stop" };

// The card at the corner: `kind` is "", "good" or "bad"; `lines` are [sign, line of the text];
// `less` says what is lost.
export function tip(text, kind = "", lines = [], less = "") {
  const at = $("tip"),
    title = element("b", text);
  if (SIGNS[kind]) title.prepend(icon(SIGNS[kind]));
  const lost = element("p", less);
  lost.prepend(icon("mind"));
  at.className = kind;
  at.replaceChildren(
    ...(text ? [title] : []),
    ...(less ? [lost] : []),
    ...lines.map(([sign, line]) => element("code", `${sign} ${line}`)),
  );
}

export function notice(text, choices = []) {
  const at = $("notice");
  at.hidden = !text;
  at.replaceChildren(text);
  for (const [name, run] of [...choices, ...(text ? [[t("close"), () => {}]] : [])]) {
    at.append(
      button(name, () => {
        notice("");
        run();
      }),
    );
  }
}

export function question(title, ways) {
  $("question-title").textContent = title;
  $("answers").replaceChildren(
    ...ways.map(([name, run]) =>
      button(name, () => {
        $("question").close();
        run();
      }),
    ),
  );
  $("question").showModal();
}

let done = "",
  before = { undo: null, redo: null };

export function answered(said) {
  hints.done("tool");
  done = said.words;
  speak(t(said.edits.length ? "done" : "same0", { words: said.words }));
}

// The text has changed: what was told of the one before is not true any more.
export function became(said) {
  if (said.redo !== null && said.redo === before.undo) speak(t("undone", { words: said.redo }));
  else if (before.redo !== null && said.undo === before.redo)
    speak(t("redone", { words: said.undo }));
  else if (said.undo !== done && $("spoken").textContent === t("done", { words: done })) speak("");
  before = { undo: said.undo, redo: said.redo };
}

// What is told: one spoken line, a card at the corner, a notice on top, questions.
import { $, button, element, icon } from "./dom.js";
import * as hints from "./hints.js";
import { t, worded } from "./texts.js";

const SHAKE_MS = 40;

// A hand feels that it is refused, where its device can.
export function shake() {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(SHAKE_MS);
}

// Behind an open dialog nothing can be seen or reached: what is told goes into it, until it closes.
function inReach(at, put) {
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  if (!dialog || dialog.contains(at)) return;
  const { parentElement: home, nextSibling: next } = at;
  dialog[put](at);
  dialog.addEventListener("close", () => home.insertBefore(at, next), { once: true });
}

export function speak(text, bad = false) {
  inReach($("spoken"), "append");
  $("spoken").textContent = text;
  if (!bad) return;
  shake();
  tip(text, "bad");
}

// What the page notices of the board waits until no dialog lies over the board.
export function mention(text) {
  const dialog = document.querySelector("dialog[open]");
  if (dialog) dialog.addEventListener("close", () => mention(text), { once: true });
  else speak(text);
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

export function notice(text, choices = [], closed = () => {}) {
  const at = $("notice");
  if (text) inReach(at, "prepend");
  at.hidden = !text;
  at.replaceChildren(text);
  for (const [name, run] of [...choices, ...(text ? [[t("close"), closed]] : [])]) {
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

// Steps of the text that are no gestures, by their labels.
const STEPS = {
  typing: "stepTyping",
  format: "stepFormat",
  "go on with a draft": "stepDraft",
  "changed on disk": "stepDisk",
  "take what is on disk": "stepTheirs",
  "together with what is on disk": "stepBoth",
};
export function stepOf(label) {
  if (label in STEPS) return t(STEPS[label]);
  if (label.startsWith("model ")) return t("stepModel", { name: label.slice(6) });
  return label.startsWith("open ") ? t("stepOpen", { name: label.slice(5) }) : worded(label);
}

let done = "",
  before = { undo: null, redo: null };

export function answered(said) {
  for (const name of ["tool", said.words.split(" ")[0]]) hints.done(name);
  done = said.words;
  speak(t(said.edits.length ? "done" : "same0", { words: worded(said.words) }));
}

// The text has changed: what was told of the one before is not true any more.
export function became(said) {
  if (said.redo !== null && said.redo === before.undo) {
    speak(t("undone", { words: stepOf(said.redo) }));
    done = ""; // done again, it is no redo
  } else if (before.redo !== null && said.undo === before.redo && said.undo !== done)
    speak(t("redone", { words: stepOf(said.undo) }));
  else if (said.undo !== done && $("spoken").textContent === t("done", { words: worded(done) }))
    speak("");
  before = { undo: said.undo, redo: said.redo };
}

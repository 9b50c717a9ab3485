// The acts of a decision as buttons; a chosen one lights its own targets alone.
import { actsOf, among, signOf } from "./decision.js";
import { $, button, icon } from "./dom.js";
import { question, speak } from "./notes.js";
import { t } from "./texts.js";

let chosen = null; // a kind of moves

// The moves that are offered now: of the chosen act, or all.
export const offered = (moves) => among(moves, chosen);

// No act is chosen any more.
export function forget() {
  chosen = null;
}

function press({ kind, act, moves }, { make, redraw }) {
  const [first] = moves;
  if (first.place === null && moves.length === 1) return make(first);
  if (moves.every(({ place }) => place === null))
    return question(act, [
      ...moves.map((move) => [move.words, () => make(move)]),
      [t("leaveIt"), () => {}],
    ]);
  chosen = chosen === kind ? null : kind;
  redraw();
  return speak(chosen ? t("actChosen", { act, count: moves.length }) : t("actAll"));
}

// Presses the button of the first of some kinds of acts that is there; false without one.
export function pressKind(kinds) {
  const buttons = kinds.map((kind) => $("act-list").querySelector(`[data-act="${kind}"]`));
  const made = buttons.find(Boolean);
  made?.click();
  return Boolean(made);
}

// `make` makes a move; `redraw` shows what is offered after another choice.
export function draw(moves, hands) {
  const held = document.activeElement?.dataset?.act;
  $("act-list").replaceChildren(
    ...actsOf(moves).map((one) => {
      const made = button("", () => press(one, hands));
      made.dataset.act = one.kind;
      made.append(icon(signOf(one.kind)), one.act);
      if (one.moves.some(({ place }) => place !== null))
        made.setAttribute("aria-pressed", String(chosen === one.kind));
      return made;
    }),
  );
  if (held) $("act-list").querySelector(`[data-act="${held}"]`)?.focus();
}

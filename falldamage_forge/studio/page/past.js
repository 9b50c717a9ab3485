// States of the map to return to, or to compare with: the steps of its history, each with a small
// picture, and states that this browser keeps by hand.
import { app, change, keep, say, state } from "./app.js";
import { $, button, element } from "./dom.js";
import { cover } from "./lay.js";
import { notice, speak, stepOf } from "./notes.js";
import { picture } from "./stamps.js";
import { t, timed } from "./texts.js";
import { TINTS } from "./tints.js";

const MOST = 12;
const KEY = "states";
let asked = null; // the state that is compared: {name, back}

function kept() {
  try {
    return JSON.parse(keep.get(KEY)).filter(({ text, cells }) => text && cells?.length);
  } catch {
    return [];
  }
}

// Shows how the map differs from a state; `back` returns there.
function ask(name, back, by, text = "") {
  asked = { name, back };
  $("past").close();
  say("compare", { by, text });
}

// A row of a state: its picture and name, and what can be done with it.
function row(cells, name, acts) {
  const made = element("li");
  made.append(picture(cells), element("b", name), ...acts);
  return made;
}

function step({ by, label, cells }) {
  const name = label ? stepOf(label) : t("pastFirst");
  const back = () => change("go", { by });
  const go = () => {
    $("past").close();
    back();
  };
  const acts = by
    ? [button(t("pastReturn"), go), button(t("pastCompare"), () => ask(name, back, by))]
    : [element("span", t("pastNow"), "hint")];
  const made = row(cells, name, acts);
  if (!by) made.setAttribute("aria-current", "true");
  return made;
}

function own({ title, when, text, cells }, number) {
  const name = t("pastOf", { title, when: timed(when) });
  const back = () => app.editor.put(text);
  const go = () => {
    $("past").close();
    back();
  };
  const away = button("✕", () => {
    keep.set(KEY, JSON.stringify(kept().filter((_, at) => at !== number)));
    draw();
  });
  away.setAttribute("aria-label", t("forget", { title: name }));
  const acts = [
    button(t("pastReturn"), go),
    button(t("pastCompare"), () => ask(name, back, 0, text)),
    away,
  ];
  return row(cells, name, acts);
}

function draw() {
  $("past-kept").replaceChildren(...kept().map(own));
}

export function came({ revision, states }) {
  if (revision !== state.revision) return say("history");
  const drawn = states.map(step);
  $("past-list").replaceChildren(...drawn);
  return drawn.find((one) => one.ariaCurrent)?.scrollIntoView({ block: "nearest" });
}

// The board's columns by rows, as a picture has them.
function cellsNow() {
  const { rows, cols, columns, chests } = state.board;
  const line = (_, row) => columns.slice(row * cols, (row + 1) * cols);
  const cells = Array.from({ length: rows }, line);
  for (const [row, col] of chests) {
    cells[row] = [...cells[row]];
    cells[row][col] = [...cells[row][col].slice(0, 2), "treasure"];
  }
  return cells;
}

function store() {
  const now = {
    title: $("title").textContent,
    when: new Date().toISOString(),
    text: app.editor.area.value,
    cells: cellsNow(),
  };
  const all = [now, ...kept()].slice(0, MOST);
  keep.set(KEY, JSON.stringify(all));
  draw();
  if (kept()[0]?.when !== now.when) speak(t("notStored"), true);
}

const signed = (by) => (by > 0 ? `+${by}` : `−${-by}`);

// What differs lies on the board until it is closed or the map changes.
export function compared({ tiles, lines, sizes }) {
  if (!asked) return;
  const { name, back } = asked;
  asked = null;
  const same = `${sizes[0]}` === `${sizes[1]}`;
  cover({
    marks: tiles.map(([row, col, now, then]) => {
      const by = now - then;
      const colour = by ? (by > 0 ? TINTS.legal : TINTS.illegal) : TINTS.choice;
      return [row, col, now, colour, by ? signed(by) : "≠"];
    }),
    arrows: [],
    legend: [
      [TINTS.legal, t("pastHigher")],
      [TINTS.illegal, t("pastLower")],
      [TINTS.choice, t("pastOther")],
    ],
  });
  const values = { name, tiles: tiles.length, lines };
  notice(t(same ? "pastDiffers" : "pastSize", values), [[t("pastReturn"), leave(back)]], leave());
}

const leave = (then = () => {}) => () => {
  cover();
  then();
};

export function listen() {
  $("past-button").addEventListener("click", () => {
    $("past-list").replaceChildren();
    draw();
    $("past").showModal();
    say("history");
  });
  $("past-keep").addEventListener("click", store);
}

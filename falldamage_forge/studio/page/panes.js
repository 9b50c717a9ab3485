// Panes beside the board: they fold, take another width, and keep both in this browser.
import { keep } from "./app.js";
import { $, icon } from "./dom.js";
import { t } from "./texts.js";

const LEAST = 240,
  MOST = 480,
  STEP = 16; // px
const PANES = { text: $("text-pane"), result: $("result-pane") };
// Below this width the row of tools has no room for the options.
const CROWDED = matchMedia("(max-width: 1399px)");
const NARROW = matchMedia("(max-width: 1023px)"),
  MIDDLE = matchMedia("(max-width: 1279px)");
// A phone on its side, as phone.css has it.
const SIDEWAYS = matchMedia(
  "(min-width: 600px) and (max-height: 499px) and (min-aspect-ratio: 9/5)",
);
// A phone in a hand, upright, as phone.css has it.
const UPRIGHT = matchMedia("(max-width: 599px) and (min-height: 600px)");
// A window of little height, whose strip of units has no room for a line.
const LOW = matchMedia("(min-width: 600px) and (max-height: 499px)");
const folded = {};

// Whether a pane is folded when the page opens: on a narrow window always, so that the board
// is seen.
function first(name) {
  if (NARROW.matches) return true;
  const kept = keep.get(`fold.${name}`);
  return kept === null ? name === "text" && MIDDLE.matches : kept === "true";
}

function width(name, px) {
  const wide = Math.max(LEAST, Math.min(MOST, px));
  document.querySelector("main").style.setProperty(`--${name}`, `${wide}px`);
  const divider = dividerOf(name);
  for (const [key, value] of [
    ["min", LEAST],
    ["max", MOST],
    ["now", wide],
  ])
    divider.setAttribute(`aria-value${key}`, Math.round(value));
  return wide;
}

const dividerOf = (name) => document.querySelector(`.divider[data-pane="${name}"]`);

export function draw() {
  for (const [name, pane] of Object.entries(PANES)) {
    const made = pane.querySelector(".fold"),
      off = folded[name];
    pane.classList.toggle("folded", off);
    document.querySelector("main").classList.toggle(`no-${name}`, off);
    made.replaceChildren(icon((name === "text") === off ? "unfold" : "fold"));
    made.setAttribute("aria-expanded", String(!off));
    made.setAttribute(
      "aria-label",
      t(off ? "unfoldPane" : "foldPane", { pane: t(name === "text" ? "textTitle" : "meaning") }),
    );
    made.title = made.ariaLabel;
  }
  for (const one of document.querySelectorAll("[data-place]")) {
    one.setAttribute(
      "aria-pressed",
      String(one.dataset.place === "text" ? !folded.text : folded.text && folded.result),
    );
  }
}

function fold(name, off) {
  if (folded[name] === off) return;
  folded[name] = off;
  if (NARROW.matches && !off) folded[name === "text" ? "result" : "text"] = true; // one at a time
  if (!NARROW.matches) keep.set(`fold.${name}`, String(off));
  draw();
}

export const open = (name) => fold(name, false);

function begin() {
  for (const name of Object.keys(PANES)) folded[name] = first(name);
  if (CROWDED.matches) $("more").prepend($("options"));
  else $("bar").append($("options"));
  if (SIDEWAYS.matches) $("bar").append($("chosen"));
  else $("stage").after($("chosen"));
  if (SIDEWAYS.matches || UPRIGHT.matches) $("bar").append($("stamps"));
  else $("stage").after($("stamps"));
  (LOW.matches ? document.querySelector("footer") : $("strip")).prepend($("turn"));
  draw();
}

function dragged(name, divider) {
  const sign = name === "text" ? 1 : -1;
  const now = () => PANES[name].getBoundingClientRect().width;
  const take = (px) => keep.set(`width.${name}`, String(width(name, px)));
  divider.addEventListener("pointerdown", (event) => {
    divider.setPointerCapture(event.pointerId);
    const from = event.clientX,
      wide = now();
    divider.onpointermove = (moved) => take(wide + sign * (moved.clientX - from));
  });
  for (const end of ["pointerup", "pointercancel"])
    divider.addEventListener(end, () => {
      divider.onpointermove = null;
    });
  divider.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (!by) return;
    event.preventDefault();
    take(now() + sign * by);
  });
}

export function listen() {
  for (const [name, pane] of Object.entries(PANES)) {
    const kept = Number(keep.get(`width.${name}`));
    if (kept) width(name, kept);
    pane.querySelector(".fold").addEventListener("click", () => fold(name, !folded[name]));
    dragged(name, dividerOf(name));
  }
  for (const query of [NARROW, MIDDLE, CROWDED, SIDEWAYS, UPRIGHT, LOW])
    query.addEventListener("change", begin);
  for (const one of document.querySelectorAll("[data-press]"))
    one.addEventListener("click", () => {
      $("more").hidePopover();
      $(one.dataset.press).click();
    });
  for (const one of document.querySelectorAll("[data-place]")) {
    one.addEventListener("click", () => {
      for (const name of Object.keys(PANES)) fold(name, one.dataset.place !== name);
    });
  }
  for (const one of $("more").querySelectorAll("button[aria-haspopup]"))
    one.addEventListener("click", () => $("more").hidePopover());
  // One key for the board alone, and for all panes again.
  window.addEventListener("keydown", (event) => {
    if (event.key !== "\\" || event.target.matches("input, textarea, select")) return;
    const off = !(folded.text && folded.result);
    for (const name of Object.keys(PANES)) fold(name, off);
  });
  begin();
}

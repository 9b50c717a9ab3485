// Coordinates: along the rim of the board, at the pointer and in the status line.
import { app } from "./app.js";
import { $, element } from "./dom.js";
import { t } from "./texts.js";
import { nameOf } from "./tools.js";

const OUT = 0.62; // of a tile beyond the edge
const MOST = 26; // labels along an edge; of more tiles each second, third … has one

const step = (size) => Math.ceil(size / MOST);
let spans = []; // {span, axis, at, far}: axis 0 is a row number at the east or west edge
let pointed = null;

// Labels of a board; `far` ones lie behind it and are small.
function labelled({ rows, cols }) {
  const along = (axis, size, far) =>
    Array.from({ length: Math.ceil(size / step(size)) }, (_, i) => {
      const at = i * step(size),
        name = nameOf(axis ? 0 : at, axis ? at : 0);
      return {
        axis,
        at,
        far,
        span: element("span", axis ? name.slice(0, -1) : name.slice(1), far ? "far" : ""),
      };
    });
  return [0, 1].flatMap((axis) =>
    [false, true].flatMap((far) => along(axis, axis ? cols : rows, far)),
  );
}

// Where a label lies on the ground: those of the near edges are before the board.
function spotOf({ axis, at, far }, { rows, cols }, yaw) {
  const before = (toward, size) => (toward >= 0 !== far ? size + OUT : -OUT);
  return axis
    ? [at + 0.5, 0, before(Math.cos(yaw), rows)]
    : [before(Math.sin(yaw), cols), 0, at + 0.5];
}

export function place() {
  const { view } = app,
    { board } = view;
  const of = `${board.rows}x${board.cols}`;
  if ($("rim").dataset.of !== of) {
    spans = labelled(board);
    $("rim").dataset.of = of;
    $("rim").replaceChildren(...spans.map(({ span }) => span));
  }
  for (const one of spans) {
    const [x, y] = view.point(spotOf(one, board, view.yaw));
    const tile = pointed?.tile[one.axis];
    one.span.hidden = one.far && view.under(x, y, false) !== null;
    one.span.classList.toggle("on", tile === one.at);
    one.span.style.left = `${x}px`;
    one.span.style.top = `${y}px`;
  }
  $("chip").hidden = !pointed;
  if (!pointed) return;
  const [x, y] = view.spot(...pointed.tile, pointed.level);
  const { clientWidth: wide, clientHeight: high } = $("stage"),
    { offsetWidth: own } = $("chip");
  $("chip").style.left = `${x > own + 32 ? x - own - 24 : Math.min(x + 24, wide - own)}px`;
  $("chip").style.top = `${Math.max(0, Math.min(y + 8, high - 30))}px`;
}

// The surface under the pointer; null: none.
export function pointAt(at) {
  pointed = at;
  const tile = at && nameOf(...at.tile);
  $("chip").textContent = at ? `${tile} · ${at.level}` : "";
  $("where").textContent = at ? t("at", { tile, level: at.level }) : "";
}

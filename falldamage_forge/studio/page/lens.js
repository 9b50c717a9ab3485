// A finger that rests hides its tile: what lies under it is seen larger, above the finger.
import { app } from "./app.js";
import { $ } from "./dom.js";

const HOLD_MS = 350; // so long a finger rests before it sees
const LARGER = 2;
const ABOVE_PX = 96; // from the finger to the middle of the lens
const EDGE_PX = 4;

let waiting = null,
  at = null; // [x, y] of the finger on the board while the lens is there

// A finger lies on the board; `held` is called if it rests there.
export function wait(point, held) {
  leave();
  waiting = setTimeout(() => {
    at = point;
    held();
    app.view.draw();
  }, HOLD_MS);
}

export const seen = () => at !== null;

// The finger of a lens has moved.
export function follow(point) {
  if (!at) return;
  at = point;
  app.view.draw();
}

// The finger has left the board, or does something that needs no lens.
export function leave() {
  clearTimeout(waiting);
  at = null;
  $("lens").hidden = true;
}

// Above the finger; beside it where there is no room above.
function middle([x, y], size, wide) {
  const half = size / 2;
  const fits = (value) => Math.max(half + EDGE_PX, Math.min(wide - half - EDGE_PX, value));
  if (y - ABOVE_PX - half >= 0) return [fits(x), y - ABOVE_PX];
  const side = x > wide / 2 ? -1 : 1;
  return [fits(x + side * ABOVE_PX), Math.max(half + EDGE_PX, y - half)];
}

// After the board is drawn, as its picture is there for that moment only.
export function place() {
  if (!at || !app.view.gl) return;
  const { canvas } = app.view,
    glass = $("lens");
  glass.hidden = false;
  const size = glass.clientWidth,
    fine = canvas.width / canvas.clientWidth,
    across = size / LARGER;
  const [x, y] = middle(at, glass.offsetWidth, canvas.clientWidth);
  glass.style.left = `${x}px`;
  glass.style.top = `${y}px`;
  const picture = $("lens-picture");
  picture.width = picture.height = Math.round(size * fine);
  const corner = at.map((value) => (value - across / 2) * fine);
  picture
    .getContext("2d")
    .drawImage(canvas, ...corner, across * fine, across * fine, 0, 0, picture.width, picture.width);
}

// Units of a game as standees over the board: figures in frames, and names that do not overlap.
import { app } from "./app.js";
import { $, element } from "./dom.js";
import { lasts, onWay, shoved } from "./moving.js";
import { BOX, sign } from "./signs.js";
import { SIDES } from "./tints.js";

const TILE = 340; // a tile, and a little onWay neighbours
const LEAST = 20; // pixels across
let shown = []; // {unit, at, drawn, name, wide}
let ways = new Map(); // of units that move now, by number: {from, begun, lasts, pass}

function standee(unit, active) {
  const drawn = element("div", "", `standee${active ? " active" : ""}${unit.done ? " done" : ""}`);
  drawn.style.color = SIDES[unit.side];
  const name = element("b", unit.title);
  const health = element("span", `♥${unit.health}${unit.done ? " ✓" : ""}`);
  drawn.append(name, sign(unit), health);
  return { unit, active, drawn, name, wide: 0 };
}

// Shows units; `active` is the number of the one that acts.
export function stand(units, active) {
  const before = new Map(shown.map((one) => [one.unit.number, one]));
  const now = performance.now(),
    ms = lasts();
  for (const unit of units) {
    const { unit: old, active: acted } = before.get(unit.number) ?? {};
    const own = acted || unit.number === active || unit.done > old?.done;
    // A unit that does not act is moved by others.
    if (ms && old?.card === unit.card && `${old.place}` !== `${unit.place}`)
      ways.set(unit.number, {
        from: point(old.place), begun: now, lasts: ms, pass: own ? onWay : shoved,
      });
  }
  shown = units.map((unit) => standee(unit, unit.number === active));
  $("standees").replaceChildren(...shown.map(({ drawn }) => drawn));
  for (const one of shown) one.wide = one.name.offsetWidth;
  if (ways.size) requestAnimationFrame(step);
}

const point = ([row, col, level]) => [col + 0.5, app.view.height(row, col, level), row + 0.5];

function step(now) {
  for (const [number, way] of ways) if (now - way.begun >= way.lasts) ways.delete(number);
  place();
  if (ways.size) requestAnimationFrame(step);
}

// The point at which a unit is seen: on its surface, or on its way there.
function seenAt(unit) {
  const way = ways.get(unit.number);
  const to = point(unit.place);
  if (!way) return to;
  const share = Math.max(0, Math.min(1, (performance.now() - way.begun) / way.lasts));
  return way.pass(way.from, to, share);
}

const clash = (a, b) =>
  Math.abs(a.x - b.x) * 2 < a.wide + b.wide && Math.abs(a.y - b.y) * 2 < a.high + b.high;

// Which names are shown: those of the first that lie over no other. Each is {x, y, wide, high}
// about its middle.
export function apart(names) {
  const kept = [];
  return names.map((one) => {
    const free = !kept.some((other) => clash(one, other));
    if (free) kept.push(one);
    return free;
  });
}

const FEET = 8; // pixels below a figure that still belong to it
const high = (across) => (across * BOX[3]) / BOX[2];

// The number of the figure at a point, the nearest of several; each stands on its {x, y}.
export function figureAt(figures, x, y) {
  const found = figures.filter((one) => {
    const above = one.y + FEET - y;
    return Math.abs(x - one.x) * 2 <= one.across && above >= 0 && above <= high(one.across) + FEET;
  });
  return figures.indexOf(found.sort((a, b) => b.y - a.y)[0]);
}

// The surface of the unit whose figure is at a point of the picture.
export function standsAt(x, y) {
  const { unit } = shown[figureAt(shown.map(({ spot }) => spot ?? {}), x, y)] ?? {};
  return unit ? { tile: unit.place.slice(0, 2), level: unit.place[2] } : null;
}

const NAME = 16; // pixels high

// Standees go where their surfaces are seen; behind a column they are faint, but the one that acts.
export function place() {
  const { view } = app;
  if (!shown.length) return;
  const right = [Math.cos(view.yaw), 0, -Math.sin(view.yaw)];
  const spots = shown.map(({ unit, active, wide }) => {
    const [row, col, level] = unit.place;
    const at = seenAt(unit);
    const [x, y] = view.point(at);
    const tile = view.point(at.map((v, i) => v + right[i]))[0] - x;
    const across = Math.max(LEAST, (tile * BOX[2]) / TILE);
    const head = y - high(across) - NAME / 2;
    const seen = view.under(...view.spot(row, col, level));
    const top = !seen || (seen.level === level && `${seen.tile}` === `${[row, col]}`);
    const open = active || top;
    return { x, y, across, active, open, name: { x, y: head, wide, high: NAME } };
  });
  // The one that acts keeps its name, then the nearest.
  const first = spots.filter(({ open }) => open);
  first.sort((a, b) => b.active - a.active || b.y - a.y);
  const free = apart(first.map(({ name }) => name));
  const named = new Set(first.filter((_, order) => free[order]));
  spots.forEach((spot, i) => {
    const { drawn } = shown[i], { x, y, across, open } = spot;
    shown[i].spot = spot;
    drawn.style.left = `${x}px`;
    drawn.style.top = `${y}px`;
    drawn.style.width = `${across}px`;
    drawn.style.zIndex = Math.round(y);
    drawn.classList.toggle("behind", !open);
    drawn.classList.toggle("brief", !named.has(spot));
  });
}

// How moves and dice are seen: how long they last, the way of a unit, the faces of rolls.
import { keep } from "./app.js";

export const SPEEDS = { none: 0, fast: 180, slow: 600 }; // milliseconds of a move
export const FACES = "⚀⚁⚂⚃⚄⚅";
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export const speed = () => keep.get("speed") ?? (calm() ? "none" : "fast");
export const lasts = () => SPEEDS[speed()] ?? 0;

// A point on the way from one place to another: slower at its end, with a hop in its middle.
export function onWay(from, to, share, hop = 0.35) {
  const at = 1 - (1 - share) ** 2;
  const [x, y, z] = from.map((value, i) => value + (to[i] - value) * at);
  return [x, y + hop * 4 * at * (1 - at), z];
}

const EDGE = 0.45; // share of its time after which a unit that falls is over the edge

// A point on the way of a unit that others move: it slides without a hop, over an edge it falls.
export function shoved(from, to, share) {
  const drop = from[1] - to[1];
  if (drop <= 0) return onWay(from, to, share, 0);
  const out = Math.min(1, share / EDGE);
  const down = Math.max(0, (share - EDGE) / (1 - EDGE));
  const [x, , z] = from.map((value, i) => value + (to[i] - value) * out);
  return [x, from[1] - drop * down ** 2, z];
}

// The rolls in lines of a log, such as `die 4` and `coin heads`.
export function faces(lines) {
  return lines
    .filter((line) => /^(die|coin) /.test(line))
    .map((line) => {
      const [kind, value] = line.split(" ");
      return { sign: kind === "die" ? FACES[value - 1] : "◉", value };
    });
}

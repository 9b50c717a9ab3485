// What two fingers mean as they move: how far they spread and twist, and what they move together.
// Nothing here knows the page.

const TAP_MS = 400; // so long two fingers may lie on the board and still have tapped
const STILL_PX = 14; // so far a finger that taps may slip

const spanOf = (one, other) => Math.max(1, Math.hypot(one[0] - other[0], one[1] - other[1]));
const angleOf = (one, other) => Math.atan2(one[1] - other[1], one[0] - other[0]);
const least = (one, other) =>
  one * other > 0 ? Math.sign(one) * Math.min(Math.abs(one), Math.abs(other)) : 0;

// One of two fingers has gone from one point to another: how often farther they are apart, and
// by what angle they have turned, clockwise on the screen.
export function pinched(from, to, other) {
  const turned = angleOf(to, other) - angleOf(from, other);
  return {
    spread: spanOf(to, other) / spanOf(from, other),
    twist: Math.atan2(Math.sin(turned), Math.cos(turned)),
  };
}

// Two fingers on the board since a moment.
export class Pair {
  constructor(since) {
    this.since = since;
    this.far = 0; // the way of both
    this.left = new Map(); // by finger, what the other one has not moved with it
  }

  // A finger has moved by [x, y]; returns what both have moved together.
  moved(id, way) {
    this.far += Math.hypot(...way);
    const own = (this.left.get(id) ?? [0, 0]).map((at, i) => at + way[i]);
    const [key, others] = [...this.left].find(([one]) => one !== id) ?? [];
    const both = own.map((at, i) => least(at, others?.[i] ?? 0));
    this.left.set(id, own.map((at, i) => at - both[i]));
    if (others) this.left.set(key, others.map((at, i) => at - both[i]));
    return both;
  }

  // Whether both only tapped.
  tapped(now) {
    return this.far <= STILL_PX && now - this.since <= TAP_MS;
  }
}

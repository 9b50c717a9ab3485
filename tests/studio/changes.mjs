// The algebra of changes, tried on random texts; says how many it tried.
import assert from "node:assert";
import { argv } from "node:process";

const { applied, between, composed, cost, crossed, edit, holds, moved } = await import(argv[2]);
let seed = 7;
const below = (count) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 65536) % count; };
const SIGNS = ["a", "b", "\n", "1", "-", "0", " ", "😀", "😁"]; // what looks like a number is a text, too
const text = () => Array.from({ length: below(12) }, () => SIGNS[below(SIGNS.length)]).join("");

for (let count = 0; count < Number(argv[3]); count += 1) {
  const base = text(), mine = text(), theirs = text(), later = text();
  const other = between(base, theirs);
  const caret = below(mine.length + 1);
  for (const own of [between(base, mine), edit(base, mine), edit(base, mine, caret)]) {
    assert.equal(applied(base, own), mine);
    assert.equal(applied(base, composed(own, between(mine, later))), later);
    const [left, right] = crossed(own, other);
    const both = applied(theirs, left);
    assert.equal(both, applied(mine, right)); // whoever comes first
    for (const step of [...own, ...other]) if (typeof step === "string") for (const sign of step) assert(both.includes(sign));
    assert.equal(both.length, base.length + put(own) + put(other) - taken(base, own, other));
    assert(both.isWellFormed?.() ?? true);
    const place = moved(caret, right);
    assert(place >= 0 && place <= both.length);
  }
  assert.equal(cost(between(base, base)), 0);
  assert(holds(mine, base, mine));
  assert(holds(applied(mine, [mine.length, "x"]), base, mine));
}

function put(change) { return change.reduce((sum, step) => sum + (typeof step === "string" ? step.length : 0), 0); }

// How many signs of the base either takes out.
function taken(base, ...changes) {
  const gone = new Set();
  for (const change of changes) {
    let at = 0;
    for (const step of change) {
      if (typeof step === "string") continue;
      if (step < 0) for (let sign = at; sign < at - step; sign += 1) gone.add(sign);
      at += Math.abs(step);
    }
  }
  return gone.size;
}

console.log(argv[3]);

// Changes of a text, as lists of steps from its beginning on: a positive number keeps so many
// signs, a negative one takes them out, a text is put in; what comes behind the last step is kept.
// All pure.
const MOST = 250_000; // pairs of lines or signs that are compared; what is larger is replaced whole
const keeps = (step) => typeof step === "number" && step > 0; // "1" > 0, too, says JavaScript
const takes = (step) => typeof step === "number" && step < 0;
const size = (step) => (typeof step === "string" ? step.length : Math.abs(step));

function push(change, step) {
  if (!step) return;
  const last = change.length - 1;
  if (typeof step === "string") {
    // It stands before what is taken out at the same place, so that each change has one form.
    const at = takes(change[last]) ? last : last + 1;
    if (typeof change[at - 1] === "string") change[at - 1] += step;
    else change.splice(at, 0, step);
  } else if (typeof change[last] === "number" && change[last] < 0 === step < 0)
    change[last] += step;
  else change.push(step);
}

const ended = (change) => {
  while (keeps(change.at(-1))) change.pop();
  return change;
};

// A change read in parts; behind its end it keeps all there is.
class Reader {
  constructor(change) {
    this.steps = [...change].reverse();
  }

  get more() {
    return this.steps.length > 0;
  }
  get puts() {
    return typeof this.steps.at(-1) === "string";
  }
  get takes() {
    return takes(this.steps.at(-1));
  }
  get left() {
    return this.more ? size(this.steps.at(-1)) : Infinity;
  }

  next(count = this.left) {
    if (!this.more) return count;
    const step = this.steps.pop();
    if (count === size(step)) return step;
    const text = typeof step === "string";
    this.steps.push(text ? step.slice(count) : step - Math.sign(step) * count);
    return text ? step.slice(0, count) : Math.sign(step) * count;
  }
}

export function applied(text, change) {
  let out = "",
    at = 0;
  for (const step of change) {
    if (typeof step === "string") out += step;
    else if (step < 0) at -= step;
    else {
      out += text.slice(at, at + step);
      at += step;
    }
  }
  return out + text.slice(at);
}

// One change after another, as one.
export function composed(one, other) {
  const a = new Reader(one),
    b = new Reader(other),
    change = [];
  while (a.more || b.more) {
    if (b.puts) push(change, b.next());
    else if (a.takes) push(change, a.next());
    else {
      const count = Math.min(a.left, b.left),
        before = a.next(count),
        after = b.next(count);
      if (keeps(after)) push(change, before);
      else if (typeof before === "number") push(change, after);
    }
  }
  return ended(change);
}

// Two changes of one text as they are after each other: [mine after theirs, theirs after mine]. At
// the same place mine stands first: whoever types on is not torn apart.
export function crossed(mine, theirs) {
  const a = new Reader(mine),
    b = new Reader(theirs),
    left = [],
    right = [];
  while (a.more || b.more) {
    if (a.puts) {
      const text = a.next();
      push(left, text);
      push(right, text.length);
    } else if (b.puts) {
      const text = b.next();
      push(left, text.length);
      push(right, text);
    } else {
      const count = Math.min(a.left, b.left),
        [x, y] = [a.next(count), b.next(count)];
      if (keeps(y)) push(left, x);
      if (keeps(x)) push(right, y);
    }
  }
  return [ended(left), ended(right)];
}

// Where a place of the text is after a change; what is put in right there comes behind it.
export function moved(place, change) {
  let at = 0,
    out = place;
  for (const step of change) {
    if (at > place || (at === place && typeof step === "string")) break;
    if (typeof step === "string") out += step.length;
    else if (step > 0) at += step;
    else {
      out -= Math.min(-step, place - at);
      at -= step;
    }
  }
  return out;
}

// How many signs a change puts in and takes out.
export const cost = (change) =>
  change.reduce((sum, step) => sum + (keeps(step) ? 0 : size(step)), 0);

const halves = (text, at) =>
  at > 0 &&
  at < text.length &&
  /[\udc00-\udfff]/.test(text[at]) &&
  /[\ud800-\udbff]/.test(text[at - 1]);

// What a hand did: one place, which ends at the caret.
export function edit(before, after, caret = after.length) {
  let tail = 0,
    head = 0;
  const rest = Math.min(before.length, after.length - caret);
  while (
    tail < rest &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail += 1;
  if (halves(before, before.length - tail) || halves(after, after.length - tail)) tail -= 1;
  const least = Math.min(before.length, after.length) - tail;
  while (head < least && before.charCodeAt(head) === after.charCodeAt(head)) head += 1;
  if (halves(before, head) || halves(after, head)) head -= 1;
  const change = [];
  for (const step of [head, after.slice(head, after.length - tail), head + tail - before.length])
    push(change, step);
  return ended(change);
}

// Calls `keep` with each unit that two lists share, in order, and `swap` with what lies between.
function compared(a, b, keep, swap) {
  let head = 0,
    tail = 0;
  const least = Math.min(a.length, b.length);
  while (head < least && a[head] === b[head]) head += 1;
  while (tail < least - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  keep(a.slice(0, head));
  shared(a.slice(head, a.length - tail), b.slice(head, b.length - tail), keep, swap);
  keep(a.slice(a.length - tail));
}

// The longest common list, by the table that every textbook has.
function shared(a, b, keep, swap) {
  if (!a.length || !b.length || a.length * b.length > MOST) return swap(a, b);
  const wide = b.length + 1,
    longest = new Uint32Array((a.length + 1) * wide);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * wide + j] =
        a[i] === b[j]
          ? longest[(i + 1) * wide + j + 1] + 1
          : Math.max(longest[(i + 1) * wide + j], longest[i * wide + j + 1]);
    }
  }
  let i = 0,
    j = 0,
    from = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      swap(a.slice(from[0], i), b.slice(from[1], j));
      keep([a[i]]);
      i += 1;
      j += 1;
      from = [i, j];
    } else if (longest[(i + 1) * wide + j] >= longest[i * wide + j + 1]) i += 1;
    else j += 1;
  }
  return swap(a.slice(from[0]), b.slice(from[1]));
}

const LINES = /[^\n]*\n|[^\n]+/g;

// What leads from one text to another: lines first, and within changed lines the signs.
export function between(before, after) {
  const change = [];
  if (before === after) return change;
  const kept = (units) =>
    push(
      change,
      units.reduce((sum, unit) => sum + unit.length, 0),
    );
  const signs = (old, now) => {
    push(change, now.join(""));
    push(change, -old.join("").length);
  };
  const lines = (old, now) => {
    const a = old.join(""),
      b = now.join("");
    if (a.length * b.length <= MOST) {
      compared([...a], [...b], kept, signs);
      return;
    }
    const whole = edit(a, b);
    for (const step of whole) push(change, step);
    push(
      change,
      whole.reduce(
        (left, step) => left - (typeof step === "string" ? 0 : Math.abs(step)),
        a.length,
      ),
    );
  };
  compared(before.match(LINES) ?? [], after.match(LINES) ?? [], kept, lines);
  return ended(change);
}

// Whether a text has in it what leads from another one to a third.
export function holds(text, base, own) {
  return (
    text === own ||
    cost(between(base, own)) + cost(between(own, text)) === cost(between(base, text))
  );
}

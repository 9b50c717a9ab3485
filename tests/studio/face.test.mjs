// What the page computes without a browser: the camera, the pointer's tile, marks. Run by node's runner.
import assert from "node:assert/strict";
import { test } from "node:test";
import { env } from "node:process";

const from = (name) => import(`${env.PAGE}/${name}.js`);
const { fitted, homeOf, matrixOf, seen, wayOf, eyeOf, between, TOP } = await from("camera");
const { pick } = await from("pick");
const { trianglesOf } = await from("marks");
const { apart, figureAt } = await from("standees");
const { actsOf, among, causesOf, deathsOf, outcomeOf, pushesOf, stateOf } = await from("decision");
const { faces, lasts, onWay, shoved } = await from("moving");
const { pictureOf } = await from("stamp_picture");
const { exactly, levelsOf, line } = await from("stroke");
const { TOOLS, areaOf, nameOf, tileOf } = await from("tools");

// Draws in a fixed order, so that a failure comes again.
let last = 7;
const draw = (below) => { last = (last * 16807) % 2147483647; return last % below; };
const BOARDS = Array.from({ length: 12 }, () => {
  const rows = 5 + draw(8), cols = 5 + draw(8);
  const columns = Array.from({ length: rows * cols }, () => [draw(3) ? 0 : draw(6), "ground", null]);
  return { rows, cols, columns, decks: [] };
});
const rimOf = ({ rows, cols }) => [[0, 0, 0], [cols, 0, 0], [cols, 0, rows], [0, 0, rows]];
const ASPECTS = [0.5, 1, 1.4, 2.2];
const ANGLES = [[390, 844], [800, 600], [800, 1200], [1440, 900]].map((of) => homeOf(...of)).concat(TOP);

test("home shows the whole rim, as large as its share allows", () => {
  for (const board of BOARDS) {
    for (const aspect of ASPECTS) {
      for (const angles of ANGLES) {
        const pose = fitted(angles, aspect, rimOf(board), [], 0.9);
        const spots = rimOf(board).map((at) => seen(matrixOf(pose, aspect), at));
        const most = Math.max(...[0, 1].map((i) => Math.max(...spots.map((s) => s[i])) - Math.min(...spots.map((s) => s[i])))) / 2;
        assert.ok(Math.abs(most - 0.9) < 0.02, `${most}`);
        assert.ok(spots.flat().every((v) => Math.abs(v) < 0.95), `${spots}`);
      }
    }
  }
});

test("the way through a point that is seen leads to it", () => {
  const pose = { ...homeOf(1440), far: 20, aim: [5, 0, 5] };
  for (const at of [[0, 0, 0], [9, 3, 2], [4, 1, 8]]) {
    const way = wayOf(pose, 1.3, seen(matrixOf(pose, 1.3), at)), eye = eyeOf(pose);
    const far = Math.hypot(...at.map((v, i) => v - eye[i]));
    at.forEach((v, i) => assert.ok(Math.abs(eye[i] + way[i] * far - v) < 1e-3));
  }
});

// The surface under the middle of a tile's top.
function under(board, pose, row, col, glass) {
  const level = board.columns[row * board.cols + col][0];
  const way = wayOf(pose, 1.3, seen(matrixOf(pose, 1.3), [col + 0.5, level, row + 0.5]));
  return pick(board, eyeOf(pose), way, glass);
}

test("from above, and through glass behind one tower, each tile is hit at its middle", () => {
  for (const board of BOARDS) {
    const flat = { ...board, columns: board.columns.map(() => [0, "ground", null]) };
    flat.columns[Math.floor(board.rows / 2) * board.cols + Math.floor(board.cols / 2)] = [6, "ground", null];
    const pose = fitted(homeOf(1440), 1.3, rimOf(board), [], 0.9);
    let hidden = 0;
    for (let row = 0; row < board.rows; row += 1) {
      for (let col = 0; col < board.cols; col += 1) {
        const top = under(board, { ...pose, ...TOP, far: 200 }, row, col, false);
        assert.deepEqual([top.tile, top.side], [[row, col], null]);
        const plain = under(flat, pose, row, col, false), clear = under(flat, pose, row, col, true);
        if (String(plain.tile) === `${row},${col}`) continue;
        hidden += 1;
        // A top may still lie before it; a side never does.
        assert.ok(String(clear.tile) === `${row},${col}` || clear.level === 6);
      }
    }
    assert.ok(hidden > 0, "a tower of six levels hides a tile");
  }
});

test("a side that is hit faces the eye", () => {
  const board = { rows: 3, cols: 3, columns: Array.from({ length: 9 }, (_, at) => [at === 4 ? 3 : 0, "ground", null]), decks: [] };
  for (const [yaw, side] of [[0, [1, 0]], [Math.PI / 2, [0, 1]], [Math.PI, [-1, 0]], [-Math.PI / 2, [0, -1]]]) {
    const pose = { yaw, pitch: 0.3, far: 9, aim: [1.5, 1.5, 1.5] };
    const found = pick(board, eyeOf(pose), wayOf(pose, 1, [0, 0]));
    assert.deepEqual([found.tile, found.level, found.side], [[1, 1], 3, side]);
  }
});

test("a flight begins and ends at its poses and goes the shorter way round", () => {
  const a = { yaw: 3, pitch: 0.5, far: 9, aim: [0, 0, 0] }, b = { yaw: -3, pitch: 1, far: 12, aim: [1, 2, 3] };
  assert.deepEqual(between(a, b, 0), a);
  const end = between(a, b, 1);
  assert.ok(Math.abs(Math.cos(end.yaw) - Math.cos(b.yaw)) < 1e-9 && end.far === 12);
  assert.ok(between(a, b, 0.5).yaw > 3);
});

test("marks are whole triangles, and of a refusal the outline has gaps", () => {
  const height = (row, col, level) => level;
  const mark = { row: 1, col: 2, level: 1, colour: [1, 0, 0, 0.5], edge: true, box: 0 };
  const legal = trianglesOf([mark], height), bad = trianglesOf([{ ...mark, bad: true }], height);
  assert.equal(legal.length % (7 * 3), 0);
  assert.ok(bad.length > legal.length);
  assert.equal(trianglesOf([], height).length, 0);
});

test("names of tiles are read back, and areas name each tile once", () => {
  for (let i = 0; i < 200; i += 1) {
    const tile = [draw(50), draw(60)];
    assert.deepEqual(tileOf(nameOf(...tile)), tile);
  }
  assert.equal(areaOf([[0, 0], [0, 1], [1, 0], [1, 1], [3, 3]]), "A1..B2, D4");
});

test("the picture of a stamp lies in its box, each sign among the faces", () => {
  for (const { rows, cols, columns } of BOARDS) {
    const cells = Array.from({ length: rows }, (_, row) => (
      columns.slice(row * cols, (row + 1) * cols).map(([level, ground]) => [level, ground, draw(4) ? null : "tree"])));
    const { box: [left, top, wide, high], faces, signs } = pictureOf(cells);
    const inside = ([x, y]) => x >= left && x <= left + wide && y >= top && y <= top + high;
    assert.ok(faces.every(({ points }) => points.every(inside)) && signs.every(({ place }) => inside(place)));
    const flat = cells.flat();
    assert.equal(faces.length, flat.length + 2 * flat.filter(([level]) => level).length);
    assert.equal(signs.length, flat.filter(([, , feature]) => feature).length);
  }
});

test("a pull of a level's height is one level, whichever way, and none from above is endless", () => {
  for (const step of [15, 30, 61]) {
    for (const by of [-3, -1, 0, 2]) assert.equal(levelsOf(by * step, step), by);
  }
  assert.ok(Math.abs(levelsOf(100, 0)) < 10);
});

test("each tool has one key and one name", () => {
  for (const field of ["key", "name"]) assert.equal(new Set(TOOLS.map((tool) => tool[field])).size, TOOLS.length);
});

test("names that are shown lie apart, the first stays, and each that is left out lies over one", () => {
  const clash = (a, b) => Math.abs(a.x - b.x) < (a.wide + b.wide) / 2 && Math.abs(a.y - b.y) < (a.high + b.high) / 2;
  for (let round = 0; round < 50; round += 1) {
    const names = Array.from({ length: 16 }, () => ({ x: draw(400), y: draw(200), wide: 30 + draw(60), high: 16 }));
    const kept = names.filter((_, i) => apart(names)[i]);
    assert.ok(apart(names)[0]);
    for (const one of names) assert.equal(kept.filter((other) => other === one || clash(one, other)).length > 0, true);
    for (const one of kept) assert.deepEqual(kept.filter((other) => clash(one, other)), [one]);
  }
});

test("a unit goes from its place to the next one, above the straight line", () => {
  const from = [1, 0, 2], to = [4, 2, 0];
  assert.deepEqual(onWay(from, to, 0), from);
  assert.deepEqual(onWay(from, to, 1), to);
  let before = 1;
  for (let step = 1; step < 10; step += 1) {
    const [x, y] = onWay(from, to, step / 10);
    assert.ok(x > before && y > ((x - 1) / 3) * 2);
    before = x;
  }
});

test("a unit that others move slides, and falls once it is over the edge", () => {
  const flat = [[1, 2, 2], [2, 2, 2]];
  for (let step = 0; step <= 10; step += 1) assert.equal(shoved(...flat, step / 10)[1], 2);
  const from = [1, 3, 2], to = [2, 0, 2];
  assert.deepEqual(shoved(from, to, 0), from);
  assert.deepEqual(shoved(from, to, 1), to);
  let [x, y] = from, fell = 0;
  for (let step = 1; step <= 20; step += 1) {
    const [across, high] = shoved(from, to, step / 20);
    assert.ok(across >= x && high <= y);
    if (high < from[1]) assert.equal(across, to[0]);
    assert.ok(y - high >= fell - 1e-9, "it falls faster and faster");
    [fell, x, y] = [y - high, across, high];
  }
  const up = shoved(to, from, 0.5);
  assert.ok(up[1] > 0 && up[1] < 3);
});

test("rolls are read from the log, and nothing moves where less motion is wanted", () => {
  const rolled = faces(["die 4", "Bandit C3", "coin heads", "die 1"]);
  assert.deepEqual(rolled.map(({ value }) => value), ["4", "heads", "1"]);
  assert.deepEqual(rolled.map(({ sign }) => sign), ["⚃", "◉", "⚀"]);
  for (const matches of [true, false]) {
    globalThis.matchMedia = () => ({ matches });
    assert.equal(lasts() === 0, matches);
  }
});

test("a point hits the nearest figure that it lies in, and no other", () => {
  const figures = [
    { x: 100, y: 100, across: 40 },
    { x: 110, y: 120, across: 40 },
    {},
  ];
  assert.equal(figureAt(figures, 100, 98), 1);
  assert.equal(figureAt(figures, 85, 98), 0);
  assert.equal(figureAt(figures, 110, 140), -1);
  assert.equal(figureAt(figures, 140, 100), -1);
  assert.equal(figureAt([], 1, 1), -1);
});

test("a stroke leaves no gap and ends where the hand is", () => {
  for (let to = 0; to < 100; to += 1) {
    const end = [Math.floor(to / 10), to % 10], path = [[4, 5], ...line([4, 5], end)];
    assert.deepEqual(path.at(-1), end);
    path.slice(1).forEach(([row, col], i) => {
      const step = [Math.abs(row - path[i][0]), Math.abs(col - path[i][1])];
      assert.equal(Math.max(...step), 1, `${path}`);
    });
  }
});

test("a tile under a bridge is named with the level that is meant", () => {
  const board = { cols: 3, columns: [[2], [1], [2]], decks: [{ level: 2, tiles: [[0, 1]] }] };
  assert.deepEqual(exactly(board, [0, 1], 2), [0, 1, 2]);
  assert.deepEqual(exactly(board, [0, 1], 1), [0, 1, 1]);
  assert.deepEqual(exactly(board, [0, 0], 2), [0, 0]);
});

// Moves of a decision as a game's message has them.
const KINDS = ["move", "attack", "unit", "end", "bomb"];
const decisionOf = (count) => Array.from({ length: count }, (_, number) => {
  const hit = draw(4), health = draw(2) ? [[hit, draw(3)]] : [];
  const died = health.filter(([, left]) => !left);
  return {
    text: `${number}`, kind: KINDS[draw(KINDS.length)], act: "Act", place: [draw(5), draw(5), 0],
    effects: [
      { kind: "attack", words: "hurts", unit: hit, figure: "-2", place: null },
      { kind: "pushed", words: "is pushed", unit: hit, figure: "B2@0", place: [1, 1, 0] },
      ...died.map(() => ({ kind: "die", words: "dies", unit: hit, figure: "", place: [1, draw(2), 0] })),
    ],
    health,
  };
});

test("each move but the choice of a unit belongs to one act, and an act lights its moves alone", () => {
  for (let count = 0; count < 30; count += 1) {
    const moves = decisionOf(count), acts = actsOf(moves);
    const texts = acts.flatMap((act) => act.moves).map(({ text }) => Number(text));
    assert.deepEqual(texts.toSorted((a, b) => a - b),
      moves.filter(({ kind }) => kind !== "unit").map(({ text }) => Number(text)));
    assert.equal(new Set(acts.map(({ kind }) => kind)).size, acts.length);
    for (const { kind, moves: own } of acts) assert.deepEqual(among(moves, kind), own);
    assert.deepEqual(among(moves, null), moves);
  }
});

test("an outcome has each unit whose health changes once, and skulls lie where units die", () => {
  const units = [0, 1, 2, 3].map((number) => ({ number, place: number ? [number, 0, 0] : null }));
  for (const move of decisionOf(200)) {
    const { deaths, left } = outcomeOf(move);
    assert.equal(deaths.length + left.length, move.health.length);
    assert.ok(left.every((one) => one.left > 0));
    assert.ok(causesOf(move).every(({ kind }) => kind !== "die"));
    assert.equal(deathsOf([move, move]).length, deaths.length);
    assert.equal(pushesOf(move, units).length, move.effects[0].unit ? 1 : 0);
  }
});

test("a unit is out, aside, acting, done, or has its turn before it", () => {
  const unit = { number: 3, place: [0, 0, 0], health: 2, done: true };
  assert.equal(stateOf(unit, 3), "unitActs");
  assert.equal(stateOf(unit, 4), "unitDone");
  assert.equal(stateOf({ ...unit, done: false }, null), null);
  assert.equal(stateOf({ ...unit, place: null }, 3), "unitAside");
  assert.equal(stateOf({ ...unit, place: null, health: 0 }, 3), "unitOut");
});

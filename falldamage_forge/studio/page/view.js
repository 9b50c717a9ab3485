// The board on the screen: printed parts or a drawing, and marks on them. Drawn on demand only.
import { SUN, lightOf } from "./light.js";
import { Parts } from "./parts.js";
import { pick } from "./pick.js";
import { MARKS, SKETCH, program } from "./shaders.js";
import { UP, keyOf, meshOf } from "./shapes.js";

const CAP = 0.064; // how much higher a tile is for water, lava or a start's marker
const SLOW_MS = 900;

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => a.map((v) => v / (Math.hypot(...a) || 1));

export class View {
  constructor(canvas) {
    this.canvas = canvas;
    this.low = location.search.includes("quality=low");
    this.gl = canvas.getContext("webgl2", { antialias: !this.low });
    this.yaw = -0.6;
    this.pitch = 0.85;
    this.far = null;
    this.aim = [0, 0, 0];
    this.board = null;
    this.partsBoard = null; // the board that the printed parts are of
    this.printed = !this.low;
    this.marks = [];
    this.figures = []; // units of a game: {place: [row, col, level], side}
    this.frames = 0;
    this.onslow = () => {};
    if (!this.gl) return;
    this.parts = new Parts(() => this.settle());
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => this.begin());
    new ResizeObserver(() => this.draw()).observe(canvas);
    this.begin();
  }

  begin() {
    const { gl } = this;
    this.table = this.layer(SKETCH);
    this.marking = this.layer(MARKS);
    this.parts.begin(gl);
    this.texture = gl.createTexture();
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    if (this.board) this.show(this.board);
  }

  // A drawing program with a buffer of its own for vertices of floats.
  layer(source) {
    const { gl } = this;
    const { made, slot } = program(gl, source);
    const array = gl.createVertexArray(), buffer = gl.createBuffer();
    const stride = source.fields.reduce((sum, [, size]) => sum + size, 0);
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    let offset = 0;
    for (const [name, size] of source.fields) {
      const at = gl.getAttribLocation(made, name);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, size, gl.FLOAT, false, stride * 4, offset * 4);
      offset += size;
    }
    return { made, slot, array, buffer, stride, count: 0 };
  }

  fill(layer, data) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, layer.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    layer.count = data.length / layer.stride;
  }

  show(board) {
    const resized = !this.board || this.board.rows !== board.rows || this.board.cols !== board.cols;
    this.board = board;
    if (resized) this.home();
    if (!this.gl) return;
    const { gl } = this;
    const { data, wide, deep } = lightOf(board);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, wide, deep, 0, gl.RGBA, gl.UNSIGNED_BYTE, data);
    for (const [name, value] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_2D, name, value);
    this.settle();
  }

  home() {
    const { board } = this;
    const size = Math.max(board.rows, board.cols);
    const nearer = 0.06 * size; // what is near is large: look a little before the middle
    this.aim = [board.cols / 2 + nearer * Math.sin(this.yaw), 0.2, board.rows / 2 + nearer * Math.cos(this.yaw)];
    this.far = size * 1.85;
    this.draw();
  }

  // The parts of a board.
  build(parts, board) {
    this.partsBoard = board;
    if (!this.gl) return;
    this.parts.take(parts);
    this.settle();
  }

  look(printed) {
    this.printed = printed;
    if (this.board) this.settle();
  }

  // What is drawn, and what is shown as parts: of tiles that changed since, and of parts whose mesh
  // has not come yet, a drawing.
  settle() {
    if (!this.gl || !this.board) return;
    const { board, partsBoard } = this;
    const same = partsBoard && partsBoard.rows === board.rows && partsBoard.cols === board.cols && this.parts.list.length;
    this.mixed = Boolean(this.printed && same);
    this.drawnTiles = this.mixed ? this.parts.settle(changed(partsBoard, board)) : null;
    this.fill(this.table, meshOf(board, this.drawnTiles, this.figures.map((one) => [...one.place.slice(0, 2), this.height(...one.place), one.side])));
    this.draw();
  }

  // Figures on the board: {place: [row, col, level], side}.
  stand(figures) {
    this.figures = figures;
    this.settle();
  }

  // Marks: {row, col, level, colour: [r, g, b, a], frame} lying on a tile; or {line: [place, place],
  // colour}, an arrow between two places [row, col, level].
  mark(marks) {
    this.marks = marks;
    this.draw();
  }

  // How high a surface of the board is in tiles, with what lies on it.
  height(row, col, level) {
    const own = this.board.columns[row * this.board.cols + col];
    let caps = own && own[0] === level && (own[1] === "water" || own[1] === "lava") ? 1 : 0;
    if (this.board.starts.some(({ places }) => places.some(([r, c, l]) => r === row && c === col && l === level))) caps += 1;
    return level * UP + 0.045 + caps * CAP;
  }

  marksData() {
    const data = [];
    const quad = (x0, z0, x1, z1, y, c) => {
      for (const [x, z] of [[x0, z0], [x0, z1], [x1, z1], [x0, z0], [x1, z1], [x1, z0]]) data.push(x, y, z, ...c);
    };
    for (const mark of this.marks) {
      if (mark.line) { this.arrow(data, mark); continue; }
      const { row, col, level, colour, frame, box } = mark;
      const y = this.height(row, col, level), w = 0.09;
      if (box !== undefined && box !== level) this.walls(data, row, col, Math.min(box, level) * UP, Math.max(box, level) * UP, colour);
      if (!frame) { quad(col + 0.08, row + 0.08, col + 0.92, row + 0.92, y, colour); continue; }
      quad(col, row, col + 1, row + w, y, colour);
      quad(col, row + 1 - w, col + 1, row + 1, y, colour);
      quad(col, row + w, col + w, row + 1 - w, y, colour);
      quad(col + 1 - w, row + w, col + 1, row + 1 - w, y, colour);
    }
    return new Float32Array(data);
  }

  // The sides of a column that a click would set down or take away.
  walls(data, row, col, low, high, colour) {
    const ring = [[col + 0.02, row + 0.02], [col + 0.98, row + 0.02], [col + 0.98, row + 0.98], [col + 0.02, row + 0.98]];
    ring.forEach(([x0, z0], i) => {
      const [x1, z1] = ring[(i + 1) % 4];
      for (const [x, y, z] of [[x0, low, z0], [x1, low, z1], [x1, high, z1], [x0, low, z0], [x1, high, z1], [x0, high, z0]]) data.push(x, y, z, ...colour);
    });
  }

  arrow(data, { line: [from, to], colour, bare }) {
    const [a, b] = [from, to].map(([row, col, level]) => [col + 0.5, this.height(row, col, level) + 0.06, row + 0.5]);
    const way = unit([b[0] - a[0], 0, b[2] - a[2]]), side = [-way[2] * 0.07, 0, way[0] * 0.07];
    const back = b.map((v, i) => v - way[i] * (bare ? 0 : 0.28));
    const put = (p, s) => data.push(p[0] + side[0] * s, p[1], p[2] + side[2] * s, ...colour);
    for (const [p, s] of [[a, -1], [a, 1], [back, 1], [a, -1], [back, 1], [back, -1]]) put(p, s);
    if (!bare) for (const [p, s] of [[back, -2.6], [back, 2.6], [b, 0]]) put(p, s);
  }

  eye() {
    const flat = Math.cos(this.pitch) * this.far;
    return [this.aim[0] + flat * Math.sin(this.yaw), this.aim[1] + Math.sin(this.pitch) * this.far, this.aim[2] + flat * Math.cos(this.yaw)];
  }

  axes() {
    const eye = this.eye();
    const back = unit(eye.map((v, i) => v - this.aim[i]));
    const right = unit(cross([0, 1, 0], back));
    return { eye, back, right, up: cross(back, right), lens: 2.4 };
  }

  camera() {
    const { eye, back, right, up, lens } = this.axes();
    const aspect = this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
    const wide = Math.min(1, aspect), near = 0.5, far = 300;
    const view = [right, up, back];
    const scale = [(lens * wide) / aspect, lens * wide, -(far + near) / (far - near)];
    const out = new Float32Array(16);
    for (let c = 0; c < 3; c += 1) {
      for (let r = 0; r < 3; r += 1) out[c * 4 + r] = view[r][c] * scale[r];
      out[c * 4 + 3] = -back[c];
    }
    const move = view.map((axis) => -dot(axis, eye));
    out[12] = move[0] * scale[0];
    out[13] = move[1] * scale[1];
    out[14] = move[2] * scale[2] - (2 * far * near) / (far - near);
    out[15] = -move[2];
    return out;
  }

  // Where a tile's top is on the canvas, for tips and tests, in CSS pixels.
  spot(row, col, level) {
    const m = this.camera(), p = [col + 0.5, level * UP, row + 0.5, 1];
    const [x, y, , w] = [0, 1, 2, 3].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]);
    return [((x / w + 1) / 2) * this.canvas.clientWidth, ((1 - y / w) / 2) * this.canvas.clientHeight];
  }

  under(x, y) {
    if (!this.board) return null;
    const { eye, back, right, up, lens } = this.axes();
    const { clientWidth: w, clientHeight: h } = this.canvas;
    const aspect = w / h, wide = Math.min(1, aspect);
    const u = ((x / w) * 2 - 1) * aspect / (lens * wide), v = (1 - (y / h) * 2) / (lens * wide);
    return pick(this.board, eye, unit(back.map((b, i) => right[i] * u + up[i] * v - b)));
  }

  draw() {
    if (!this.gl || this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.paint(); });
  }

  paint() {
    const { gl, canvas } = this;
    if (!this.board || gl.isContextLost()) return;
    const fine = this.low ? 1 : Math.min(2, devicePixelRatio || 1);
    const [wide, deep] = [canvas.clientWidth, canvas.clientHeight].map((v) => Math.max(1, Math.round(v * fine)));
    if (canvas.width !== wide || canvas.height !== deep) [canvas.width, canvas.height] = [wide, deep];
    gl.viewport(0, 0, wide, deep);
    const dark = document.documentElement.dataset.theme === "dark";
    const ground = dark ? [0.125, 0.14, 0.175] : [0.906, 0.863, 0.769];
    gl.clearColor(...ground, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const camera = this.camera();
    const light = ({ slot }) => {
      gl.uniformMatrix4fv(slot("camera"), false, camera);
      gl.uniform2f(slot("size"), this.board.cols, this.board.rows);
      gl.uniform3fv(slot("sun"), unit(SUN));
      gl.uniform1f(slot("level"), UP);
      gl.uniform1f(slot("night"), dark ? 1 : 0);
      gl.bindTexture(gl.TEXTURE_2D, this.texture);
    };
    const { table, marking } = this;
    gl.useProgram(table.made);
    light(table);
    gl.uniform3fv(table.slot("ground"), ground);
    gl.bindVertexArray(table.array);
    gl.drawArrays(gl.TRIANGLES, 0, table.count);
    if (this.mixed) this.parts.draw(light);
    this.fill(marking, this.marksData());
    if (marking.count) {
      gl.useProgram(marking.made);
      gl.bindVertexArray(marking.array);
      gl.uniformMatrix4fv(marking.slot("camera"), false, camera);
      gl.enable(gl.BLEND);
      gl.depthMask(false);
      gl.drawArrays(gl.TRIANGLES, 0, marking.count);
      gl.depthMask(true);
      gl.disable(gl.BLEND);
    }
    this.frames += 1;
    this.time();
    this.after?.();
  }

  // Once, when all parts stand there: does this machine draw them fast enough?
  time() {
    if (this.timed !== undefined || !this.mixed || this.parts.waiting) return;
    this.timed = 0;
    const begun = performance.now();
    this.paint();
    this.gl.readPixels(0, 0, 1, 1, this.gl.RGBA, this.gl.UNSIGNED_BYTE, new Uint8Array(4));
    this.timed = performance.now() - begun;
    if (this.timed > SLOW_MS) this.onslow(this.timed);
  }
}

// Tiles on which two boards of one size differ.
function changed(before, after) {
  const found = new Set();
  if (before === after) return found;
  after.columns.forEach((column, at) => {
    if (column.some((value, i) => value !== before.columns[at][i])) found.add(keyOf(Math.floor(at / after.cols), at % after.cols));
  });
  const things = (board) => new Map([
    ...board.decks.map((x) => [JSON.stringify(x), [x.a, ...x.tiles, x.b]]),
    ...board.ladders.map((x) => [JSON.stringify(x), [x.foot, x.top]]),
    ...board.chests.map((x) => [`chest ${x}`, [x]]),
    ...board.starts.flatMap(({ side, places }) => places.map((x) => [`${side} ${x}`, [x]])),
    ...board.battlements.map((x) => [JSON.stringify(x), [x.tile]]),
    ...board.steps.map((x) => [`step ${x}`, [x]]),
    ...board.fittings.map((x) => [JSON.stringify(x), [x.tile]]),
  ]);
  const [one, other] = [things(before), things(after)];
  for (const [here, there] of [[one, other], [other, one]]) {
    for (const [name, tiles] of here) if (!there.has(name)) for (const [row, col] of tiles) found.add(keyOf(row, col));
  }
  return found;
}

// The board on the screen: printed parts or a drawing, and marks on them. Drawn on demand only.
import { TOP, between, eyeOf, homeOf, matrixOf, seen, wayOf } from "./camera.js";
import { poseOf } from "./fit.js";
import { changed } from "./differ.js";
import { lightOf } from "./light.js";
import { trianglesOf } from "./marks.js";
import { Painter } from "./painter.js";
import { Parts } from "./parts.js";
import { pick } from "./pick.js";
import { UP, meshOf } from "./shapes.js";
import { rgb } from "./tints.js";

const CAP = 0.064; // how much higher a tile is for water, lava or a start's marker
const SLOW_MS = 900;
const FLY_MS = 250;

export class View {
  constructor(canvas) {
    this.canvas = canvas;
    this.low = location.search.includes("quality=low");
    this.gl = canvas.getContext("webgl2", { antialias: !this.low });
    Object.assign(this, homeOf(innerWidth, innerHeight));
    this.far = null;
    this.aim = [0, 0, 0];
    this.board = null;
    this.partsBoard = null; // the board that the printed parts are of
    this.printed = !this.low;
    this.marks = [];
    this.figures = []; // units of a game: {place: [row, col, level], side}
    this.glass = false; // whether all that hides the tile `behind` is cut away
    this.behind = null; // a surface: [row, col, level]
    this.still = homeOf; // gives the angles that are kept when the size changes; null: none
    this.frames = 0;
    this.onslow = () => {};
    this.oncame = () => {}; // a mesh has come
    if (!this.gl) return;
    this.parts = new Parts(() => { this.settle(); this.oncame(); });
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => this.begin());
    new ResizeObserver(() => this.resized()).observe(canvas);
    this.begin();
  }

  begin() {
    this.painter = new Painter(this.gl);
    this.parts.begin(this.gl);
    if (this.board) this.show(this.board);
  }

  show(board) {
    const resized = !this.board || this.board.rows !== board.rows || this.board.cols !== board.cols;
    this.board = board;
    if (resized) this.home();
    if (!this.gl) return;
    this.painter.lit(lightOf(board));
    this.settle();
  }

  get homeOf() { return homeOf; }

  get aspect() { return this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight); }

  home() { this.whole(homeOf); }

  // Shows the whole board at the angles for a width of the window, now and in other sizes.
  whole(angles, fly = false) {
    this.still = angles;
    const pose = poseOf(this, angles(innerWidth, innerHeight));
    if (fly) this.fly(pose);
    else { Object.assign(this, pose); this.draw(); }
  }

  resized() {
    if (this.board && this.still) this.whole(this.still);
    else this.draw();
  }

  // From above; again: home.
  above() { this.whole(this.pitch > 1.5 ? homeOf : () => TOP, true); }

  // The hand has moved the camera.
  moved(pose) {
    this.still = null;
    this.flying = null;
    Object.assign(this, pose);
    this.draw();
  }

  fly(to) {
    const { yaw, pitch, far, aim } = this, begun = performance.now();
    const flight = {};
    this.flying = flight;
    const quiet = this.low || matchMedia("(prefers-reduced-motion: reduce)").matches;
    const step = (now) => {
      if (this.flying !== flight) return;
      const share = quiet ? 1 : Math.min(1, Math.max(0, now - begun) / FLY_MS);
      Object.assign(this, between({ yaw, pitch, far, aim }, to, 1 - (1 - share) ** 3));
      this.draw();
      if (share < 1) requestAnimationFrame(step);
    };
    step(begun);
  }

  // The parts of a board, and the meshes of its models.
  build(parts, board, models = {}) {
    this.partsBoard = board;
    if (!this.gl) return;
    this.parts.take(parts, models);
    this.settle();
  }

  // Models that a click would set down.
  haunt(models) {
    if (!this.gl) return;
    this.parts.ghosts = models;
    this.draw();
  }

  // Whether there are some, and all of them are seen.
  get haunted() {
    const { ghosts = [] } = this.parts ?? {};
    return ghosts.length > 0 && ghosts.every(([piece]) => this.parts.meshOf(piece));
  }

  look(printed) {
    this.printed = printed;
    if (this.board) this.settle();
  }

  // What is drawn, and what is shown as parts: of tiles that changed since, and of parts whose mesh
  // has not come yet, a drawing. Models are always shown as they are.
  settle() {
    if (!this.gl || !this.board) return;
    const { board, partsBoard } = this;
    const same = partsBoard?.rows === board.rows && partsBoard.cols === board.cols;
    this.mixed = Boolean(this.printed && same && this.parts.list.length);
    const stale = same ? changed(partsBoard, board) : null;
    const { drawn, ground } = this.parts.settle(stale, this.printed);
    this.drawnTiles = this.mixed ? drawn : null;
    const stands = this.figures.map(({ place, side }) => [
      ...place.slice(0, 2), this.height(...place), side,
    ]);
    this.painter.sketch(meshOf(board, this.drawnTiles, stands, ground));
    this.draw();
  }

  // Figures on the board: {place: [row, col, level], side}.
  stand(figures) {
    this.figures = figures;
    this.settle();
  }

  // Cuts away all that hides a surface [row, col, level]; null: nothing.
  cutTo(surface) {
    this.behind = surface;
    this.draw();
  }

  mark(marks) {
    this.marks = marks;
    this.draw();
  }

  // How high a surface of the board is in tiles, with what lies on it.
  height(row, col, level) {
    const own = this.board.columns[row * this.board.cols + col];
    let caps = own && own[0] === level && own[1] !== "ground" ? 1 : 0;
    const here = ([r, c, l]) => r === row && c === col && l === level;
    if (this.board.starts.some(({ places }) => places.some(here))) caps += 1;
    return level * UP + 0.045 + caps * CAP;
  }

  // Where a tile's top is on the canvas, for tips and tests, in CSS pixels.
  spot(row, col, level) { return this.point([col + 0.5, level * UP, row + 0.5]); }

  point(at) {
    const [x, y] = seen(matrixOf(this, this.aspect), at);
    return [((x + 1) / 2) * this.canvas.clientWidth, ((1 - y) / 2) * this.canvas.clientHeight];
  }

  under(x, y, glass = this.glass) {
    if (!this.board) return null;
    const { clientWidth: w, clientHeight: h } = this.canvas;
    const way = wayOf(this, this.aspect, [(x / w) * 2 - 1, 1 - (y / h) * 2]);
    return pick(this.board, eyeOf(this), way, glass);
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
    const sized = (px) => Math.max(1, Math.round(px * fine));
    const [wide, deep] = [canvas.clientWidth, canvas.clientHeight].map(sized);
    if (canvas.width !== wide || canvas.height !== deep)
      [canvas.width, canvas.height] = [wide, deep];
    const [row, col, level] = this.behind ?? [];
    this.painter.paint(
      {
        size: [wide, deep],
        board: [this.board.cols, this.board.rows],
        camera: matrixOf(this, this.aspect),
        eye: eyeOf(this),
        target: this.behind
          ? [col + 0.5, this.height(row, col, level), row + 0.5]
          : [0, -9, 0],
        ground: rgb(getComputedStyle(canvas).getPropertyValue("--ground").trim()),
        dark: document.documentElement.dataset.theme === "dark",
      },
      this.parts,
      trianglesOf(this.marks, this.height.bind(this)),
    );
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

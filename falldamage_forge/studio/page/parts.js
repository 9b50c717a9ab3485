// The printed parts of a board: each piece's mesh fetched once, one draw a piece; and ghosts of
// models that a click would set down.
import { unbaked } from "./baked.js";
import { keyOf } from "./shapes.js";
import { PARTS, program } from "./shaders.js";

const COLOURS = {
  base: [0.62, 0.66, 0.49],
  stone: [0.83, 0.79, 0.71],
  wood: [0.68, 0.48, 0.29],
  water: [0.36, 0.62, 0.78],
  lava: [0.92, 0.36, 0.14],
  tree: [0.37, 0.56, 0.33],
  marker: [0.9, 0.72, 0.26],
  red: [0.8, 0.25, 0.14],
  blue: [0.17, 0.4, 0.7],
};
const GREY = [0.7, 0.68, 0.64];
const GHOST = [0.62, 0.82, 0.66], FAINT = 0.62; // colour and opacity of a ghost
const LEVEL_MM = 30;

export class Parts {
  constructor(changed) {
    this.changed = changed; // called when a mesh has come
    this.meshes = new Map(); // address -> mesh, null while it is fetched, false where there is none
    this.list = [];
    this.models = {}; // address of the mesh of each model of the map, by its piece
    this.ghosts = []; // [piece, x, y, z in mm, quarter turns]
  }

  begin(gl) {
    this.gl = gl;
    this.program = program(gl, PARTS);
    for (const mesh of this.meshes.values()) if (mesh) mesh.array = null;
  }

  take(list, models = {}) {
    this.list = list;
    this.models = models;
    for (const mesh of [...list.map((part) => part.mesh), ...Object.values(models)])
      if (mesh && !this.meshes.has(mesh)) this.fetch(mesh);
  }

  // The mesh of a model, where it has come.
  meshOf(piece) { return this.meshes.get(this.models[piece]); }

  async fetch(address) {
    this.meshes.set(address, null);
    try {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(answer.statusText);
      this.meshes.set(address, await unbaked(await answer.arrayBuffer()));
    } catch {
      this.meshes.set(address, false);
    }
    this.changed();
  }

  get waiting() {
    return this.list.filter(({ mesh }) => mesh && this.meshes.get(mesh) === null).length;
  }

  get triangles() {
    return this.list.reduce(
      (sum, { mesh, shown }) =>
        sum + ((this.meshes.get(mesh)?.corners.length ?? 0) / 3) * (shown ?? 0),
      0,
    );
  }

  // Decides what is shown: a part with a mesh on none of the `stale` tiles, models alone where it
  // is not `printed`, nothing where no tile is known. Answers the tiles that are to be drawn
  // instead, and the level of the ground below models that are shown.
  settle(stale, printed) {
    const drawn = new Set(stale ?? []),
      ground = new Map();
    for (const part of this.list) {
      const mesh = stale && (printed || part.model) ? this.meshes.get(part.mesh) : null;
      const rows = [];
      for (const place of part.places) {
        const touched =
          !mesh || (!part.under && place[4].some(([row, col]) => stale.has(keyOf(row, col))));
        if (!touched) rows.push(...place.slice(0, 4));
        for (const [row, col] of place[4]) {
          if (touched) drawn.add(keyOf(row, col));
          else if (part.model) ground.set(keyOf(row, col), place[2] / LEVEL_MM);
        }
      }
      part.stands = new Float32Array(rows);
      part.shown = rows.length / 4;
    }
    return { drawn, ground };
  }

  upload(mesh) {
    const { gl } = this;
    mesh.array = gl.createVertexArray();
    gl.bindVertexArray(mesh.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, mesh.vertices, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.SHORT, false, 8, 0);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribPointer(1, 1, gl.UNSIGNED_BYTE, true, 8, 6);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.corners, gl.STATIC_DRAW);
    mesh.stands = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, mesh.stands);
    gl.enableVertexAttribArray(2);
    gl.vertexAttribPointer(2, 4, gl.FLOAT, false, 16, 0);
    gl.vertexAttribDivisor(2, 1);
    mesh.holds = null;
  }

  draw(light) {
    const { gl } = this;
    gl.useProgram(this.program.made);
    light(this.program);
    gl.uniform1f(this.program.slot("share"), 1);
    for (const part of this.list) {
      const mesh = this.meshes.get(part.mesh);
      if (mesh && part.shown) this.one(mesh, part.stands, part.group);
    }
    if (this.ghosts.length) this.haunt();
  }

  // Parts of one mesh: at each of `stands` x, y, z in mm and quarter turns.
  one(mesh, stands, group) {
    const { gl } = this;
    if (!mesh.array) this.upload(mesh);
    gl.bindVertexArray(mesh.array);
    if (mesh.holds !== stands) {
      gl.bindBuffer(gl.ARRAY_BUFFER, mesh.stands);
      gl.bufferData(gl.ARRAY_BUFFER, stands, gl.DYNAMIC_DRAW);
      mesh.holds = stands;
    }
    gl.uniform3fv(this.program.slot("paint"), group === "ghost" ? GHOST : COLOURS[group] ?? GREY);
    gl.uniform1f(this.program.slot("glow"), group === "lava" ? 1 : 0);
    gl.drawElementsInstanced(gl.TRIANGLES, mesh.corners.length, gl.UNSIGNED_SHORT, 0,
      stands.length / 4);
  }

  // The nearest faces alone are blended: first their depth, then their colour.
  haunt() {
    const { gl } = this;
    gl.uniform1f(this.program.slot("share"), FAINT);
    for (const [piece, ...stand] of this.ghosts) {
      const mesh = this.meshOf(piece);
      if (!mesh) continue;
      const stands = new Float32Array(stand);
      gl.colorMask(false, false, false, false);
      this.one(mesh, stands, "ghost");
      gl.colorMask(true, true, true, true);
      gl.depthFunc(gl.LEQUAL);
      gl.enable(gl.BLEND);
      this.one(mesh, stands, "ghost");
      gl.disable(gl.BLEND);
      gl.depthFunc(gl.LESS);
    }
  }
}

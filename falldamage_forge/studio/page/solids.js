// Solids as triangles, with the paints of the sketch: x east, z south, y up, all in tiles.
export const SURFACE = {
  ground: 0, stone: 1, water: 2, lava: 3, wood: 4, leaf: 5, rock: 6, gold: 7, sign: 8, table: 9,
};
export const SIDES = { red: [0.78, 0.25, 0.1], blue: [0.12, 0.37, 0.66] };
export const OTHERS = [[0.07, 0.5, 0.36], [0.54, 0.25, 0.56], [0.54, 0.43, 0], [0.33, 0.33, 0.33]];

// A colour and the surface that it is on, by the paint of a solid.
export const PAINT = {
  base: [[0.66, 0.56, 0.4], SURFACE.wood],
  chest: [[0.55, 0.31, 0.16], SURFACE.rock],
  cliff: [[0.74, 0.69, 0.57], SURFACE.rock],
  crust: [[0.48, 0.16, 0.09], SURFACE.rock],
  deck: [[0.70, 0.51, 0.31], SURFACE.wood],
  edge: [[0.29, 0.24, 0.17], SURFACE.rock],
  field: [[0.45, 0.2, 0.55], SURFACE.sign],
  gleam: [[0.96, 0.94, 0.86], SURFACE.rock],
  gold: [[0.95, 0.76, 0.19], SURFACE.gold],
  ground: [[0.8, 0.74, 0.62], SURFACE.stone],
  leaf: [[0.37, 0.56, 0.33], SURFACE.leaf],
  leaf_dark: [[0.30, 0.50, 0.28], SURFACE.leaf],
  rock: [[0.62, 0.57, 0.5], SURFACE.rock],
  roof: [[0.42, 0.47, 0.59], SURFACE.rock],
  shade: [[0.08, 0.07, 0.08], SURFACE.rock],
  table: [[0.9, 0.86, 0.77], SURFACE.table],
  wave: [[0.89, 0.96, 0.98], SURFACE.rock],
  wood: [[0.60, 0.43, 0.26], SURFACE.wood],
  wood_dark: [[0.48, 0.33, 0.19], SURFACE.wood],
};

// One vertex: place 3, normal 3, colour 3, surface 1.
export class Mesh {
  data = [];

  quad(a, b, c, d, normal, colour, surface) {
    for (const at of [a, b, c, a, c, d]) this.data.push(...at, ...normal, ...colour, surface);
  }

  triangle(a, b, c, colour, surface) {
    const u = b.map((v, i) => v - a[i]);
    const w = c.map((v, i) => v - a[i]);
    const n = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
    const size = Math.hypot(...n) || 1;
    const normal = n.map((v) => v / size);
    for (const at of [a, b, c]) this.data.push(...at, ...normal, ...colour, surface);
  }

  box([x0, y0, z0], [x1, y1, z1], colour, surface, top = surface) {
    this.quad([x0, y1, z0], [x0, y1, z1], [x1, y1, z1], [x1, y1, z0], [0, 1, 0], colour, top);
    this.quad([x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1], [0, 0, 1], colour, surface);
    this.quad([x1, y0, z0], [x0, y0, z0], [x0, y1, z0], [x1, y1, z0], [0, 0, -1], colour, surface);
    this.quad([x1, y0, z1], [x1, y0, z0], [x1, y1, z0], [x1, y1, z1], [1, 0, 0], colour, surface);
    this.quad([x0, y0, z0], [x0, y0, z1], [x0, y1, z1], [x0, y1, z0], [-1, 0, 0], colour, surface);
    this.quad([x0, y0, z1], [x0, y0, z0], [x1, y0, z0], [x1, y0, z1], [0, -1, 0], colour, surface);
  }

  cone(x, y, z, wide, high, corners, colour, surface, turn = 0, tip = 0) {
    const ring = (radius, at) => Array.from({ length: corners }, (_, i) => {
      const angle = turn + (i * 2 * Math.PI) / corners;
      return [x + radius * Math.cos(angle), at, z + radius * Math.sin(angle)];
    });
    const low = ring(wide, y);
    const top = ring(tip, y + high);
    for (let i = 0; i < corners; i += 1) {
      const j = (i + 1) % corners;
      this.triangle(low[i], top[i], low[j], colour, surface);
      if (tip) this.triangle(low[j], top[i], top[j], colour, surface);
      if (tip) this.triangle([x, y + high, z], top[j], top[i], colour, surface);
    }
  }
}

// Meshes as the site keeps them (falldamage_forge/export/mesh_codec.py tells the format), and the STL files
// of them: the same bytes as `fdforge build` writes.
export async function unpacked(data) {
  const raw = new Uint8Array(await new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
  const view = new DataView(raw.buffer);
  if (String.fromCharCode(...raw.subarray(0, 4)) !== "fdm1") throw new Error("these are not the bytes of a mesh");
  const vertices = view.getUint32(4, true), faces = view.getUint32(8, true);
  let at = 12;
  const words = (count) => {
    const found = new Int32Array(count);
    for (let plane = 0; plane < 4; plane += 1) {
      const from = at + plane * count;
      for (let i = 0; i < count; i += 1) found[i] |= raw[from + i] << (8 * plane);
    }
    at += 4 * count;
    return found;
  };
  const unfolded = (count) => words(count).map((word) => (word >>> 1) ^ -(word & 1));
  const summed = (list) => { for (let i = 1; i < list.length; i += 1) list[i] = (list[i] + list[i - 1]) | 0; return list; };
  const places = new Float32Array(vertices * 3);
  for (let axis = 0; axis < 3; axis += 1) {
    const count = view.getUint32(at, true);
    at += 4;
    const bits = summed(words(count)).map((word) => (word < 0 ? word ^ 0x7fffffff : word));
    const values = new Float32Array(bits.buffer);
    summed(unfolded(vertices)).forEach((place, vertex) => { places[3 * vertex + axis] = values[place]; });
  }
  const first = summed(unfolded(faces)), second = unfolded(faces), third = unfolded(faces);
  const corners = new Uint32Array(faces * 3);
  for (let face = 0; face < faces; face += 1) {
    corners[3 * face] = first[face];
    corners[3 * face + 1] = first[face] + second[face];
    corners[3 * face + 2] = first[face] + second[face] + third[face];
  }
  return { places, corners };
}

export function stl({ places, corners }, name) {
  const faces = corners.length / 3;
  const out = new Uint8Array(84 + 50 * faces).fill(32, 0, 80);
  const view = new DataView(out.buffer);
  const title = `FallDamage Forge; millimetres; ${name}`.replace(/[^\x00-\x7f]/g, "?").slice(0, 80);
  for (let i = 0; i < title.length; i += 1) out[i] = title.charCodeAt(i);
  view.setUint32(80, faces, true);
  for (let face = 0, at = 84; face < faces; face += 1, at += 50) {
    const [a, b, c] = [0, 1, 2].map((corner) => 3 * corners[3 * face + corner]);
    const ux = places[b] - places[a], uy = places[b + 1] - places[a + 1], uz = places[b + 2] - places[a + 2];
    const vx = places[c] - places[a], vy = places[c + 1] - places[a + 1], vz = places[c + 2] - places[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    const long = Math.sqrt(x * x + y * y + z * z) || 1;
    [x / long, y / long, z / long].forEach((part, axis) => view.setFloat32(at + 4 * axis, part, true));
    [a, b, c].forEach((corner, number) => {
      for (let axis = 0; axis < 3; axis += 1) view.setFloat32(at + 12 + 12 * number + 4 * axis, places[corner + axis], true);
    });
  }
  return out;
}

// Reads the meshes of `falldamage_forge/render/baked_meshes.py`: deflated planes of zigzag
// differences.
const CORNER = 8; // bytes of a vertex: x, y, z as int16 in 1/64 mm, openness, one to spare

export async function unbaked(data) {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const [n, m] = new Uint32Array(bytes.buffer, 0, 2);
  const wanted = 8 + 2 * (4 * n + 3 * m);
  if (bytes.length !== wanted || n > 65536) throw new Error("this is no mesh");
  const vertices = new ArrayBuffer(n * CORNER);
  const words = new Uint16Array(vertices),
    small = new Uint8Array(vertices);
  let at = 8;
  const row = (count, keep) => {
    for (let i = 0, sum = 0; i < count; i += 1) {
      const zigzag = bytes[at + i] | (bytes[at + count + i] << 8);
      sum = (sum + ((zigzag >> 1) ^ -(zigzag & 1))) & 0xffff;
      keep(i, sum);
    }
    at += 2 * count;
  };
  for (let axis = 0; axis < 3; axis += 1)
    row(n, (i, value) => {
      words[i * 4 + axis] = value;
    });
  row(n, (i, value) => {
    small[i * CORNER + 6] = value;
  });
  const corners = new Uint16Array(3 * m);
  row(3 * m, (i, value) => {
    corners[i] = value;
  });
  return { vertices: small, corners };
}

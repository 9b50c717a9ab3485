// A zip archive as PKWARE's APPNOTE describes it, without dates: deflated files, then the directory.
const TABLE = Uint32Array.from({ length: 256 }, (_, number) => {
  let rest = number;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

export function checksum(data) {
  let rest = ~0;
  for (let i = 0; i < data.length; i += 1) rest = TABLE[(rest ^ data[i]) & 255] ^ (rest >>> 8);
  return ~rest >>> 0;
}

const deflated = async (data) => new Uint8Array(await new Response(new Blob([data]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());

// Little-endian numbers of 2 or 4 bytes, one after the other: [[2, value], [4, value], …].
function record(fields) {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true); else view.setUint32(at, value, true);
    at += size;
  }
  return view.buffer;
}

// `files` are [path, Uint8Array]; the same files give the same bytes.
export async function zipped(files) {
  const body = [], directory = [];
  let offset = 0, listed = 0;
  for (const [path, data] of files) {
    const name = new TextEncoder().encode(path);
    const packed = await deflated(data);
    // Version 2.0, names in UTF-8, deflated, 1980-01-01 0:00, sum, sizes, length of the name.
    const shared = [[2, 20], [2, 0x800], [2, 8], [2, 0], [2, 33], [4, checksum(data)], [4, packed.length], [4, data.length], [2, name.length], [2, 0]];
    const head = record([[4, 0x04034b50], ...shared]);
    body.push(head, name, packed);
    const entry = record([[4, 0x02014b50], [2, 20], ...shared, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]);
    directory.push(entry, name);
    offset += head.byteLength + name.length + packed.length;
    listed += entry.byteLength + name.length;
  }
  const end = record([[4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, listed], [4, offset], [2, 0]]);
  return new Blob([...body, ...directory, end], { type: "application/zip" });
}

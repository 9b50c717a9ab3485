// Plates as core 3MF: the model is sign by sign what `fdforge build` writes (export/threemf.py).
import { zipped } from "./zip.js";

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const MODEL = "3D/3dmodel.model";
const FRONT = [
  ["[Content_Types].xml", `${XML}<Types xmlns="${PACKAGE}/content-types">\n <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\n <Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>\n</Types>\n`],
  ["_rels/.rels", `${XML}<Relationships xmlns="${PACKAGE}/relationships">\n <Relationship Target="/${MODEL}" Id="rel-1" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>\n</Relationships>\n`],
];
const TURNS = [[1, 0], [0, 1], [-1, 0], [0, -1]]; // cosine and sine of quarter turns

// A number with nine digits as C's %.9g writes it; of two that are as near the even one.
export function nine(value) {
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  let [digits, power] = value.toExponential(8).split("e");
  const more = value.toExponential(9);
  if (/5e/.test(more) && Number(more) === value) {
    const below = more.split("e")[0].slice(0, -1);
    if (Number(below.at(-1)) % 2 === 0) [digits, power] = [below, more.split("e")[1]];
  }
  const at = Number(power);
  const short = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (at < -4 || at >= 9) return `${short(digits)}e${at < 0 ? "-" : "+"}${String(Math.abs(at)).padStart(2, "0")}`;
  const [sign, bare] = digits.startsWith("-") ? ["-", digits.slice(1)] : ["", digits];
  const all = bare.replace(".", "");
  if (at < 0) return `${sign}${short(`0.${"0".repeat(-at - 1)}${all}`)}`;
  return `${sign}${short(`${all.slice(0, at + 1)}.${all.slice(at + 1)}`.replace(/\.$/, ""))}`;
}

export function meshText({ places, corners }) {
  const rows = (list, row) => Array.from({ length: list.length / 3 }, (_, i) => row(list[3 * i], list[3 * i + 1], list[3 * i + 2])).join("\n");
  const vertices = rows(places, (x, y, z) => `     <vertex x="${nine(x)}" y="${nine(y)}" z="${nine(z)}"/>`);
  const triangles = rows(corners, (a, b, c) => `     <triangle v1="${a}" v2="${b}" v3="${c}"/>`);
  return `   <mesh>\n    <vertices>\n${vertices}\n    </vertices>\n    <triangles>\n${triangles}\n    </triangles>\n   </mesh>\n`;
}

export function bounds({ places }) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  places.forEach((value, i) => { low[i % 3] = Math.min(low[i % 3], value); high[i % 3] = Math.max(high[i % 3], value); });
  return [low, high];
}

// What brings a mesh with these bounds into its slot, as 3MF writes it: column by column.
function transform([[x0, y0, z0], [x1, y1]], x, y, turns) {
  const [cosine, sine] = TURNS[turns % 4];
  const ends = [x0, x1].flatMap((a) => [y0, y1].map((b) => [cosine * a - sine * b, sine * a + cosine * b]));
  const least = (axis) => Math.min(...ends.map((end) => end[axis]));
  return [cosine, sine, 0, -sine, cosine, 0, 0, 0, 1, x - least(0), y - least(1), -z0].map(nine).join(" ");
}

// `plate` is what the session tells of one; `texts` and `boxes` are meshes as text and bounds by key.
export function model({ name, application, groups, objects, slots }, texts, boxes) {
  const bases = groups.map(([group, colour]) => `   <base name="${group}" displaycolor="${colour}"/>\n`).join("");
  const things = objects.map(([key, number, group]) => `  <object id="${number}" name="${key}" type="model" pid="1" pindex="${group}">\n${texts.get(key)}  </object>\n`).join("");
  const items = slots.map(([number, key, x, y, turns]) => `  <item objectid="${number}" transform="${transform(boxes.get(key), x, y, turns)}"/>\n`).join("");
  return `${XML}<model unit="millimeter" xml:lang="en-US" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">\n`
    + ` <metadata name="Title">${name}</metadata>\n <metadata name="Application">${application}</metadata>\n`
    + ` <resources>\n  <basematerials id="1">\n${bases}  </basematerials>\n${things} </resources>\n <build>\n${items} </build>\n</model>\n`;
}

export async function threemf(plate, texts, boxes) {
  const parts = [...FRONT, [MODEL, model(plate, texts, boxes)]];
  const blob = await zipped(parts.map(([path, text]) => [path, new TextEncoder().encode(text)]));
  return new Uint8Array(await blob.arrayBuffer());
}

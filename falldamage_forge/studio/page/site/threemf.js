// Plates as core 3MF: the session tells the parts of each file, and meshes are put in where it marks.
import { zipped } from "./zip.js";

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

// `parts` are [path, text] of a plate's file; `texts` are meshes as text by key.
export async function threemf({ parts }, texts) {
  const whole = (text) => text.replace(/<put-mesh key="([^"]*)"\/>/g, (_, key) => texts.get(key));
  const blob = await zipped(parts.map(([path, text]) => [path, new TextEncoder().encode(whole(text))]));
  return new Uint8Array(await blob.arrayBuffer());
}

// What the map means: issues, measures, pieces, plates.
import { $, button, element, svg } from "./dom.js";
import { t } from "./texts.js";

const COLOURS = { base: "#87926a", stone: "#9c9386", wood: "#8f6238", water: "#4a8bb0", lava: "#dc4a20", tree: "#4c7a46", marker: "#d6a634", red: "#a3262c", blue: "#2b5c98" };

// What is worked out by and by, and how its place says that there is nothing to see yet.
const LATE = { totals: "dd", pieces: "caption", plates: "p", measures: "li" };
const instead = (id, name) => $(id).replaceChildren(element(LATE[id], t(name), "hint"));

export function stale() {
  for (const id of [...Object.keys(LATE), "leads", "suggestions"]) $(id).classList.add("stale");
  for (const id of Object.keys(LATE)) if (!$(id).childElementCount) instead(id, "working");
}

export function issues(found, go, mend) {
  $("issues").replaceChildren(...found.map((issue) => {
    const row = element("li", "", issue.severity);
    row.classList.toggle("follows", issue.follows !== null);
    const link = button("", () => go(issue));
    link.append(element("span", `${t(issue.severity)} ${issue.code} `, "tag"), issue.message);
    if (issue.hint) link.append(element("div", issue.hint, "hint"));
    row.append(link);
    if (issue.fix) {
      const fix = button(t("changeTo", { text: issue.fix.text }), () => mend(issue));
      fix.classList.add("fix");
      row.append(fix);
    }
    return row;
  }));
}

export function verdict(said) {
  const at = $("verdict");
  at.textContent = t(said.playable ? "playable" : said.buildable ? "buildable" : "faulty");
  at.className = said.playable ? "good tag" : "bad tag";
  for (const id of ["zip", "sheets"]) $(id).disabled = !said.playable;
  $("play").disabled = !said.playable;
}

const plainWords = (name) => name.replaceAll("_", " ").replaceAll("-", " ");

// A row that lights its tiles while it is pointed at or has the focus.
function lighting(row, tiles, light) {
  row.tabIndex = tiles.length ? 0 : -1;
  for (const on of ["pointerenter", "focus"]) row.addEventListener(on, () => light(tiles));
  for (const off of ["pointerleave", "blur"]) row.addEventListener(off, () => light([]));
  return row;
}

export function measures(said, light) {
  $("measures").classList.remove("stale");
  $("suggestions").replaceChildren();
  const leads = (said.leads ?? []).map((lead) => {
    const row = element("li", "", lead.unfair ? "bad" : "good");
    row.append(element("span", `${t(lead.unfair ? "ahead" : "even")} `, "tag"), lead.text, element("div", `${lead.what}: ${lead.told}`, "hint"));
    return lighting(row, lead.tiles, light);
  });
  $("leads").replaceChildren(...leads);
  const rows = said.measures.map((one) => {
    const row = element("li", "", one.verdict);
    row.append(element("span", `${t(one.verdict)} `, "tag"), `${plainWords(one.name)}: ${one.text}`);
    return lighting(row, one.tiles, light);
  });
  $("measures").replaceChildren(...(rows.length ? rows : [element("li", t("notPlayable"))]));
}

// Remedies that were tried, each with a button that does it.
export function advice(remedies, run) {
  if (!remedies.length) return $("suggestions").replaceChildren();
  return $("suggestions").replaceChildren(element("h2", t("suggestions")), ...remedies.map((one) => {
    const row = element("div", "", "remedy");
    row.append(element("code", one.gestures.join(", ")), button(t("tryIt"), () => run(one)), ...one.changes.map((change) => element("div", change, "hint")));
    return row;
  }));
}

export function pieces(said) {
  for (const id of ["totals", "pieces", "plates"]) $(id).classList.remove("stale");
  const own = said.totals;
  const rows = own ? [
    [t("pieces"), own.owned ? t("ownedOf", { count: own.pieces, owned: own.owned }) : own.pieces],
    [t("plates"), t("platesOn", { count: own.plates, printer: own.printer })], [t("filament"), t("gramsOf", { grams: own.grams })],
    [t("hours"), own.hours], [t("money", { price: own.price }), own.money],
  ] : [[t("pieces"), t("notYet")]];
  $("totals").replaceChildren(...rows.flatMap(([name, value]) => [element("dt", name), element("dd", String(value))]));
  $("pieces").replaceChildren(...said.pieces.map((one) => {
    const row = element("tr");
    const owned = one.owned ? ` (${one.owned} ${t("owned")})` : "";
    row.append(element("td", one.title), element("td", `${one.count}×${owned}`), element("td", t("gramsOf", { grams: one.grams })));
    return row;
  }));
  if (!own) { for (const id of ["pieces", "plates"]) instead(id, "notYet"); return; }
  const titles = new Map(said.pieces.map((one) => [one.key, one.title]));
  const spools = element("ul", "", "filaments");
  spools.replaceChildren(...said.filaments.map((line) => element("li", line)));
  $("plates").replaceChildren(...said.plates.map((plate) => plateOf(plate, own.bed, titles)), spools);
}

// A plate from above, its parts as they lie on the bed.
function plateOf(plate, [wide, deep], titles) {
  const figure = element("figure");
  const bed = svg("svg", { viewBox: `0 0 ${wide} ${deep}`, role: "img" });
  bed.append(svg("rect", { x: 0.5, y: 0.5, width: wide - 1, height: deep - 1, rx: 4, class: "bed" }));
  for (const [key, ...boxes] of plate.slots) {
    const part = svg("g", { fill: COLOURS[plate.group] ?? COLOURS.stone });
    part.append(svg("title", {}, titles.get(key) ?? key));
    for (const [x, y, w, d] of boxes) part.append(svg("rect", { x, y: deep - y - d, width: w, height: d, rx: 1 }));
    bed.append(part);
  }
  const name = t("plate", { name: plate.name, grams: plate.grams, hours: (plate.minutes / 60).toFixed(1) });
  bed.append(svg("title", {}, name));
  figure.append(bed, element("figcaption", name));
  return figure;
}

// What the map means: issues, measures, pieces, plates.
import { $, button, element, icon, svg } from "./dom.js";
import { t, worded } from "./texts.js";

// What is worked out by and by, and how its place says that there is nothing to see yet.
const LATE = { totals: "dt", pieces: "caption", plates: "p", measures: "li" };
const instead = (id, name) => {
  const ends = LATE[id] === "dt" ? [element("dd")] : [];
  $(id).replaceChildren(element(LATE[id], t(name), "hint"), ...ends);
};

export function stale() {
  for (const id of [...Object.keys(LATE), "leads", "suggestions"]) $(id).classList.add("stale");
  for (const id of Object.keys(LATE)) if (!$(id).childElementCount) instead(id, "working");
}

const SIGNS = { error: "stop", warning: "mind", info: "info" };

// A card of a sentence with a sign and buttons below it; an empty `acts` has no row.
function card(sign, kind, text, acts, ...more) {
  const made = element("li", "", `card ${kind}`);
  made.append(icon(sign), element("span", text), ...more);
  const row = element("div", "", "acts");
  row.append(...acts);
  if (acts.length) made.append(row);
  return made;
}

const classed = (made, kind) => {
  made.classList.add(kind);
  return made;
};

// The rule behind a verdict; while it is open, its tiles are lit.
function why(text, tiles, light) {
  const made = element("details", "", "why");
  made.append(element("summary", t("why")), element("p", text, "hint"));
  made.addEventListener("toggle", () => light(made.open ? tiles : []));
  return text ? [made] : [];
}

// What a quick fix does, in words.
export function cureOf({ first, last, text, words }) {
  if (words) return words[0].toUpperCase() + words.slice(1);
  if (!text) return t("takeAway");
  return t(first === last ? "addText" : "changeTo", { text: text.trim() });
}

// `light` lights tiles, `go` selects the line of an issue, `mend` does its quick fix.
export function issues(found, { light, go, mend }) {
  $("issues").replaceChildren(
    ...found.map((issue) => {
      const acts = [];
      if (issue.fix)
        acts.push(
          classed(
            button(cureOf(issue.fix), () => mend(issue)),
            "fix",
          ),
        );
      if (issue.tiles.length)
        acts.push(button(t("showTiles", { tiles: few(issue.tiles) }), () => light(issue.tiles)));
      if (issue.place) acts.push(button(t("line", { line: issue.place.line }), () => go(issue)));
      const hint = issue.hint ? [element("div", issue.hint, "hint")] : [];
      const made = card(SIGNS[issue.severity], issue.severity, issue.message, acts, ...hint);
      made.append(...why(issue.why, issue.tiles, light));
      made.title = `${t(issue.severity)} ${issue.code}`;
      made.querySelector("span").prepend(element("span", `${t(issue.severity)}: `, "unseen"));
      made.classList.toggle("follows", issue.follows !== null);
      return made;
    }),
  );
}

const SHOWN = 3;
const few = (tiles) => tiles.slice(0, SHOWN).join(", ") + (tiles.length > SHOWN ? " …" : "");

// `starts` are the tiles of the start zones: a playable map joins them.
export function verdict(said, starts, light) {
  const kind = said.playable ? "good" : "bad";
  const name = said.playable ? "playable" : said.buildable ? "buildable" : "faulty";
  for (const id of ["verdict", "verdict-short"]) {
    $(id).replaceChildren(icon(said.playable ? "check" : "stop"), t(name));
    $(id).className = kind;
  }
  const causes = said.issues.filter((one) => one.severity === "error" && one.follows === null);
  const rules = new Set([t(`${name}Why`), ...causes.map((one) => one.why)]);
  const tiles = said.playable ? starts : causes.flatMap((one) => one.tiles);
  const open = $("verdict-why").querySelector("[open]");
  $("verdict-why").replaceChildren(...why([...rules].join(" "), tiles, light));
  $("verdict-why").firstChild.open = Boolean(open); // while the map changes, too
  for (const one of document.querySelectorAll("[data-make], #begin, #friend-begin")) {
    one.disabled = !said.playable;
    one.title = said.playable ? "" : t("notYetPlayable");
  }
}

const plainWords = (name) => name.replaceAll("_", " ").replaceAll("-", " ");

// A row that lights its tiles while it is pointed at or has the focus.
export function lighting(row, tiles, light) {
  row.tabIndex = tiles.length ? 0 : -1;
  for (const on of ["pointerenter", "focus"]) row.addEventListener(on, () => light(tiles));
  const stays = () => light(row.querySelector("details[open]") ? tiles : []);
  for (const off of ["pointerleave", "blur"]) row.addEventListener(off, stays);
  return row;
}

export function measures(said, light) {
  $("measures").classList.remove("stale");
  $("suggestions").replaceChildren();
  const leads = (said.leads ?? []).map((lead) => {
    const row = element("li", "", lead.unfair ? "bad" : "good");
    row.append(
      element("span", `${t(lead.unfair ? "ahead" : "even")} `, "tag"),
      lead.text,
      element("div", `${lead.what}: ${lead.told}`, "hint"),
    );
    return lighting(row, lead.tiles, light);
  });
  $("leads").replaceChildren(...leads);
  const rows = said.measures.map((one) => {
    const row = element("li", "", one.verdict);
    row.append(
      element("span", `${t(one.verdict)} `, "tag"),
      `${plainWords(one.name)}: ${one.text}`,
      ...why(one.why, one.tiles, light),
    );
    return lighting(row, one.tiles, light);
  });
  $("measures").replaceChildren(...(rows.length ? rows : [element("li", t("notPlayable"))]));
}

// Remedies that were tried, each with a button that does it.
export function advice(remedies, run) {
  if (!remedies.length) return $("suggestions").replaceChildren();
  const list = element("ul");
  list.append(
    ...remedies.map((one) => {
      const cure = classed(
        button(worded(one.gestures.join(", ")), () => run(one)),
        "cure",
      );
      cure.prepend(icon("cure"));
      const [first, ...more] = one.changes;
      return card(
        "mind",
        "warning",
        first ?? "",
        [cure],
        ...more.map((change) => element("div", change, "hint")),
      );
    }),
  );
  return $("suggestions").replaceChildren(element("h3", t("suggestions")), list);
}

const ownedOf = ({ owned }) => (owned ? ` (${owned} ${t("owned")})` : "");

export function pieces(said) {
  for (const id of ["totals", "pieces", "plates"]) $(id).classList.remove("stale");
  const own = said.totals;
  const rows = own
    ? [
        ["piece", t("pieces") + ownedOf(own), own.pieces],
        ["clock", own.printer, t("hoursOf", { hours: own.hours })],
        ["weight", own.money, t("gramsOf", { grams: own.grams })],
        ["plate", t("plates"), own.plates],
      ]
    : [];
  $("totals").title = own ? t("money", { price: own.price }) : "";
  $("totals").replaceChildren(...rows.map(fact));
  if (!own) instead("totals", "notYet");
  $("print-facts").textContent = rows.map(([, name, value]) => `${value} ${name}`).join(" · ");
  $("pieces").replaceChildren(
    ...said.pieces.map((one) => {
      const row = element("tr");
      row.append(
        element("td", one.title),
        element("td", `${one.count}×${ownedOf(one)}`),
        element("td", t("gramsOf", { grams: one.grams })),
      );
      return row;
    }),
  );
  if (!own) {
    for (const id of ["pieces", "plates"]) instead(id, "notYet");
    return;
  }
  const titles = new Map(said.pieces.map((one) => [one.key, one.title]));
  const spools = element("ul", "", "filaments");
  spools.replaceChildren(...said.filaments.map((line) => element("li", line)));
  $("plates").replaceChildren(
    ...said.plates.map((plate) => plateOf(plate, own.bed, titles)),
    spools,
  );
}

function fact([sign, name, value]) {
  const made = element("div", "", "fact");
  made.append(icon(sign), element("dt", name), element("dd", String(value)));
  return made;
}

// A plate from above, its parts as they lie on the bed.
function plateOf(plate, [wide, deep], titles) {
  const figure = element("figure");
  const bed = svg("svg", { viewBox: `0 0 ${wide} ${deep}`, role: "img" });
  bed.append(
    svg("rect", { x: 0.5, y: 0.5, width: wide - 1, height: deep - 1, rx: 4, class: "bed" }),
  );
  for (const [key, ...boxes] of plate.slots) {
    const part = svg("g", { fill: plate.colour });
    part.append(svg("title", {}, titles.get(key) ?? key));
    for (const [x, y, w, d] of boxes)
      part.append(svg("rect", { x, y: deep - y - d, width: w, height: d, rx: 1 }));
    bed.append(part);
  }
  const name = t("plate", {
    name: plate.name,
    grams: plate.grams,
    hours: (plate.minutes / 60).toFixed(1),
  });
  bed.append(svg("title", {}, name));
  figure.append(bed, element("figcaption", name));
  return figure;
}

// The units of both sides in one strip: whose turn it is, who has acted, how healthy each is.
import { stateOf } from "./decision.js";
import { $, element } from "./dom.js";
import { headline } from "./ending.js";
import { sign } from "./signs.js";
import { t } from "./texts.js";
import { nameOf } from "./tools.js";

const SIDES = ["red", "blue"];

const BADGES = { unitOut: "✕", unitAside: "–" };

function medal(unit, { active, choosable, point, press }) {
  const state = stateOf(unit, active);
  const made = element("button", "", `medal ${state ?? ""}`);
  made.type = "button";
  const words = t("unitOf", {
    side: t(unit.side), title: unit.title, health: unit.health, most: unit.most,
  });
  const place = unit.place && t("at", { tile: nameOf(...unit.place), level: unit.place[2] });
  const may = choosable.has(`unit ${unit.number}`) && t("unitMay");
  const all = [words, place, state && t(state), may].filter(Boolean);
  made.setAttribute("aria-label", all.join(", "));
  made.classList.toggle("may", Boolean(may));
  if (unit.number === active) made.setAttribute("aria-current", "true");
  const badge = BADGES[state] ?? `${unit.health}${state === "unitDone" ? " ✓" : ""}`;
  made.append(sign(unit), element("span", badge));
  for (const on of ["pointerenter", "focus"]) made.addEventListener(on, () => point(unit));
  for (const off of ["pointerleave", "blur"]) made.addEventListener(off, () => point(null));
  made.addEventListener("click", (event) => press(unit, event.pointerType === "touch"));
  return made;
}

// The line about the turn.
export function headOf(game) {
  if (game.link && !game.link.begun) return t("friendSoon");
  const active = game.units[game.active];
  if (game.over) return headline(game);
  const { round, turn } = game;
  const side = t(turn), unit = active?.title ?? "";
  const head = t(active ? "turnWith" : "turnOf", { round, side, unit });
  if (!game.unit_of_turn) return head;
  const [step, steps] = game.unit_of_turn;
  return t("turnStep", { turn: head, step, steps });
}

// `point` hears of the unit that is pointed at, or null; `press` of one that is clicked.
export function draw(game, hands) {
  const { active, units } = game;
  const choosable = new Set(game.moves.map(({ text }) => text));
  $("medals").replaceChildren(
    ...SIDES.map((side) => {
      const group = element("div", "", `side ${side}`);
      group.role = "group";
      group.setAttribute("aria-label", t(side));
      const own = units.filter((unit) => unit.side === side && unit.card);
      group.append(...own.map((unit) => medal(unit, { active, choosable, ...hands })));
      return group;
    }),
  );
}

// The card of the unit that is pointed at, or else of the one that acts: numbers, and abilities.
import { $, element, icon } from "./dom.js";
import { sign } from "./signs.js";
import { t } from "./texts.js";
import { nameOf } from "./tools.js";

const SIGNS = { move: "move", jump: "jump", attack: "strike", reach: "reach", push: "push" };

function fact(symbol, name, value) {
  const made = element("div");
  const term = element("dt");
  term.append(icon(symbol), element("span", name));
  made.append(term, element("dd", value));
  return made;
}

// Shows the card of the unit that is pointed at, or else of the one that acts; where the pane is
// folded, beside the board.
export function show(pointed, acting = null) {
  const at = $("unit-card");
  const folded = $("result-pane").classList.contains("folded");
  const place = $(folded ? "sheet" : "card-place");
  if (at.parentElement !== place) place.append(at);
  const unit = pointed ?? acting;
  at.hidden = !unit;
  if (!unit) return;
  at.className = pointed ? unit.side : `${unit.side} acting`;
  const where = unit.place ? [t("at", { tile: nameOf(...unit.place), level: unit.place[2] })] : [];
  const words = [t(unit.side), unit.role, ...where].join(" · ");
  const name = element("div");
  name.append(element("b", unit.title), element("small", words));
  const head = element("div", "", "title");
  head.append(sign(unit), name);
  const facts = element("dl");
  facts.append(
    fact("heart", t("fact-health"), `${unit.health}/${unit.most}`),
    ...unit.facts.map(([key, value]) => fact(SIGNS[key], t(`fact-${key}`), value)),
  );
  const able = unit.abilities.map(([title, text]) => {
    const made = element("p", text);
    made.prepend(element("b", title), " ");
    return made;
  });
  at.replaceChildren(head, facts, ...able);
}

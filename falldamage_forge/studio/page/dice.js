// The last roll over the board, and the choice of how fast moves are shown.
import { keep } from "./app.js";
import { $, element } from "./dom.js";
import { FACES, SPEEDS, faces, lasts, speed } from "./moving.js";
import { t } from "./texts.js";

const TUMBLE_MS = 90; // a face while a die rolls
const REST_MS = 1500;
let next, tumbling;

function rest(dice, rolls) {
  clearInterval(tumbling);
  $("rolling").classList.remove("tumbling");
  dice.forEach((made, i) => {
    made.firstChild.textContent = rolls[i].sign;
  });
  next = setTimeout(() => {
    $("rolling").hidden = true;
  }, REST_MS);
}

// Shows rolls: they tumble, then rest for a while. Without motion they only rest.
export function roll(rolls) {
  if (!rolls.length) return;
  clearTimeout(next);
  clearInterval(tumbling);
  const dice = rolls.map(({ sign, value }) => {
    const made = element("span", sign);
    made.append(element("small", t(value)));
    return made;
  });
  $("rolling").replaceChildren(...dice);
  $("rolling").hidden = false;
  if (!lasts()) {
    rest(dice, rolls);
    return;
  }
  $("rolling").classList.add("tumbling");
  tumbling = setInterval(() => {
    for (const made of dice)
      made.firstChild.textContent = FACES[Math.floor(Math.random() * FACES.length)];
  }, TUMBLE_MS);
  next = setTimeout(() => rest(dice, rolls), SPEEDS.slow);
}

// The roll of a game that is left is gone with it.
export function away() {
  clearTimeout(next);
  clearInterval(tumbling);
  $("rolling").hidden = true;
}

export function draw() {
  $("speed").replaceChildren(
    ...Object.keys(SPEEDS).map((name) => {
      const option = element("option", t(`speed-${name}`));
      option.value = name;
      return option;
    }),
  );
  $("speed").value = speed();
}

export const listen = () =>
  $("speed").addEventListener("change", () => keep.set("speed", $("speed").value));

// Shows the dice of some moves, and tells a screen reader what others did: the first line is the
// move of the `hand` at this page.
export function happened(lines, hand) {
  roll(faces(lines));
  const told = (line) => (line.startsWith("die ") ? t("rolled", { rolls: line.slice(4) }) : line);
  $("heard").textContent = lines.slice(hand ? 1 : 0).map(told).join("; ");
}

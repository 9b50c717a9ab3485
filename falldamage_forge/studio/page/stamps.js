// The palette of stamps: definitions of the map, and the library's, each with its small picture.
import { state } from "./app.js";
import { mirrorHeld, turnHeld } from "./board.js";
import { $, button, element, svg } from "./dom.js";
import { pictureOf } from "./stamp_picture.js";
import { t } from "./texts.js";
import { choose } from "./toolbar.js";
import { TOOLS } from "./tools.js";

const LINE = { stroke: "#4a3d2c", "stroke-width": 0.5 };
const SIGN = { "text-anchor": "middle", "font-size": 10 };

export function picture(cells) {
  const { box, faces, signs } = pictureOf(cells);
  const made = svg("svg", { viewBox: box.join(" "), "aria-hidden": "true" });
  for (const { points, fill } of faces) {
    made.append(
      svg("polygon", { points: points.map((p) => p.join(",")).join(" "), fill, ...LINE }),
    );
  }
  for (const {
    place: [x, y],
    sign,
  } of signs)
    made.append(svg("text", { x, y: y + 3, ...SIGN }, sign));
  return made;
}

const called = ({ name, book }) => (book ? `${book}.${name}` : name);

export function came({ stamps }) {
  const books = new Map();
  for (const one of stamps) books.set(one.book, [...(books.get(one.book) ?? []), one]);
  const groups = [...books].map(([book, own]) => {
    const group = element("details");
    group.open = !book || state.stamp?.name.startsWith(`${book}.`);
    group.append(element("summary", book || t("ownStamps")));
    group.append(
      ...own.map((one) => {
        const made = button(one.name, () => take(one));
        made.prepend(picture(one.cells));
        made.dataset.stamp = called(one);
        made.setAttribute("aria-pressed", String(state.stamp?.name === called(one)));
        return made;
      }),
    );
    return group;
  });
  $("stamps").replaceChildren(
    element("strong", t("stamps")),
    tools(),
    button(t("turnStamp"), () => turnHeld(90)),
    button(t("mirrorStamp"), mirrorHeld),
    button(t("openModel"), () => $("model-file").click()),
    ...groups,
  );
}

// Back to the tools, where stamps take their place.
function tools() {
  const made = button(t("tools"), () => choose(TOOLS[0]));
  made.className = "back";
  return made;
}

function take(one) {
  state.stamp = { name: called(one), turn: 0, mirror: false, model: one.model };
  for (const other of $("stamps").querySelectorAll("[data-stamp]"))
    other.setAttribute("aria-pressed", String(other.dataset.stamp === called(one)));
}

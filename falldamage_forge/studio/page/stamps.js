// The palette of stamps: definitions of the map, and the library's, each with its small picture.
import { state } from "./app.js";
import { mirrorHeld, turnHeld } from "./board.js";
import { $, act, button, element, svg } from "./dom.js";
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
  const before = $("stamps").querySelectorAll("details[open]"),
    were = [...before].map(({ dataset }) => dataset.book);
  const groups = [...books].map(([book, own]) => {
    const group = element("details");
    group.dataset.book = book;
    group.open = !book || were.includes(book) || state.stamp?.name.startsWith(`${book}.`);
    const row = element("div", "", "row");
    row.append(
      ...own.map((one) => {
        const made = button(one.name, () => take(one));
        made.prepend(picture(one.cells));
        made.dataset.stamp = called(one);
        made.setAttribute("aria-pressed", String(state.stamp?.name === called(one)));
        return made;
      }),
    );
    group.append(element("summary", book || t("ownStamps")), row);
    group.addEventListener("toggle", () => {
      if (group.open) group.scrollIntoView({ block: "nearest" });
    });
    return group;
  });
  const acts = element("div", "", "acts"), list = element("div", "", "books");
  acts.append(
    tools(),
    act("turn-left", t("turnStamp"), () => turnHeld(90)),
    act("symmetry", t("mirrorStamp"), mirrorHeld),
    act("piece", t("openModel"), () => $("model-file").click()),
  );
  list.append(...groups);
  $("stamps").replaceChildren(element("strong", t("stamps")), acts, list);
}

// Back to the tools, where stamps take their place.
function tools() {
  const made = act("unfold", t("tools"), () => choose(TOOLS[0]));
  made.classList.add("back");
  return made;
}

function take(one) {
  state.stamp = { name: called(one), turn: 0, mirror: false, model: one.model };
  for (const other of $("stamps").querySelectorAll("[data-stamp]"))
    other.setAttribute("aria-pressed", String(other.dataset.stamp === called(one)));
}

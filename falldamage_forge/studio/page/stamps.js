// The palette of stamps: definitions of the map, and the library's.
import { state } from "./app.js";
import { mirrorHeld, turnHeld } from "./board.js";
import { $, button, element, svg } from "./dom.js";
import { t } from "./texts.js";

const TOPS = { ground: ["#cfd1a4", "#ddc998", "#e4d3a9", "#ebddbb", "#f2e8cf", "#f7f0de"], water: ["#6fb1cf"], lava: ["#e2622b"] };
const SIGNS = { tree: "♠", spire: "▲", treasure: "◆" };

// Columns seen from the south-west corner, as small as can be.
function picture(cells) {
  const wide = 12, flat = 6, high = 9;
  const rows = cells.length, cols = cells[0].length;
  const most = Math.max(...cells.flat().map(([level]) => level));
  const made = svg("svg", { viewBox: `${-rows * wide - 2} ${-most * high - 10} ${(rows + cols) * wide + 4} ${(rows + cols) * flat + most * high + 14}`, "aria-hidden": "true" });
  const at = (row, col, level) => [(col - row) * wide, (col + row) * flat - level * high];
  const face = (points, fill) => made.append(svg("polygon", { points: points.map((p) => p.join(",")).join(" "), fill, stroke: "#4a3d2c", "stroke-width": 0.5 }));
  cells.forEach((line, row) => line.forEach(([level, ground, feature], col) => {
    const tops = TOPS[ground] ?? TOPS.ground;
    if (level) {
      face([at(row + 1, col, level), at(row + 1, col + 1, level), at(row + 1, col + 1, 0), at(row + 1, col, 0)], "#c0ad86");
      face([at(row, col + 1, level), at(row + 1, col + 1, level), at(row + 1, col + 1, 0), at(row, col + 1, 0)], "#8f7d5c");
    }
    face([at(row, col, level), at(row, col + 1, level), at(row + 1, col + 1, level), at(row + 1, col, level)], tops[Math.min(level, tops.length - 1)]);
    if (feature) {
      const [x, y] = at(row + 0.5, col + 0.5, level);
      made.append(svg("text", { x, y: y + 3, "text-anchor": "middle", "font-size": 10 }, SIGNS[feature] ?? "•"));
    }
  }));
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
    group.append(...own.map((one) => {
      const made = button(one.name, () => take(one));
      made.prepend(picture(one.cells));
      made.dataset.stamp = called(one);
      made.setAttribute("aria-pressed", String(state.stamp?.name === called(one)));
      return made;
    }));
    return group;
  });
  $("stamps").replaceChildren(element("strong", t("stamps")), button(t("turnStamp"), () => turnHeld(90)), button(t("mirrorStamp"), mirrorHeld), ...groups);
}

function take(one) {
  state.stamp = { name: called(one), turn: 0, mirror: false };
  for (const other of $("stamps").querySelectorAll("[data-stamp]")) other.setAttribute("aria-pressed", String(other.dataset.stamp === called(one)));
}

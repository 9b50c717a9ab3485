// Signs of units: the outline of the card in the frame of its side, the same wherever it is.
import { app } from "./app.js";
import { svg } from "./dom.js";

// Sides differ in shape, too: a gable or an arch. In tenths of a millimetre, as the outlines are.
const FRAMES = {
  red: "M-8 372V50L125-46 258 50V372Z",
  blue: "M-8 372V66A133 112 0 0 1 258 66V372Z",
};
export const BOX = [-22, -60, 294, 446];
let outlines = null; // by card; {} while they are on their way

// Asks for the outlines, once.
export async function load() {
  if (outlines) return;
  outlines = {};
  const answer = await fetch(app.wire.address("figures.json")).catch(() => null);
  if (answer?.ok) outlines = await answer.json();
  for (const figure of document.querySelectorAll(".figure"))
    figure.setAttribute("d", outlines[figure.dataset.card] ?? "");
}

// The sign of a unit; outlines that have not come yet are filled in later.
export function sign({ card, side }) {
  load();
  return svg(
    "svg",
    { class: `sign ${side}`, viewBox: BOX.join(" "), "aria-hidden": "true" },
    svg("path", { class: "frame", d: FRAMES[side] }),
    svg("path", { class: "figure", d: outlines[card] ?? "", "data-card": card }),
  );
}

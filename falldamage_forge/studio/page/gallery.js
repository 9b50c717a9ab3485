// The gallery: preset maps as cards with their picture, facts and figures.
import { app, change, say, state } from "./app.js";
import { $, button, element } from "./dom.js";
import * as hints from "./hints.js";
import { spoken, t } from "./texts.js";

const cards = () => [...$("preset-list").querySelectorAll("[data-preset]")];
const line = (one, kind) => one.querySelector(`.${kind}`);

function card(name) {
  const made = button("", () => {
    hints.close();
    change("preset", { name });
    $("presets").close();
  });
  const picture = new Image();
  picture.alt = "";
  picture.loading = "lazy";
  picture.src = app.wire.address(`maps/${name}.svg`);
  const lines = ["facts", "figures", "stock"].map((kind) => element("small", "", kind));
  made.append(picture, element("b", name), ...lines);
  made.dataset.preset = name;
  return made;
}

export function came(said) {
  state.usage = said.usage;
  $("preset-list").replaceChildren(...said.names.map(card));
}

// Fetches one thing of each card after another, as long as the gallery is seen.
async function each(folder, draw) {
  for (const one of cards()) {
    if (!$("presets").open || one.dataset[folder]) continue;
    const address = app.wire.address(`${folder}/${one.dataset.preset}.json`);
    const answer = await fetch(address).catch(() => null);
    if (!answer?.ok) return;
    one.dataset[folder] = "known";
    draw(one, await answer.json());
  }
}

function facts(one, { title, ...known }) {
  one.querySelector("b").textContent = title;
  line(one, "facts").textContent = t("cardOf", known);
}

function figures(one, known) {
  if (!known) return;
  const difficulty = known.difficulty[spoken()];
  const words = [t("hoursOf", known), difficulty && t("difficulty", { difficulty })];
  line(one, "figures").textContent = words.filter(Boolean).join(" · ");
}

let asked = null; // the map of which the studio counts the owned parts

function ask(one) {
  asked = $("presets").open && one?.dataset.preset;
  if (asked) say("stock", { name: asked });
}

// Asks what of each map the stock has, one map after another.
export const count = () => ask(cards()[0]);

// Without a stock no other map is asked for.
export function stock({ name, owned, parts, left }) {
  const all = cards(),
    at = all.findIndex((one) => one.dataset.preset === name);
  const told = parts && (left ? t("ownsPart", { owned, left }) : t("ownsAll"));
  for (const one of parts ? all.filter((_, place) => place === at) : all) {
    line(one, "stock").textContent = told || "";
    line(one, "stock").classList.toggle("whole", Boolean(parts && !left));
  }
  if (parts && name === asked) ask(all[at + 1]);
}

export async function show() {
  $("presets").showModal();
  await each("maps", facts);
  count();
  await each("figures", figures);
}

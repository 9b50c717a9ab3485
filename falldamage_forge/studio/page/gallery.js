// The gallery: preset maps as cards with their picture, facts and figures.
import { app, change, say, state } from "./app.js";
import { $, button, element } from "./dom.js";
import { t } from "./texts.js";

const cards = () => [...$("preset-list").querySelectorAll("[data-preset]")];
const line = (one, kind) => one.querySelector(`.${kind}`);

function card(name) {
  const made = button("", () => {
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
  const words = [t("hoursOf", known), known.difficulty && t("difficulty", known)];
  line(one, "figures").textContent = words.filter(Boolean).join(" · ");
}

// The part of a map that the stock has; without a stock no other map is asked for.
export function stock({ name, owned, parts }) {
  const at = cards().findIndex((one) => one.dataset.preset === name);
  if (at < 0) return;
  const share = Math.floor((100 * owned) / Math.max(1, parts));
  line(cards()[at], "stock").textContent = parts ? t("ownedShare", { owned, parts, share }) : "";
  const next = cards()[at + 1];
  if (parts && next && $("presets").open) say("stock", { name: next.dataset.preset });
}

export async function show() {
  $("presets").showModal();
  await each("maps", facts);
  if (cards().length) say("stock", { name: cards()[0].dataset.preset });
  await each("figures", figures);
}

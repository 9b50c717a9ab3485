"use strict";
const maps = JSON.parse(document.getElementById("data").textContent);
const form = document.getElementById("filters");
const grid = document.getElementById("maps");
const axes = maps.length ? Object.keys(maps[0].traits) : [];
const values = axis => maps.map(map => axis === "quality" ? map.quality : map.traits[axis]);

function field(title, control) {
  const label = document.createElement("label");
  const output = document.createElement("output");
  label.append(title, control, output);
  form.append(label);
  return output;
}

const style = document.createElement("select");
for (const name of ["all styles", ...new Set(maps.map(map => map.style))]) style.append(new Option(name, name));
field("style", style);
const limits = [];
for (const axis of ["quality", ...axes]) {
  for (const end of axis === "quality" ? ["least"] : ["least", "most"]) {
    const slider = document.createElement("input");
    const all = values(axis);
    Object.assign(slider, { type: "range", min: Math.min(...all), max: Math.max(...all), step: "any" });
    slider.value = end === "least" ? slider.min : slider.max;
    limits.push({ axis, end, slider, output: field(`${axis}, ${end}`, slider) });
  }
}

function fits(map) {
  if (style.value !== "all styles" && map.style !== style.value) return false;
  return limits.every(({ axis, end, slider }) => {
    const value = axis === "quality" ? map.quality : map.traits[axis];
    return end === "least" ? value >= +slider.value - 1e-6 : value <= +slider.value + 1e-6;
  });
}

function text(kind, words) {
  const element = document.createElement(kind);
  element.textContent = words;
  return element;
}

function open(map) {
  const dialog = document.getElementById("one");
  dialog.querySelector("h2").textContent = map.title;
  dialog.querySelector("img").src = `data:image/png;base64,${map.picture}`;
  dialog.querySelector("img").alt = `${map.title}, drawn from the south-east`;
  dialog.querySelector("pre").textContent = `# ${map.name}.forge\n${map.text}`;
  dialog.showModal();
}

const cards = maps.map(map => {
  const card = document.createElement("article");
  const image = new Image();
  image.src = `data:image/png;base64,${map.picture}`;
  image.alt = `${map.title}, drawn from the south-east`;
  image.loading = "lazy";
  card.tabIndex = 0;
  card.append(image, text("h2", map.title), text("p", `${map.style}, quality ${map.quality.toFixed(2)}`),
    text("p", axes.map(axis => `${axis} ${map.traits[axis]}`).join(" · ")));
  card.addEventListener("click", () => open(map));
  card.addEventListener("keydown", event => { if (event.key === "Enter") open(map); });
  grid.append(card);
  return card;
});

function renew() {
  let shown = 0;
  maps.forEach((map, n) => { cards[n].hidden = !fits(map); shown += !cards[n].hidden; });
  for (const { slider, output } of limits) output.value = (+slider.value).toFixed(2);
  document.getElementById("count").textContent = `${shown} of ${maps.length} maps`;
}

form.addEventListener("input", renew);
document.getElementById("close").addEventListener("click", () => document.getElementById("one").close());
renew();

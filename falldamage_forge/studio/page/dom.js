// Small helpers for elements. Everything from elsewhere is text; nothing is ever read as markup.
export const $ = (id) => document.getElementById(id);

export function element(name, text = "", kind = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

export function button(text, run, title = "") {
  const made = element("button", text);
  made.type = "button";
  if (title) made.title = title;
  made.addEventListener("click", run);
  return made;
}

export function svg(name, attributes = {}, ...inside) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

// A symbol of `icons.svg`; its meaning is said beside it.
export const icon = (name) =>
  svg("svg", { class: "i", "aria-hidden": "true" }, svg("use", { href: `icons.svg#${name}` }));

// A button with a sign, whose name a small screen leaves out.
export function act(sign, name, run) {
  const made = button("", run, name);
  made.append(icon(sign), element("span", name));
  made.setAttribute("aria-label", name);
  return made;
}

export function patch(colour) {
  return svg("svg", {}, svg("rect", { width: "100%", height: "100%", fill: colour }));
}

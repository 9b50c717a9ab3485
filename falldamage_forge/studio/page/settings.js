// The settings: of the studio (style, printer, price), and of this browser (language, look).
import { app, keep, say, state } from "./app.js";
import { $, element } from "./dom.js";
import * as stock from "./stock.js";
import { TEXTS, speakIn, spoken, t } from "./texts.js";

const ORDER = ["style", "printer", "process", "price", "currency", "variants", "tops", "filaments"];

export function came(said) {
  state.settings = said;
  $("command").textContent = said.command;
  stock.came(said);
  $("choices").replaceChildren(
    ...ORDER.map((name) => {
      const row = element("label", `${t(name)} `);
      row.append(field(name, said.values[name], said.choices[name], said.whole[name]));
      return row;
    }),
  );
}

// `whole` is the least and the greatest value of a whole number.
function field(name, value, choices, whole) {
  const made = document.createElement(choices ? "select" : "input");
  made.name = name;
  if (choices) {
    made.append(
      ...choices.map((choice) => {
        const option = element("option", choice || t("usual"));
        option.value = choice;
        return option;
      }),
    );
  } else {
    made.type = "number";
    [made.min, made.max] = whole ?? [0.01, ""];
    made.step = whole ? 1 : "any";
  }
  made.value = value;
  made.addEventListener("change", () => {
    if (made.checkValidity())
      say("set", { values: { [name]: choices ? made.value : Number(made.value) } });
  });
  return made;
}

export function theme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  $("theme").setAttribute("aria-pressed", String(dark));
  app.view.draw();
}

// `redraw` draws anew what has texts of its own.
export function listen(redraw) {
  $("settings").addEventListener("click", () => $("setting").showModal());
  $("keys-button").addEventListener("click", () => $("keys").showModal());
  $("language").replaceChildren(
    ...Object.entries(TEXTS).map(([code, texts]) => {
      const option = element("option", texts.name);
      option.value = code;
      option.lang = code;
      return option;
    }),
  );
  $("language").value = spoken();
  $("language").addEventListener("change", () => {
    speakIn($("language").value);
    redraw();
    app.wire.greet();
  });
  $("printed").checked = app.view.printed;
  $("printed").addEventListener("change", () => {
    keep.set("printed", String($("printed").checked));
    app.view.look($("printed").checked);
  });
  const names = (on) => {
    document.body.classList.toggle("nameless", !on);
    $("tool-names").setAttribute("aria-pressed", String(on));
  };
  $("tool-names").addEventListener("click", () => {
    const on = $("tool-names").getAttribute("aria-pressed") !== "true";
    keep.set("names", String(on));
    names(on);
  });
  names(keep.get("names") !== "false");
  $("theme").addEventListener("click", () => {
    const dark = $("theme").getAttribute("aria-pressed") !== "true";
    keep.set("dark", String(dark));
    theme(dark);
  });
  const said = keep.get("dark");
  theme(said === null ? matchMedia("(prefers-color-scheme: dark)").matches : said === "true");
}

// The user's stock: a CSV file of owned parts, which the studio reads and counts. This browser
// remembers it for the next studio.
import { keep, say, state } from "./app.js";
import { $, element } from "./dom.js";
import * as gallery from "./gallery.js";
import { notice } from "./notes.js";
import { t } from "./texts.js";

const MOST_BYTES = 1_000_001; // a text of these is refused, so the rest need not be read
const KEPT = "stock";
let greeted = false; // whether the settings that come next are those of a greeting

const set = (stock) => say("set", { values: { stock } });
const why = (lines) => $("stock-why").replaceChildren(...lines.map((line) => element("li", line)));

// The line end tells an empty file, which the studio refuses, from no stock.
export async function open(file) {
  why([]);
  if (file) set(`${await file.slice(0, MOST_BYTES).text()}\n`);
}

export function hello() {
  greeted = true;
}

export function came({ values: { stock }, owned }) {
  if (greeted && !stock && keep.get(KEPT)) set(keep.get(KEPT));
  else keep.set(KEPT, stock);
  greeted = false;
  $("stock-name").textContent = stock ? t("myStock", { count: owned }) : "";
  $("stock-away").hidden = !stock;
  why([]);
  gallery.count();
}

// A remembered stock that another version refuses is forgotten.
export function refused({ message, issues = [] }) {
  if (!state.settings.values.stock) keep.set(KEPT, "");
  const lines = issues.map((one) =>
    [one.place && t("line", { line: one.place.line }), one.message, one.hint]
      .filter(Boolean)
      .join(" · "),
  );
  if ($("presets").open) why([message, ...lines]);
  else notice([message, ...lines].join(" · "));
}

export function listen() {
  $("stock-open").addEventListener("click", () => $("stock-file").click());
  $("stock-file").addEventListener("change", () => {
    open($("stock-file").files[0]);
    $("stock-file").value = "";
  });
  $("stock-away").addEventListener("click", () => {
    keep.set(KEPT, "");
    set("");
  });
}

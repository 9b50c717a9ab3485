// Ctrl-K: every act of the page by its name, and gestures in words with the same preview as a
// click.
import { state } from "./app.js";
import { marks } from "./board.js";
import { $, button, element, icon } from "./dom.js";
import { foresee } from "./foresee.js";
import { tip } from "./notes.js";
import { t } from "./texts.js";

const MOST = 12;
const ACTS =
  "#tools [data-tool]:not([hidden]), #camera button, header button:not(#find-button), " +
  "#more button[id], #print-button, [data-make]:not([hidden])";

const nameOf = (one) => one.ariaLabel || one.textContent.trim();

// Rows whose name holds the words; forms of gestures fill the field.
function found(words) {
  const has = (name) => name.toLowerCase().includes(words.toLowerCase());
  const acts = [...document.querySelectorAll(ACTS)]
    .filter((one) => !one.disabled && has(nameOf(one)))
    .map((one) => {
      const made = button("", () => {
        $("find").close();
        one.click();
      });
      const sign = one.querySelector("use")?.getAttribute("href").split("#")[1];
      made.append(...(sign ? [icon(sign)] : []), element("span", nameOf(one)));
      if (one.ariaKeyShortcuts) made.append(element("kbd", one.ariaKeyShortcuts));
      return made;
    });
  const forms = (state.usage ?? []).filter(has).map((form) => {
    const made = button("", () => {
      $("words").value = `${form.split(" ")[0]} `;
      $("words").focus();
      draw();
    });
    made.append(element("code", form));
    return made;
  });
  return [...acts, ...forms].slice(0, MOST);
}

function draw() {
  const words = $("words").value.trim();
  $("found").replaceChildren(
    ...found(words).map((one) => {
      const row = element("li");
      row.append(one);
      return row;
    }),
  );
  foresee(/ /.test(words) ? words : null);
  marks();
}

// The preview stands in the dialog while it is open: nothing hides its lines, or why not.
function show() {
  $("find").append($("tip"));
  $("find").showModal();
  $("words").select();
  draw();
}

export function listen() {
  $("find-button").addEventListener("click", show);
  $("words").addEventListener("input", draw);
  $("find").addEventListener("close", () => {
    $("float").prepend($("tip"));
    foresee(null);
    tip("");
    marks();
  });
  window.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    show();
  });
}

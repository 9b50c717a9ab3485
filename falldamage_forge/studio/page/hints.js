// Three hints on a new board, one after another; each leaves when its thing is done, or by its
// button.
import { keep } from "./app.js";
import { $, button, element, icon } from "./dom.js";
import { t } from "./texts.js";

const HINTS = { tool: "hintTool", view: "hintView", print: "hintPrint" };
const SEEN = (name) => `hint.${name}`;
let begun = false;

function draw() {
  $("hints").hidden = !begun;
  const left = Object.keys(HINTS).filter((name) => begun && !keep.get(SEEN(name)));
  $("hints").replaceChildren(
    ...left.slice(0, 1).map((name) => {
      const row = element("li");
      const away = button("", () => done(name));
      away.setAttribute("aria-label", t("close"));
      away.append(icon("stop"));
      row.append(icon("hint"), element("span", t(HINTS[name])), away);
      return row;
    }),
  );
}

// The thing of a hint has been done: it does not come back in this browser.
export function done(name) {
  if (!begun || keep.get(SEEN(name))) return;
  keep.set(SEEN(name), "done");
  draw();
}

export function begin() {
  begun = true;
  draw();
}

export const redraw = draw;

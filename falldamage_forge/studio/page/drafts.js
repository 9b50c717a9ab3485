// Texts that were kept and not ended: a list in the gallery, newest first.
import { change } from "./app.js";
import { t, timed } from "./texts.js";
import { element } from "./dom.js";

const SHOWN = 6;

// `own` are those of this browser, each with what opens and what forgets it.
export function drafts(said, wire, own, close) {
  const at = document.getElementById("drafts");
  const theirs = said.drafts.map((one) => ({
    ...one,
    open: () => change("draft", { id: one.id }),
    forget: () => wire.say("forget", { id: one.id }),
  }));
  const rows = [...own, ...theirs]
    .slice(0, SHOWN)
    .map(({ title, when, lines, open: run, forget: end }) => {
      const row = element("li");
      const open = element(
        "button",
        t("draftOf", { title, lines, when: timed(when) }),
      );
      const forget = element("button", "✕");
      for (const button of [open, forget]) button.type = "button";
      forget.setAttribute("aria-label", t("forget", { title }));
      open.addEventListener("click", () => {
        run();
        close();
      });
      forget.addEventListener("click", () => {
        end();
        row.remove();
      });
      row.append(open, forget);
      return row;
    });
  const list = element("ul");
  list.append(...rows);
  at.replaceChildren(...(rows.length ? [element("h3", t("drafts")), list] : []));
}

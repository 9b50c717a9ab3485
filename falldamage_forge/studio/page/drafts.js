// Texts that were kept and not ended: a list in the gallery, newest first.
import { TEXTS, t } from "./texts.js";
import { element } from "./dom.js";

Object.assign(TEXTS.en, { drafts: "Go on with", draftOf: "{title}, {lines} lines, {when}", forget: "Forget {title}" });
Object.assign(TEXTS.de, { drafts: "Weiter mit", draftOf: "{title}, {lines} Zeilen, {when}", forget: "{title} vergessen" });
const SHOWN = 6;

export function drafts(said, wire, close) {
  const at = document.getElementById("drafts");
  const rows = said.drafts.slice(0, SHOWN).map(({ id, title, when, lines }) => {
    const row = element("li");
    const open = element("button", t("draftOf", { title, lines, when: new Date(when).toLocaleString() }));
    const forget = element("button", "✕");
    for (const button of [open, forget]) button.type = "button";
    forget.setAttribute("aria-label", t("forget", { title }));
    open.addEventListener("click", () => { if (wire.say("draft", { id })) close(); });
    forget.addEventListener("click", () => wire.say("forget", { id }));
    row.append(open, forget);
    return row;
  });
  const list = element("ul");
  list.append(...rows);
  at.replaceChildren(...(rows.length ? [element("h3", t("drafts")), list] : []));
}

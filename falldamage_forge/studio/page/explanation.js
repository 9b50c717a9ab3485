// What is told at a place of the text: its issue, or what its statement means.
import { cureOf } from "./meaning.js";
import { t } from "./texts.js";

export const ROW_PX = 19.5; // height of a line
export const PAD_PX = 8;
const REST_MS = 350;

export function wordsOf(issue) {
  const mend = issue.fix ? `\n${t("mend", { cure: cureOf(issue.fix) })}` : "";
  return `${issue.code} ${issue.message}${issue.hint ? `\n${issue.hint}` : ""}${mend}`;
}

export class Explanation {
  // `hint` is the element that shows it.
  constructor(editor, hint) {
    this.editor = editor;
    this.hint = hint;
  }

  // The pointer rests over the text.
  over(event) {
    const { area } = this.editor;
    const line = Math.floor((event.offsetY - PAD_PX + area.scrollTop) / ROW_PX);
    const column = this.editor.columnAt(line, event.offsetX - PAD_PX + area.scrollLeft);
    if (this.seen === `${line} ${column}`) return;
    this.seen = `${line} ${column}`;
    clearTimeout(this.resting);
    this.tell("");
    this.resting = setTimeout(() => this.explain({ line, column }), REST_MS);
  }

  explain({ line, column }) {
    const issue = this.editor.issues.find(
      ({ place }) =>
        place.line === line + 1 &&
        place.column - 1 <= column &&
        (place.end_line > place.line || column < place.end_column),
    );
    if (issue) this.tell(wordsOf(issue), { line, column });
    else if (!this.editor.changed && line >= 0 && column >= 0) {
      this.asked = { line, column };
      this.editor.ask("meaning", { line, column });
    }
  }

  meant(said) {
    if (this.asked && said.line === this.asked.line && said.first <= this.asked.column)
      this.tell([said.form, said.text].filter(Boolean).join("\n"), {
        line: said.line,
        column: said.first,
      });
  }

  // Shows a text below a place, or above it where there is no room.
  tell(text, at) {
    const { hint } = this;
    hint.hidden = !text;
    hint.textContent = text;
    if (!text || !at) return;
    const { area } = this.editor;
    const [x, y] = this.editor.spot(at);
    const most = area.parentElement.clientWidth - hint.offsetWidth - 8;
    const below = y + ROW_PX + 4,
      above = Math.max(2, y - hint.offsetHeight - 4);
    const fits = below + hint.offsetHeight < area.clientHeight;
    hint.style.left = `${Math.max(4, Math.min(x, most))}px`;
    hint.style.top = `${fits ? below : above}px`;
  }
}

// The text as it is typed: a plain field, so that every keyboard, reader and phone can use it, with
// its colours under it. What becomes of what is typed, `sync.js` knows.
import { MOST, coloured as colouredText } from "./colours.js";
import { columnAt, distance } from "./columns.js";
import { Completion } from "./completion.js";
import { Explanation, PAD_PX, ROW_PX, wordsOf } from "./explanation.js";
import { LineNumbers } from "./line_numbers.js";
import { t } from "./texts.js";

export class Editor {
  // `area`, `numbers`, `colours`, `ruler`, `hint`, `words` are elements; `typed` gets the text and
  // the caret at every change, and whether hands rest already; `ask` gets messages.
  constructor(parts, typed, ask) {
    Object.assign(this, parts);
    this.ask = ask;
    this.typed = typed;
    this.known = ""; // the studio's text
    this.file = ""; // what issues call this text
    this.issues = [];
    this.lines = new LineNumbers(this.area, this.numbers);
    this.completion = new Completion(this, parts.words);
    this.explanation = new Explanation(this, parts.hint);
    this.area.addEventListener("input", (event) => {
      this.changedByHand();
      if (event.inputType?.startsWith("insertText")) this.completion.grew(event.data);
      else if (event.inputType !== "deleteContentBackward" || !this.completion.open)
        this.completion.close();
      else this.completion.ask();
    });
    this.area.addEventListener("paste", (event) => this.pasted(event));
    this.area.addEventListener("scroll", () => this.scrolled());
    this.area.addEventListener("keydown", (event) => this.key(event));
    this.area.addEventListener("mousemove", (event) => this.explanation.over(event));
    this.area.addEventListener("mouseleave", () => this.explanation.tell(""));
    this.area.addEventListener("blur", () => this.completion.close());
  }

  // A paste as one change: the browser's own goes line by line, and takes minutes of a long text.
  pasted(event) {
    const text = event.clipboardData?.getData("text/plain");
    if (!text) return;
    event.preventDefault();
    const { area } = this;
    area.setRangeText(text.replaceAll("\r\n", "\n"), area.selectionStart, area.selectionEnd, "end");
    this.completion.close();
    this.changedByHand();
    const y = this.caret.line * ROW_PX;
    if (y < area.scrollTop || y > area.scrollTop + area.clientHeight - 2 * ROW_PX)
      area.scrollTop = y - area.clientHeight / 2;
  }

  changedByHand() {
    this.explanation.tell("");
    this.draw();
    this.typed(this.area.value, this.area.selectionEnd);
  }

  // Another text, and where each place of the one before is in it.
  take(text, moved) {
    this.explanation.tell("");
    const { selectionStart, selectionEnd, scrollTop } = this.area;
    this.area.value = text;
    this.area.setSelectionRange(moved(selectionStart), moved(selectionEnd));
    this.area.scrollTop = scrollTop;
    this.draw();
  }

  get changed() {
    return this.area.value !== this.known;
  }

  put(text) {
    this.area.value = text;
    this.draw();
    this.typed(text, text.length, true);
  }

  faults(issues) {
    this.issues = issues.filter((issue) => issue.place?.file === this.file);
    this.judged = this.known; // the text that they are of
    this.draw();
  }

  scrolled() {
    this.lines.scrolled();
    this.colours.scrollTop = this.area.scrollTop;
    this.colours.scrollLeft = this.area.scrollLeft;
  }

  draw() {
    const text = this.area.value,
      worst = new Map(),
      faults = new Map();
    for (const issue of this.issues) {
      const { line, column, end_line: endLine, end_column: endColumn } = issue.place;
      if (worst.get(line)?.severity !== "error") worst.set(line, issue);
      const last = endLine === line ? Math.max(endColumn - 1, column) : Infinity;
      faults.set(line, [
        ...(faults.get(line) ?? []),
        { first: column - 1, last, severity: issue.severity },
      ]);
    }
    const plain = text.length > MOST;
    this.area.classList.toggle("plain", plain);
    const coloured = plain ? "" : JSON.stringify([text, ...faults]);
    const painted = coloured !== this.coloured; // a long text takes its time to be laid out
    if (painted) this.colours.replaceChildren(plain ? "" : colouredText(text, faults));
    this.coloured = coloured;
    const numbered = this.lines.draw(text.split("\n").length, worst);
    if (painted || numbered) this.scrolled();
  }

  get line() {
    return this.area.value.slice(0, this.area.selectionStart).split("\n").length;
  }

  // Line and column of the caret, from 0.
  get caret() {
    const before = this.area.value.slice(0, this.area.selectionStart);
    const line = before.split("\n").length - 1;
    return { line, column: before.length - before.lastIndexOf("\n") - 1 };
  }

  // The column of a line at a distance in pixels from its begin.
  columnAt(line, px) {
    return columnAt(this.ruler, this.row(line), px);
  }

  row(line) {
    return this.area.value.split("\n")[line] ?? "";
  }

  // Where a place is on the editor, in its pixels.
  spot({ line, column }) {
    return [
      this.numbers.offsetWidth + PAD_PX - this.area.scrollLeft
        + distance(this.ruler, this.row(line), column),
      PAD_PX + line * ROW_PX - this.area.scrollTop,
    ];
  }

  go(place) {
    if (place.file !== this.file) return;
    this.area.focus();
    this.show(place);
  }

  // Does a quick fix: `text` instead of some columns of a line. One of a text that is no more waits
  // for the issues of this one.
  fix({ line, first, last, text, more }) {
    if (this.area.value !== this.judged) return;
    const lines = this.area.value.split("\n");
    const [row, end] = [lines[line - 1], lines[line - 1 + more]];
    if (row === undefined || end === undefined) return;
    lines.splice(line - 1, more + 1, row.slice(0, first) + text + end.slice(last));
    this.put(lines.join("\n"));
  }

  // Selects a place, and leaves the focus where it is.
  show(place) {
    const lines = this.area.value.split("\n");
    const at = (line, col) =>
      lines.slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0) + col - 1;
    this.area.setSelectionRange(at(place.line, place.column), at(place.end_line, place.end_column));
    this.area.scrollTop = (place.line - 4) * ROW_PX;
  }

  // Puts a word in the place of what was typed of it.
  insert(word, typed) {
    const end = this.area.selectionStart;
    this.area.setRangeText(word, end - typed, end, "end");
    this.changedByHand();
  }

  key(event) {
    if (this.completion.key(event)) return;
    const control = event.ctrlKey || event.metaKey;
    if (control && event.key === " ") this.completion.ask();
    else if (control && event.key === ".") this.mend();
    else if (event.key === "F8") this.next(event.shiftKey);
    else if (event.key === "F1") this.explanation.explain(this.caret);
    else if (event.shiftKey && event.altKey && event.key.toLowerCase() === "f") this.ask("format");
    else {
      if (event.key === "Escape") this.explanation.tell("");
      return;
    }
    event.preventDefault();
  }

  mend() {
    const here = this.line;
    const issue =
      this.issues.find((one) => one.fix && one.place.line === here) ??
      this.issues.find((one) => one.fix);
    if (issue) this.fix(issue.fix);
  }

  next(back) {
    const here = this.line;
    const rows = [...this.issues].sort((a, b) => a.place.line - b.place.line);
    const found = back
      ? (rows.findLast((one) => one.place.line < here) ?? rows.at(-1))
      : (rows.find((one) => one.place.line > here) ?? rows[0]);
    if (!found) return this.explanation.tell(t("noFault"), this.caret);
    this.go(found.place);
    return this.explanation.tell(wordsOf(found), {
      line: found.place.line - 1,
      column: found.place.column - 1,
    });
  }
}

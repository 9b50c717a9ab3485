// The numbers of lines beside the text, with the worst issue of each.
import { ROW_PX } from "./explanation.js";

const MANY_LINES = 3000;

export class LineNumbers {
  many = 0; // lines of a text with so many that only those in sight have numbers
  shown = ""; // what the numbers show
  windowed = ""; // the same, of those in sight

  constructor(area, numbers) {
    this.area = area;
    this.numbers = numbers;
  }

  // `worst` has an issue by its line. True unless it would show what is there already.
  draw(lines, worst) {
    const { numbers } = this;
    this.many = lines > MANY_LINES ? lines : 0;
    // No wider when others are in sight.
    numbers.style.minWidth = this.many ? `calc(${String(lines).length}ch + 1rem)` : "";
    const marked = this.many ? [] : [...worst];
    const about = marked.map(([line, { severity, message }]) => [line, severity, message]);
    const shown = JSON.stringify([lines, ...about]);
    if (shown === this.shown) return false;
    this.shown = shown;
    this.windowed = "";
    if (!this.many) numbers.replaceChildren(rowsOf(lines, worst));
    return true;
  }

  scrolled() {
    if (this.many) this.window(this.area.scrollTop);
    else this.numbers.scrollTop = this.area.scrollTop;
  }

  window(top) {
    const first = Math.floor(top / ROW_PX);
    const seen = Math.ceil(this.area.clientHeight / ROW_PX) + 2;
    const last = Math.min(this.many, first + seen);
    const windowed = `${first} ${seen}`;
    if (windowed !== this.windowed) {
      this.windowed = windowed;
      const numbers = Array.from({ length: seen }, (_, at) => first + at);
      const texts = numbers.map((number) => (number < last ? number + 1 : ""));
      this.numbers.textContent = `${texts.join("\n")}\n`;
    }
    this.numbers.scrollTop = top - first * ROW_PX;
  }
}

function rowsOf(lines, worst) {
  const rows = document.createDocumentFragment();
  for (let line = 1; line <= lines; line += 1) {
    const issue = worst.get(line);
    const row = document.createElement("span");
    row.textContent = `${line}\n`;
    if (issue) {
      row.className = issue.severity;
      row.title = issue.message;
    }
    rows.append(row);
  }
  return rows;
}

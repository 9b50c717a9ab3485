// Words that fit at the caret, in a list that the keyboard walks.
const REST_MS = 90, SHOWN = 9;

export class Completion {
  constructor(editor, list) {
    this.editor = editor;
    this.list = list;
    this.words = [];
    this.at = 0;
    editor.area.setAttribute("aria-autocomplete", "list");
    editor.area.setAttribute("aria-controls", list.id);
  }

  get open() { return !this.list.hidden; }

  grew(sign) {
    if (/[A-Za-z0-9]/.test(sign ?? "") || this.open) this.ask();
  }

  ask() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const { area, caret } = this.editor;
      if (area.value.length > 60_000 || area.selectionStart !== area.selectionEnd) return;
      this.asked = caret;
      this.editor.ask("complete", { text: area.value, ...caret });
    }, REST_MS);
  }

  came({ line, column, typed, words }) {
    const { caret, area } = this.editor;
    const here = document.activeElement === area && caret.line === line && caret.column === column;
    if (!here || !words.length) return this.close();
    Object.assign(this, { words, typed, at: 0 });
    this.list.hidden = false;
    const [x, y] = this.editor.spot({ line, column: column - typed });
    this.list.style.left = `${Math.max(2, Math.min(x, area.parentElement.clientWidth - 180))}px`;
    this.list.style.top = `${y + 22}px`;
    return this.draw();
  }

  draw() {
    const first = Math.max(0, Math.min(this.at - 4, this.words.length - SHOWN));
    const shown = this.words.slice(first, first + SHOWN);
    this.list.replaceChildren(...shown.map(([word, , form, means], number) => {
      const row = document.createElement("li");
      row.id = `word-${first + number}`;
      row.setAttribute("role", "option");
      row.setAttribute("aria-selected", String(first + number === this.at));
      const name = document.createElement("b");
      name.textContent = word;
      row.append(name, ` ${[form, means].filter(Boolean).join(": ")}`);
      row.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        this.at = first + number;
        this.take();
      });
      return row;
    }));
    this.editor.area.setAttribute("aria-activedescendant", `word-${this.at}`);
  }

  take() {
    const [word] = this.words[this.at];
    this.close();
    this.editor.insert(word, this.typed);
  }

  close() {
    clearTimeout(this.timer);
    this.list.hidden = true;
    this.editor.area.removeAttribute("aria-activedescendant");
  }

  // Whether a key was for the list.
  key(event) {
    if (!this.open || event.ctrlKey || event.metaKey || event.altKey) return false;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: SHOWN, PageUp: -SHOWN }[event.key];
    if (step) {
      this.at = Math.max(0, Math.min(this.words.length - 1, this.at + step));
      this.draw();
    }
    else if (event.key === "Enter" || event.key === "Tab") this.take();
    else if (event.key === "Escape") this.close();
    else { if (event.key.startsWith("Arrow")) this.close(); return false; }
    event.preventDefault();
    return true;
  }
}

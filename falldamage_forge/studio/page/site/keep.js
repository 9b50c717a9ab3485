// Texts kept in this browser: each tab has its own, which a reload or a kill does not lose; those of
// other tabs and days can be gone on with.
const PREFIX = "fdforge-draft:";
const MOST = 20;

const name = () => Math.random().toString(36).slice(2, 10);

function read(key) {
  try {
    const kept = JSON.parse(localStorage.getItem(key));
    return typeof kept?.text === "string" ? kept : null;
  } catch { return null; }
}

export class Keep {
  // The tab's own place; a tab that was copied from another gets a new one and the same text.
  async begin() {
    let kept = null;
    try {
      this.id = sessionStorage.getItem(PREFIX) ?? name();
      kept = read(PREFIX + this.id);
      if (!(await this.alone())) this.id = name();
      sessionStorage.setItem(PREFIX, this.id);
    } catch { this.id ??= name(); } // a browser that keeps nothing; the studio works all the same
    return kept?.text ?? null;
  }

  // Whether no other tab holds this place; it is held for as long as the tab lives.
  alone() {
    if (!navigator.locks) return true;
    return new Promise((told) => {
      navigator.locks.request(PREFIX + this.id, { ifAvailable: true }, (lock) => {
        told(lock !== null);
        return lock && new Promise(() => {});
      });
    });
  }

  put(text, title) {
    try {
      localStorage.setItem(PREFIX + this.id, JSON.stringify({ text, title, when: new Date().toISOString() }));
      for (const { id } of this.others().slice(MOST)) this.forget(id);
      return true;
    } catch { return false; }
  }

  // Newest first.
  others() {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX) && key !== PREFIX + this.id)
        .map((key) => [key, read(key)]).filter(([, kept]) => kept)
        .map(([key, { text, title, when }]) => ({ id: key.slice(PREFIX.length), title, when, lines: text.split("\n").length }))
        .sort((a, b) => (a.when < b.when ? 1 : -1));
    } catch { return []; }
  }

  text(id) { return read(PREFIX + id)?.text ?? null; }

  forget(id) { try { localStorage.removeItem(PREFIX + id); } catch { /* it was not kept either */ } }
}

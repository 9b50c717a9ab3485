// Texts kept in this browser: each tab has its own place, which a reload or a kill does not lose;
// those of other tabs and days can be gone on with.
import { forgotten, stored } from "./stored.js";

const MOST = 20;

const name = () => Math.random().toString(36).slice(2, 10);

const read = (key) => stored(key, "text");

export class Keep {
  // All keys begin with `prefix`.
  constructor(prefix) {
    this.prefix = prefix;
    this.id = name();
  }

  // Takes a place that nobody had, and holds it for as long as the tab lives.
  async fresh() {
    this.id = name();
    await this.alone();
  }

  // The tab's own place, and its text; a tab that was copied from another gets a new one.
  async again() {
    let kept = null;
    try {
      this.id = sessionStorage.getItem(this.prefix) ?? this.id;
      kept = read(this.prefix + this.id);
      if (!(await this.alone())) this.id = name();
      sessionStorage.setItem(this.prefix, this.id);
    } catch {
      /* a browser that keeps nothing; the studio works all the same */
    }
    return kept?.text ?? null;
  }

  // Whether no other tab holds this place.
  alone() {
    if (!navigator.locks) return true;
    return new Promise((told) => {
      navigator.locks
        .request(this.prefix + this.id, { ifAvailable: true }, (lock) => {
          told(lock !== null);
          return lock && new Promise(() => {});
        })
        .catch(() => told(true)); // where storage is forbidden, so are locks
    });
  }

  put(text, title, more = {}) {
    try {
      localStorage.setItem(
        this.prefix + this.id,
        JSON.stringify({ text, title, when: new Date().toISOString(), ...more }),
      );
      if (!this.swept) for (const { id } of this.others().slice(MOST)) this.forget(id);
      this.swept = true;
      return true;
    } catch {
      return false;
    }
  }

  // What other tabs and days have left, newest first.
  others() {
    try {
      return Object.keys(localStorage)
        .filter((key) => key.startsWith(this.prefix) && key !== this.prefix + this.id)
        .map((key) => [key, read(key)])
        .filter(([, kept]) => kept)
        .map(([key, kept]) => ({
          ...kept,
          id: key.slice(this.prefix.length),
          lines: kept.text.split("\n").length,
        }))
        .sort((a, b) => (a.when < b.when ? 1 : -1));
    } catch {
      return [];
    }
  }

  // Of these the ones whose tabs are gone.
  async left() {
    const { held = [] } = (await navigator.locks?.query().catch(() => null)) ?? {};
    const living = new Set(held.map((lock) => lock.name));
    return this.others().filter(({ id }) => !living.has(this.prefix + id));
  }

  text(id) {
    return read(this.prefix + id)?.text ?? null;
  }

  forget(id = this.id) {
    forgotten(this.prefix + id);
  }
}

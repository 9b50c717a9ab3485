// The line to the studio on a page without a server: two workers of this very page, which run the
// same session. One answers hands, the other works out what takes longer and can be stopped.
import { Keep } from "./keep.js";
import { storeSite } from "./offline.js";
import { TEXTS, spoken, t } from "./texts.js";

export const VERSION = 1;
const REST_MS = 400; // how long hands must rest before measures and pieces are worked out
const OWN = "site-"; // texts of a page without a server, in place of those of the same names
for (const texts of Object.values(TEXTS)) {
  for (const name of Object.keys(texts)) {
    if (name.startsWith(OWN)) texts[name.slice(OWN.length)] = texts[name];
  }
}

// A project is made for one slicer; `missing.txt` of the zip says so.
document.querySelector('[data-make="project"]').hidden = true;

export class Wire {
  constructor(hear, lost) {
    this.token = "";
    this.hear = hear;
    this.lost = lost;
    this.told = { state: null, settings: null, game: null };
    this.keep = new Keep("fdforge-draft:");
    this.lost("loading");
    this.open();
  }

  async open() {
    this.quick = this.worker("quick", (told) => this.heard(told));
    this.quick.postMessage({ begin: "quick", text: await this.keep.again() });
    this.hello();
  }

  worker(role, hear) {
    const made = new Worker(new URL("worker.js", import.meta.url), { type: "module", name: role });
    made.onmessage = ({ data }) => {
      if (data.ready) {
        this.ready ||= role === "quick";
        return;
      }
      if (data.failed) {
        this.error(t("studioStopped", { why: data.failed }));
        return;
      }
      hear(data.made ? data : JSON.parse(data.told));
    };
    made.onerror = (event) =>
      this.error(t("workerFails", { why: event.message ?? t("workerLost") }));
    return made;
  }

  error(text) {
    this.hear({ v: VERSION, type: "error", message: text });
  }

  again() {
    if (this.ready) this.quick.postMessage({ greet: true });
  }

  heard(told) {
    if (told.type === "board" && told.revision === this.told.state.revision && told.revision > 0)
      this.kept(told.title);
    if (told.type in this.told) {
      const before = this.told[told.type];
      this.told[told.type] = told;
      if (told.type === "settings" || before?.revision !== told.revision)
        clearTimeout(this.resting);
    }
    if (told.type === "parts") {
      // the last of what follows at once
      this.later();
      this.stored ??= storeSite();
    }
    this.hear(told);
    if (told.type === "presets") this.drafts();
  }

  kept(title) {
    const saved = this.keep.put(this.told.state.text, title);
    if (saved !== this.told.state.saved) this.hear({ ...this.told.state, saved });
  }

  drafts() {
    this.hear({ v: VERSION, type: "drafts", drafts: this.keep.others() });
  }

  later() {
    clearTimeout(this.resting);
    if (!this.building) this.resting = setTimeout(() => this.wish("stages"), REST_MS);
  }

  wish(kind) {
    const { state, settings, game } = this.told;
    if (!state || !settings) return;
    if (!this.slow) {
      this.slow = this.worker("slow", (told) => this.worked(told));
      this.slow.postMessage({ begin: "slow", text: null });
    }
    this.slow.postMessage({
      said: JSON.stringify({
        kind,
        text: state.text,
        revision: state.revision,
        settings: settings.values,
        game: game?.saved,
        language: spoken(),
      }),
    });
  }

  worked(told) {
    if (told.made) {
      this.blob = told.made;
      this.hear({
        v: VERSION,
        type: "made",
        of: this.building,
        size: told.made.size,
        ...(told.name ? { name: told.name } : {}),
      });
      this.built();
      return;
    }
    if (told.type === "error" || told.type === this.building) this.built();
    this.hear(told);
  }

  built() {
    if (!this.building) return;
    this.building = null;
    if (this.stale) this.later();
    this.stale = false;
  }

  hello() {
    this.quick.postMessage({
      said: JSON.stringify({ v: VERSION, type: "hello", token: "", language: spoken() }),
    });
  }

  greet() {
    if (this.ready) this.hello();
  }

  say(type, fields = {}) {
    if (!this.ready) return false;
    if (type === "build") {
      clearTimeout(this.resting);
      this.building = fields.what;
      this.wish(fields.what);
    } else if (type === "cancel") {
      this.slow?.terminate();
      this.slow = null;
      this.building = null;
      this.hear({ v: VERSION, type: "progress", of: null, what: null, share: 0 });
      this.later();
    } else if (type === "forget") {
      this.keep.forget(fields.id);
      this.drafts();
    } else if (type === "draft") {
      const text = this.keep.text(fields.id);
      const { number } = fields;
      if (text === null) this.hear({ ...this.told.state, heard: number, stale: false });
      else this.say("type", { text, revision: this.told.state.revision, number });
    } else {
      if (this.building) this.stale = true;
      this.quick.postMessage({ said: JSON.stringify({ v: VERSION, type, ...fields }) });
    }
    return true;
  }

  // What is typed is kept at once, under the title that it had last.
  keeps(text, title) {
    return this.keep.put(text, title);
  }

  released() {
    /* a tab's text stays kept, whatever the worker has of it */
  }

  async left() {
    return [];
  }

  // Here is no folder in which files could lie beside a map.
  async model() {
    throw new Error(t("besideElsewhere"));
  }

  async beside() {
    throw new Error(t("besideElsewhere"));
  }

  async made() {
    return this.blob;
  }

  address(path) {
    return path;
  }
}

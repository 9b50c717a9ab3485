// The line to the studio: messages of one version, said again after the line broke.
import { tab } from "./app.js";
import { Keep } from "./keep.js";
import { spoken, t } from "./texts.js";

export const VERSION = 1;
const MOST_BYTES = 4_000_000;
const SOON_MS = 250,
  LATE_MS = 4000; // how long until the line is tried again

function tokenOf() {
  const here = new URLSearchParams(location.hash.slice(1));
  const found = here.get("token");
  if (found) {
    tab.set("token", found);
    here.delete("token");
    const rest = here.toString();
    history.replaceState(null, "", location.pathname + location.search + (rest ? "#" + rest : ""));
  }
  return { token: found ?? tab.get("token") ?? "", found };
}

export class Wire {
  // `hear` gets every message, `lost` the name of a text that tells what broke, "" when it is
  // whole.
  constructor(hear, lost) {
    this.hear = hear;
    this.lost = lost;
    this.patience = SOON_MS;
    this.keep = new Keep("fdforge-unsent:");
    this.keep.fresh();
    this.tokens();
    this.open();
  }

  // A new address that is opened in another tab of this browser serves those that were open, too.
  tokens() {
    const tabs = new BroadcastChannel("fdforge-token");
    const { token, found } = tokenOf();
    this.token = token;
    if (found) tabs.postMessage(token);
    tabs.onmessage = ({ data }) => {
      if (typeof data !== "string" || data === this.token) return;
      tab.set("token", data);
      this.token = data;
      if (this.refused) this.open();
    };
  }

  open() {
    this.refused = false;
    this.socket = new WebSocket(`ws://${location.host}/live`);
    this.socket.onopen = () => this.greet();
    this.socket.onmessage = (event) => {
      this.patience = SOON_MS;
      if (this.broken) {
        this.broken = false;
        this.lost("");
      }
      const said = JSON.parse(event.data);
      if (said.v === VERSION) this.hear(said);
      else this.lost("updated");
    };
    this.socket.onclose = (event) => {
      const first = !this.broken;
      this.broken = true;
      this.refused = event.code === 1008;
      if (first || this.refused) this.lost(this.refused ? "stranger" : "silent");
      if (this.refused) return; // until there is another token
      setTimeout(() => this.open(), this.patience);
      this.patience = Math.min(LATE_MS, this.patience * 2);
    };
  }

  // Says who is here, and in which language; said again, everything comes in the present language.
  greet() { this.say("hello", { token: this.token, page: this.keep.id, language: spoken() }); }

  say(type, fields = {}) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    const data = JSON.stringify({ v: VERSION, type, ...fields });
    if (data.length > MOST_BYTES / 3 && new TextEncoder().encode(data).length > MOST_BYTES) {
      // It would break the line.
      this.hear({ v: VERSION, type: "error", message: t("tooLong"), number: fields.number });
    } else this.socket.send(data);
    return true;
  }

  // A text that the studio lacks is kept in this browser until it has it.
  keeps(text, title, more) {
    return this.keep.put(text, title, more);
  }

  released() {
    this.keep.forget();
  }

  // Texts that other tabs have left so.
  left() {
    return this.keep.left();
  }

  // What is kept stays where it is, under the name that is answered; this tab goes on elsewhere.
  parted() {
    const { id } = this.keep;
    this.keep.fresh();
    return id;
  }

  // Where a file that belongs to the page is.
  address(path) {
    return path;
  }

  // A model that hands dropped: its block's name, or an `error`.
  model(file) {
    return this.sent(`model/${encodeURIComponent(file.name)}`, file);
  }

  // Files that a dropped map names, by path, to lie beside the open map; an `error` if one cannot,
  // and then none does.
  beside(files) {
    const sizes = [...files].map(([path, { size }]) => [path, size]);
    return this.sent("beside", new Blob([`${JSON.stringify(sizes)}\n`, ...files.values()]));
  }

  async sent(to, file) {
    const answer = await fetch(to, {
      method: "POST",
      body: file,
      headers: { "X-Studio-Token": this.token, "X-Studio-Language": spoken() },
    });
    if (!answer.ok) throw new Error(t("silent"));
    return answer.json();
  }

  // What has been made to be handed over, by its name in `data-make`.
  async made(what) {
    const answer = await fetch(`made/${what}`, { headers: { "X-Studio-Token": this.token } });
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.blob();
  }
}

// The line to the studio: messages of one version, said again after the line broke.
export const VERSION = 1;

function tokenOf() {
  const here = new URLSearchParams(location.hash.slice(1));
  const found = here.get("token");
  if (found) {
    sessionStorage.setItem("token", found);
    here.delete("token");
    const rest = here.toString();
    history.replaceState(null, "", location.pathname + location.search + (rest ? "#" + rest : ""));
  }
  return found ?? sessionStorage.getItem("token") ?? "";
}

export class Wire {
  // `hear` gets every message, `lost` the name of a text that tells what broke.
  constructor(hear, lost) {
    this.token = tokenOf();
    this.hear = hear;
    this.lost = lost;
    this.patience = 500;
    this.open();
  }

  open() {
    this.socket = new WebSocket(`ws://${location.host}/live`);
    this.socket.onopen = () => this.say("hello", { token: this.token });
    this.socket.onmessage = (event) => {
      this.patience = 500;
      const said = JSON.parse(event.data);
      if (said.v === VERSION) this.hear(said);
      else this.lost("updated");
    };
    this.socket.onclose = (event) => {
      if (event.code === 1008) return; // the reason has been told
      this.lost("silent");
      setTimeout(() => this.open(), this.patience);
      this.patience = Math.min(8000, this.patience * 2);
    };
  }

  say(type, fields = {}) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify({ v: VERSION, type, ...fields }));
    return true;
  }

  // Where a file that belongs to the page is.
  address(path) { return path; }

  // What has been made to be handed over, `zip` or `sheets`.
  async made(what) {
    const answer = await fetch(`made/${what}`, { headers: { "X-Studio-Token": this.token } });
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.blob();
  }
}

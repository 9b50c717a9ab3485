// Pages without a browser: the synchronisation of the studio's page, driven line by line from Python.
// A line is [page, what, ...]; the answer is what the page said meanwhile and how it stands.
import { createInterface } from "node:readline";
import { argv, stdin, stdout } from "node:process";

globalThis.setTimeout = () => 0; // hands rest when the test says so
globalThis.clearTimeout = () => {};
const { Sync } = await import(argv[2]);

const pages = new Map();

function opened(name) {
  const page = { said: [], kept: null, apart: [], linked: true };
  const say = (type, fields) => { if (page.linked) page.said.push({ v: 1, type, ...fields }); return page.linked; };
  page.sync = new Sync({
    say,
    show: (text, moved) => { page.caret = moved(page.caret ?? 0); page.field = text; },
    keep: (one) => { page.kept = one; },
    kept: () => { page.kept = null; },
    strange: (base, text) => page.apart.push({ base, text }),
  });
  page.field = "";
  pages.set(name, page);
}

const DO = {
  type(page, at, takes, puts) {
    const from = Math.min(at, page.field.length);
    page.field = page.field.slice(0, from) + puts + page.field.slice(from + takes);
    page.caret = from + puts.length;
    page.sync.edited(page.field, page.caret);
  },
  goon(page, puts) { DO.type(page, page.caret ?? 0, 0, puts); },
  rest: (page) => page.sync.go(),
  change: (page, type, fields) => page.sync.change(type, fields),
  told(page, said) {
    if (said.type === "state") page.sync.state(said);
    else if (said.type === "error") page.sync.refused(said.number);
  },
  broke(page) { page.linked = false; page.said = []; page.sync.broke(); },
  back(page) { page.linked = true; },
};

for await (const line of createInterface({ input: stdin })) {
  const [name, what, ...rest] = JSON.parse(line);
  if (what === "open") opened(name);
  const page = pages.get(name);
  DO[what]?.(page, ...rest);
  const { said, kept, apart, field, sync } = page;
  page.said = [];
  stdout.write(`${JSON.stringify({ said, kept, apart, field, text: sync.text, idle: sync.idle })}\n`);
}

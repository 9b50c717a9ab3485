// Files and folders dropped on the page, each by its kind: a map, a stock, or a model of others.
import { app, state } from "./app.js";
import { $ } from "./dom.js";
import * as models from "./models.js";
import { notice, question, speak } from "./notes.js";
import * as stock from "./stock.js";
import { t } from "./texts.js";

const MOST = 200; // files of a folder that are looked at
const MOST_BYTES = 1_000_000; // of a map, as the studio takes it

// The surface of the board under a point of the window; null beside the board.
function under({ clientX, clientY, target }) {
  const box = $("board").getBoundingClientRect();
  return target === $("board") ? app.view.under(clientX - box.left, clientY - box.top) : null;
}

// All files of dropped things, those of folders too; names that begin with a dot are no one's.
async function within(entries) {
  const found = [],
    left = [...entries];
  while (left.length && found.length < MOST) {
    const entry = left.shift();
    if (entry.name.startsWith(".")) continue;
    if (entry.isFile) found.push(await new Promise((done, no) => entry.file(done, no)));
    else {
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((done, no) => reader.readEntries(done, no));
        if (!some.length) break;
        left.push(...some);
      }
    }
  }
  return found;
}

// Opens a map: a step that can be undone.
async function open(file) {
  if (state.play) return notice(t("dropInGame"));
  if (file.size > MOST_BYTES) return notice(t("dropLong", { file: file.name }));
  $("presets").close();
  app.editor.put(await file.text());
  return speak(t("dropOpened", { file: file.name }));
}

// What is done with files: of several maps one is chosen.
export function take(files, at = null) {
  const maps = files.filter(({ name }) => /\.forge$/i.test(name)),
    model = files.find(models.isModel),
    list = files.find(({ name }) => /\.csv$/i.test(name));
  if (maps.length === 1) return open(maps[0]);
  if (maps.length)
    return question(t("dropWhich"), [
      ...maps.map((one) => [one.name, () => open(one)]),
      [t("leaveIt"), () => {}],
    ]);
  if (model) return models.open(model, at);
  if (list) return stock.open(list);
  return notice(t("dropKinds"));
}

async function dropped(event) {
  const { files, items } = event.dataTransfer;
  if (!files.length) return;
  event.preventDefault(); // else the browser leaves the page for the file
  const at = under(event);
  const entries = [...items].map((one) => one.webkitGetAsEntry?.()).filter(Boolean);
  const folder = entries.some((one) => one.isDirectory);
  try {
    take(folder ? await within(entries) : [...files], at);
  } catch (error) {
    notice(String(error.message ?? error));
  }
}

export function listen() {
  window.addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  });
  window.addEventListener("drop", dropped);
}

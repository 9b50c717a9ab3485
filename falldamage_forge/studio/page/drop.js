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

// All files of dropped things with their paths, those of folders too; names that begin with a dot
// are no one's.
async function within(entries) {
  const found = [],
    left = entries.map((entry) => ["", entry]);
  while (left.length && found.length < MOST) {
    const [at, entry] = left.shift();
    if (entry.name.startsWith(".")) continue;
    const path = at + entry.name;
    if (entry.isFile) {
      const file = await new Promise((done, no) => entry.file(done, no));
      found.push(Object.assign(file, { path }));
    } else {
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((done, no) => reader.readEntries(done, no));
        if (!some.length) break;
        left.push(...some.map((one) => [`${path}/`, one]));
      }
    }
  }
  return found;
}

const isMap = ({ name }) => /\.forge$/i.test(name);
const pathOf = (file) => file.path ?? file.name;
const folderOf = (path) => path.slice(0, path.lastIndexOf("/") + 1);

// A path from a folder, as the map's language reads it.
const joined = (folder, path) =>
  `${folder}${path}`
    .split("/")
    .reduce((way, part) => (part === ".." ? way.slice(0, -1) : [...way, part]), [])
    .filter((part) => part !== ".")
    .join("/");

// Of dropped files those that a map names in quotes, and those that its imports name: by their
// paths from the map's folder.
async function named(map, files) {
  const home = folderOf(pathOf(map));
  const there = new Map(files.map((file) => [pathOf(file), file]));
  const found = new Map(),
    left = [map];
  while (left.length) {
    const from = left.shift();
    for (const [, words] of (await from.text()).matchAll(/"([^"\n]+)"/g)) {
      const path = joined(folderOf(pathOf(from)), words),
        file = there.get(path);
      if (!file || file === map || !path.startsWith(home) || found.has(path.slice(home.length)))
        continue;
      if (!isMap(file) && !models.isModel(file)) continue;
      found.set(path.slice(home.length), file);
      if (isMap(file) && file.size <= MOST_BYTES) left.push(file);
    }
  }
  return found;
}

// Opens a map: a step that can be undone. The files that it names come to lie beside the open one.
async function open(map, files) {
  const file = map.name;
  if (state.play) return notice(t("dropInGame"));
  if (map.size > MOST_BYTES) return notice(t("dropLong", { file }));
  const beside = await named(map, files);
  const said = beside.size ? await app.wire.beside(beside) : {};
  if (said.type === "error") return models.refused(said);
  $("presets").close();
  app.editor.put(await map.text());
  const others = [...beside.keys()].join(", ");
  return speak(others ? t("dropBeside", { file, files: others }) : t("dropOpened", { file }));
}

const opened = (map, files) =>
  open(map, files).catch((error) => notice(String(error.message ?? error)));

// The maps among files, but for those that others import.
async function mapsOf(files) {
  const maps = files.filter(isMap),
    inner = new Set();
  for (const map of maps)
    if (map.size <= MOST_BYTES)
      for (const file of (await named(map, files)).values()) inner.add(file);
  const outer = maps.filter((map) => !inner.has(map));
  return outer.length ? outer : maps;
}

// What is done with files: of several maps one is chosen.
async function take(files, at = null) {
  const maps = await mapsOf(files),
    model = files.find(models.isModel),
    list = files.find(({ name }) => /\.csv$/i.test(name));
  if (maps.length === 1) return opened(maps[0], files);
  if (maps.length)
    return question(t("dropWhich"), [
      ...maps.map((one) => [one.name, () => opened(one, files)]),
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
    await take(folder ? await within(entries) : [...files], at);
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

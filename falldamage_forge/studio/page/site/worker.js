// Python in a worker: the session of the page, one step at a time, so that what comes in between is
// heard. Whatever is newer takes the place of what still follows from before.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const FOLDER = "/forge";
const queue = [];
let wake = () => {};
self.onmessage = ({ data }) => {
  queue.push(data);
  wake();
};

const here = (path) => new URL(path, import.meta.url).href;

async function bytes(path) {
  const answer = await fetch(here(path));
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

async function ours() {
  const site = await (await fetch(here("site.json"), { cache: "no-cache" })).json();
  return bytes(site.python);
}

// Begins before it is known what for: the page is still being read.
const env = { FDFORGE_CACHE: "off", HOME: FOLDER };
const loading = Promise.all([loadPyodide({ indexURL: here("pyodide/"), env }), ours()]);
loading.catch(() => {}); // told when it is waited for

async function python({ begin, text }) {
  const [py, archive] = await loading;
  py.unpackArchive(archive, "zip", { extractDir: FOLDER });
  py.runPython(`import sys; sys.path.insert(0, ${JSON.stringify(FOLDER)})`);
  const local = py.pyimport("falldamage_forge.studio.pyodide_host");
  const made = begin === "quick" ? local.InteractiveWorker : local.BatchWorker;
  return text === null ? made() : made(text); // null is no None to Python
}

async function post(told, session) {
  const read = JSON.parse(told);
  if (read.type === "files") await download(session, read.meshes);
  else self.postMessage({ told });
}

// Python writes the file; the meshes that it needs are loaded here.
async function download(session, addresses) {
  const [py] = await loading;
  const loaded = await Promise.all(
    addresses.map(async (address) => [address, await bytes(address)]),
  );
  const meshes = py.toPy(Object.fromEntries(loaded));
  for (const told of session.write(meshes)) self.postMessage({ told });
  meshes.destroy();
  const { download: made } = session,
    view = made.data.getBuffer();
  self.postMessage({ made: new Blob([view.data], { type: made.media_type }), name: made.name });
  view.release();
}

const tick = () =>
  new Promise((done) => {
    setTimeout(done);
  });

async function run() {
  while (!queue.length)
    await new Promise((done) => {
      wake = done;
    });
  const session = await python(queue.shift());
  const tell = async (list) => {
    for (const told of list) await post(told, session);
    list.destroy();
  };
  self.postMessage({ ready: true }); // first: the page may answer the first messages
  await tell(session.on_connect());
  let following = session.changed ? session.run_stages() : null;
  for (;;) {
    if (queue.length) {
      const { greet, said } = queue.shift();
      await tell(greet ? session.on_connect() : session.on_message(said));
      if (greet || session.changed) {
        following?.destroy();
        following = session.run_stages();
      }
    } else if (following) {
      const { done, value } = following.next();
      if (done) {
        following.destroy();
        following = null;
      } else await post(value, session);
    } else {
      await new Promise((done) => {
        wake = done;
      });
    }
    await tick();
  }
}

// Of a traceback the line that names the error, as Python writes it.
function reason(error) {
  const lines = String(error?.message ?? error)
    .trim()
    .split("\n");
  return lines.findLast((line) => /^\w+(Error|Exception)\b/.test(line)) ?? lines.at(-1);
}

run().catch((error) => self.postMessage({ failed: reason(error) }));

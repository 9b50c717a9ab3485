// Keeps one version of the site whole, so that it opens without a network. Every file is known by
// its SHA-256: an answer of another version is refused, and a page never mixes two. A new version
// waits until the last page of the old one is closed.
const SITE = /* site */ null;
const SCOPE = new URL("./", self.location);
const OURS = `fdforge:${SCOPE.pathname}:`;
const CACHE = OURS + SITE.version;
const AT_ONCE = 6;

// No page asks for these texts, so that none can name its language: they are of both.
const refused = (path, english, german) => new Error(`${path} ${english}\n${path} ${german}`);

async function intact(answer, path) {
  if (!answer?.ok) return false;
  const digest = await crypto.subtle.digest("SHA-256", await answer.clone().arrayBuffer());
  return (
    Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("") ===
    SITE.files[path]
  );
}

// A file that an older version stored serves again if it is the same, byte for byte.
async function loaded(path) {
  const address = new URL(path, SCOPE).href;
  const old = await caches.match(address);
  if (old && (await intact(old, path))) return old;
  // Many hosts tell changes by the second: what they call unchanged is asked for once more.
  let fresh = await fetch(address, { cache: "no-cache" }).catch(() => null);
  if (!fresh)
    throw refused(
      path,
      "cannot be loaded: there is no connection",
      "ist nicht ladbar: es gibt keine Verbindung",
    );
  if (fresh.ok && !(await intact(fresh, path))) fresh = await fetch(address, { cache: "reload" });
  if (!fresh.ok)
    throw refused(
      path,
      `cannot be loaded: the host answers ${fresh.status}`,
      `ist nicht ladbar: der Server antwortet ${fresh.status}`,
    );
  if (!(await intact(fresh, path)))
    throw refused(
      path,
      "is of another version: close all pages of the studio and open it again",
      "ist von einer anderen Version: schließe alle Seiten des Studios und öffne es wieder",
    );
  return fresh;
}

async function install() {
  const cache = await caches.open(CACHE);
  const left = [...SITE.first];
  const next = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      if (!(await cache.match(new URL(path, SCOPE).href)))
        await cache.put(new URL(path, SCOPE).href, await loaded(path));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function tidy() {
  for (const name of await caches.keys())
    if (name.startsWith(OURS) && name !== CACHE) await caches.delete(name);
}

async function answered(path) {
  const cache = await caches.open(CACHE);
  const address = new URL(path, SCOPE).href;
  const kept = await cache.match(address);
  if (kept) return kept;
  try {
    const found = await loaded(path);
    await cache.put(address, found.clone()).catch(() => {}); // a full disk: only no offline copy
    return found;
  } catch (error) {
    return new Response(String(error.message ?? error), {
      status: 503,
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
  }
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(tidy()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || !url.href.startsWith(SCOPE.href)) return;
  const path = decodeURIComponent(url.pathname.slice(SCOPE.pathname.length)) || "index.html";
  if (Object.hasOwn(SITE.files, path)) event.respondWith(answered(path));
});

// @ts-check
// service-worker.js — keeps the whole site for use without a network, one build at a time.
//
// The build puts in a list of every file with its digest. Installing fetches what no earlier
// build has stored, checks each file against its digest (a deploy in the middle cannot mix two
// builds: the install fails and is tried again at a later visit), and keeps the lot in one cache
// named by the build. A page then gets everything from the build it was opened with.
//
// A new build waits until the last page of the old one is closed, or until a page asks for it:
//   - this worker posts { type: 'update-ready', build } to the open pages when it has installed
//     beside an older one (a page opened later finds registration.waiting);
//   - a page answers registration.waiting.postMessage({ type: 'activate' }) and reloads itself on
//     navigator.serviceWorker's 'controllerchange'.
// The cache of the build that pages had before stays until they have another, for those that are
// still open: they find their own hashed files there, and nothing else.

/** @type {[path: string, digest: string][]} relative to this file; digests as in `integrity` */
const files = __PRECACHE__;
/** @type {string} */
const build = __BUILD__;

const worker = /** @type {any} */ (self); // ServiceWorkerGlobalScope; the DOM's types know only windows
const home = new URL("./", worker.location.href);
const prefix = `rcmdp ${home.pathname} `; // other sites of this origin keep their own caches
const current = prefix + build;
/** The key of an entry that says since when pages have a build; a build that was replaced while it waited has none. */
const since = `${home.href}?since`;

/** Address to the key that its content is stored under: two names of one file share one. @type {Map<string, string>} */
const keys = new Map();
{
  /** @type {Map<string, string>} */
  const firsts = new Map();
  for (const [path, digest] of files) {
    const url = new URL(path, home).href;
    if (!firsts.has(digest)) firsts.set(digest, `${url}?${digest}`);
    keys.set(url, /** @type {string} */ (firsts.get(digest)));
  }
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));

async function install() {
  try {
    const cache = await caches.open(current);
    await Promise.all([...new Set(keys.values())].map((key) => store(cache, key)));
  } catch (error) {
    await caches.delete(current);
    throw error;
  }
  if (!worker.registration.active) return;
  for (const page of await worker.clients.matchAll({ includeUncontrolled: true })) page.postMessage({ type: "update-ready", build });
}

/** @param {Cache} cache @param {string} key */
async function store(cache, key) {
  const [url, integrity] = key.split("?");
  let response = await caches.match(key);
  if (!response) {
    response = await fetch(url, { integrity, cache: "no-cache" });
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
  }
  // Made anew: a page may not be answered with a redirected response, and the body is decoded now.
  const headers = new Headers(response.headers);
  headers.delete("Content-Encoding");
  headers.delete("Content-Length");
  await cache.put(key, new Response(response.body, { headers }));
}

worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));

async function activate() {
  await (await caches.open(current)).put(since, new Response(String(Date.now())));
  const ours = (await caches.keys()).filter((name) => name.startsWith(prefix)); // in order of age
  const times = await Promise.all(ours.map(async (cacheName) => Number((await (await caches.match(since, { cacheName }))?.text()) ?? 0)));
  const now = ours.indexOf(current);
  const before = Math.max(...times.filter((_, i) => i !== now));
  const isOver = (/** @type {number} */ i) => i !== now && (times[i] > 0 ? times[i] < before : i < now); // a younger one without a time is being stored
  await Promise.all(ours.filter((_, i) => isOver(i)).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

worker.addEventListener("message", (/** @type {any} */ event) => {
  if (event.data?.type === "activate") event.waitUntil(worker.skipWaiting());
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const url = new URL(event.request.url);
  url.search = url.hash = "";
  if (event.request.method !== "GET" || !url.href.startsWith(home.href)) return;
  if (url.pathname.endsWith("/")) url.pathname += "index.html";
  event.respondWith(answer(url.href, event.request));
});

/** @param {string} url @param {Request} request */
async function answer(url, request) {
  const key = keys.get(url);
  const stored = key ? await caches.match(key, { cacheName: current }) : await fromBuildBefore(url);
  return stored ?? fetch(request);
}

/** A hashed file of another build, which by its name is what its page means. @param {string} url */
async function fromBuildBefore(url) {
  if (!url.startsWith(new URL("assets/", home).href)) return undefined;
  for (const cacheName of await caches.keys()) {
    if (!cacheName.startsWith(prefix)) continue;
    const stored = await caches.match(url, { cacheName, ignoreSearch: true });
    if (stored) return stored;
  }
  return undefined;
}

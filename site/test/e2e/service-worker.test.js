// @ts-check
// The service worker by itself, on a small site of two builds that say on screen which build each part is of.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import test, { before } from "node:test";
import * as esbuild from "esbuild";
import { newPage, newPerson, root, startBrowser, startServer, temporaryFolder, until } from "./harness.js";

/** @type {import('puppeteer-core').Browser} */
let browser;
before(async () => {
  browser = await startBrowser();
});

/** The files of one build; every part carries the label. @param {string} label */
function site(label) {
  const page =
    `<!doctype html><meta charset="utf-8"><title>${label}</title><link rel="icon" href="data:,"><script type="module" src="assets/app-${label}.js"></script>`;
  return {
    "index.html": page,
    "embed.html": page,
    "guide/index.html": `<!doctype html><meta charset="utf-8"><title>${label} guide</title><link rel="icon" href="data:,">`,
    "rcmdp.wasm": `wasm ${label}`,
    [`assets/rcmdp-${label}.wasm`]: `wasm ${label}`,
    [`assets/lazy-${label}.js`]: `export const label = '${label}';`,
    [`assets/app-${label}.js`]: `
      globalThis.app = '${label}';
      globalThis.lazy = async () => (await import('./lazy-${label}.js')).label;
      globalThis.messages = [];
      navigator.serviceWorker.addEventListener('message', (e) => messages.push(e.data));
      globalThis.registration = await navigator.serviceWorker.register('service-worker.js');`,
  };
}

/** Puts a build in place of whatever is there; `wrong` lists files that the list promises otherwise. @param {string} folder @param {string} label @param {string[]} [wrong] */
async function deploy(folder, label, wrong = []) {
  for (const entry of fs.existsSync(folder) ? fs.readdirSync(folder) : []) fs.rmSync(path.join(folder, entry), { recursive: true });
  const files = Object.entries(site(label));
  for (const [name, text] of files) {
    fs.mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), wrong.includes(name) ? `${text} <!-- not this -->` : text);
  }
  const list = files.map(([name, text]) => [name, "sha256-" + createHash("sha256").update(text).digest("base64")]).sort();
  await esbuild.build({
    entryPoints: [path.join(root, "site/src/service-worker.js")],
    define: { __PRECACHE__: JSON.stringify(list), __BUILD__: JSON.stringify(label) },
    outfile: path.join(folder, "service-worker.js"),
    logLevel: "error",
  });
}

/** Which build each part of an open page is of. @param {import('puppeteer-core').Page} page */
const parts = (page) =>
  page.evaluate(async () => {
    const g = /** @type {any} */ (globalThis);
    return [document.title, g.app, await g.lazy(), await (await fetch("rcmdp.wasm")).text()].join(" ");
  });

/** Waits until the first build is stored. @param {import('puppeteer-core').Page} page */
const stored = (page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 10));
  });

/** Whether a build of which the page has heard waits, and none is on its way to take its place. @param {import('puppeteer-core').Page} page */
const hasUpdate = (page) =>
  page.evaluate(() => {
    const g = /** @type {any} */ (globalThis);
    return g.messages.some((/** @type {any} */ m) => m.type === "update-ready") && Boolean(g.registration?.waiting && !g.registration.installing);
  });

/** @param {import('puppeteer-core').Page} page */
const accept = (page) =>
  page.evaluate(() =>
    new Promise((resolve) => {
      navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
      /** @type {any} */ (globalThis).registration.waiting.postMessage({ type: "activate" });
    })
  );

/** A site with build A deployed, and someone who has visited it. @param {string} [below] sub-path */
async function visited(below = "") {
  const folder = temporaryFolder("deploy"), place = path.join(folder, below);
  await deploy(place, "A");
  const server = await startServer({ folder });
  const person = await newPerson(browser, { keeps: true });
  const url = server.url + below;
  const page = await person.open(url, { before: (p) => p.setCacheEnabled(false) });
  await stored(page);
  return { place, folder, server, person, page, url };
}

for (const below of ["", "rcmdp/"]) {
  test(`after one visit everything works with the server stopped, at /${below}`, async () => {
    const { server, person, page, url } = await visited(below);
    await server.stop();
    for (let i = 0; i < 2; i++) {
      await page.reload();
      assert.equal(await parts(page), "A A A wasm A");
    }
    for (
      const [address, title] of [["embed.html#example=x&run=1", "A"], ["embed.html?x=1", "A"], ["guide/", "A guide"], ["guide/index.html", "A guide"], [
        "index.html",
        "A",
      ]]
    ) {
      await page.goto(url + address);
      assert.equal(await page.title(), title, address);
    }
    await person.leave();
  });
}

test("a new build never mixes with the old: reload online, offline, twice", async () => {
  const { place, server, person, page } = await visited();
  await deploy(place, "B"); // A's files are gone
  await page.reload();
  assert.equal(await parts(page), "A A A wasm A");
  await until(() => hasUpdate(page), "the page hears of the new build");
  await page.reload();
  assert.equal(await parts(page), "A A A wasm A", "still the build that was not asked to go");
  await accept(page);
  await page.reload();
  assert.equal(await parts(page), "B B B wasm B");
  await server.stop();
  for (let i = 0; i < 2; i++) {
    await page.reload();
    assert.equal(await parts(page), "B B B wasm B");
  }
  await person.leave();
});

test("a new build takes over by itself when the last page is closed", async () => {
  const { place, person, page, url } = await visited();
  await deploy(place, "B");
  await page.reload();
  await until(() => hasUpdate(page), "the page hears of the new build");
  await page.close();
  const seen = await until(async () => {
    const next = await person.open(url, { before: (p) => p.setCacheEnabled(false) });
    const now = await parts(next);
    await next.close();
    assert(["A A A wasm A", "B B B wasm B"].includes(now), now);
    return now.startsWith("B") && now;
  }, "the new build");
  assert.equal(seen, "B B B wasm B");
  await person.leave();
});

test("a page of the old build keeps its files when another tab has moved on, past a build that no page was of", async () => {
  const { place, person, page, url } = await visited();
  const other = await person.open(url, { before: (p) => p.setCacheEnabled(false) });
  for (const label of ["B", "C"]) {
    await deploy(place, label);
    await page.reload();
    await until(() => hasUpdate(page), `the page hears of ${label}`);
  }
  await accept(page);
  await page.reload();
  assert.equal(await parts(page), "C C C wasm C");
  assert.equal(await other.evaluate(() => /** @type {any} */ (globalThis).lazy()), "A", "loaded for the first time, after its file was deleted");
  assert.equal(await other.evaluate(async () => (await fetch("assets/rcmdp-A.wasm")).text()), "wasm A");
  await person.leave();
});

test("a deploy caught half-way is not installed, and the next visit repairs it", async () => {
  const { place, server, person, page } = await visited();
  await deploy(place, "B", ["assets/lazy-B.js"]);
  const outcome = await page.evaluate(async () => {
    /** @type {ServiceWorkerRegistration} */
    const registration = /** @type {any} */ (globalThis).registration;
    const found = new Promise((resolve) => registration.addEventListener("updatefound", () => resolve(registration.installing), { once: true }));
    registration.update();
    const worker = await found;
    return new Promise((resolve) => worker.addEventListener("statechange", () => resolve(worker.state), { once: true }));
  });
  assert.equal(outcome, "redundant", "the broken build is given up");
  assert.deepEqual(await page.evaluate(() => caches.keys()), ["rcmdp / A"]);
  assert.equal(await parts(page), "A A A wasm A");
  await deploy(place, "B");
  await page.reload();
  await until(() => hasUpdate(page), "the page hears of the repaired build");
  await accept(page);
  await server.stop();
  await page.reload();
  assert.equal(await parts(page), "B B B wasm B");
  await person.leave();
});

test("one file under two names is stored once, and caches of other sites of the origin stay", async () => {
  const { place, person, page } = await visited();
  const names = () => page.evaluate(() => caches.keys()); // none is opened: one that was deleted meanwhile would be there again
  assert.deepEqual(await names(), ["rcmdp / A"]);
  const entries = await page.evaluate(async () => (await (await caches.open("rcmdp / A")).keys()).length);
  assert.equal(entries, Object.keys(site("A")).length - 2 + 1); // two pages and two wasm are the same; one says since when it is used
  await page.evaluate(() => caches.open("someone else"));
  for (const label of ["B", "A", "C"]) { // one of them taken back
    await deploy(place, label);
    await page.reload();
    await until(() => hasUpdate(page), `the page hears of ${label}`);
    await accept(page);
  }
  await until(
    async () => (await names()).sort().join() === "rcmdp / A,rcmdp / C,someone else",
    "this build, the one before and what is not ours are kept",
  );
  await person.leave();
});

test("once the site works offline, both parts of the solver are there", async () => {
  const { url, stop } = await startServer();
  const page = await newPage(browser);
  await page.goto(url);
  await stored(page);
  await stop();
  await page.reload();
  const formats = await page.evaluate(async () => {
    const { openSolver } = await import(/** @type {any} */ ("/rcmdp.js"));
    const solver = await openSolver({ workers: 1 });
    return (await solver.formats()).length; // at once, before the page has been at rest
  });
  assert.ok(formats > 5);
  await page.close();
});

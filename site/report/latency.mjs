// @ts-check
// latency.mjs — how soon the page answers, in the built site and a real browser; fails when a time
// is above what a person takes for at once. Other work on the machine adds to these times, so they
// are measured here, on request, and not in a test.
//
//   ./build.sh build && node site/report/latency.mjs [slow | typing | start]
//
// With a word only what has to do with it.

import { startBrowser, startServer } from "../test/e2e/harness.js";
import { processor } from "./processor.mjs";
import { answered, choose, chooseExample, clickOn, openTables, ready, set, tab } from "../test/e2e/lab-page.js";

/** At most how many milliseconds, the least of the repetitions. @type {Record<string, number>} */
const most = {
  "Solve can be pressed after opening": 1000,
  "start of the solver, from its address until it is ready, by processor of the whole browser": 130,
  "Stop, to the answer": 100,
  "Cancel, to the answer before": 300,
  "longest task of the page in 3 s of a run, by processor": 50,
  "the same, while the charts of a search are drawn": 50,
  "the same, of a grid of 900 states": 50,
  "longest task of the page while typing in a model of 100 states, by processor": 50,
  "the same, when every row is written out": 50,
  "opening a model of 10 000 states": 2000,
  "a stored answer on slow 4G with a processor a quarter as fast": 2500,
  "the same, of the example that takes longest, by its link and on a phone": 2500,
};
const only = process.argv[2] ?? "";
/** @type {Record<string, number[]>} */
const times = Object.fromEntries(Object.keys(most).map((name) => [name, []]));
const [opening, starting, stopping, cancelling, longest, drawing, large, typing, typingDense, huge, slow, slowest] = Object.keys(most);
const long = { outerIterations: 100, innerIterations: 1_000_000, earlyStop: false };

const server = await startServer();
const browser = await startBrowser();
for (let repetition = 0; repetition < 5 && (only === "" || only === "start"); repetition++) times[starting].push(await started());
for (let repetition = 0; repetition < 3 && (only === "" || only === "slow"); repetition++) times[slow].push(await firstAnswer());
if (only === "" || only === "slow") times[slowest].push(await ofAllExamples());
for (let repetition = 0; repetition < 3 && (only === "" || only === "typing"); repetition++) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 1366, height: 768 });
  await page.goto(server.url);
  await answered(page);
  await ready(page);
  const grid = gridModel(10);
  times[typing].push(await typed(page, grid));
  times[typingDense].push(await typed(page, { ...grid, name: "Written out", uncertainty: { ...grid.uncertainty, nominal: written(grid) } }));
  times[huge].push(await dropped(page, gridModel(100)));
  await context.close();
}
for (let repetition = 0; repetition < 3 && only === ""; repetition++) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 1366, height: 768 });
  const start = performance.now();
  await page.goto(server.url);
  await page.waitForFunction(() => document.querySelector("[data-solve], [data-stop]") !== null, { polling: 10 });
  times[opening].push(performance.now() - start);
  await answered(page);
  await ready(page);
  await chooseExample(page, "setting-a");
  await choose(page, "Method", "epirc-pgs");
  await set(page, long);
  for (const [button, name] of [["[data-stop]", stopping], ["[data-cancel]", cancelling]]) {
    await ready(page);
    await clickOn(page, "[data-solve]");
    await page.waitForSelector(button);
    if (name === stopping) times[longest].push(await longestTask(page));
    times[name].push(
      await page.evaluate((button) =>
        new Promise((resolve) => {
          const start = performance.now();
          const look = () => (document.querySelector(".answer[aria-busy]") ? setTimeout(look, 5) : resolve(performance.now() - start));
          /** @type {HTMLElement} */ (document.querySelector(button)).click();
          look();
        }), button),
    );
  }
  await chooseExample(page, "reference");
  await answered(page);
  times[drawing].push(await ofRun(page, "search"));
  await dropped(page, gridModel(30));
  times[large].push(await ofRun(page, "plan"));
  await context.close();
}
await browser.close();
await server.stop();

/** Processor milliseconds of a new browser, with a page that is otherwise empty, for a solver that is ready. */
async function started() {
  const fresh = await startBrowser(), page = await fresh.newPage(), pid = fresh.process()?.pid ?? 0;
  await page.goto(`${server.url}build.json`);
  await new Promise((resolve) => setTimeout(resolve, 2000)); // what a browser does when it begins
  const before = processor(pid);
  await page.evaluate(async (library) => void (await (await import(library)).openSolver({ workers: 1 })), `${server.url}rcmdp.js`);
  const took = 1000 * (processor(pid) - before);
  await fresh.close();
  return took;
}

/** The longest that a first visit waits for the answer of an example, each the least of two visits. */
async function ofAllExamples() {
  const all = await (await fetch(new URL("gallery.json", server.url))).json();
  let most = 0;
  for (const { id } of all) {
    const waits = [await firstAnswer(`#example=${id}`, { width: 390, height: 844 }), await firstAnswer(`#example=${id}`, { width: 390, height: 844 })];
    if (only === "slow") console.log(`       ${id}: ${waits.map((t) => t.toFixed(0)).join(", ")} ms`);
    most = Math.max(most, Math.min(...waits));
  }
  return most;
}

/** How long a first visit waits for the answer that came with the page. @param {string} [hash] @param {{ width: number, height: number }} [size] */
async function firstAnswer(hash = "", size = { width: 1366, height: 768 }) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport(size);
  const session = await page.createCDPSession();
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 });
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const start = performance.now();
  void page.goto(server.url + hash).catch(() => {});
  // What is painted with the page is the first example, and hidden where the address names another.
  const shown = () => {
    const figure = document.querySelector(".answer .figure");
    return /\d/.test(figure?.textContent ?? "") && getComputedStyle(/** @type {Element} */ (figure)).visibility === "visible" &&
      performance.getEntriesByName("first-contentful-paint").length > 0;
  };
  await page.waitForFunction(shown, { polling: 20, timeout: 60_000 });
  const time = performance.now() - start;
  await context.close();
  return time;
}

/** Drops a model; gives the milliseconds until it is on the page with its states in a table. @param {import('puppeteer-core').Page} page @param {any} model */
async function dropped(page, model) {
  await openTables(page);
  await page.evaluate((name) => {
    // Counted in the page: what travels there from here is not the page's.
    const there = () => document.title.startsWith(name) && [...document.querySelectorAll("#model-part input")].some((i) => /** @type {any} */ (i).value);
    Object.assign(window, { there });
  }, model.name);
  return page.evaluate((text) =>
    new Promise((resolve) => {
      const files = new DataTransfer();
      files.items.add(new File([text], "model.json", { type: "application/json" }));
      const start = performance.now();
      const look = () => (/** @type {any} */ (window).there() ? requestAnimationFrame(() => resolve(performance.now() - start)) : setTimeout(look, 5));
      dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true }));
      look();
    }), JSON.stringify(model));
}

/** The longest task while a name, a cost, a probability and the discount are typed. @param {import('puppeteer-core').Page} page @param {any} model */
async function typed(page, model) {
  await dropped(page, model);
  return longestTask(page, async () => {
    for (const [part, pointer] of [["States", "/states/2"], ["Costs", "/objective/values"], ["Nature", "/uncertainty/nominal"], ["Goal", "/discount"]]) {
      await tab(page, part);
      const field = await page.waitForSelector(`#model-part input[data-pointer^="${pointer}"]`);
      await field?.evaluate((element) => {
        element.scrollIntoView({ block: "center" });
        /** @type {HTMLInputElement} */ (element).select();
      });
      await field?.type(part === "States" ? "the third cell" : "0.97531", { delay: 90 });
      await page.keyboard.press("Tab");
    }
    await new Promise((resolve) => setTimeout(resolve, 1000)); // what is kept of it, and the check
  });
}

/** The nominal rows of a model, every number of them. @param {any} model */
function written({ states, actions, uncertainty }) {
  const rows = states.map(() => actions.map(() => states.map(() => 0)));
  for (const [s, a, next, p] of uncertainty.nominal.entries) rows[s][a][next] = p;
  return rows;
}

/** The longest task of a run of the default method while one panel is looked at. @param {import('puppeteer-core').Page} page @param {string} panel */
async function ofRun(page, panel) {
  await page.evaluate(() => /** @type {HTMLElement | null} */ (document.querySelector("[data-stop]"))?.click());
  await choose(page, "Method", "solve");
  await page.$eval(`#answer-part-tab-${panel}`, (e) => /** @type {HTMLElement} */ (e).click());
  await set(page, { gap: 0 });
  await ready(page);
  await clickOn(page, "[data-solve]");
  await page.waitForSelector("[data-stop]");
  const found = await longestTask(page);
  await page.evaluate(() => /** @type {HTMLElement | null} */ (document.querySelector("[data-stop]"))?.click());
  return found;
}

/**
 * The most processor time that one task of the page's own thread takes in 3 s, or while something is
 * done: what others do on the machine makes a task last longer, not work more.
 * @param {import('puppeteer-core').Page} page @param {() => Promise<unknown>} [meanwhile]
 */
async function longestTask(page, meanwhile = () => new Promise((resolve) => setTimeout(resolve, 3000))) {
  await page.tracing.start({ categories: ["toplevel", "devtools.timeline"] });
  await meanwhile();
  const { traceEvents: events } = JSON.parse(Buffer.from(/** @type {Uint8Array} */ (await page.tracing.stop())).toString());
  const drawn = (/** @type {any} */ e) => e.name === "FireAnimationFrame" || e.name === "Layout";
  const threads = new Set(events.filter(drawn).map((/** @type {any} */ e) => `${e.pid} ${e.tid}`));
  return Math.max(
    0,
    ...events.filter((/** @type {any} */ e) => e.ph === "X" && threads.has(`${e.pid} ${e.tid}`)).map((/** @type {any} */ e) => (e.tdur ?? 0) / 1000),
  );
}

/** A grid of n by n cells with slips, damage on some and a goal in a corner, nature free within a distance. @param {number} n */
function gridModel(n) {
  const moves = [[-1, 0], [0, 1], [1, 0], [0, -1]];
  const cells = [...Array(n * n).keys()], goal = n * n - 1;
  const to = (/** @type {number} */ s, /** @type {number} */ d) => {
    const [y, x] = [Math.floor(s / n) + moves[d][0], s % n + moves[d][1]];
    return y < 0 || x < 0 || y >= n || x >= n ? s : y * n + x;
  };
  const entries = cells.flatMap((s) =>
    moves.flatMap((_, a) => {
      const row = new Map();
      for (const [d, p] of s === goal ? [[a, 1]] : [[a, 0.8], [(a + 1) % 4, 0.1], [(a + 3) % 4, 0.1]]) {
        const next = s === goal ? goal : to(s, d);
        row.set(next, (row.get(next) ?? 0) + p);
      }
      return [...row].map(([next, p]) => [s, a, next, Number(p.toFixed(3))]);
    })
  );
  return {
    format: "rcmdp/1",
    name: `Grid of ${n * n} cells`,
    states: cells.map((s) => `cell ${s + 1}`),
    actions: ["north", "east", "south", "west"],
    discount: 0.99,
    initial: cells.map((s) => (s === 0 ? 1 : 0)),
    objective: { name: "time", values: cells.map((s) => moves.map(() => (s === goal ? 0 : 1))) },
    constraints: [{ name: "damage", values: cells.map((s) => moves.map(() => (s % 11 === 5 ? 1 : 0))), atMost: 4 }],
    uncertainty: { kind: "l1", nominal: { entries }, radius: 0.2 },
  };
}

for (const [name, all] of Object.entries(times).filter(([, all]) => all.length > 0)) {
  const least = Math.min(...all);
  console.log(
    `${least <= most[name] ? "met   " : "MISSED"} ${name}: ${least.toFixed(0)} ms, want at most ${most[name]} (${all.map((t) => t.toFixed(0)).join(", ")})`,
  );
  if (least > most[name]) process.exitCode = 1;
}

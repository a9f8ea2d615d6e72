// @ts-check
// The Paper page: every figure draws by its link in a browser that has never seen the page, answers to
// the reader, leaves as a file, and goes on after a reload. Table 1's examples run in the lab.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test, { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { dist, faultsInEveryScheme, newPerson, patience, startBrowser, startServer, until } from "./harness.js";

/** @typedef {import('puppeteer-core').Page} Page */

/** @type {import('puppeteer-core').Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
before(async () => {
  browser = await startBrowser();
  server = await startServer();
});

const address = (/** @type {string} */ fragment, file = "paper.html") => `${server.url}guide/${file}${fragment}`;

/** What each figure shows when it is drawn. @type {Record<string, string>} */
const drawn = {
  methods: "td a[href^=\"../#\"]",
  landscape: "svg.plot .contours path + path, svg.plot .dot.path",
  bisection: "svg.plot .walk.now",
  "comparison-a": "button.go:not(:disabled)",
  "comparison-b": "button.go:not(:disabled)",
  "comparison-c": "button.go:not(:disabled)",
  rivals: "svg.plot .dots.slp",
  theory: "table.constants",
  trap: "svg.plot .dot.path",
};

/** Waits until an element is there. @param {Page} page @param {string} selector */
const there = (page, selector) => page.waitForSelector(selector, { timeout: patience });

/** What a cold start has drawn and a later test goes on with. @type {Record<string, { person: Awaited<ReturnType<typeof newPerson>>, page: Page }>} */
const opened = {};
const later = ["methods", "landscape", "trap", "bisection", "comparison-b", "comparison-c"];

/** The one of them that is opened by somebody whose browser keeps the site. */
const kept = "comparison-a";

/** A page and who has opened it. @param {string} url @param {{ keeps?: boolean }} [options] */
async function open(url, options) {
  const person = await newPerson(browser, options);
  return { person, page: await person.open(url) };
}

/** The page of a figure, drawn. @param {string} id */
const figure = async (id) => opened[id] ?? open(address(`#${id}`), { keeps: id === kept });

for (const [id, selector] of Object.entries(drawn)) {
  test(`#${id} draws from a cold start by its link`, async () => {
    const { person, page } = await figure(id);
    await there(page, `#${id} ${selector}`);
    const top = await until(() =>
      page.$eval(`#${id}`, (section) => {
        const { top } = section.getBoundingClientRect();
        return top > -5 && top < innerHeight / 2 ? `${top}` : "";
      }), `#${id} is what the page shows`);
    assert(Number(top) < 450);
    assert.equal(await page.$(".trouble"), null);
    if (id === kept) await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    if (later.includes(id)) opened[id] = { person, page };
    else await person.leave();
  });
}

test("EpiRC-PGS stops in the trap from near it, and at the global minimum from elsewhere", async () => {
  const { person, page } = await figure("trap");
  const says = () => page.$eval("#trap [role=status]", (e) => e.textContent ?? "");
  await until(async () => /costs 5\.7\d\d: trapped, the best policy costs 0\.340/.test(await says()), "it is trapped", patience);
  await page.$$eval("#trap input[type=number]", (fields) =>
    fields.forEach((f) => {
      /** @type {HTMLInputElement} */ (f).value = "0.6";
      f.dispatchEvent(new Event("change", { bubbles: true }));
    }));
  await until(async () => /From \(0\.6, 0\.6\).*costs 0\.3\d\d, the global minimum/.test(await says()), "it gets to the minimum", patience);
  await until(() => page.$$eval("#trap .dots.caught circle", (dots) => dots.length >= 10), "the map of ends has its trap", patience);
  await person.leave();
});

test("a click in the landscape starts the descent there, and so do the fields", async () => {
  const { person, page } = await figure("landscape");
  const end = () => page.$eval("#landscape .dot.path", (dot) => dot.getAttribute("data-end"));
  await there(page, "#landscape .dot.path");
  // From near π₂ the Lagrangian ends in π₂ …
  assert.deepEqual((await end())?.split(",").map(Number), [0, 0]);
  // … and from near π₁ in π₁.
  const map = await there(page, "#landscape svg.plot");
  const box = await map?.boundingBox();
  assert(box);
  await page.mouse.click(box.x + box.width * 0.9, box.y + box.height * 0.15);
  await until(async () => (await end()) === "1.0000,1.0000", "the path ends in π₁", patience);
  const field = await page.$("#landscape input[type=number]");
  assert(Number(await field?.evaluate((f) => /** @type {HTMLInputElement} */ (f).value)) > 0.8, "the field says where the click was");
  await field?.evaluate((f) => {
    /** @type {HTMLInputElement} */ (f).value = "0.05";
    f.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await page.$$eval("#landscape input[type=number]", (fields) => {
    /** @type {HTMLInputElement} */ (fields[1]).value = "0.05";
    fields[1].dispatchEvent(new Event("change", { bubbles: true }));
  });
  await until(async () => (await end()) === "0.0000,0.0000", "the path ends in π₂ again", patience);
  await person.leave();
});

test("the bisection ends at the known value", async () => {
  const { person, page } = await figure("bisection");
  await there(page, "#bisection .walk.now");
  const status = await page.$eval("#bisection [role=status]", (e) => e.textContent ?? "");
  const best = Number(/costs ([\d.]+)\./.exec(status)?.[1]);
  assert(Math.abs(best - (3995 / 8082 + 11 / 36)) < 1e-4, status);
  await person.leave();
});

/**
 * Reloads the page or presses a button of it in the moment when so many runs of an experiment are kept and
 * each of its six methods has some, however far the test is behind.
 * @param {import('puppeteer-core').Page} page @param {{ runs: number, each: number }} least @param {string} act "reload" or the button
 */
const whenKept = (page, least, act) =>
  page.evaluate(
    ({ runs, each }, act) => {
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function(name, text) {
        setItem.call(this, name, text);
        if (!name.includes("experiment-c")) return;
        /** @type {{ traces: { method: number }[] }} */
        const { traces } = JSON.parse(text);
        const of = [0, 1, 2, 3, 4, 5].map((m) => traces.filter((t) => t.method === m).length);
        if (traces.length < runs || Math.min(...of) < each) return;
        Storage.prototype.setItem = setItem;
        if (act === "reload") return location.reload();
        const button = /** @type {HTMLElement} */ (document.querySelector(act));
        button.click();
      };
    },
    least,
    act,
  );

test("an experiment survives a reload half-way, stops and goes on where it was", async () => {
  const { person, page } = await figure("comparison-c");
  const rows = async () => /** @type {Record<string, string>} */ (Object.fromEntries(
    await page.$$eval("#comparison-c tbody tr", (trs) => trs.map((tr) => [...tr.children].slice(0, 2).map((c) => c.textContent ?? ""))),
  ));
  const keptRuns = () =>
    page.evaluate(() => Object.entries(localStorage).filter(([k]) => k.includes("experiment-c")).map(([, v]) => JSON.parse(v).traces.length)[0] ?? 0);
  await there(page, "#comparison-c button.go:not(:disabled)");
  const press = () => page.$eval("#comparison-c button.go", (b) => /** @type {HTMLElement} */ (b).click());
  await whenKept(page, { runs: 7, each: 1 }, "reload");
  await Promise.all([page.waitForNavigation(), press()]);
  await there(page, "#comparison-c button.go:not(:disabled)");
  const before = await keptRuns();
  assert(before >= 7 && before < 60, `${before} runs kept`);
  await there(page, "#comparison-c svg.plot .dots.epirc");
  assert.equal(await page.$eval("#comparison-c button.go", (b) => b.textContent), "Continue");
  await whenKept(page, { runs: before + 1, each: 1 }, "#comparison-c button.go"); // it says Stop then
  await press();
  await until(async () => (await keptRuns()) > before, "another run is done");
  await until(() => page.$eval("#comparison-c button.go", (b) => b.textContent === "Continue"), "it has stopped", patience);
  const stopped = await keptRuns();
  assert(stopped > before && stopped < 60);
  await whenKept(page, { runs: 13, each: 2 }, "#comparison-c button.go"); // of 60 and 10, for the time they take
  await press();
  await until(async () => (await keptRuns()) >= 13, "it goes on where it was");
  const feasible = (/** @type {string} */ method) =>
    until(async () => /^([2-9]) of \1$/.test((await rows())[method]), `${method} has feasible policies in all of its runs`);
  await feasible("LP");
  await feasible("EpiRC-PGS");
  assert.equal((await page.$$("#comparison-c svg.plot .dots.lp")).length >= 2, true, "the LP is drawn");
  await person.leave();
});

test("every figure leaves as SVG, PNG and CSV", async () => {
  const { person, page } = await figure("comparison-b");
  const folder = person.downloads;
  await (await there(page, "#comparison-b button.go:not(:disabled)"))?.evaluate((b) => /** @type {HTMLElement} */ (b).click());
  await there(page, "#comparison-b svg.plot .dots.epirc");
  await page.$eval("#comparison-b button.go", (b) => /** @type {HTMLElement} */ (b).click());
  for (const id of Object.keys(drawn)) {
    await page.$eval(`#${id}`, (section) => section.scrollIntoView());
    await there(page, `#${id} ${drawn[id]}`);
    if (id === "comparison-a" || id === "comparison-c") continue; // nothing has run there
    for (const kind of ["svg", "png", "csv"]) {
      const file = path.join(folder, `${id}.${kind}`);
      await until(async () => {
        fs.rmSync(file, { force: true });
        await page.$$eval(`#${id} .toolbar button`, (buttons, want) => buttons.find((b) => b.textContent?.toLowerCase() === want)?.click(), kind);
        const whole = () => fs.existsSync(file) && fs.statSync(file).size > 60;
        for (let waited = 0; !whole() && waited < 5000; waited += 50) await new Promise((resolve) => setTimeout(resolve, 50));
        return whole() && (kind !== "csv" || fs.readFileSync(file, "utf8").split("\n").length > 5); // a figure that is still being computed has few
      }, `${id}.${kind} is saved, with its rows`); // pressed again where it is not: the eleventh file of a second is dropped by Chromium
      const bytes = fs.readFileSync(file);
      if (kind === "png") assert.equal(bytes.subarray(1, 4).toString(), "PNG");
      if (kind === "svg") {
        const text = bytes.toString();
        const problem = await page.evaluate((t) => new DOMParser().parseFromString(t, "image/svg+xml").querySelector("parsererror")?.textContent ?? "", text);
        assert.equal(problem, "", `${id}.svg is XML`);
        assert.doesNotMatch(text, /var\(--|class=/, `${id}.svg needs no style sheet`);
      }
    }
  }
  assert.match(fs.readFileSync(path.join(folder, "comparison-b.svg"), "utf8"), /EpiRC-PGS/, "the legend is in the picture");
  person.stay(); // all is drawn there: the test of both pages' looks goes on with it
});

test("the theory is that of the model a link brings", async () => {
  const { person, page } = await open(address("#theory&example=gradient-conflict-epigraph&param.discount=0.1"));
  await there(page, "#theory table.constants");
  const text = await page.$eval("#theory", (e) => e.textContent ?? "");
  assert.match(text, /4 states, 2 actions.*discount 0\.1/s);
  assert.equal(await page.$eval("#theory select", (s) => /** @type {HTMLSelectElement} */ (s).value), "own");
  await page.$eval("#theory button.go", (b) => /** @type {HTMLElement} */ (b).click());
  await until(() => page.$eval("#theory", (e) => !(e.textContent ?? "").includes("not run yet")), "both runs are done", patience);
  await person.leave();
});

test("a figure that fails says why and can be tried again", async () => {
  const person = await newPerson(browser);
  let broken = true;
  const page = await person.open(address("#bisection"), {
    before: async (page) => {
      await page.setRequestInterception(true);
      page.on("request", (request) => (broken && request.url().endsWith(".wasm") ? request.abort() : request.continue()));
    },
  });
  await there(page, "#bisection .trouble button");
  const message = await page.$eval("#bisection .trouble p", (p) => p.textContent ?? "");
  assert(message.length > 20 && !/undefined|\[object/.test(message), message);
  broken = false;
  await page.$eval("#bisection .trouble button", (b) => /** @type {HTMLElement} */ (b).click());
  await there(page, "#bisection .walk.now");
  assert.equal(await page.$("#bisection .trouble"), null);
  if (person.faults.length > 0) person.expect(/\.wasm|Failed to load/); // not every browser says in the console what was not loaded
  await person.leave();
});

test("the paper's links, both citations and a figure are on the first screen of a laptop and of a phone, and nothing is cut off", async () => {
  const { person, page } = await open(address(""));
  for (const [width, height] of [[1366, 768], [390, 844]]) {
    await page.setViewport({ width, height });
    await there(page, drawn.landscape.split(",")[0]);
    const top = (/** @type {string} */ selector) => page.$eval(selector, (e) => e.getBoundingClientRect().top + scrollY);
    assert.ok(await top("#landscape svg.plot") < height - 40, `a figure at ${width} px`);
    assert.ok(await top("a[href*='arxiv.org/abs/2408.16286']") < height / 2);
    const text = await page.$eval(".cite pre", (pre) => pre.textContent ?? "");
    assert.match(text, new RegExp(`@inproceedings[^]*@misc[^]*${new URL(server.url).host}`));
    const cut = await page.$$eval(
      "main *",
      (all) =>
        all.filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll, pre, svg, .unseen")).map((e) => e.outerHTML.slice(0, 120)),
    );
    assert.deepEqual(cut, [], `at ${width} px`);
  }
  await person.leave();
});

for (const file of ["paper.html", "reproduction.html"]) {
  test(`${file} is accessible in light and dark, and fits a phone`, async () => {
    const { person, page } = file === "paper.html" ? await figure("comparison-b") : await open(address("", file));
    await page.$$eval("details", (all) =>
      all.forEach((d) => {
        d.open = true;
      }));
    assert.deepEqual(await faultsInEveryScheme(page), []);
    for (const width of [360, 768]) {
      await page.setViewport({ width, height: 780 });
      await until(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `no horizontal scroll at ${width} px`);
    }
    await person.leave();
  });
}

test("Table 1's examples run in the lab and say what the table says", async () => {
  const { openSolver } = await import(pathToFileURL(path.join(dist, "rcmdp.js")).href);
  const solver = await openSolver();
  after(() => solver.close());
  const { unpack } = await import("../../src/share/share.js");
  const { readFragment } = await import("../../src/share/fragment.js");
  const { person, page } = await figure("methods");
  await there(page, "#methods td a[href^=\"../#\"]");
  const links = await page.$$eval(
    "#methods td",
    (cells) =>
      cells.map((cell) => ({
        href: cell.querySelector("a[href^=\"../#\"]")?.getAttribute("href") ?? "",
        mark: cell.className,
        ours: cell.closest(".ours") !== null,
      })),
  );
  assert.equal(links.length, 20);
  for (const see of await page.$$eval("#methods td a[href^=\"#\"]", (all) => all.map((a) => a.getAttribute("href") ?? ""))) assert(await page.$(see), see);
  for (const { href, mark, ours } of links) {
    assert(href.startsWith("../#"), href);
    const { link, unknown } = readFragment(href.slice(3));
    assert.deepEqual(unknown, []);
    const problem = link.problem ? await unpack(link.problem, link.sum) : await solver.example(link.example, link.param ?? {});
    const options = Object.fromEntries(Object.entries(link.option ?? {}).map(([k, v]) => [k, Number(v)]));
    const run = solver.solve(problem, { algorithm: link.algorithm, ...options });
    const exact = ours && mark === "yes";
    for await (const p of run) if (!exact && (mark === "no" || p.best?.feasible)) run.stop(); // the bound of a hard problem takes its time
    const result = await run.result;
    assert.notEqual(result.status, "failed", `${href}: ${result.warnings}`);
    if (exact) assert.equal(result.status, "proved-optimal", href);
    assert(Number.isFinite(result.objective.value) || mark === "no", `${href}: ${result.status}`);
  }
  // The lab takes such a link and runs it.
  await page.$eval("#methods td.yes a[href^=\"../#\"]", (a) => /** @type {HTMLElement} */ (a).click());
  await page.waitForSelector(".answer", { timeout: patience });
  await until(() => page.$eval(".answer", (a) => /\d/.test(a.textContent ?? "") && !/Loading/.test(a.textContent ?? "")), "the lab shows an answer", patience);
  await person.leave();
});

// @ts-check
// Answers that arrive from elsewhere, forged and malformed, by every way in: link, embed, imported runs, a file. Before the
// checker of the page has judged them no text that is shown or leaves says "proved" or "optimal"; after, nothing false does.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test, { before } from "node:test";
import { writeFragment } from "../../src/share/fragment.js";
import { leanAnswer, pack } from "../../src/share/share.js";
import { dist, newPerson, startBrowser, startServer, until } from "./harness.js";
import { answer, answered, press, ready } from "./lab-page.js";

/** @typedef {import('puppeteer-core').Page} Page */

/** @type {import('puppeteer-core').Browser} */
let browser;
/** @type {{ url: string, stop: () => Promise<void> }} */
let server;
before(async () => {
  [browser, server] = await Promise.all([startBrowser(), startServer()]);
});

const claims = /proved|optimal/i;
const { problem, result, certificate } = JSON.parse(fs.readFileSync(path.join(dist, "gallery/gradient-conflict.json"), "utf8"));
const proof = typeof certificate === "string" ? JSON.parse(fs.readFileSync(path.join(dist, certificate), "utf8")) : certificate;
const truth = result.objective.value;
const model = { ...problem, name: "Arrived", description: "" };
/** Half the price, and said to be the best there is. */
const forged = {
  ...result,
  certificate: proof,
  status: "proved-optimal",
  objective: { ...result.objective, value: truth / 2, lowerBound: truth / 2, gap: 0, relativeGap: 0 },
  warnings: ["Proved optimal by a checker."],
};
/** Said to be impossible. */
const impossible = { ...forged, status: "proved-infeasible", feasible: false, leastViolation: 5, objective: { ...forged.objective, lowerBound: null } };

/** @param {any} doc @param {any} [told] */
async function fragmentOf(doc, told) {
  const { text, sum } = await pack(doc);
  return writeFragment({ problem: text, sum, ...(told === undefined ? {} : { answer: (await pack(told)).text }) });
}

/** Holds the solver back until it is let go, and keeps the text of what the page saves or copies. @param {Page} page */
async function held(page) {
  let go = () => {};
  const gone = new Promise((resolve) => (go = () => resolve(undefined)));
  await page.setRequestInterception(true);
  page.on("request", async (request) => {
    if (/\.wasm/.test(request.url())) await gone;
    await request.continue().catch(() => {});
  });
  await page.evaluateOnNewDocument(() => {
    const w = /** @type {any} */ (window);
    w.left = [];
    const { createObjectURL } = URL;
    URL.createObjectURL = (blob) => {
      if (blob instanceof Blob && blob.size < 1e6) void blob.text().then((text) => w.left.push(text));
      return createObjectURL(blob);
    };
    Object.defineProperty(navigator, "clipboard", { value: { writeText: async (/** @type {string} */ text) => void w.left.push(text) } });
    addEventListener("message", (event) => w.left.push(JSON.stringify(event.data)));
  });
  return go;
}

const left = (/** @type {Page} */ page) => page.evaluate(() => /** @type {any} */ (window).left.join("\n"));
const shown = (/** @type {Page | import('puppeteer-core').Frame} */ page) =>
  page.evaluate(() => document.body.innerHTML.replace(/<script[^]*?<\/script>/g, ""));

/** Everything that an answer can leave by. @param {Page} page */
async function take(page) {
  const before = await page.evaluate(() => /** @type {any} */ (window).left.length);
  for (const name of ["Policy JSON", "Policy CSV", "Report", "Copy as Markdown", "Copy as JSON"]) {
    await page.waitForFunction((words) => [...document.querySelectorAll(".panels .toolbar button")].some((b) => b.textContent?.trim() === words), {}, name);
    await page.$$eval(".panels .toolbar button", (buttons, words) => buttons.find((b) => b.textContent?.trim() === words)?.click(), name);
  }
  await until(() => page.evaluate((n) => /** @type {any} */ (window).left.length >= n + 5, before), "five texts");
}

for (const [what, told] of /** @type {[string, any][]} */ ([["half as dear and proved", forged], ["impossible and proved", impossible]])) {
  test(`a link with an answer that is ${what}: nothing is claimed on the page or in what leaves it, and it does not stay`, async () => {
    const person = await newPerson(browser);
    let go = () => {};
    const page = await person.open(`${server.url}${await fragmentOf(model, leanAnswer(told))}`, {
      before: async (/** @type {Page} */ p) => {
        go = await held(p);
      },
    });
    await until(() => page.$eval(".answer .headline", (e) => /not checked/i.test(e.textContent ?? "")), "the answer as it came");
    assert.doesNotMatch(await shown(page), claims);
    await take(page);
    for (const panel of ["why", "search", "compare", "proof"]) {
      await page.$eval(`#answer-part-tab-${panel}`, (e) => /** @type {HTMLElement} */ (e).click());
      await page.waitForSelector(`#answer-part[data-panel="${panel}"]`);
      if (panel !== "proof") assert.doesNotMatch(await page.$eval("#answer-part", (e) => e.textContent ?? ""), claims, panel);
    }
    assert.doesNotMatch(await page.$eval("#answer-part", (e) => e.textContent ?? ""), /optimal|is proved|stands on a record/i);
    const texts = await left(page);
    assert.match(texts, /Arrived/);
    assert.doesNotMatch(texts, claims);
    go();
    await answered(page);
    await until(async () => Math.abs((await answer(page)).objective - truth) < 1e-6 * Math.abs(truth), "the answer of this page");
    await person.leave();
  });
}

test("an embed shows the forged answer as what it is, and tells its host no other, until it is run, and then its own", async () => {
  const person = await newPerson(browser);
  const page = await person.open(`${server.url}guide/embedding.html`); // a page that has frames of embeds
  await page.evaluate((src) => {
    const w = /** @type {any} */ (window);
    w.told = [];
    addEventListener("message", (event) => w.told.push(event.data));
    const frame = Object.assign(document.createElement("iframe"), { src, width: 600, height: 700 });
    document.body.append(frame);
  }, `${server.url}embed.html${await fragmentOf(model, leanAnswer(forged))}&tell=${new URL(server.url).origin}`);
  const told = () => page.evaluate(() => /** @type {any} */ (window).told);
  const frame = /** @type {import('puppeteer-core').Frame} */ (await until(() => page.frames().find((f) => f.url().includes("&tell=")), "the embed"));
  await until(() => frame.$eval(".answer .headline", (e) => /not checked/i.test(e.textContent ?? "")).catch(() => false), "the answer as it came");
  assert.doesNotMatch(await shown(frame), claims);
  await until(async () => (await told()).some((/** @type {any} */ m) => m.result), "what the host is told");
  assert.doesNotMatch(JSON.stringify(await told()), claims);
  await press(frame, "Run it yourself");
  await until(async () => Math.abs((await answer(frame)).objective - truth) < 1e-6 * Math.abs(truth), "the answer of this page");
  for (const { result } of await told()) {
    if (result?.status !== "unchecked" && result)
      assert.ok(Math.abs(result.objective.value - truth) < 1e-6 * Math.abs(truth), JSON.stringify(result.objective));
  }
  await person.leave();
});

test("imported runs are listed without claims, checked when they are opened, and keep their plan with the numbers that are right", async () => {
  const person = await newPerson(browser, { keeps: true });
  const page = await person.open(server.url);
  await answered(page);
  await ready(page);
  const runs = [forged, impossible].map((r, i) => ({
    id: `forged-${i}`,
    name: `Forged ${i}`,
    algorithm: "solve",
    problem: model,
    options: {},
    result: { ...r, trace: {} },
  }));
  const file = path.join(fs.mkdtempSync(path.join(dist, "../bin/claims-")), "runs.json");
  fs.writeFileSync(file, JSON.stringify({ format: "rcmdp-runs/1", runs }));
  const input = /** @type {import('puppeteer-core').ElementHandle<HTMLInputElement> | null} */ (await page.waitForSelector(".runs input[type=file]"));
  await input?.uploadFile(file);
  await until(() => page.$$eval(".runlist button.open", (buttons) => buttons.length === 2), "two runs");
  assert.doesNotMatch(await page.$eval(".runlist", (e) => e.textContent ?? ""), claims);
  await page.evaluate(() => { // whatever the card and the bar say from here on
    const w = /** @type {any} */ (window);
    w.told = [];
    new MutationObserver(() => w.told.push(`${document.querySelector(".answer .hero")?.textContent} | ${document.querySelector(".standing")?.textContent}`))
      .observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  for (const k of [0, 1]) {
    await page.$$eval(".runlist button.open", (buttons, name) => buttons.find((b) => b.textContent === name)?.click(), `Forged ${k}`);
    await until(async () => Math.abs((await answer(page)).objective - truth) < 1e-6 * Math.abs(truth), `run ${k} with the number that is right`);
    await until(() => page.$eval(".notices", (e) => /does not hold/.test(e.textContent ?? "")), "it is said");
  }
  const told = await page.evaluate(() => /** @type {any} */ (window).told);
  const half = new RegExp(String(Number((truth / 2).toPrecision(4))).replace(".", "\\."));
  for (const text of told) assert.ok(!(half.test(text) && claims.test(text)) && !/infeasible/i.test(text), text);
  await page.$eval("#answer-part-tab-proof", (e) => /** @type {HTMLElement} */ (e).click());
  await press(page, "Check it again");
  await until(
    () => page.$eval(".trust [role=status]", (e) => /The proof holds/.test(e.textContent ?? "")).catch(() => false),
    "the proof holds of the numbers that are shown now",
  );
  fs.rmSync(path.dirname(file), { recursive: true });
  await person.leave();
});

test("a link with a malformed inside is refused whole: a sentence, an empty page, nothing of the model before", async () => {
  const person = await newPerson(browser);
  const page = await person.open(server.url);
  await answered(page);
  await ready(page);
  const lean = leanAnswer(forged);
  for (
    const [doc, told] of /** @type {[any, any][]} */ ([
      [{}, undefined],
      [{ ...model, constraints: [null] }, undefined],
      [{ ...model, states: [null, 1] }, undefined],
      [model, { ...lean, policy: [null] }],
      [model, { ...lean, constraints: [null] }],
      [model, { ...lean, objective: null }],
      [model, [null]],
    ])
  ) {
    await page.goto(server.url);
    await answered(page);
    await page.evaluate((hash) => {
      location.hash = hash;
    }, await fragmentOf(doc, told));
    const said = await until(() => page.$eval(".notice.bad", (e) => e.textContent ?? "").catch(() => ""), "a sentence");
    assert.match(said, /The link holds/);
    assert.doesNotMatch(said, /undefined|null|\[object/);
    await until(() => page.$eval(".answer .headline", (e) => /^No answer: the link/.test(e.textContent ?? "")), "an empty page");
    assert.doesNotMatch(
      await page.$$eval(".answer, .solvebar, .model table", (all) => all.map((e) => e.textContent ?? "").join(" ")),
      /Machine repair|worn|Feasible|10\.13/,
      "nothing of the model before",
    );
  }
  await person.leave();
});

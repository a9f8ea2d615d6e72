// @ts-check
// What the page is to who cannot see it, or sees it otherwise: the accessibility tree of each screen has a name, a role and a state
// for every control, milestones are said, and forced colours, large text, narrow windows and paper lose nothing.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { before, test } from "node:test";
import { dist, newPerson, onlyChromium, startBrowser, startServer, until } from "./harness.js";
import { answered, chooseExample, openTables, tab, type, unfold } from "./lab-page.js";

/** @typedef {import('puppeteer-core').Page} Page */
/** @typedef {import('puppeteer-core').SerializedAXNode} Node */

/** @type {import('puppeteer-core').Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
before(async () => {
  [browser, server] = await Promise.all([startBrowser(), startServer()]);
});

/** Roles of what can be used, and what each must tell of its state. @type {Record<string, (keyof Node)[]>} */
const controls = {
  button: [],
  link: [],
  textbox: [],
  searchbox: [],
  combobox: [],
  slider: ["valuemin", "valuemax"],
  spinbutton: [],
  checkbox: ["checked"],
  radio: ["checked"],
  tab: [],
  menuitem: [],
  gridcell: [],
  DisclosureTriangle: [],
};

/** @param {Node | null} node @returns {Node[]} */
const flat = (node) => (node ? [node, ...(node.children ?? []).flatMap(flat)] : []);

/** What the tree lacks. @param {Page} page @returns {Promise<string[]>} */
async function lacks(page) {
  const nodes = flat(await page.accessibility.snapshot({ interestingOnly: false }));
  const used = nodes.filter(({ role }) => role in controls);
  assert.ok(used.length > 3, `${used.length} controls`);
  const tabs = nodes.filter(({ role }) => role === "tab");
  return [
    ...used.filter(({ name }) => !name?.trim()).map(({ role, description }) => `${role} without a name ${description ?? ""}`),
    ...used.flatMap((node) => controls[node.role].filter((state) => node[state] === undefined).map((state) => `${node.role} “${node.name}” without ${state}`)),
    ...(tabs.length > 0 && !tabs.some(({ selected }) => selected) ? ["no tab is chosen"] : []),
    ...nodes.filter(({ role, name }) => (role === "dialog" || role === "region") && !name).map(({ role }) => `${role} without a name`),
  ];
}

test("each screen's tree names every control and tells its state", onlyChromium("to read the tree"), async () => {
  const person = await newPerson(browser);
  const page = await person.open(server.url, { width: 1366, height: 768 });
  await answered(page);
  await page.waitForSelector("select[aria-label=\"Method\"]");
  await unfold(page);
  const walk = async (/** @type {string} */ what) => assert.deepEqual(await lacks(page), [], what);
  await walk("first screen");
  for (const panel of await page.$$eval("[id^=answer-part-tab-]", (all) => all.map((e) => e.id.replace("answer-part-tab-", "")))) {
    await page.$eval(`#answer-part-tab-${panel}`, (e) => /** @type {HTMLElement} */ (e).click());
    await until(
      () => page.$eval("#answer-part", (e, p) => /** @type {HTMLElement} */ (e).dataset.panel === p && !e.querySelector("[aria-busy=true]"), panel),
      panel,
    );
    await walk(panel);
  }
  await openTables(page);
  for (const title of ["Goal", "States", "Costs", "Nature", "JSON"]) {
    await tab(page, title);
    await until(() => page.$eval("#model-part", (e) => !e.querySelector("[aria-busy=true]")), title);
    await walk(title);
  }
  for (const opener of ["[data-examples]", "[data-new]", "[data-share]", "#trouble"]) {
    await page.$eval(opener, (e) => /** @type {HTMLElement} */ (e).click());
    await until(
      () => page.evaluate(() => document.querySelector("dialog .dialog-body")?.childElementCount && !document.querySelector("dialog [aria-busy=true]")),
      opener,
    );
    await walk(opener);
    await page.keyboard.press("Escape");
    await until(async () => await page.$("dialog") === null, "it is closed");
  }
  await chooseExample(page, "grid");
  await answered(page);
  await tab(page, "Grid");
  await page.waitForSelector(".painter .cell");
  await walk("a grid to paint");
  await person.leave();
});

test("solving, done, stopped and refused are said", async () => {
  const person = await newPerson(browser);
  const page = await person.open(server.url, { width: 390, height: 844 });
  await answered(page);
  await page.waitForSelector("select[aria-label=\"Method\"]");
  // All that the one live region has said, in order.
  await page.evaluate(() => {
    const place = /** @type {HTMLElement} */ (document.getElementById("said"));
    const heard = /** @type {any} */ (globalThis).heard = /** @type {string[]} */ ([]);
    new MutationObserver(() => heard.push(place.textContent ?? "")).observe(place, { subtree: true, characterData: true, childList: true });
  });
  const heard = () => page.evaluate(() => /** @type {string[]} */ (/** @type {any} */ (globalThis).heard).splice(0).join(" | "));
  const hears = async (/** @type {RegExp} */ words) => {
    let all = "";
    await until(async () => words.test(all += await heard()), () => `heard ${words}, heard: ${all}`);
  };
  assert.deepEqual(await page.$eval("#said", (e) => [e.getAttribute("role"), e.getAttribute("aria-live"), e.getAttribute("aria-atomic")]), [
    "status",
    "polite",
    "true",
  ]);
  await page.click("[data-solve]");
  await hears(/Solving Machine repair\.[^]*Holds in all 3 models of the world[^]*10\.136/);
  await answered(page);
  // Refused: where, and the way there has the focus.
  await tab(page, "Goal");
  await type(page, "Discount", "2");
  await until(() => page.$eval("[data-solve]", (e) => e.getAttribute("aria-disabled") === "true" || document.querySelector(".faultlist") !== null), "a fault");
  await page.$eval("[data-solve]", (e) => /** @type {HTMLElement} */ (e).click());
  await until(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label") === "Discount"), "the field has the focus");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-invalid")), "true");
  assert.match(await page.$eval("#solve-why", (e) => e.textContent ?? ""), /fault/);
  await person.leave();
});

test("with forced colours what is chosen, bars and keys are seen", onlyChromium("to force colours"), async () => {
  const person = await newPerson(browser);
  const page = await person.open(`${server.url}#example=grid`, { width: 1366, height: 768 });
  await answered(page);
  const session = await page.createCDPSession();
  await session.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
  const seen = (/** @type {string} */ selector, /** @type {string} */ property, /** @type {string} */ pseudo = "") =>
    page.$eval(
      selector,
      (e, property, pseudo) => [getComputedStyle(e, pseudo || undefined).getPropertyValue(property), getComputedStyle(document.body).backgroundColor],
      property,
      pseudo,
    );
  const differs = async (/** @type {string} */ selector, property = "background-color", pseudo = "") => {
    await page.waitForSelector(selector);
    const [mark, ground] = await seen(selector, property, pseudo);
    assert.notEqual(mark, ground, selector);
    assert.notEqual(mark, "rgba(0, 0, 0, 0)", selector);
  };
  await differs(".tabs [aria-selected=true]", "background-color", "::after");
  await differs(".interval .found");
  await page.$eval("#answer-part-tab-plan", (e) => /** @type {HTMLElement} */ (e).click());
  await differs(".gauge i");
  await page.$eval("#answer-part-tab-tradeoff", (e) => /** @type {HTMLElement} */ (e).click());
  await page.waitForSelector(".knob.chosen");
  await differs(".tradeoff .key i");
  assert.notEqual((await seen(".knob.chosen", "outline-style"))[0], "none", "the chosen number");
  await page.$eval(".model .toggle", (e) => /** @type {HTMLElement} */ (e).click());
  await page.waitForSelector(".brushes input:checked + span");
  assert.notEqual((await seen(".brushes input:checked + span", "outline-style"))[0], "none", "the chosen brush");
  await person.leave();
});

test("nothing sticks out at 320 px and at 200 % zoom, in any panel, also while a run goes on", async () => {
  const person = await newPerson(browser);
  const page = await person.open(`${server.url}#example=ambulance`, { width: 683, height: 384 }); // a laptop at 200 %
  await answered(page);
  await page.waitForSelector("select[aria-label=\"Method\"]");
  for (const width of [683, 320]) {
    await page.setViewport({ width, height: width === 320 ? 640 : 384 });
    for (const panel of await page.$$eval("[id^=answer-part-tab-]", (all) => all.map((e) => e.id.replace("answer-part-tab-", "")))) {
      await page.$eval(`#answer-part-tab-${panel}`, (e) => /** @type {HTMLElement} */ (e).click());
      await until(
        () => page.$eval("#answer-part", (e, p) => /** @type {HTMLElement} */ (e).dataset.panel === p && !e.querySelector("[aria-busy=true]"), panel),
        panel,
      );
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(over <= 0, `${panel} at ${width} px: ${over} px too wide`);
    }
    await page.$eval("[data-solve]", (e) => /** @type {HTMLElement} */ (e).click());
    const widest = await page.evaluate(async () => {
      let most = 0;
      for (let i = 0; i < 30; i++) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        most = Math.max(most, document.documentElement.scrollWidth - document.documentElement.clientWidth);
      }
      return most;
    });
    assert.ok(widest <= 0, `${widest} px too wide while it runs, at ${width} px`);
    await answered(page);
  }
  await person.leave();
});

test("no page of the guide is wider than a phone", async () => {
  const person = await newPerson(browser);
  const page = await person.open(`${server.url}guide/index.html`, { width: 390, height: 844 });
  const chapters = fs.readdirSync(path.join(dist, "guide")).filter((name) => name.endsWith(".html") && name !== "paper.html");
  assert(chapters.length > 10, `${chapters}`);
  for (const name of chapters) {
    await page.goto(`${server.url}guide/${name}`);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert(over <= 0, `${name}: ${over} px too wide`);
  }
  await person.leave();
});

test("the trade-off's slider and the tables use the width there is", async () => {
  const person = await newPerson(browser);
  const page = await person.open(server.url, { width: 1366, height: 768 });
  await answered(page);
  await page.$eval("#answer-part-tab-tradeoff", (e) => /** @type {HTMLElement} */ (e).click());
  await page.waitForSelector(".knob input[type=range]");
  const [slider, room] = await page.$eval(
    ".knob input[type=range]",
    (e) => [e.getBoundingClientRect().width, e.closest(".tradeoff")?.getBoundingClientRect().width ?? 0],
  );
  const knobs = (await page.$$(".knob")).length;
  assert.ok(slider > room / (2.6 * Math.min(2, knobs)), `${slider} of ${room} px for ${knobs} sliders`);
  await person.leave();
});

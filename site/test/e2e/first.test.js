// @ts-check
// The first screen: what it says is counted, what a visitor does first is near, and the answer follows the slider.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { browserName, newPerson, onlyChromium, prefers, startBrowser, startServer, until } from "./harness.js";
import { firstScreens, inSight, phone, sizes, visitLab } from "./first-screen.js";

/** @typedef {import('puppeteer-core').Page} Page */

/** @type {import('puppeteer-core').Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
before(async () => {
  [browser, server] = await Promise.all([startBrowser(), startServer()]);
});

/** @param {import("./first-screen.js").Visit} [options] */
const visit = (options) => visitLab(browser, server.url, options);

test("on a phone the first screen has few words, numbers and controls", async () => {
  for (const example of ["", "fishery", "ambulance"]) {
    const { person, page } = await visit({ ...phone, example });
    const { text, words, numbers, controls } = await inSight(page);
    const most = example === "ambulance" ? { words: 100, numbers: 8 } : { words: 60, numbers: 5 }; // why nobody can keep it takes more
    assert(words.length <= most.words, `${words.length} words: ${text}`);
    assert(numbers.length <= most.numbers, `${numbers.length} numbers: ${numbers}`);
    assert(controls.length <= 6, `${controls.length} controls: ${controls.join(" | ")}`);
    assert.doesNotMatch(text, /kernel|stationary|nominal|polic(y|ies)/i);
    await person.leave();
  }
});

firstScreens(browserName, visit);

test("the sentence, the picture and the answer stand in the page before its scripts and its solver", onlyChromium("to forbid scripts"), async () => {
  const person = await newPerson(browser);
  const page = await person.open(server.url, { ...phone, before: (p) => p.setJavaScriptEnabled(false) });
  const { text, words } = await inSight(page);
  assert.match(text, /Find the best plan that keeps its limits/);
  assert.match(text, /Solved when this page was built/);
  assert.doesNotMatch(text, /proved/i, "nothing is called proved before it is checked here");
  assert(words.length <= 60, `${words.length} words: ${text}`);
  assert((await page.$$(".walk .place")).length === 3, "the picture");
  await person.leave();
});

test("the plan walks through the worst case, and stands still where no motion is wanted", { skip: browserName === "firefox" }, async () => {
  const token = (/** @type {Page} */ page) => page.$eval(".walk .token", (e) => e.getAttribute("style"));
  const { person, page } = await visit({ ...phone, motion: true });
  const first = await token(page);
  await until(async () => (await token(page)) !== first, "the token moves");
  assert.match(await page.$eval(".walk figcaption", (e) => e.textContent ?? ""), /worst case: harsh/);
  await person.leave();
  const { person: calm, page: still } = await visit(phone);
  const stands = await token(still);
  await until(() => still.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1500, true))), "a while");
  assert.equal(await token(still), stands);
  await calm.leave();
});

test("with forced colours the chosen tab is marked", onlyChromium("to force colours"), async () => {
  const { person, page } = await visit(sizes[1]);
  const session = await page.createCDPSession();
  await session.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
  const [marked, ground] = await page.evaluate(() => {
    const tab = /** @type {Element} */ (document.querySelector("#answer-part-tab-plan"));
    return [getComputedStyle(tab, "::after").backgroundColor, getComputedStyle(document.body).backgroundColor];
  });
  assert.notEqual(marked, ground);
  await prefers(page, "color-scheme", "light");
  await person.leave();
});

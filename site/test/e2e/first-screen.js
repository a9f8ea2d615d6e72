// @ts-check
// first-screen.js — what holds of the first screen in every browser, at the size of a phone and of a laptop.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertNear, native, newPerson, staysOpen, until } from "./harness.js";
import { answer, answered, chooseExample, documentOf } from "./lab-page.js";

/** @typedef {import('puppeteer-core').Page} Page */
/** @typedef {Awaited<ReturnType<typeof newPerson>>} Person */
/** @typedef {Partial<{ motion: boolean, width: number, height: number, example: string }>} Visit */

export const phone = { width: 390, height: 844 };
export const sizes = [phone, { width: 1366, height: 768 }];

/** Opens the lab and waits until the answer of the build has been looked at. @param {import('puppeteer-core').Browser} browser @param {string} url @param {Visit} [options] */
export async function visitLab(browser, url, { motion, example, ...size } = {}) {
  const person = await newPerson(browser, { motion });
  const page = await person.open(url + (example ? `#example=${example}` : ""), size);
  await answered(page);
  await until(() => page.$eval(".answer .effort", (e) => /checked here\./.test(e.textContent ?? "")), "the checker has looked at it");
  return { person, page };
}

/** What of the page is in sight: words, numbers, and what can be pressed, turned or followed. @param {Page} page */
export const inSight = (page) =>
  page.evaluate(() => {
    const bar = document.querySelector(".solvebar")?.getBoundingClientRect();
    const low = bar && bar.top > innerHeight / 2 ? bar.top : innerHeight; // what lies below the bar is not seen
    const seen = (/** @type {DOMRect} */ { top, bottom, left, right, width, height }, inBar = false) =>
      width > 1 && height > 1 && bottom > 0 && top < (inBar ? innerHeight : low) && right > 0 && left < innerWidth;
    const inBar = (/** @type {Element | null} */ e) => e?.closest(".solvebar") != null;
    const shown = (/** @type {Element | null} */ e) =>
      e?.checkVisibility({ visibilityProperty: true, opacityProperty: true }) === true && !e.closest(".unseen");
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let text = "";
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const range = document.createRange();
      range.selectNode(node);
      if (
        node.parentElement?.closest("script, style, noscript") || !shown(node.parentElement) || !seen(range.getBoundingClientRect(), inBar(node.parentElement))
      ) continue;
      text += ` ${node.textContent}`;
    }
    const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
      .filter((e) => shown(e) && seen(e.getBoundingClientRect(), inBar(e)));
    return {
      text,
      words: text.match(/\p{L}[\p{L}’'-]*/gu) ?? [],
      numbers: text.match(/\d+(?:[.,]\d+)*/g) ?? [],
      controls: controls.map((e) => e.getAttribute("aria-label") || e.textContent?.trim() || e.localName),
    };
  });

/** Where the Tab key leads from the top of the page. @param {Page} page @param {number} stops */
async function stopsOf(page, stops) {
  await page.evaluate(() => {
    scrollTo(0, 0);
    /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
  });
  const found = [];
  for (let i = 0; i < stops; i++) {
    await page.keyboard.press("Tab");
    found.push(await page.evaluate(() => document.activeElement?.getAttribute("data-turn") ?? document.activeElement?.textContent?.trim() ?? ""));
  }
  return found;
}

/**
 * The tests of the first screen at both sizes, each of which goes on where the one before has left the page.
 * @param {string} name of the browser @param {(options: Visit) => Promise<{ person: Person, page: Page }>} visit
 */
export function firstScreens(name, visit) {
  for (const size of sizes) firstScreen(size, `at ${size.width} px, in ${name}`, staysOpen(() => visit(size)));
}

/** @param {{ width: number, height: number }} size @param {string} at @param {() => Promise<{ person: Person, page: Page }>} staying */
function firstScreen(size, at, staying) {
  test(`the limit and the plan are at most four stops from the top, and each is said once, ${at}`, async () => {
    const { person, page } = await staying();
    const stops = await stopsOf(page, 4);
    assert(stops.includes("limit 0"), `the slider among ${stops}`);
    assert(stops.includes("See the plan"), `the plan among ${stops}`);
    const { text } = await inSight(page);
    assert.equal(text.match(/10\.136/g)?.length, 1, "the value stands once");
    assert.equal(await page.$(".interval"), null, "a closed gap has no bar");
    await page.keyboard.press("Enter"); // on the plan
    await until(() => page.evaluate(() => document.activeElement?.id === "answer-part-tab-plan"), "the plan");
    const holes = await page.$eval(".answer .hero", (hero) => {
      const rows = [...hero.children].filter((e) => e.textContent?.trim()).map((e) => {
        const range = document.createRange();
        range.selectNodeContents(e);
        return range.getBoundingClientRect();
      });
      return rows.slice(1).map((row, i) => row.top - rows[i].bottom);
    });
    assert(Math.max(...holes) < 40, `gaps of the head: ${holes}`);
    person.stay();
  });

  test(`what an expert uses is folded, says what it is and is one click away, ${at}`, async () => {
    const { person, page } = await staying();
    for (const [place, says, inside] of [[".solve", /Method\s*Search and proof/, "select[aria-label=Method]"], [".runs", /Runs/, ".toolbar button"]]) {
      await page.waitForSelector(`${place} .fold > summary`);
      await page.waitForSelector(`${place} ${inside}`);
      assert.match(await page.$eval(`${place} summary`, (e) => e.textContent ?? ""), /** @type {RegExp} */ (says));
      assert.equal(await page.$eval(`${place} ${inside}`, (e) => e.checkVisibility()), false);
      await page.$eval(`${place} .fold > summary`, (e) => /** @type {HTMLElement} */ (e).click());
      await until(() => page.$eval(`${place} ${inside}`, (e) => e.checkVisibility()), `${place} opens`);
    }
    await page.$eval(".model .toggle", (e) => /** @type {HTMLElement} */ (e).click());
    await page.waitForSelector("#model-editor [aria-label=Discount]");
    assert.equal((await page.$$("#model-editor .parameters input")).length, 0, "discount and limit stand once");
    assert.equal((await page.$$(".answer .toolbar > .menu")).length, 1, "one menu of exports");
    person.stay();
  });

  test(`the answer and the picture follow the slider, ${at}`, async () => {
    const { person, page } = await staying();
    const before = await answer(page);
    const plan = () => page.$$eval(".walk .deed", (all) => all.map((e) => e.textContent));
    const drawn = await plan();
    await page.focus("[data-turn]");
    for (let i = 0; i < 5; i++) await page.keyboard.press("PageUp");
    const limit = await page.$eval("[data-turn]", (e) => Number(/** @type {HTMLInputElement} */ (e).value));
    assert(limit > 0.1);
    await until(async () => (await answer(page)).objective < before.objective, "a looser limit costs less");
    await answered(page);
    assert.notDeepEqual(await plan(), drawn, "the picture is of the new plan");
    const problem = await documentOf(page);
    assert.equal(problem.constraints[0].atMost, limit, "the model has what the slider says");
    const shown = await answer(page);
    assert.match(shown.headline, /^Holds/);
    const [{ evaluated }] = native([{ problem, policy: shown.policy }]);
    assertNear(shown.objective, evaluated.returns[0], 1e-6, "the value of the plan that is shown");
    await page.focus("[data-turn]");
    await page.keyboard.press("Home");
    await until(async () => (await answer(page)).objective > before.objective, "a tighter limit costs more");
    person.stay();
  });

  test(`nothing is wider than the page, ${at} and narrower, for an infeasible model and a grid too`, async () => {
    const { person, page } = await staying();
    for (const example of ["ambulance", "grid"]) {
      await chooseExample(page, example);
      await answered(page);
      for (const width of size.width < 400 ? [390, 320] : [1366, 683]) {
        await page.setViewport({ width, height: size.height });
        const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert(over <= 0, `${example} at ${width} px: ${over} px too wide`);
      }
    }
    person.stay();
  });
}

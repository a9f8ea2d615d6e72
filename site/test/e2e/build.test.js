// @ts-check
// Machine repair, built from an empty page: with the keyboard alone, and with the mouse, where keys only
// write names and numbers. What is built is the example, and solves to its value.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { before, test } from "node:test";
import { answer, answered, documentOf } from "./lab-page.js";
import { assertNear, dist, newPerson, startBrowser, startServer, until } from "./harness.js";

/** @typedef {import('puppeteer-core').Page} Page */
/**
 * @typedef {{
 *   press: (name: string) => Promise<void>, tab: (title: string) => Promise<void>, fill: (label: string, text: string) => Promise<void>,
 *   pick: (label: string, option: string) => Promise<void>, drop: (state: string, action: string) => Promise<void>,
 * }} Person press: a button; drop: an action that a state does not have
 */

/** @type {import('puppeteer-core').Browser} */
let browser;
/** @type {{ url: string }} */
let server;
before(async () => {
  [browser, server] = await Promise.all([startBrowser(), startServer()]);
});

/** Frames as a busy machine has them, so that keys come faster. @param {Page} page */
const lateFrames = (page) =>
  page.evaluateOnNewDocument(() => {
    window.requestAnimationFrame = (draw) => Number(setTimeout(() => draw(performance.now()), 150));
    window.cancelAnimationFrame = clearTimeout;
  });

/** The accessible name of what has the focus, near enough. @param {Page} page */
const here = (page) =>
  page.evaluate(() => {
    const e = /** @type {HTMLElement} */ (document.activeElement);
    if (e.localName === "dialog") return ""; // its contents are still to come
    return (e.getAttribute("aria-label") ?? e.querySelector("b")?.textContent ?? e.textContent ?? "").trim();
  });

/**
 * Tab by Tab to what is looked for, back to what stands before, as a person does: past the end of a page stand the browser's own bars.
 * @param {Page} page @param {() => Promise<{ there: boolean, back: boolean }>} look @param {string} what
 */
async function toward(page, look, what) {
  for (let i = 0; i < 250; i++) {
    const { there, back } = await look();
    if (there) return;
    if (back) await page.keyboard.down("Shift");
    await page.keyboard.press("Tab");
    if (back) await page.keyboard.up("Shift");
  }
  assert.fail(`the Tab key never comes to “${what}”`);
}

/** To what has one of these names. @param {Page} page @param {string[]} names */
const tabTo = (page, ...names) =>
  toward(page, async () => {
    if (names.includes(await here(page))) return { there: true, back: false };
    const back = await page.evaluate((wanted) => {
      const named = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")].find((e) =>
        wanted.includes((e.getAttribute("aria-label") ?? e.querySelector("b")?.textContent ?? e.textContent ?? "").trim())
      );
      const at = document.activeElement;
      return named !== undefined && at !== null && at !== document.body && (at.compareDocumentPosition(named) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
    }, names);
    return { there: false, back };
  }, names.join("”, “"));

/** What an input holds. @param {Page} page @param {string} label */
const held = (page, label) =>
  page.waitForSelector(`[aria-label="${label}"]`).then((e) => e?.evaluate((input) => /** @type {HTMLInputElement} */ (input).value));

/** @param {Page} page @returns {Person} */
const keyboard = (page) => ({
  async press(name) {
    await tabTo(page, name);
    await page.keyboard.press("Enter");
  },
  async tab(title) {
    const titles = ["Goal", "States", "Costs", "Nature", "JSON"];
    await tabTo(page, ...titles);
    for (let i = 0; i < titles.length; i++) {
      const at = await here(page);
      if (at === title) break;
      await page.keyboard.press("ArrowRight");
      await until(async () => (await here(page)) !== at, `the next tab after “${at}”`); // the focus follows the drawing
    }
    assert.equal(await here(page), title);
  },
  async fill(label, text) {
    if ((await held(page, label)) === text) return;
    await tabTo(page, label);
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    await page.keyboard.type(text);
    assert.equal(await held(page, label), text);
  },
  async pick(label, option) {
    await tabTo(page, label);
    await page.keyboard.type(option);
  },
  async drop(state, action) {
    await tabTo(page, `Probability of good after ${action} in ${state}`);
    await page.keyboard.down("Alt");
    await page.keyboard.press("Delete");
    await page.keyboard.up("Alt");
  },
});

/** @param {Page} page @returns {Person} */
function mouse(page) {
  /** @param {string} selector @param {number} [count] */
  const click = async (selector, count = 1) => {
    const element = await page.waitForSelector(selector, { visible: true });
    await element?.evaluate((e) => e.scrollIntoView({ block: "center" }));
    await element?.click({ count });
  };
  return {
    press: (name) => click(`::-p-xpath(//button[not(ancestor::dialog[not(@open)])][@aria-label="${name}" or normalize-space(.)="${name}" or b[.="${name}"]])`),
    tab: (title) => click(`#model-part-tab-${title.toLowerCase()}`),
    async fill(label, text) {
      if ((await held(page, label)) === text) return;
      const selector = `[aria-label="${label}"]`;
      // Where all of it is seen to be chosen, what is typed takes its place.
      await until(async () => {
        await click(selector, 3);
        return page.$eval(selector, (e) => e === document.activeElement && getSelection()?.toString() === /** @type {HTMLInputElement} */ (e).value);
      }, `all of “${label}” is chosen`);
      await page.keyboard.type(text);
      assert.equal(await held(page, label), text);
    },
    // The list that a select opens is the browser's own, where no script can click.
    pick: async (label, option) => void await page.select(`select[aria-label="${label}"]`, option),
    drop: (state, action) => click(`[aria-label="Make ${action} not available in ${state}"]`),
  };
}

for (const [way, hand] of /** @type {[string, (page: Page) => Person][]} */ ([["the keyboard alone", keyboard], ["the mouse", mouse]])) {
  test(`machine repair is built from an empty page with ${way}, and solves to its value`, async () => {
    const { problem, result } = JSON.parse(fs.readFileSync(path.join(dist, "gallery/machine-repair.json"), "utf8"));
    const { description, ...wanted } = problem;
    const [states, actions] = [problem.states, problem.actions];
    const person = await newPerson(browser);
    const page = await person.open(server.url, { width: 1366, height: 900, before: way === "the mouse" ? undefined : lateFrames });
    await page.waitForSelector("select[aria-label=Method]"); // the solver is there
    const { press, tab, fill, pick, drop } = hand(page);
    await press("New");
    await press("A small model to edit");
    await page.waitForFunction(() => /** @type {HTMLInputElement | null} */ (document.querySelector("input.title"))?.value === "Untitled model");
    await fill("Name of the model", problem.name);
    await tab("Goal");
    await fill("Name of the objective", problem.objective.name);
    await fill("Threshold of downtime", "0.1");
    await pick("Scale of downtime", "average");
    await fill("Discount", String(problem.discount));
    await tab("States");
    for (const [s, name] of states.slice(0, 2).entries()) await fill(`Name of state ${s + 1}`, name);
    await press("Add a state");
    let at = "";
    await until(async () => (at = await here(page)) === "Name of state 3", () => `the focus goes to the new state by itself; it is on “${at.slice(0, 80)}”`);
    await page.keyboard.type(states[2]);
    for (const [a, name] of actions.entries()) await fill(`Name of action ${a + 1}`, name);
    await tab("Nature");
    await drop("broken", "run");
    for (const [k, kernel] of problem.uncertainty.kernels.entries()) {
      if (k === 2) await press("Add a copy");
      else if (k === 1) await (way === "the mouse" ? page.click("[aria-label='harsh'], input[value='1']") : second(page, ".nature .segments"));
      await fill("Name of this kernel", kernel.name);
      for (const [s, of] of kernel.transitions.entries()) {
        for (const [a, row] of of.entries()) {
          for (const [j, p] of (row ?? []).entries()) await fill(`Probability of ${states[j]} after ${actions[a]} in ${states[s]}`, String(p));
        }
      }
    }
    await tab("Costs");
    const costs = [problem.objective, ...problem.constraints];
    for (const [n, cost] of costs.entries()) {
      if (n === 1) await (way === "the mouse" ? page.click(".tab .segments label:nth-of-type(2)") : second(page, ".tab .segments"));
      for (const [s, of] of cost.values.entries()) {
        for (const [a, x] of of.entries()) if (x !== null) await fill(`${cost.name} of ${actions[a]} in ${states[s]}`, String(x));
      }
    }
    await press("Solve");
    await answered(page);
    const built = await documentOf(page);
    const there = (/** @type {any} */ cost) =>
      cost.values.map((/** @type {number[]} */ of, /** @type {number} */ s) => of.map((x, a) => (problem.objective.values[s][a] === null ? null : x)));
    assert.deepEqual(
      {
        ...built,
        objective: { ...built.objective, values: there(built.objective) },
        constraints: built.constraints.map((/** @type {any} */ c) => ({ ...c, values: there(c) })),
      },
      wanted,
    );
    assertNear((await answer(page)).objective, result.objective.value, 1e-6, "the value");
    await person.leave();
  });
}

/**
 * Tab by Tab into a group of radio buttons, and on to the second of them.
 * @param {Page} page @param {string} group
 */
async function second(page, group) {
  await toward(page, () =>
    page.evaluate((inputs) => {
      const at = document.activeElement, chosen = document.querySelector(`${inputs}:checked`);
      if (!chosen || at?.matches(inputs)) return { there: chosen !== null, back: false };
      return { there: false, back: at !== null && at !== document.body && (at.compareDocumentPosition(chosen) & Node.DOCUMENT_POSITION_PRECEDING) !== 0 };
    }, `${group} input`), group);
  await page.keyboard.press("ArrowRight");
}

// @ts-check
// lab-page.js — what a person does on the lab page and in the embed, by the names they see.

import fs from "node:fs";
import path from "node:path";
import { dist, patience, until } from "./harness.js";

/** @typedef {import('puppeteer-core').Page | import('puppeteer-core').Frame} Place */

/**
 * Clicks an element by the mouse, and again where the click went past it: a page that is still loading may move it in between,
 * also under the bar that is always in sight. One that is disabled by then takes none.
 * @param {import('puppeteer-core').ElementHandle<Element>} element
 */
async function click(element) {
  const reached = await element.evaluateHandle((target) => {
    const seen = { click: false };
    target.addEventListener("click", () => (seen.click = true), { capture: true, once: true });
    return seen;
  });
  await until(async () => {
    await element.evaluate((target) => target.scrollIntoView({ block: "center" }));
    await element.click();
    return reached.evaluate(({ click }, target) => click || (/** @type {HTMLButtonElement} */ (target)).disabled === true, element).catch((error) => { // it led to another page
      if (/context|Target closed|detached/i.test(error.message)) return true;
      throw error;
    });
  }, "a click that reaches what it is for");
}

/** Waits for what is to be clicked, and clicks it by the mouse. @param {Place} page @param {string} selector */
export const clickOn = (page, selector) =>
  until(async () => {
    const element = await page.waitForSelector(selector);
    try {
      if (element) await click(element);
      return true;
    } catch (error) { // drawn anew between the two: there is another
      if (!/detached|not clickable/.test(/** @type {Error} */ (error).message)) throw error;
      return false;
    }
  }, `${selector} takes a click`);

/** Waits for the button and presses it; `name` is its accessible name. @param {Place} page @param {string} name */
export const press = (page, name) => clickOn(page, `aria/${name}[role="button"]`);

/** Replaces what a field holds, key by key. @param {Place} page @param {string} label @param {string} text */
export async function type(page, label, text) {
  const field = await page.waitForSelector(`aria/${label}[role="textbox"]`);
  await field?.evaluate(selectAll);
  if (text === "") await field?.press("Backspace");
  else await field?.type(text);
}

/** @param {Element} element a text field */
function selectAll(element) {
  element.scrollIntoView({ block: "center" });
  /** @type {HTMLInputElement} */ (element).focus();
  /** @type {HTMLInputElement} */ (element).select();
}

/** @param {Place} page @param {string} label @param {string} value */
export const choose = (page, label, value) => page.select(`select[aria-label="${label}"]`, value);

/** Asks for an example by its card. @param {Place} page @param {string} id */
export async function askForExample(page, id) {
  await page.$eval("[data-examples]", (button) => /** @type {HTMLElement} */ (button).click());
  const card = await page.waitForSelector(`[data-example="${id}"]`);
  await card?.evaluate((button) => /** @type {HTMLElement} */ (button).click());
}

/** Opens an example, and waits until it is the one that is drawn: its address follows later. @param {Place} page @param {string} id */
export async function chooseExample(page, id) {
  const { problem } = JSON.parse(fs.readFileSync(path.join(dist, "gallery", `${id}.json`), "utf8"));
  await askForExample(page, id);
  await until(() => page.$eval("[data-examples]", (button, name) => button.textContent?.startsWith(`${name}:`), problem.name), `the example ${id}`);
}

/** Takes what a menu offers. @param {Place} page @param {string} label of the menu @param {string} name of the button in it */
export async function take(page, label, name) {
  await page.waitForSelector(`.menu > summary[aria-label="${label}"]`);
  await page.$eval(`.menu > summary[aria-label="${label}"]`, (summary) => /** @type {HTMLElement} */ (summary).click());
  await press(page, name);
}

/** Solves small models again while they are edited, or only when that is asked for. @param {Place} page @param {boolean} on */
export const follow = (page, on) =>
  page.$eval(".live-switch input", (box, wanted) => {
    if (/** @type {HTMLInputElement} */ (box).checked !== wanted) /** @type {HTMLElement} */ (box).click();
  }, on);

/** @param {Place} page @param {string} title */
export async function tab(page, title) {
  await openTables(page);
  await clickOn(page, `#model-part-tab-${title.toLowerCase()}`); // its name may carry a count of faults
  await page.waitForSelector(`#model-part-tab-${title.toLowerCase()}[aria-selected=true]`);
}

/** Waits until the page can solve. @param {Place} page */
export async function ready(page) {
  let why = "";
  await until(async () => {
    why = await page.evaluate(() => {
      const button = document.querySelector("[data-solve]");
      return button === null
        ? "no Solve button"
        : document.querySelector("select[aria-label=\"Method\"]") === null
        ? "the solver is not there yet"
        : button.getAttribute("aria-disabled") === "true"
        ? document.getElementById("solve-why")?.textContent ?? ""
        : "";
    });
    return why === "";
  }, () => `Solve can be pressed, but: ${why}`);
}

/** Waits until no run is going on and there is an answer. @param {Place} page @param {number} [timeout] */
export async function answered(page, timeout = patience) {
  let said = "";
  await until(
    async () => {
      const seen = await page.evaluate(() => {
        const answer = document.querySelector(".answer");
        const is = answer !== null && !answer.hasAttribute("aria-busy") && answer.getAttribute("data-fresh") === "true" &&
          document.querySelector("[data-painted]") === null;
        return { is, said: document.getElementById("solve-why")?.textContent ?? "" };
      });
      said = seen.said;
      return seen.is;
    },
    () => `an answer; the bar says: ${said}`,
    timeout,
  );
}

/**
 * Presses Solve and waits for the answer to this run. A short run may come and go between two
 * frames, so what tells is that it has joined the list of runs.
 * @param {Place} page @param {number} [timeout]
 */
export async function solve(page, timeout = patience) {
  await ready(page);
  await page.waitForSelector(".runs .toolbar"); // the list has been read
  const before = await runCount(page);
  await page.focus("[data-solve]"); // leaving a field settles its edit
  await ready(page);
  await page.click("[data-solve]");
  await until(async () => (await runCount(page)) > before, "the run is in the list", timeout);
  await answered(page, timeout);
}

/**
 * The answer as it is on the page: words, the objective in full, limits and policy.
 * @param {Place} page
 */
export const answer = (page) =>
  page.evaluate(() => {
    const text = (/** @type {Element | null | undefined} */ e) => e?.textContent?.trim() ?? "";
    const of = (/** @type {string} */ selector) => [...document.querySelectorAll(`.answer ${selector}`)];
    const plain = (/** @type {string} */ shown) => Number(shown.replace("−", "-").replace(/[^\d.e+-]/g, ""));
    return {
      headline: text(document.querySelector(".answer .headline")),
      sentence: text(document.querySelector(".answer .sentence")),
      figure: text(document.querySelector(".answer .figure")),
      objective: Number(/** @type {HTMLElement | null} */ (document.querySelector(".answer .figure[data-objective]"))?.dataset.objective ?? NaN),
      limits: of(".limits tbody tr").map((row) => {
        const [name, threshold, value, slack, , worst] = [...row.children].map(text);
        return {
          name: name.split(":")[0],
          threshold: plain(threshold),
          value: plain(value),
          decimals: (value.split(".")[1] ?? "").length,
          slack: plain(slack),
          worst,
        };
      }),
      policy: of("table.policy tbody tr").map((row) =>
        [...row.querySelectorAll("td")].map((cell) => (cell.title ? Number(cell.title.slice(cell.title.lastIndexOf(":") + 1)) : 0))
      ),
    };
  });

/** From now on nothing that the page asks its workers reaches them, as on a machine that is very slow. @param {Place} page @returns {Promise<() => Promise<void>>} lets it through */
export async function holdWorkers(page) {
  const here = await page.evaluateHandle(() => {
    const { postMessage } = Worker.prototype;
    /** @type {(() => void)[]} */
    const held = [];
    Worker.prototype.postMessage = /** @this {Worker} @param {any[]} args */ function(...args) {
      held.push(() => postMessage.apply(this, /** @type {any} */ (args)));
    };
    return { postMessage, held };
  });
  return () =>
    here.evaluate(({ postMessage, held }) => {
      Worker.prototype.postMessage = postMessage;
      for (const send of held) send();
    });
}

/** Opens the tables of the model when they are closed, again where a model that came meanwhile has closed them. @param {Place} page */
export async function openTables(page) {
  const open = () =>
    page.evaluate(() => {
      if (document.getElementById("model-editor")) return true;
      /** @type {HTMLElement | null} */ (document.querySelector(".model .toggle[aria-expanded=\"false\"]"))?.click();
      return false;
    });
  await until(open, "the tables of the model");
}

/** The document, from the JSON view. @param {Place} page */
export async function documentOf(page) {
  await openTables(page);
  const before = await (await page.waitForSelector("[id^=model-part-tab-][aria-selected=true]"))?.evaluate((element) => element.id);
  await tab(page, "JSON");
  const text = await page.waitForSelector("textarea[aria-label=\"The model as a JSON document\"]").then((area) =>
    area?.evaluate((element) => /** @type {HTMLTextAreaElement} */ (element).value)
  );
  await tab(page, (before ?? "").replace("model-part-tab-", ""));
  return JSON.parse(text ?? "");
}

/** Opens the settings and sets some; gives all that the page will use, true as 1. @param {Place} page @param {Record<string, number | boolean>} values @returns {Promise<Record<string, number>>} */
export async function set(page, values) {
  await page.$$eval(".solve details", (all) => {
    for (const details of all) /** @type {HTMLDetailsElement} */ (details).open = true;
  });
  for (const [name, value] of Object.entries(values)) {
    const field = await page.waitForSelector(`#setting-${name}`);
    if (typeof value === "boolean") {
      if ((await field?.evaluate((element) => /** @type {HTMLInputElement} */ (element).checked)) !== value) await field?.click();
    } else {
      await field?.evaluate(selectAll);
      await field?.type(String(value));
    }
  }
  return page.$$eval(".settings input", (fields) =>
    Object.fromEntries(
      fields
        .map((field) => /** @type {HTMLInputElement} */ (field))
        .map((
          field,
        ) => /** @type {[string, number]} */ ([field.id.replace("setting-", ""), field.type === "checkbox" ? Number(field.checked) : Number(field.value)]))
        .filter(([name]) => name !== "seed" && name !== "timeLimit"),
    ));
}

/** The saved runs by name. @param {Place} page */
export const runNames = (page) => page.$$eval(".runlist button.open", (buttons) => buttons.map((b) => b.textContent ?? ""));

/** Opens what is folded: the method and the runs. @param {Place} page */
export async function unfold(page) {
  await page.waitForSelector(".runs .fold");
  await page.$$eval(".fold:not([open]) > summary", (all) => {
    for (const summary of all) /** @type {HTMLElement} */ (summary).click();
  });
}

/** How many runs are saved; the list shows the latest of them. @param {Place} page */
const runCount = (page) => page.$eval(".runs", (runs) => Number(/Export (\d+) run/.exec(runs.textContent ?? "")?.[1] ?? 0));

/**
 * Pastes text: where nothing is written, or into what the selector finds.
 * @param {import('puppeteer-core').Page} page @param {string} text @param {string} [selector]
 */
export const paste = (page, text, selector = "body") =>
  page.$eval(selector, (element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    // Firefox makes an event's data of the two names of its own.
    const init = { clipboardData, dataType: "text/plain", data: pasted, bubbles: true, cancelable: true };
    element.dispatchEvent(new ClipboardEvent("paste", init));
  }, text);

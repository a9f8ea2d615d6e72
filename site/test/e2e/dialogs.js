// @ts-check
// dialogs.js — every dialog by the keyboard alone, in each browser: it opens with the focus on its first useful control, keeps
// the focus while it is open, and gives it back when it is left.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "./harness.js";
import { openTables, paste } from "./lab-page.js";

/** @typedef {import('puppeteer-core').Page} Page */
/** @typedef {Awaited<ReturnType<typeof import("./harness.js").newPerson>>} Person */

/** What opens each, and what then has the focus. @type {[kind: string, opener: string, first: string][]} */
export const table = [
  ["examples", "[data-examples]", "[data-example='machine-repair']"], // the one that is open
  ["new", "[data-new]", ".doors li:first-child button"],
  ["share", "[data-share]", "[role=tab][aria-selected=true]"],
  ["trouble", "#trouble", "textarea"],
];

/** A table to paste. */
const counts = "state\taction\tnext\tcount\ngood\trun\tgood\t45\ngood\trun\tworn\t5\nworn\tfix\tgood\t9\n";

/** Whether an element has the focus. @param {Page} page @param {string} selector */
const focused = (page, selector) => page.evaluate((s) => document.activeElement?.matches(s) === true, selector);
/** @param {Page} page @param {string} selector @param {string} what */
export const focusIs = (page, selector, what) => until(() => focused(page, selector), () => `the focus is ${what}`);
/** @param {Page} page */
export const closed = (page) => until(async () => await page.$("dialog") === null, "it is closed");

/**
 * Goes through all that can have the focus: none of it lies outside. Firefox without a window keeps the keys that went to its
 * own bars, so there the last control is the end of the way.
 * @param {Page} page @param {string} kind @param {string} name of the browser
 */
async function assertKept(page, kind, name) {
  const after = () =>
    page.$$eval("dialog :is(button, input, select, textarea, a[href], summary):not(:disabled, [tabindex='-1'])", (all) => {
      const seen = all.filter((e) => e.checkVisibility());
      return seen.length - 1 - seen.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    });
  const stops = name === "firefox" ? Math.min(12, await after()) : 12;
  for (let i = 0; i < stops; i++) {
    await page.keyboard.press("Tab");
    // The browser's own bars are a stop between the last and the first.
    assert(
      await page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest("dialog") !== null),
      `${kind}: the focus has left`,
    );
  }
}

/** @param {string} name of the browser @param {(size: { width: number, height: number }) => Promise<{ person: Person, page: Page }>} visit */
export function dialogsByKeys(name, visit) {
  test(`each dialog is opened, used and left by keys, in ${name}`, async () => {
    const { person, page } = await visit({ width: 1366, height: 768 });
    await page.waitForSelector("select[aria-label=\"Method\"]");
    for (const [kind, opener, first] of table) {
      await page.focus(opener);
      await page.keyboard.press("Enter");
      await focusIs(page, `dialog.${kind}[open] ${first}`, `on the first useful control of ${kind}`);
      assert.equal((await page.$$("dialog")).length, 1);
      assert.ok(await page.$eval("dialog", (d) => document.getElementById(d.getAttribute("aria-labelledby") ?? "")?.textContent), "it has a name");
      await assertKept(page, kind, name);
      await page.keyboard.press("Escape");
      await closed(page);
      await focusIs(page, opener, `back on what opened ${kind}`);
    }

    await page.keyboard.press("?"); // from wherever one is
    await focusIs(page, "dialog.keys[open] .close", "on the only control of the keys");
    await page.keyboard.press("Enter");
    await closed(page);
    await focusIs(page, "#trouble", "back");

    // From one to the next, and back to what opened the first.
    await page.focus("[data-new]");
    await page.keyboard.press("Enter");
    await focusIs(page, "dialog.new .doors button", "on the first door");
    await page.focus("[data-address]");
    await page.keyboard.press("Enter");
    await focusIs(page, "dialog.address[open] input", "on the address");
    await page.keyboard.press("Escape");
    await closed(page);
    await focusIs(page, "[data-new]", "back on New");

    // What was asked for in a dialog leaves it: the first door opens a model.
    await page.keyboard.press("Enter");
    await focusIs(page, "dialog.new .doors button", "on the first door");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#model-editor input.title");
    await closed(page);

    // Another that is asked for before the word of the close has come stays, and so do files that are handed over then, also after others.
    await page.focus("[data-new]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog.new[open] .doors button");
    for (
      const [next, stays] of /** @type {const} */ ([["examples", "dialog.examples[open]"], ["files", "dialog.import[open]"], ["files", "dialog.import[open]"]])
    ) {
      await page.evaluate(
        async (what, text) => {
          document.querySelector("dialog")?.close();
          if (what === "examples") return document.querySelector(/** @type {'button'} */ ("[data-examples]"))?.click();
          const clipboardData = new DataTransfer(); // in the same task, before the close is told
          clipboardData.setData("text/plain", text);
          const init = { clipboardData, dataType: "text/plain", data: text, bubbles: true };
          document.body.dispatchEvent(new ClipboardEvent("paste", init));
        },
        next,
        counts,
      );
      await page.waitForSelector(stays);
      await page.evaluate(() => new Promise((told) => requestAnimationFrame(() => setTimeout(told)))); // by now the first one's close has been heard
      assert.ok(await page.$(stays), `${next} stay`);
    }
    await page.keyboard.press("Escape");
    await closed(page);

    // Files that are looked at.
    await openTables(page);
    await page.focus("[data-new]");
    await paste(page, counts, "[data-new]");
    await focusIs(page, "dialog.import[open] select", "on how it is read");
    await page.keyboard.press("Escape");
    await closed(page);
    await focusIs(page, "[data-new]", "back where it was pasted");
    await person.leave();
  });
}

// @ts-check
// The model as a picture: drawn, chosen from by keyboard, saved with the model inside and opened again.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { before, test } from "node:test";
import { accessibilityFaults, newPerson, startBrowser, startServer, temporaryFolder, until } from "./harness.js";

/** @type {import('puppeteer-core').Browser} */
let browser;
/** @type {{ url: string }} */
let server;
before(async () => {
  [browser, server] = await Promise.all([startBrowser(), startServer()]);
});

for (const [width, height] of [[390, 844], [1366, 768]]) {
  test(`a solved model is drawn, chosen from with the keyboard, and told as a table too, at ${width} x ${height}`, async () => {
    const person = await newPerson(browser);
    const page = await person.open(`${server.url}#example=machine-repair`, { width, height });
    await page.waitForSelector("#answer-part-tab-picture", { timeout: 120_000 });
    await page.$eval("#answer-part-tab-picture", (tab) => /** @type {HTMLElement} */ (tab).click());
    await page.waitForSelector("svg.model-picture .spot", { timeout: 120_000 });
    assert.equal((await page.$$("svg.model-picture .spot")).length, 3);
    await page.$eval("svg.model-picture .spot", (spot) => /** @type {SVGElement} */ (/** @type {unknown} */ (spot)).focus());
    await page.keyboard.press("Enter");
    await page.waitForSelector(".picture section h3");
    assert.equal((await page.$$(".picture .twin tbody tr")).length, 5, "three states with two actions, one of them with one");
    assert.deepEqual(await accessibilityFaults(page), []);
    await person.leave();
  });
}

test("a saved picture carries its model, and opens again", async () => {
  const person = await newPerson(browser);
  const page = await person.open(`${server.url}#example=grid`);
  await page.waitForSelector("#answer-part-tab-picture", { timeout: 120_000 });
  await page.$eval("#answer-part-tab-picture", (tab) => /** @type {HTMLElement} */ (tab).click());
  await page.waitForSelector("svg.world .cell", { timeout: 120_000 });
  assert.equal((await page.$$("svg.world .cell")).length, 16);
  const folder = temporaryFolder("picture");
  const client = await page.createCDPSession();
  await client.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder, browserContextId: /** @type {any} */ (person.context).id });
  await page.$$eval(".picture button", (buttons) => buttons.find((b) => b.textContent === "SVG")?.click());
  const file = path.join(folder, "Grid-with-a-danger-zone-picture.svg");
  const text = /** @type {string} */ (await until(
    () => fs.existsSync(file) && fs.readFileSync(file, "utf8").endsWith("</svg>\n") && fs.readFileSync(file, "utf8"),
    "the saved file",
  ));
  assert.match(text, /^<svg[^>]* width="1600"/);
  await page.goto(`${server.url}#example=machine-repair`);
  await page.evaluate((svg) => {
    const data = new DataTransfer();
    data.items.add(new File([svg], "picture.svg", { type: "image/svg+xml" }));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, text);
  await until(() => page.evaluate(() => document.title.startsWith("Grid with a danger zone")), "the model of the picture");
  await person.leave();
});

// @ts-check
// How a model gets to others and from others: a link and its code, an address that is fetched when a person says so, a
// report of a problem, and the way back.

import assert from "node:assert/strict";
import http from "node:http";
import { before, test } from "node:test";
import { blankDocument } from "../../src/document/reading.js";
import { accessibilityFaults, atEnd, newPerson, startBrowser, startServer, until } from "./harness.js";
import { answered, openTables } from "./lab-page.js";

/** @type {import('puppeteer-core').Browser} */
let browser;
/** @type {{ url: string }} */
let server;
/** Another site, with what it was asked for. @type {{ url: string, asked: http.IncomingMessage[] }} */
let stranger;
before(async () => {
  [browser, server, stranger] = await Promise.all([startBrowser(), startServer(), startStranger()]);
});

async function startStranger() {
  /** @type {http.IncomingMessage[]} */
  const asked = [];
  const made = http.createServer((request, response) => {
    asked.push(request);
    const open = { "Content-Type": "application/json", "Access-Control-Allow-Origin": "*" };
    if (request.url === "/model.json") response.writeHead(200, open).end(JSON.stringify({ ...blankDocument(), name: "From a stranger" }));
    else if (request.url === "/closed.json") response.writeHead(200).end("{}");
    else response.writeHead(404, open).end();
  });
  await new Promise((resolve) => made.listen(0, "127.0.0.1", () => resolve(undefined)));
  atEnd(() => made.close());
  const { port } = /** @type {import('node:net').AddressInfo} */ (made.address());
  return { url: `http://localhost:${port}`, asked };
}

/** Clicks what has these words. @param {import('puppeteer-core').Page} page @param {string} words @param {string} [where] */
const click = (page, words, where = "button") =>
  until(() =>
    page.$$eval(where, (all, words) => {
      const found = /** @type {HTMLElement | undefined} */ (all.find((e) => e.textContent?.includes(words)));
      found?.click();
      return found !== undefined;
    }, words), `a button “${words}”`);

/** Clicks what may have yet to be loaded. @param {import('puppeteer-core').Page} page @param {string} selector */
const clickOn = async (page, selector) => (await page.waitForSelector(selector))?.evaluate((e) => /** @type {HTMLElement} */ (e).click());

const title = (/** @type {import('puppeteer-core').Page} */ page) => page.evaluate(() => document.title);

test("a painted grid is shared by a short link and its code, and opens as the grid on somebody's phone", async () => {
  const person = await newPerson(browser);
  const page = await person.open(server.url, { width: 1366, height: 768 });
  await answered(page);
  await clickOn(page, "[data-new]");
  await clickOn(page, "[data-new-grid]");
  await page.waitForSelector(".painter .cell");
  await page.$eval(".painter [data-cell=\"30\"]", (cell) => /** @type {SVGElement} */ (cell).focus());
  await page.keyboard.press("w");
  await until(async () => (await page.$$(".painter .wall")).length === 3, "another wall");
  await click(page, "Share");
  const link = await page.waitForSelector("textarea[aria-label=Link]").then((area) => area?.evaluate((e) => /** @type {HTMLTextAreaElement} */ (e).value)) ??
    "";
  assert.ok(link.length < 400, `${link.length} characters`);
  await page.waitForSelector(".qr svg path");
  assert.equal(await page.$("dialog a[href*=theory]"), null);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.setViewport({ width: 390, height: 844 });
  assert.ok(await page.$eval("dialog.share", (dialog) => dialog.scrollWidth <= dialog.clientWidth), "nothing wider than the dialog");
  await person.leave();
  const other = await newPerson(browser);
  const phone = await other.open(link, { width: 390, height: 844 });
  await answered(phone);
  await phone.waitForSelector("svg.ground .flag");
  await openTables(phone);
  await until(async () => (await phone.$$(".painter .wall")).length === 3, "the walls");
  await other.leave();
});

test("Back from the first example that is chosen, however soon, returns to the page before it in the lab", async () => {
  const person = await newPerson(browser);
  const page = await person.open(server.url, { width: 390, height: 844 });
  await page.waitForFunction(() => document.querySelector("[data-painted]") === null);
  await clickOn(page, "[data-examples]");
  await clickOn(page, "[data-example=fishery]");
  await until(() => page.evaluate(() => /example=fishery/.test(location.hash)), "its address");
  await page.goBack();
  await until(async () => /^Machine repair/.test(await title(page)), "the first example again");
  assert.equal(await page.evaluate(() => location.pathname), new URL(server.url).pathname);
  await page.goForward();
  await until(async () => /^Fishery/.test(await title(page)), "and forward");
  await person.leave();
});

test("a model is fetched from an address when the person says so, by one request without rights, and what goes wrong is said in plain words", async () => {
  const person = await newPerson(browser);
  const { asked, url } = stranger;
  for (const [width, height] of [[390, 844], [1366, 768]]) {
    asked.length = 0;
    const page = await person.open(`${server.url}#url=${encodeURIComponent(`${url}/model.json`)}`, { width, height, also: [url] });
    await page.waitForSelector("dialog.address[open]");
    await answered(page);
    assert.equal(asked.length, 0, "nothing is asked for before");
    assert.deepEqual(await accessibilityFaults(page), []);
    await click(page, "Fetch it from localhost");
    await until(async () => /^From a stranger/.test(await title(page)), "the model");
    assert.equal(asked.length, 1);
    const { headers } = asked[0];
    assert.deepEqual([headers.cookie, headers.referer, headers.origin], [undefined, undefined, "null"]);
    assert.equal(await page.$("iframe"), null, "the frame is gone");
    assert.equal(await page.evaluate((url) => fetch(`${url}/model.json`).then(() => "came", () => "did not"), url), "did not");
    await page.close();
  }
  const page = await person.open(server.url, { also: [url] });
  await answered(page);
  for (
    const [file, words]
      of /** @type {[string, RegExp][]} */ ([["closed.json", /does not let pages of other sites read/], ["none.json", /has no such file \(404\)/]])
  ) {
    await clickOn(page, "[data-new]");
    await clickOn(page, "[data-address]");
    const field = await page.waitForSelector("dialog.address input");
    await field?.type(`${url}/${file}`);
    await page.keyboard.press("Enter");
    await until(() => page.$eval("dialog.address [role=status]", (e, words) => new RegExp(words).test(e.textContent ?? ""), words.source), `${file}: why not`);
    await click(page, "Cancel", "dialog.address button");
    await until(async () => await page.$("dialog.address") === null, "it closes");
  }
  assert.match(await title(page), /^Machine repair/);
  person.expect(/Content.Security.Policy|violates the|CORS|Failed to (load|fetch)|404/i);
  await person.leave();
});

test("a report of a problem is a text that the person sees and sends, with the model only when it may go along", async () => {
  const person = await newPerson(browser);
  const page = await person.open(`${server.url}#example=fishery`, { width: 390, height: 844 });
  await answered(page);
  await clickOn(page, "#trouble");
  const report = () => page.$eval("textarea[aria-label=\"The report\"]", (e) => /** @type {HTMLTextAreaElement} */ (e).value);
  await page.waitForSelector("dialog.trouble[open]");
  await until(async () => /Model: http.*example=fishery/.test(await report()), "the model as a link");
  await page.type("dialog.trouble textarea", "It said 3.");
  await until(async () => /^It said 3\./.test(await report()), "what happened");
  await until(async () => /Version: \d[^]*Browser: Mozilla[^]*Answer: /.test(await report()), "what the solver says of itself, once it is there");
  assert.match(await page.$eval("dialog.trouble a", (a) => /** @type {HTMLAnchorElement} */ (a).href), /^mailto:\?subject=.*fishery/);
  await page.$eval("dialog.trouble input[type=checkbox]", (box) => /** @type {HTMLElement} */ (box).click());
  await until(async () => !/Model:/.test(await report()), "without the model");
  assert.deepEqual(await accessibilityFaults(page), []);
  await person.leave();
});

// @ts-check
// The lab as one file on a disk: made by the page, opened without a server in each browser, solved,
// saved, exported, and made again from itself.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { budget } from "../../report/size.mjs";
import { writeFragment } from "../../src/share/fragment.js";
import { startingWith } from "../../src/share/one-file.js";
import { leanAnswer, pack } from "../../src/share/share.js";
import { findFirefox } from "./browser.js";
import { dist, newPage, startBrowser, startServer, temporaryFolder, until } from "./harness.js";
import { clickOn } from "./lab-page.js";

/** What the file may weigh, in bytes. */
const MOST = JSON.parse(fs.readFileSync(path.join(dist, "build.json"), "utf8")).quick ? budget.oneFileQuick : budget.oneFile;

const folder = temporaryFolder("one-file");
/** @type {string} */
let file;

/** Presses a button by its words. @param {import('puppeteer-core').Page} page @param {string} words */
const press = (page, words) => clickOn(page, `::-p-xpath(//button[normalize-space(.)="${words}" and not(@disabled)])`);

/** Waits for a file that a page saves. @param {string} name */
const saved = (name) =>
  until(() => {
    const whole = path.join(folder, name);
    return fs.existsSync(whole) && fs.statSync(whole).size > 0 && !fs.existsSync(`${whole}.crdownload`) ? whole : "";
  }, () => `${name} is saved; there is ${fs.readdirSync(folder)}`);

/** Lets a Chromium page save into the folder. @param {import('puppeteer-core').Page} page */
async function savesHere(page) {
  const client = await page.createCDPSession();
  await client.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
}

before(async () => {
  const { url, stop } = await startServer();
  const browser = await startBrowser([], "chromium");
  const page = await newPage(browser);
  await savesHere(page);
  await page.goto(`${url}#example=machine-repair`);
  await page.waitForFunction(() => document.title.startsWith("Machine repair") || document.querySelector(".headline"));
  await press(page, "Share");
  await press(page, "One file");
  await press(page, "Download as one file");
  file = await saved("Machine-repair.html");
  await page.close();
  await stop(); // from here on there is no server
});

test("the file is small enough to send, and asks nobody for anything", () => {
  const text = fs.readFileSync(file, "utf8");
  assert.ok(text.length <= MOST, `${text.length} bytes`);
  assert.ok(/^[\x20-\x7e\s]*$/.test(text.slice(text.indexOf("id=\"rcmdp-page\""))), "what carries the program is plain text");
  assert.equal(/(?:src|href)="(?!data:|#)[^"]+\.(?:js|css|svg)"/.test(text), false);
});

for (const name of /** @type {const} */ (["chromium", "firefox"])) {
  test(`it opens from the disk in ${name}, solves and saves`, async (t) => {
    if (name === "firefox" && findFirefox() === "") return t.skip("Firefox is not installed");
    const browser = await startBrowser([], name);
    const page = await newPage(browser);
    /** @type {string[]} */
    const faults = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("request", (request) => {
      if (/^https?:/.test(request.url())) faults.push(`asked for ${request.url()}`);
    });
    page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
    await page.goto(pathToFileURL(file).href);
    await page.waitForFunction(() => document.title.startsWith("Machine repair"));
    await page.waitForFunction(() => /Version/.test(document.getElementById("about")?.textContent ?? ""));
    await page.keyboard.down("Control");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Control");
    // The worst-case cost of machine repair, as the answer shows it.
    await page.waitForFunction(() => /10[.]136/.test(document.getElementById("answer")?.textContent ?? ""));
    // What leads elsewhere leads to the site, and never into a folder of somebody's disk.
    const astray = () =>
      page.evaluate(() =>
        [...document.querySelectorAll("a, iframe, textarea")].map((e) =>
          String(/** @type {any} */ (e).href ?? /** @type {any} */ (e).src ?? /** @type {any} */ (e).value)
        ).filter((to) => /file:/.test(to) && !/#/.test(to))
      );
    await page.waitForSelector("select[aria-label=\"Method\"]");
    await page.$eval("#answer-part-tab-proof", (e) => /** @type {HTMLElement} */ (e).click());
    await page.waitForFunction(() => document.querySelector(".trust a[href^='http']"));
    assert.deepEqual(await astray(), []);
    await page.$eval("[data-share]", (e) => /** @type {HTMLElement} */ (e).click());
    await page.waitForFunction(() => /^http:.*example=machine-repair/.test(/** @type {any} */ (document.querySelector("textarea[aria-label=Link]"))?.value));
    await page.$eval("#share-part-tab-embed", (e) => /** @type {HTMLElement} */ (e).click());
    await page.waitForFunction(() => /embed\.html#/.test(/** @type {any} */ (document.querySelector("textarea[aria-label=\"Embed code\"]"))?.value));
    assert.deepEqual(await astray(), []);
    // The preview is a frame without an address, which solves by what the file carries; it follows what is chosen for it.
    const embed = async () => {
      await until(() => page.frames().length === 2, "the preview");
      return page.frames()[1];
    };
    const run = await (await embed()).waitForSelector("::-p-xpath(//button[.=\"Run it yourself\"])", { visible: true });
    await run?.evaluate((e) => /** @type {HTMLElement} */ (e).click());
    await (await embed()).waitForFunction(() =>
      /10[.]136/.test(document.querySelector(".answer .figure")?.textContent ?? "") && document.querySelector(".walk .token")
    );
    await page.select("::-p-xpath(//label[starts-with(., \"Colours\")]/select)", "dark");
    await until(async () => (await (await embed()).evaluate(() => getComputedStyle(document.body).colorScheme).catch(() => "")) === "dark", "a dark preview");
    await page.keyboard.press("Escape");
    await page.$eval("[data-examples]", (e) => /** @type {HTMLElement} */ (e).click());
    await (await page.waitForSelector("[data-example=fishery]"))?.evaluate((e) => /** @type {HTMLElement} */ (e).click());
    await page.waitForFunction(() => document.title.startsWith("Fishery") && /Holds/.test(document.querySelector(".answer .headline")?.textContent ?? ""));
    if (name === "chromium") {
      const another = await newPage(browser); // the one before has a draft of its own
      await savesHere(another);
      await another.goto(pathToFileURL(file).href);
      await another.waitForFunction(() => document.title.startsWith("Machine repair") && document.querySelector("select[aria-label=\"Method\"]"));
      const { size } = fs.statSync(file);
      fs.rmSync(file);
      await press(another, "Share");
      await press(another, "One file");
      await press(another, "Download as one file");
      const again = await saved("Machine-repair.html");
      assert.ok(Math.abs(fs.statSync(again).size - size) < 0.02 * size, "the file made from the file is as large");
      await another.close();
    }
    assert.deepEqual(faults, []);
    await page.close();
  });
}

test("a file that opens with a forged answer claims nothing of it, and has its own in a moment", async () => {
  const { problem, result } = JSON.parse(fs.readFileSync(path.join(dist, "gallery/gradient-conflict.json"), "utf8"));
  const truth = result.objective.value, forged = { ...result.objective, value: truth / 2, lowerBound: truth / 2, gap: 0, relativeGap: 0 };
  const [{ text, sum }, told] = await Promise.all([
    pack({ ...problem, name: "Arrived", description: "" }),
    pack(leanAnswer({ ...result, status: "proved-optimal", objective: forged })),
  ]);
  const opened = path.join(folder, "arrived.html");
  const fragment = writeFragment({ problem: text, sum, answer: told.text });
  fs.writeFileSync(opened, startingWith(fs.readFileSync(file, "utf8"), { title: "Arrived", fragment, home: "" }));
  const browser = await startBrowser([], "chromium");
  const page = await newPage(browser);
  await page.evaluateOnNewDocument(() => {
    const w = /** @type {any} */ (window);
    w.told = new Set();
    new MutationObserver(() => w.told.add(document.getElementById("answer")?.textContent)).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await page.goto(pathToFileURL(opened).href);
  const words = (/** @type {number} */ x) => String(Number(x.toPrecision(4)));
  await page.waitForFunction((right) => document.getElementById("answer")?.textContent.includes(right), {}, words(truth));
  const all = await page.evaluate(() => [.../** @type {any} */ (window).told].map(String));
  assert.ok(all.length > 0);
  for (const answer of all) assert.ok(!(answer.includes(words(truth / 2)) && /proved|optimal/i.test(answer)), answer);
  await page.close();
});

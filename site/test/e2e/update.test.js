// @ts-check
// A newer build of the real site: offered, not forced, and taken as a whole.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { builtAgain, copyOfSources, dist, newPerson, startBrowser, startServer, temporaryFolder, until } from "./harness.js";
import { answer, documentOf, openTables, press, ready, solve, tab, type } from "./lab-page.js";

/** Whether a page is of the newer build; its title would not do, which becomes the model's. @param {import('puppeteer-core').Page} page */
const isNewer = (page) => page.evaluate(() => document.documentElement.dataset.build === "newer");

/** Builds the site with one word of its page changed. @param {string} out */
function buildChanged(out) {
  const site = copyOfSources(temporaryFolder("changed"));
  const page = path.join(site, "index.html");
  fs.writeFileSync(page, fs.readFileSync(page, "utf8").replace("<html", "<html data-build=\"newer\""));
  const style = path.join(site, "src/style/page.css");
  fs.appendFileSync(style, "\n.nothing { color: red; }\n");
  builtAgain(site, out);
}

test("a newer build is offered, keeps what was typed, and works without the server", async () => {
  const folder = temporaryFolder("site"), newer = temporaryFolder("newer");
  fs.cpSync(dist, folder, { recursive: true });
  buildChanged(newer);
  const browser = await startBrowser(), server = await startServer({ folder });
  const person = await newPerson(browser, { keeps: true });
  const page = await person.open(server.url);
  await ready(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));

  for (const entry of fs.readdirSync(folder)) fs.rmSync(path.join(folder, entry), { recursive: true });
  fs.cpSync(newer, folder, { recursive: true });
  await page.reload();
  assert.equal(await isNewer(page), false);
  await page.waitForSelector("aria/Use it[role=\"button\"]");
  await page.reload(); // it is still offered to a page that was not there when it came
  await page.waitForSelector("aria/Use it[role=\"button\"]");
  assert.equal(await isNewer(page), false);

  await ready(page);
  await openTables(page);
  await tab(page, "Goal");
  await type(page, "Discount", "0.9");
  const typed = await documentOf(page);
  await press(page, "Use it");
  await until(() => isNewer(page), "the newer page");
  await ready(page);
  assert.deepEqual(await documentOf(page), typed);

  await until(() => page.evaluate(() => navigator.serviceWorker.controller?.state === "activated"), "the newer build's worker answers for its page");
  await server.stop();
  await page.reload();
  let seen = "";
  await until(async () => {
    seen = await page.evaluate(() => `${location.href} (${document.readyState}): ${document.body?.textContent.slice(0, 200)}`);
    return isNewer(page);
  }, () => `the newer page, from the store; there is ${seen}`);
  await solve(page);
  assert.match((await answer(page)).headline, /^Holds/);
  if (person.faults.length > 0) person.expect(/A ServiceWorker intercepted the request/); // Firefox says so of what a page still waits for that is reloaded
  await person.leave();
});

// @ts-check
// What must work in Firefox: the lab opens, is checked, solves and saves, and the guide's blog post
// works where another site serves it under a policy that allows nothing but its frames. Everything
// else is run there with RCMDP_BROWSER=firefox.

import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { before, test } from "node:test";
import { findFirefox } from "./browser.js";
import { assertNear, atEnd, browserName, native, newPerson, root, startBrowser, startServer, until } from "./harness.js";
import { dialogsByKeys } from "./dialogs.js";
import { firstScreens, visitLab } from "./first-screen.js";
import { answer, answered, choose, documentOf, press, runNames, set, solve } from "./lab-page.js";

const skip = findFirefox() === "" && "Firefox is not installed";
/** @type {import('puppeteer-core').Browser} */
let browser;
/** @type {{ url: string, stop: () => Promise<void> }} */
let server;
before(async () => {
  if (!skip) [browser, server] = await Promise.all([startBrowser([], "firefox"), startServer()]);
});

test("the lab opens with a checked answer, solves to the native numbers, and has the run after a reload", { skip }, async () => {
  const { person, page } = await visitLab(browser, server.url);
  await choose(page, "Method", "epirc-pgs");
  const options = await set(page, { outerIterations: 10, innerIterations: 500 });
  await solve(page);
  const shown = await answer(page);
  const [{ solved, evaluated }] = native([{ problem: await documentOf(page), algorithm: "epirc-pgs", options, policy: shown.policy }]);
  assertNear(shown.objective, solved.returns[0], 1e-6, "objective");
  assertNear(shown.objective, evaluated.returns[0], 1e-9, "the objective is that of the policy shown");
  await until(() => page.$eval(".answer .effort", (e) => / saved/.test(e.textContent ?? "")), "the run is saved");
  const [name] = await runNames(page);
  await page.reload();
  await answered(page);
  await until(async () => (await runNames(page)).includes(name), "the run is in the list again");
  await person.leave();
});

test("the guide's blog post works in another site under a strict policy: answers at once, run, solved, sandboxed too", { skip }, async () => {
  const guide = fs.readFileSync(path.join(root, "site/guide/embedding.html"), "utf8");
  const frames = [...guide.matchAll(/<iframe class="live" src="\.\.\/([^"]*)"[^>]*>/g)];
  assert.equal(frames.length, 3);
  const embed = (/** @type {RegExpMatchArray} */ [, src], /** @type {string} */ more) =>
    `<iframe width="600" height="700" title="embed" src="${server.url}${src}"${more}></iframe>`;
  const post = `<!doctype html><html lang="en"><meta charset="utf-8"><title>A post</title><link rel="icon" href="data:,">${
    frames.map((frame, n) => embed(frame, n === 1 ? " sandbox=\"allow-scripts\"" : "")).join("")
  }`;
  const hosting = http.createServer((_request, response) => {
    const policy = `default-src 'none'; frame-src ${new URL(server.url).origin}; img-src data:`;
    response.writeHead(200, { "Content-Type": "text/html", "Content-Security-Policy": policy }).end(post);
  });
  await new Promise((resolve) => hosting.listen(0, "127.0.0.1", () => resolve(undefined)));
  atEnd(() => hosting.close());

  const person = await newPerson(browser);
  // localhost and 127.0.0.1 are different sites.
  const page = await person.open(`http://localhost:${/** @type {import('node:net').AddressInfo} */ (hosting.address()).port}/`, {
    also: [server.url],
    height: 2400,
  });
  const embeds = () => page.frames().filter((f) => f.url().includes("embed.html"));
  await until(() => embeds().length === 3, "three frames");
  const inside = embeds();
  for (const frame of inside) await frame.waitForSelector("aria/Run it yourself[role=\"button\"]");
  const before = await Promise.all(inside.map((frame) => answer(frame)));
  assert.ok(before.every(({ headline }) => /^Solved when this page was built/.test(headline)), "an answer before anything runs, that claims nothing");
  for (const [n, frame] of inside.entries()) {
    await press(frame, "Run it yourself");
    await frame.waitForSelector("aria/Solve again[role=\"button\"]");
    assertNear((await answer(frame)).objective, before[n].objective, 1e-2, `embed ${n}`);
  }
  await person.leave();
});

test("a link to a grid opens as a grid on a phone, its play becomes an animated picture, and it is shared with a code", { skip }, async () => {
  const person = await newPerson(browser);
  const page = await person.open(`${server.url}#example=grid`, { width: 390, height: 844 });
  await answered(page);
  await page.waitForSelector("svg.ground .flag");
  await page.waitForSelector("[data-panel=picture] .world .lines");
  await page.$eval("#answer-part-tab-play", (tab) => /** @type {HTMLElement} */ (tab).click());
  await page.waitForSelector(".stage .token");
  await page.evaluate(() => {
    const made = URL.createObjectURL;
    URL.createObjectURL = (/** @type {Blob} */ blob) => {
      if (blob.type === "image/gif") /** @type {any} */ (globalThis).saved = blob;
      return made(blob);
    };
  });
  await press(page, "GIF");
  await until(() => page.evaluate(() => "saved" in globalThis), "the picture");
  assert.match(await page.evaluate(() => /** @type {any} */ (globalThis).saved.text()), /^GIF89a[^]*NETSCAPE2\.0/);
  await press(page, "Share");
  await page.waitForSelector(".qr svg path");
  await person.leave();
});

if (!skip && browserName === "chromium") { // else first.test.js and dialogs.test.js have them
  const visit = (/** @type {import("./first-screen.js").Visit} */ size) => visitLab(browser, server.url, size);
  firstScreens("firefox", visit);
  dialogsByKeys("firefox", visit);
}

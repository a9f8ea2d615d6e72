// @ts-check
// Every dialog by the keyboard alone, also where what is in it comes late; firefox.test.js has the first of these two in Firefox too.

import { before, test } from "node:test";
import { closed, dialogsByKeys, focusIs, table } from "./dialogs.js";
import { visitLab } from "./first-screen.js";
import { browserName, newPerson, startBrowser, startServer } from "./harness.js";
import { answered } from "./lab-page.js";

/** @type {import('puppeteer-core').Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
before(async () => {
  [browser, server] = await Promise.all([startBrowser(), startServer()]);
});

dialogsByKeys(browserName, (size) => visitLab(browser, server.url, size));

test("what comes late into a dialog has the focus when it comes, and takes it from nobody", async () => {
  const person = await newPerson(browser);
  /** @type {(() => void)[]} */
  const held = [];
  let hold = true;
  const page = await person.open(server.url, {
    before: async (p) => {
      await p.setRequestInterception(true);
      p.on("request", (request) => {
        const go = () => void request.continue();
        if (hold && /\/(sharing|workbench)-/.test(request.url())) held.push(go);
        else go();
      });
    },
  });
  await answered(page);
  for (const [kind, opener, first] of [table[0], table[2], table[1]]) {
    await page.focus(opener);
    await page.keyboard.press("Enter");
    await focusIs(page, `dialog.${kind}[open] .close`, "on what closes it");
    await page.keyboard.press("Escape");
    await closed(page);
    await focusIs(page, opener, "back");
    if (kind !== "new") continue;
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog.new .close");
    hold = false;
    for (const go of held.splice(0)) go();
    await focusIs(page, `dialog.new ${first}`, "on the first door when it has come");
    await page.keyboard.press("Escape");
    await closed(page);
  }
  await person.leave();
});

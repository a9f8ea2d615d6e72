// @ts-check
// Models of episodes and of plans without chance on the lab page, at both widths: what their answers say, and that nothing is
// said to be discounted where nothing is.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { assertNear, newPerson, root, startBrowser, startServer, until } from "./harness.js";
import { answer, answered, clickOn, paste, press, solve } from "./lab-page.js";

/** @typedef {{ name: string, deterministic?: boolean, headline: RegExp, objective: number, steps: string, best: string }} Case */
/** @type {Case[]} */
const cases = [
  { name: "total-die", headline: /^Judged in the one model of the world, and no plan is cheaper$/, objective: 11 / 3, steps: "3.667 steps", best: "" },
  {
    name: "models-mean-deterministic",
    headline: /^Judged over the models as asked for, and no plan of one action a state is cheaper$/,
    objective: 20.4970686003,
    steps: "",
    best: "Whichever model is true: cost between 14.219 and 32.881.",
  },
  {
    name: "total-risk",
    deterministic: true,
    headline: /^Holds in the one model of the world, and no plan of one action a state is cheaper$/,
    objective: 2,
    steps: "2 steps",
    best: "",
  },
];

test("what ends, and what never leaves anything to chance, is said as it is, at both widths", async () => {
  const [browser, server] = await Promise.all([startBrowser(), startServer()]);
  const person = await newPerson(browser);
  const page = await person.open(server.url, { width: 390, height: 844 });
  await answered(page);
  for (const of of cases) {
    const { document: problem } = JSON.parse(fs.readFileSync(path.join(root, `core/testdata/cases/models/${of.name}.json`), "utf8"));
    problem.name = of.name;
    if (of.deterministic) problem.policies = "deterministic";
    await paste(page, JSON.stringify(problem));
    await until(async () => (await page.title()).startsWith(of.name), "the pasted model");
    await solve(page);
    await until(async () => of.headline.test((await answer(page)).headline), `${of.name}: its headline`);
    await answered(page);
    for (const [width, height] of [[390, 844], [1366, 768]]) {
      await page.setViewport({ width, height });
      const { objective, sentence } = await answer(page);
      const at = `${of.name} at ${width} px`;
      assertNear(objective, of.objective, 1e-9, at);
      assert.equal(/An episode takes (.*?) on average\./.exec(sentence)?.[1] ?? "", of.steps, `${at}: ${sentence}`);
      const said = await page.$eval(".answer", (e) => e.textContent ?? "");
      assert.equal((await page.$$eval("[data-between]", (all) => all.map((e) => e.textContent))).join(""), of.best, at);
      if (problem.discount === 1) assert.doesNotMatch(said, /discounted/, at);
      assert.equal(
        await page.$$eval("table.policy tbody td:not(.none)", (all) => all.length), // nothing is chosen at an end
        (problem.states.length - (problem.end?.length ?? 0)) * problem.actions.length,
        at,
      );
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${at}: nothing beyond the page`);
    }
    await clickOn(page, "#answer-part-tab-proof");
    await press(page, "Check it again");
    await until(() => page.$eval(".answer", (e) => /The proof holds\./.test(e.textContent ?? "")), `${of.name}: the checker again`);
    await clickOn(page, "#answer-part-tab-plan");
  }
  await person.leave();
});

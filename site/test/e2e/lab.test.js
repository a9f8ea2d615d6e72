// @ts-check
// The lab page as it is built and served: everything a person does from opening it to finding a run again.

import assert from "node:assert/strict";
import test, { before } from "node:test";
import { assertNear, faultsInEveryScheme, native, newPerson, onlyChromium, startBrowser, startServer, staysOpen, until } from "./harness.js";
import { answer, answered, choose, chooseExample, clickOn, documentOf, openTables, press, ready, runNames, set, solve, tab, type, unfold } from "./lab-page.js";

/** @type {import('puppeteer-core').Browser} */
let browser;
/** @type {{ url: string, port: number, stop: () => Promise<void> }} */
let server;
before(async () => {
  [browser, server] = await Promise.all([startBrowser(), startServer()]);
});

// Native and wasm differ in the last bits of exp and of vectorised sums, and a run of many projected steps lets that grow.
const runTolerance = 1e-6;

/** A run that takes a minute or more, so that there is time to stop it. */
const long = { outerIterations: 100, innerIterations: 1_000_000, earlyStop: false };

/** Opens the lab and waits until it can solve. */
async function visit() {
  const person = await newPerson(browser);
  const page = await person.open(server.url);
  await answered(page);
  await ready(page);
  return { person, page };
}

/** The page that a test goes on with where the one before has left it. */
const staying = staysOpen(visit);

/** That page, with an example as it comes and the method that it opens with. @param {string} id */
async function goOn(id) {
  const { person, page } = await staying();
  const there = () => page.evaluate((name) => location.hash.split("&").includes(`example=${name}`), id);
  if (!(await there())) {
    await chooseExample(page, id);
    await until(there, `the example ${id}`); // the address follows the model
  }
  await choose(page, "Method", "solve");
  await answered(page);
  await ready(page);
  return { person, page };
}

/** Fails unless what the page shows is what the native solver finds. @param {import('puppeteer-core').Page} page @param {any} problem @param {string} algorithm @param {Record<string, number>} options */
async function assertNative(page, problem, algorithm, options) {
  const shown = await answer(page);
  const [{ solved, evaluated }] = native([{ problem, algorithm, options, policy: shown.policy }]);
  assert.equal(/^Holds/.test(shown.headline), solved.feasible, shown.headline);
  assertNear(shown.objective, solved.returns[0], runTolerance, "objective");
  assertNear(shown.objective, evaluated.returns[0], 1e-9, "the objective is that of the policy shown");
  assert.equal(shown.limits.length, problem.constraints.length);
  shown.limits.forEach((limit, n) => {
    const rounding = 0.51 * 10 ** -limit.decimals;
    assert.equal(limit.name, problem.constraints[n].name);
    assert(Math.abs(limit.value - evaluated.returns[n + 1]) <= rounding, `${limit.name}: shown ${limit.value}, of the policy ${evaluated.returns[n + 1]}`);
    assert(Math.abs(limit.slack + evaluated.violations[n]) <= rounding, `${limit.name}: slack shown ${limit.slack}, of the policy ${-evaluated.violations[n]}`);
    const kernels = problem.uncertainty.kernels;
    if (kernels?.length > 1) assert(limit.worst.includes(kernels[evaluated.worstKernels[n + 1]].name), `${limit.name}: worst kernel ${limit.worst}`);
  });
}

test("a fresh visitor finds a solved example without a click", async () => {
  const { person, page } = await staying();
  const shown = await until(async () => {
    const now = await answer(page);
    return /^Holds/.test(now.headline) ? now : null;
  }, "it is checked here") ?? assert.fail();
  assert(Number.isFinite(shown.objective));
  assert(shown.policy.length > 0 && shown.policy.every((row) => Math.abs(row.reduce((a, b) => a + b, 0) - 1) < 1e-9), "rows of the policy sum to 1");
  const [{ evaluated }] = native([{ problem: await documentOf(page), policy: shown.policy }]);
  assertNear(shown.objective, evaluated.returns[0], 1e-9, "the objective is that of the policy shown");
  person.stay();
});

test("where the browser offers to install the page, a word at its foot does; one offer is good for one answer", async () => {
  const { person, page } = await staying();
  assert.equal(await page.$eval("#install", (e) => /** @type {HTMLElement} */ (e).hidden), true);
  await page.evaluate(() => {
    const offer = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), {
      prompt: () => {
        /** @type {any} */ (globalThis).installing = offer.defaultPrevented;
      },
    });
    dispatchEvent(offer);
  });
  await clickOn(page, "#install");
  assert.equal(await page.evaluate(() => /** @type {any} */ (globalThis).installing), true);
  assert.equal(await page.$eval("#install", (e) => /** @type {HTMLElement} */ (e).hidden), true);
  person.stay();
});

for (const [title, id] of [["the MDP of Figure 1", "gradient-conflict"], ["an instance of setting (a)", "setting-a"]]) {
  test(`${title}: EpiRC-PGS on the page gives the native numbers`, async () => {
    const { person, page } = await goOn(id);
    await choose(page, "Method", "epirc-pgs");
    const options = await set(page, { outerIterations: 10, innerIterations: 500 });
    await solve(page);
    await assertNative(page, await documentOf(page), "epirc-pgs", options);
    person.stay();
  });
}

test("an edited model solves to the native value, fractions included", async () => {
  const { person, page } = await goOn("machine-repair");
  await choose(page, "Method", "epirc-pgs");
  const options = await set(page, { outerIterations: 10, innerIterations: 500 });
  const before = await documentOf(page);
  await openTables(page);
  await tab(page, "Goal");
  await type(page, "Discount", "4/5");
  await solve(page);
  const problem = await documentOf(page);
  assert.equal(problem.discount, 0.8);
  assert.notEqual(before.discount, 0.8);
  await assertNative(page, problem, "epirc-pgs", options);
  person.stay();
});

test("Stop keeps the best policy so far", async () => {
  const { person, page } = await goOn("setting-c"); // of which the method has no better answer on this page, which would stay
  await choose(page, "Method", "epirc-pgs");
  await set(page, long);
  await ready(page);
  await page.click("[data-solve]");
  await page.waitForSelector("[data-stop]");
  await until(() => page.$eval(".live", (e) => /[1-9]\d* evaluation/.test(e.textContent ?? "")), "news of the run");
  await page.click("[data-stop]");
  await answered(page);
  const shown = await answer(page);
  assert.match(`${shown.headline} ${shown.sentence}`, /stopped/i);
  assert(shown.policy.length > 0, "there is a policy");
  person.stay();
});

test("Cancel ends the run, keeps the answer before, and the next solve works", async () => {
  const { person, page } = await visit();
  const before = await answer(page);
  const problem = await documentOf(page);
  await choose(page, "Method", "epirc-pgs");
  const options = await set(page, long);
  await ready(page);
  await page.click("[data-solve]");
  await page.waitForSelector("[data-cancel]");
  await page.click("[data-cancel]");
  await answered(page);
  assert.equal((await answer(page)).objective, before.objective);
  Object.assign(options, await set(page, { outerIterations: 5, innerIterations: 200 }));
  await solve(page);
  await assertNative(page, problem, "epirc-pgs", options);
  await person.leave();
});

test("the solved run is there after a reload, opens, and can be renamed and deleted", async () => {
  const { person, page } = await visit();
  await chooseExample(page, "gradient-conflict");
  await choose(page, "Method", "epirc-pgs");
  await set(page, { outerIterations: 5, innerIterations: 200 });
  await solve(page);
  const before = await answer(page);
  await until(() => page.$eval(".answer .effort", (e) => / saved/.test(e.textContent ?? "")), "the run is saved");
  assert.match(await page.$eval(".runs .kept", (e) => e.textContent ?? ""), /promised to keep them/, "what the browser answered is said");
  const [name] = await runNames(page);

  await page.reload();
  await answered(page);
  await until(async () => (await runNames(page)).includes(name), "the run is in the list again");
  await unfold(page);
  await press(page, name);
  await until(async () => Object.is((await answer(page)).objective, before.objective), "the same answer");
  const after = await answer(page);
  assert.deepEqual(after.policy, before.policy);
  assert.deepEqual(after.limits, before.limits);

  await press(page, `Rename ${name}`);
  await type(page, "Name of the run", "kept for the report");
  await page.keyboard.press("Enter");
  await until(async () => (await runNames(page)).includes("kept for the report"), "the new name");
  await page.reload();
  await until(async () => (await runNames(page)).includes("kept for the report"), "the new name after a reload");
  await unfold(page);
  await press(page, "Delete kept for the report");
  await until(async () => !(await runNames(page)).includes("kept for the report"), "the run is gone");
  await person.leave();
});

test("a bad problem shows its faults at their place and is repaired by typing", async () => {
  const { person, page } = await goOn("machine-repair");
  await openTables(page);
  await tab(page, "Goal");
  const invalid = (/** @type {string} */ label) => page.$eval(`[aria-label="${label}"]`, (e) => e.getAttribute("aria-invalid") === "true");
  const why = () =>
    page.$eval("[data-solve]", (e) => (e.getAttribute("aria-disabled") === "true" ? document.getElementById("solve-why")?.textContent ?? "" : ""));
  const before = await answer(page);

  await type(page, "Discount", "1.5");
  await until(() => invalid("Discount"), "the discount is marked");
  assert.match(await until(why, "Solve is blocked"), /1 fault/);
  assert.match(await page.$eval(".model", (e) => e.textContent ?? ""), /1\.5/, "the fault says what was found");
  await tab(page, "States");
  await type(page, "Initial probability of good", "one");
  await until(() => invalid("Initial probability of good"), "what is no number is marked");
  await until(async () => /2 faults/.test(await why()), "both are counted");
  assert.equal((await answer(page)).objective, before.objective, "the answer before stays");
  assert.match((await answer(page)).headline, /^Out of date/);

  await tab(page, "Goal");
  await page.click("[data-solve]"); // which leads to the first
  const focused = await until(
    () => page.evaluate(() => document.activeElement?.getAttribute("aria-invalid") && document.activeElement.getAttribute("aria-label")),
    "focus is in a marked field",
  );
  assert(["Discount", "Initial probability of good"].includes(String(focused)), String(focused));
  await tab(page, "States");
  await type(page, "Initial probability of good", "2/2");
  await until(async () => !(await invalid("Initial probability of good")), "the probability is repaired");
  await tab(page, "Goal");
  await type(page, "Discount", "19/20");
  await until(async () => !(await invalid("Discount")), "the discount is repaired");
  await solve(page);
  assert.match((await answer(page)).headline, /^Holds/);
  person.stay();
});

test("keys that come faster than frames leave in the document what is in the field", async () => {
  const { person, page } = await goOn("machine-repair");
  await openTables(page);
  for (const [part, pointer, keys] of [["States", "/initial/0", ["2", "2/", "2/2"]], ["Goal", "/discount", ["1", "1/", "1/2", "19/20"]]]) {
    await tab(page, String(part));
    await page.waitForSelector(`[data-pointer="${pointer}"]`);
    await page.evaluate(
      (pointer, keys) => {
        const field = /** @type {HTMLInputElement} */ (document.querySelector(`[data-pointer="${pointer}"]`));
        for (const key of keys) {
          field.value = key;
          field.dispatchEvent(new InputEvent("input", { bubbles: true }));
        }
      },
      String(pointer),
      /** @type {string[]} */ (keys),
    );
  }
  const { initial, discount } = await documentOf(page);
  assert.deepEqual([initial[0], discount], [1, 0.95]);
  await ready(page);
  person.stay();
});

test("a crash shows a card, loses nothing, and the next solve works", onlyChromium("to run a script in a worker"), async () => {
  const { person, page } = await visit();
  await chooseExample(page, "gradient-conflict");
  await choose(page, "Method", "epirc-pgs");
  await set(page, { outerIterations: 5, innerIterations: 200 });
  await solve(page);
  const [names, before] = [await runNames(page), await answer(page)];
  await set(page, long);
  await ready(page);
  await page.click("[data-solve]");
  await until(() => page.$eval(".live", (e) => /[1-9]\d* evaluation/.test(e.textContent ?? "")).catch(() => false), "news of the run");
  for (const worker of page.workers()) {
    await until(() => worker.evaluate(() => "setTimeout" in globalThis), "a worker that has begun"); // another may just be made
    await worker.evaluate(() => {
      setTimeout(() => {
        throw new Error("a crash on purpose");
      });
    });
  }
  await page.waitForSelector(".crash[role=alert]");
  assert.deepEqual(await runNames(page).then((now) => names.every((name) => now.includes(name))), true, "saved runs are still listed");
  await set(page, { outerIterations: 5, innerIterations: 200 });
  await solve(page);
  assert.deepEqual((await answer(page)).policy, before.policy);
  if (person.faults.length > 0) person.expect(/a crash on purpose/);
  await person.leave();
});

test("without WebAssembly the page says what is missing and what to do", async () => {
  const person = await newPerson(browser);
  const page = await person.open(server.url, {
    before: (p) =>
      p.evaluateOnNewDocument(() => {
        Reflect.deleteProperty(globalThis, "WebAssembly");
      }),
  });
  const said = await page.waitForSelector(".solve .crash[role=alert]").then((e) => e?.evaluate((element) => element.textContent ?? ""));
  assert.match(said ?? "", /WebAssembly/);
  assert(await page.$("aria/Retry[role=\"button\"]"), "there is a Retry button");
  await person.leave();
});

test("the keyboard alone solves, stops and undoes", async () => {
  const { person, page } = await goOn("setting-a");
  await choose(page, "Method", "epirc-pgs");
  await set(page, long);
  await ready(page);
  await page.keyboard.down("Control");
  await page.keyboard.press("Enter");
  await page.keyboard.up("Control");
  await page.waitForSelector("[data-stop]");
  await until(() => page.$eval(".live", (e) => /[1-9]\d* evaluation/.test(e.textContent ?? "")), "news of the run");
  await page.keyboard.press("Escape");
  await answered(page);
  const { discount } = await documentOf(page);
  await openTables(page);
  await tab(page, "Goal");
  await type(page, "Discount", "0.5");
  await page.keyboard.press("Tab");
  await page.keyboard.down("Control");
  await page.keyboard.press("z");
  await page.keyboard.up("Control");
  await until(async () => (await documentOf(page)).discount === discount, "the edit is undone");
  person.stay();
});

test("a run goes on in a tab that is not in front", async () => {
  const { person, page } = await goOn("gradient-conflict");
  await choose(page, "Method", "epirc-pgs");
  await set(page, { outerIterations: 20, innerIterations: 5_000, earlyStop: false });
  await ready(page);
  const before = (await runNames(page)).length;
  const other = await person.open("about:blank");
  await page.bringToFront();
  await page.click("[data-solve]");
  await other.bringToFront();
  await until(
    async () => (await page.$(".answer[aria-busy]")) === null && (await runNames(page)).length > before,
    "the run ends behind another tab",
  );
  await other.close();
  await page.bringToFront();
  await answered(page);
  assert.match((await answer(page)).headline, /^Holds/);
  person.stay();
});

test("axe finds nothing serious, in light and dark, in every part of the model", async () => {
  const { person, page } = await goOn("machine-repair");
  await openTables(page);
  for (const part of ["Goal", "States", "Costs", "Nature", "JSON"]) {
    await tab(page, part);
    assert.deepEqual(await faultsInEveryScheme(page), [], part);
  }
  person.stay();
});

test("nothing scrolls sideways on phones and tablets", async () => {
  const { person, page } = await goOn("machine-repair");
  await openTables(page);
  for (const width of [320, 360, 768]) {
    await page.setViewport({ width, height: 800 });
    for (const part of ["Goal", "States", "Costs", "Nature", "JSON"]) {
      await tab(page, part);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert(over <= 0, `${part}: ${over} px too wide at ${width} px`);
    }
  }
  await page.setViewport({ width: 1280, height: 900 });
  person.stay();
});

test("after one visit the page reloads and solves with the server stopped", async () => {
  const own = await startServer();
  const person = await newPerson(browser, { keeps: true });
  const page = await person.open(own.url);
  await answered(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await own.stop();
  await page.reload();
  await answered(page);
  await ready(page); // what was painted with the page has no methods yet
  await chooseExample(page, "gradient-conflict");
  await page.waitForSelector("select[aria-label=\"Method\"]");
  await choose(page, "Method", "epirc-pgs");
  const options = await set(page, { outerIterations: 10, innerIterations: 500 });
  await solve(page);
  await assertNative(page, await documentOf(page), "epirc-pgs", options);
  await person.leave();
});

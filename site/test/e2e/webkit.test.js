// @ts-check
// What must work in WebKit, the engine of Safari and of every browser on a telephone of Apple's: the lab opens,
// is checked, solves and saves; an embed shows its answer, then solves, and draws its trade-off.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertNear, native, startServer, until } from "./harness.js";
import { answer, runNames } from "./lab-page.js";
import { missing, startWebKit } from "./webkit.js";

const skip = missing || false;
/** @type {Awaited<ReturnType<typeof startWebKit>>} */
let webkit;
/** @type {{ url: string, stop: () => Promise<void> }} */
let server;
before(async () => {
  if (!skip) [webkit, server] = await Promise.all([startWebKit(), startServer()]);
});

/** The page as the helpers of the other browsers know one. @returns {any} */
const page = () => ({
  evaluate: webkit.run,
  $$eval: (/** @type {string} */ selector, /** @type {(all: Element[]) => unknown} */ work) =>
    webkit.run(/** @type {any} */ (`(selector) => (${work})([...document.querySelectorAll(selector)])`), selector),
});

/** The problem of the example, by the library in the page. @param {string} id */
const example = (id) => webkit.run(async (name) => (await (await fetch(`gallery/${name}.json`)).json()).problem, id);

/** Faults that a page shows, and what its console would. */
const watch = () =>
  webkit.run(() => {
    const seen = /** @type {any} */ (globalThis).faultsSeen = /** @type {string[]} */ ([]);
    addEventListener("error", (event) => seen.push(event.message));
    addEventListener("unhandledrejection", (event) => seen.push(String(event.reason)));
  });
const faults = () => webkit.run(() => [.../** @type {any} */ (globalThis).faultsSeen, ...[...document.querySelectorAll(".crash")].map((e) => e.textContent)]);

test("the lab opens with a checked answer in WebKit, solves, and has the run after a reload", { skip }, async () => {
  await webkit.open(server.url);
  await watch();
  await until(() => webkit.run(() => /checked here\./.test(document.querySelector(".answer .effort")?.textContent ?? "")), "the checker has looked at it");
  const before = (await runNames(page())).length;
  await webkit.press("Solve");
  await until(async () => (await runNames(page())).length > before, "the run is in the list");
  await until(() => webkit.run(() => / saved/.test(document.querySelector(".answer .effort")?.textContent ?? "")), "the run is saved");
  const shown = await answer(page());
  const [{ evaluated }] = native([{ problem: await example("machine-repair"), policy: shown.policy }]);
  assertNear(shown.objective, evaluated.returns[0], 1e-9, "the objective is that of the policy shown");
  assert.match(shown.headline, /optimal/);
  assert.deepEqual(await faults(), []);
  const [name] = await runNames(page());
  await webkit.reload();
  await until(async () => (await runNames(page())).includes(name), "the run is in the list again");
});

test("an embed shows its answer and trade-off in WebKit, and finds both again", { skip }, async () => {
  await webkit.open(`${server.url}embed.html#example=machine-repair&explore=/constraints/0/atMost`);
  await watch();
  await until(() => webkit.run(() => document.querySelectorAll(".explorer .dots circle").length > 0), "the curve that came with it");
  const before = await answer(page());
  const asked = await webkit.run(() => performance.getEntriesByType("resource").map((entry) => entry.name));
  assert.deepEqual(asked.filter((url) => /wasm|worker/.test(url)), [], "nothing of the solver before it is asked for");
  await webkit.press("Run it yourself");
  await until(() => webkit.run(() => /Solve again/.test(document.querySelector(".go")?.textContent ?? "")), "it has solved");
  assertNear((await answer(page())).objective, before.objective, 1e-6, "objective");
  await until(() => webkit.run(() => !/found before|Running it|Pause/i.test(document.querySelector(".explorer")?.textContent ?? "")), "every point found here");
  assert.deepEqual(await faults(), []);
});

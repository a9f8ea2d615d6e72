// @ts-check
// The notebooks' widget as it is built, in a host page of another site that speaks anywidget's contract: a model with
// get, set, save_changes, on and off, whose module comes from a blob; and MyST's, whose module comes from its
// address and draws into a shadow root. No kernel of a notebook takes part.

import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { findFirefox } from "./browser.js";
import { assertNear, atEnd, dist, native, newPerson, root, startBrowser, startServer, until } from "./harness.js";

/** @type {{ url: string, stop: () => Promise<void> }} */
let server;
let host = "";
/** @type {any} */
let problem;
/** @type {any} */
let solver;

before(async () => {
  server = await startServer();
  const hosting = http.createServer((_request, response) => {
    response.writeHead(200, { "Content-Type": "text/html" })
      .end("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>notebook</title><link rel=\"icon\" href=\"data:,\">");
  });
  await new Promise((resolve) => hosting.listen(0, "127.0.0.1", () => resolve(undefined)));
  atEnd(() => hosting.close());
  host = `http://localhost:${/** @type {import('node:net').AddressInfo} */ (hosting.address()).port}/`;
  ({ problem } = JSON.parse(fs.readFileSync(path.join(dist, "gallery/machine-repair.json"), "utf8")));
  const { openSolver } = await import(pathToFileURL(path.join(dist, "rcmdp.js")).href);
  solver = await openSolver({ workers: 1 });
});
after(() => solver?.close());

/**
 * Runs in the host page: shows a view of a widget, and keeps its model where tests look.
 * @param {{ module: string, blob: boolean, shadow: boolean, state: Record<string, any> }} what module: its source, or its address; shadow: as
 *   MyST's renderer does, whose model says every change and has calls that throw
 */
async function show({ module, blob, shadow, state }) {
  const url = blob ? URL.createObjectURL(new Blob([module], { type: "text/javascript" })) : module;
  const { default: widget } = await import(url);
  /** @type {Record<string, Set<() => void>>} */
  const heard = {};
  /** @type {Record<string, any>} */
  const saved = {};
  const changed = new Set();
  const model = {
    get: (/** @type {string} */ name) => state[name],
    set(/** @type {string} */ name, /** @type {any} */ value) {
      if (shadow) saved[name] = value;
      else if (JSON.stringify(state[name] ?? null) === JSON.stringify(value ?? null)) return;
      state[name] = value;
      changed.add(name);
      for (const f of heard[`change:${name}`] ?? []) f();
    },
    save_changes() { // what a kernel would get, as JSON
      if (shadow) throw new Error("MystAnyModel.save_changes not implemented yet.");
      for (const name of changed) saved[name] = JSON.parse(JSON.stringify(state[name]));
      changed.clear();
    },
    on: (/** @type {string} */ name, /** @type {() => void} */ f) => void (heard[name] ??= new Set()).add(f),
    off(/** @type {string} */ name, /** @type {() => void} */ f) {
      if (shadow) throw new Error("MystAnyModel.off not implemented yet.");
      heard[name]?.delete(f);
    },
    send() {},
  };
  const box = document.createElement("div");
  box.style.width = "700px";
  document.body.append(box);
  const el = shadow ? box.attachShadow({ mode: "open" }) : box;
  await widget.initialize?.({ model });
  const leave = await widget.render({ model, el });
  Object.assign(globalThis, { model, saved, leave, heard, box });
}

/** @param {import('puppeteer-core').Browser} browser @param {Record<string, any>} state @param {object} [how] */
async function notebook(browser, state, how = {}) {
  const person = await newPerson(browser);
  const page = await person.open(host, { also: [server.url], height: 1200 });
  const module = fs.readFileSync(path.join(dist, "widget.mjs"), "utf8");
  await page.evaluate(show, { module, blob: true, shadow: false, state: { home: server.url, ...state }, ...how });
  const saved = (/** @type {string} */ name) => page.evaluate((key) => /** @type {any} */ (globalThis).saved[key], name);
  const inside =
    async () => /** @type {import('puppeteer-core').Frame} */ (await until(() => page.frames().find((f) => f.url().includes("embed.html")), "a frame"));
  return { person, page, saved, inside };
}

/** As a kernel sets a trait; the result that it has then. @param {import('puppeteer-core').Page} page @param {string} name @param {any} value */
const set = (page, name, value) =>
  page.evaluate(
    (key, x) => {
      const { model, saved } = /** @type {any} */ (globalThis);
      model.set(key, x);
      model.save_changes();
      return saved.result;
    },
    name,
    value,
  );

for (const name of /** @type {const} */ (["chromium", "firefox"])) {
  const skip = name === "firefox" && findFirefox() === "" && "Firefox is not installed";

  test(`a model of any length goes in, its answer comes back and is checked; in ${name}`, { skip }, async () => {
    const browser = await startBrowser([], name);
    const long = { ...problem, description: "A long story. ".repeat(20_000) }; // no address holds it
    const { person, page, saved, inside } = await notebook(browser, { problem: long, run: true, hide: "about", slider: "/constraints/0/atMost", edits: true });
    const result = await until(async () => (await saved("result"))?.objective.lowerBound && saved("result"), "a result with a bound");
    assert.equal(result.status, "proved-optimal");
    const [{ evaluated }] = native([{ problem, policy: result.policy }]);
    assertNear(result.objective.value, evaluated.returns[0], 1e-9, "the value is that of the policy");
    const checked = await solver.check(long, result.certificate, result.policy);
    assert.ok(checked.ok, checked.reasons.join(" "));
    assertNear(
      checked.lowerBound ?? checked.upperBound,
      result.objective.lowerBound ?? result.objective.upperBound,
      1e-12,
      "the bound is that of the certificate",
    );
    assert.ok((await (await inside()).evaluate(() => location.hash.length)) < 400, "the address does not carry it");
    assert.equal(await page.$eval("iframe", (f) => f.getAttribute("src")?.includes("tell=*")), false);

    // What the reader changes comes back, and the answer to it.
    const frame = await inside();
    await frame.waitForSelector(".turn input");
    await frame.$eval(".turn input", (input) => {
      const range = /** @type {HTMLInputElement} */ (input);
      range.value = String(Number(range.value) * 1.5);
      range.dispatchEvent(new Event("input", { bubbles: true }));
    });
    const edited = await until(
      async () => ((await saved("problem"))?.constraints[0].atMost > problem.constraints[0].atMost ? saved("problem") : null),
      "the edit",
    );
    await until(async () => (await saved("result"))?.constraints[0].threshold === edited.constraints[0].atMost, "the answer to the edited model");

    // A new model from the kernel takes the place of both.
    const other = { ...problem, constraints: [{ ...problem.constraints[0], atMost: problem.constraints[0].atMost * 1.2 }, ...problem.constraints.slice(1)] };
    assert.equal(await set(page, "problem", other), null, "what was found is of another model");
    await until(async () => (await saved("result"))?.constraints[0].threshold === other.constraints[0].atMost, "the answer to the new model");
    await set(page, "problem", { states: [] });
    await until(async () => /“states” is not a list of names/.test((await saved("error")) ?? ""), "why there is no answer");
    assert.equal(await saved("result"), null);
    // What the frame had told of an earlier model and was still on its way; then a word about the third, the present one.
    await frame.evaluate((name) => {
      const late = [{ result: { late: true } }, { problem: { late: true } }, { failed: "late" }];
      const tells = [{}, { turn: 0 }, { turn: 2 }].flatMap((turn) => late.map((told) => ({ ...turn, ...told })));
      for (const told of [...tells, { turn: 3, failed: "in time" }]) parent.postMessage({ type: "rcmdp-embed", frame: name, ...told }, "*");
    }, new URLSearchParams(new URL(frame.url()).hash.slice(1)).get("frame"));
    await until(async () => (await saved("error")) === "in time", "the word in time");
    assert.deepEqual([await saved("result"), await saved("problem")], [null, { states: [] }]);
    await set(page, "problem", { ...problem, discount: 2 });
    await until(async () => /discount/i.test((await saved("error")) ?? ""), "the fault of the model");

    // An example in its place.
    await set(page, "problem", null);
    assert.equal(await set(page, "example", "ambulance"), null);
    await until(async () => (await saved("result"))?.status === "proved-infeasible", "the answer to the example");
    assert.match(await (await inside()).$eval("h1", (e) => e.textContent ?? ""), /^A promise nobody can keep/);

    await page.evaluate(() => /** @type {any} */ (globalThis).leave());
    const left = await page.evaluate(() => [
      document.querySelectorAll("iframe").length,
      ...Object.entries(/** @type {any} */ (globalThis).heard).flatMap((
        [key, set],
      ) => (["change:problem", "change:example"].includes(key) ? [] : [/** @type {any} */ (set).size])),
    ]);
    assert.deepEqual(left.filter((n) => n !== 0), [], "nothing stays behind");
    await person.leave();
  });

  test(`an answer from outside claims nothing until it is checked, and MyST's page has it from an address alone; in ${name}`, { skip }, async () => {
    const browser = await startBrowser([], name);
    const { result } = JSON.parse(fs.readFileSync(path.join(dist, "gallery/machine-repair.json"), "utf8"));
    const forged = { ...result, objective: { ...result.objective, lowerBound: result.objective.value + 5, gap: 0, relativeGap: 0 } };
    const { person, page, saved, inside } = await notebook(browser, { home: "", problem, answer: forged }, {
      module: `${server.url}widget.mjs`,
      blob: false,
      shadow: true,
    });
    const told = await until(() => saved("result"), "the answer that was given");
    assert.deepEqual([told.status, told.objective.lowerBound, told.objective.upperBound], ["unchecked", null, null]);
    const frame = await inside();
    await frame.waitForSelector(".go button");
    assert.doesNotMatch(await frame.evaluate(() => document.body.textContent ?? ""), /proved|optimal/i);
    await frame.$eval(".go button", (b) => /** @type {HTMLElement} */ (b).click());
    const found = await until(async () => ((await saved("result"))?.status === "proved-optimal" ? saved("result") : null), "its own answer");
    assertNear(found.objective.lowerBound ?? found.objective.upperBound, result.objective.value, 1e-5, "the bound that holds");
    await page.evaluate(() => /** @type {any} */ (globalThis).leave());
    await person.leave();
  });

  test(`a frame tells and hears nobody but the page that its address names; in ${name}`, { skip }, async () => {
    const browser = await startBrowser([], name);
    const person = await newPerson(browser);
    const page = await person.open(host, { also: [server.url], height: 1200 });
    const heard = () => page.evaluate(() => /** @type {any} */ (globalThis).heard);
    /** A frame that is asked to tell somebody, and what its page hears of it. @param {string} tell */
    const asked = async (tell) => {
      await page.evaluate((src) => {
        /** @type {any[]} */
        const all = [];
        Object.assign(globalThis, { heard: all });
        addEventListener("message", ({ data }) => all.push(Object.keys(data)));
        document.body.innerHTML = `<iframe width="600" height="900" title="embed" src="${src}"></iframe>`;
      }, `${server.url}embed.html#example=machine-repair&frame=f1&tell=${encodeURIComponent(tell)}`);
      const inside = await until(() => page.frames().find((f) => f.url().includes(`tell=${encodeURIComponent(tell)}`)), "the frame");
      await inside?.waitForSelector(".go button");
      return /** @type {import('puppeteer-core').Frame} */ (inside);
    };
    const origin = new URL(host).origin;
    await asked(origin);
    await until(async () => (await heard()).flat().includes("ready") && (await heard()).flat().includes("result"), "it tells who is named");
    for (const other of ["*", "https://elsewhere.test", `${origin}/`, "null"]) {
      const inside = await asked(other);
      await until(async () => (await heard()).flat().includes("height"), "its height");
      await page.evaluate((text) => {
        const frame = /** @type {HTMLIFrameElement} */ (document.querySelector("iframe"));
        frame.contentWindow?.postMessage({ type: "rcmdp-embed", frame: "f1", problem: text }, "*");
      }, JSON.stringify({ ...problem, name: "Another" }));
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.deepEqual((await heard()).flat().filter((/** @type {string} */ key) => !["type", "frame", "height"].includes(key)), [], other);
      assert.doesNotMatch(await inside.evaluate(() => document.body.textContent ?? ""), /Another/, other);
    }
    // Of the page that is named, but from a window that is not around the frame; and about another frame.
    const inside = await asked(origin);
    await until(async () => (await heard()).flat().includes("ready"), "it is ready");
    await page.evaluate(async (text) => {
      const frame = /** @type {HTMLIFrameElement} */ (document.querySelector("iframe"));
      const beside = document.createElement("iframe");
      beside.srcdoc = "<title>beside</title>";
      document.body.append(beside);
      await new Promise((resolve) => {
        beside.onload = resolve;
      });
      const message = { type: "rcmdp-embed", frame: "f1", problem: text };
      /** @type {any} */ (beside.contentWindow).eval(`parent.frames[0].postMessage(${JSON.stringify(message)}, "*")`);
      frame.contentWindow?.postMessage({ ...message, frame: "f2" }, "*");
      frame.contentWindow?.postMessage({ ...message, problem: JSON.parse(text) }, "*");
    }, JSON.stringify({ ...problem, name: "Another" }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.doesNotMatch(await inside.evaluate(() => document.body.textContent ?? ""), /Another/);
    if (name === "firefox") person.expect(/does not match the recipient window’s origin/); // the browser's own word that it told nobody
    await person.leave();
  });
}

test("the guide's directive for MyST shows its model", async () => {
  const guide = fs.readFileSync(path.join(root, "site/guide/myst.html"), "utf8");
  const block = (/<code data-run="myst">([^]*?)<\/code>/.exec(guide) ?? assert.fail("the guide has no directive"))[1].replaceAll("&quot;", "\"");
  const [, address, body] = /^```\{anywidget\} (\S+)\n([^]*)\n```$/.exec(block) ?? assert.fail(block);
  const browser = await startBrowser();
  const { person, inside } = await notebook(browser, { ...JSON.parse(body), home: "" }, {
    module: address.replace("https://your.site/rcmdp/", server.url),
    blob: false,
    shadow: true,
  });
  const frame = await inside();
  await frame.waitForSelector(".go button");
  assert.match(await frame.$eval("h1", (e) => e.textContent ?? ""), /^Machine repair/);
  await person.leave();
});

test("without a place the widget says what it needs", async () => {
  const browser = await startBrowser();
  const { person, page, saved } = await notebook(browser, { home: "", problem });
  assert.match(await page.$eval("[role=alert]", (e) => e.textContent ?? ""), /home = /);
  assert.match(await saved("error"), /home = /);
  await person.leave();
});

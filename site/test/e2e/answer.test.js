// @ts-check
// The answer on the lab page, at both widths: there at once, always of the model beside it, explained,
// compared, reported; and nothing that moves under a finger.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test, { before } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { assertNear, faultsInEveryScheme, native, newPage, newPerson, onlyChromium, startBrowser, startServer, until } from "./harness.js";
import {
  answer,
  askForExample,
  answered,
  choose,
  clickOn,
  documentOf,
  openTables,
  press,
  ready,
  runNames,
  set,
  solve,
  tab,
  type,
  chooseExample,
  follow,
  take,
} from "./lab-page.js";

/** @type {import('puppeteer-core').Browser} */
let browser;
/** @type {{ url: string, port: number, stop: () => Promise<void> }} */
let server;
before(async () => {
  [browser, server] = await Promise.all([startBrowser(), startServer()]);
});

/** @typedef {import('puppeteer-core').Page} Page */

const sizes = [{ width: 390, height: 844 }, { width: 1366, height: 768 }];

/** Notes every layout shift that nobody caused. @param {Page} page */
const watchShifts = (page) =>
  page.evaluateOnNewDocument(() => {
    const w = /** @type {any} */ (window);
    w.shifts = [];
    w.since = 0;
    new PerformanceObserver((list) => {
      for (const e of /** @type {any[]} */ (list.getEntries())) {
        if (!e.hadRecentInput && e.startTime >= w.since)
          w.shifts.push([
            e.value,
            e.startTime,
            ...e.sources.map((/** @type {any} */ s) => `${s.node?.className || s.node?.nodeName} from ${s.previousRect.y} to ${s.currentRect.y}`),
          ]);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });

/** What has moved so far was asked for: a browser takes that for granted for half a second only. @param {Page} page */
const caused = (page) =>
  page.evaluate(() =>
    new Promise((resolve) => {
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          Object.assign(window, { since: performance.now(), shifts: [] });
          resolve(undefined);
        })
      );
    })
  );

/**
 * Fails when what was on the page moved by itself: by the largest burst of shifts, as the web's own measure has it, which
 * lasts five seconds at most and ends when nothing has moved for one.
 * @param {Page} page @param {string} flow
 */
async function assertStill(page, flow) {
  /** @type {any[][]} */
  const shifts = await page.evaluate(() => /** @type {any} */ (window).shifts);
  let [most, sum, first, last] = [0, 0, -Infinity, -Infinity];
  for (const [value, at] of shifts) {
    if (at - last > 1000 || at - first > 5000) [sum, first] = [0, at];
    [sum, last] = [sum + value, at];
    most = Math.max(most, sum);
  }
  assert(most < 0.02, `${flow}: layout shift ${most.toFixed(4)}: ${JSON.stringify(shifts)}`);
}

/** @param {{ width?: number, height?: number, motion?: boolean }} [options] with motion where what moves is looked at */
async function visit({ motion = false, ...size } = {}) {
  const person = await newPerson(browser, { motion });
  const page = await person.open(server.url, { ...size, before: watchShifts });
  await answered(page);
  await ready(page);
  return { person, page };
}

const standing = (/** @type {Page} */ page) => page.$eval(".standing", (e) => e.textContent ?? "");
const headline = (/** @type {Page} */ page) => page.$eval(".answer .headline", (e) => e.textContent ?? "");

/** Fails unless what is shown as current is the value of the policy shown, under the document beside it. @param {Page} page @param {string} when */
async function assertBelongs(page, when) {
  const current = () => page.$eval(".answer", (e) => e.getAttribute("data-fresh") === "true" && !e.hasAttribute("aria-busy"));
  const shown = await answer(page);
  if (!(await current()) || !Number.isFinite(shown.objective) || shown.policy.length === 0) return;
  const problem = await documentOf(page);
  const again = await answer(page);
  // Solved again meanwhile; or an edit was not drawn yet when the answer was read.
  if (again.objective !== shown.objective || !(await current())) return;
  const [{ evaluated }] = native([{ problem, policy: shown.policy }]);
  assertNear(shown.objective, evaluated.returns[0], 1e-6, `${when}: the answer is of the model beside it`);
}

for (const size of sizes) {
  const at = `at ${size.width} px`;

  test(`the first answer is there before any script, and is confirmed by the checker, ${at}`, onlyChromium("to forbid scripts"), async () => {
    const person = await newPerson(browser);
    const page = await person.open(server.url, { ...size, before: (p) => p.setJavaScriptEnabled(false) });
    assert.match(await headline(page), /^Solved when this page was built, not checked yet/);
    assert.doesNotMatch(await page.$eval("#app", (e) => e.innerHTML), /proved|optimal/i, "nothing is claimed before it is checked here");
    assert.match(await page.$eval(".answer .figure", (e) => e.textContent ?? ""), /^10\.136/);
    assert.match(await page.$eval(".answer .sentence", (e) => e.textContent ?? ""), /^Checked here in a moment/);
    assert.doesNotMatch(await page.$eval(".answer .hero", (e) => e.textContent ?? ""), /prove/i);
    await person.leave();

    const { person: other, page: live } = await visit({ ...size, motion: true });
    await until(() => live.$eval(".answer .effort", (e) => /checked here\./.test(e.textContent ?? "")), "the checker has looked at it");
    assert.match(await headline(live), /^Holds in all 3 models of the world, and no plan is cheaper$/);
    assert.equal(await live.title(), "Machine repair · RCMDP Lab");
    await assertStill(live, `opening ${at}`);
    await assertBelongs(live, "on opening");
    await other.leave();
  });

  test(`choosing shows its answer at once, an edit puts it out of date and is followed, ${at}`, async () => {
    const { person, page } = await visit({ ...size, motion: true });
    for (const id of ["fishery", "call-centre", "machine-repair"]) {
      await page.mouse.click(2, 2); // a hand on the page: what its choice moves is no surprise
      await chooseExample(page, id);
      await answered(page);
      await until(() => page.$eval(".answer .effort", (e) => /checked here\./.test(e.textContent ?? "")), "the checker has looked at it");
      await caused(page); // what follows moves nothing
    }
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    await assertStill(page, `choosing ${at}`);
    const methods = await page.$$eval(
      "select[aria-label=\"Method\"] option:not([disabled])",
      (all) => all.map((o) => /** @type {HTMLOptionElement} */ (o).value),
    );
    for (const method of [...methods, methods[0]]) {
      await choose(page, "Method", method);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 60)));
    }
    await assertStill(page, `choosing a method ${at}`);
    await assertBelongs(page, "the last one chosen");
    const before = await answer(page);
    await follow(page, false); // not followed: it stays out of date
    await openTables(page);
    await tab(page, "Goal");
    await type(page, "Threshold of downtime", "0.2");
    await until(async () => /^Out of date/.test(await headline(page)), "the answer is out of date");
    assert.match(await standing(page), /out of date/);
    assert.equal(await page.$(".answer .headline svg"), null, "it has no tick");
    await follow(page, true);
    await answered(page);
    assert.notEqual((await answer(page)).objective, before.objective);
    await assertBelongs(page, "after the edit");
    await type(page, "Threshold of downtime", "0.1");
    await until(async () => (await answer(page)).objective === before.objective, "the answer to the model before is there again");
    await person.leave();
  });

  test(`New and a damaged link leave no answer behind, ${at}`, async () => {
    const { person, page } = await visit({ ...size, motion: true });
    await page.evaluate(() => {
      location.hash = "#v1=00000000&example=machine-repair";
    });
    await until(async () => /^No answer: the link/.test(await headline(page)), "an empty page");
    assert.match(await page.$eval(".notice.bad", (e) => e.textContent ?? ""), /not whole/);
    assert.equal(await page.$(".answer .figure[data-objective]"), null);
    await press(page, "Open an example");
    await answered(page);
    assert.equal(await page.$(".notice.bad"), null, "the complaint has gone with the success");
    await follow(page, false); // else the new model is solved, and the link has gone before it is looked for
    await press(page, "New");
    await page.waitForSelector(".doors button");
    await page.$eval(".doors button", (e) => /** @type {HTMLElement} */ (e).click()); // a small model
    await until(
      () =>
        page.evaluate(() => { // seen and pressed at once: when the new model is solved its answer takes the place
          const link = [...document.querySelectorAll(".answer button")].find((b) => b.textContent === "Show the answer to “Machine repair”");
          /** @type {HTMLElement | undefined} */ (link)?.click();
          return link !== undefined;
        }),
      "one link to the answer before",
    );
    await answered(page);
    await assertBelongs(page, "back at the answer before");
    await chooseExample(page, "ambulance"); // which no plan can keep
    await page.waitForSelector(".ways");
    await until(() => page.evaluate(() => /example=ambulance/.test(location.hash)), "the address is of it"); // it follows a little later
    await page.reload();
    await page.waitForSelector(".ways");
    await assertStill(page, "an infeasible answer comes back");
    await person.leave();
  });

  test(`quick clicks are not lost, nothing moves while solving, ${at}`, onlyChromium("to click as fast as a hand"), async () => {
    const { person, page } = await visit({ ...size, motion: true });
    await page.mouse.click(2, 2);
    await chooseExample(page, "setting-b");
    await answered(page);
    await set(page, { gap: 0, timeLimit: 0 }); // of which a run is not over while it is looked at
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
    await page.waitForSelector(".runs .toolbar");
    await caused(page); // from here on: of the run
    const button = await page.$eval(".solvebar .primary", (e) => {
      const { left, top, width, height } = e.getBoundingClientRect();
      return { left, top, width, height };
    });
    for (let i = 0; i < 7; i++) await page.mouse.click(button.left + button.width / 2, button.top + button.height / 2, { clickCount: i + 1 });
    await until(async () => (await page.$("[data-stop]")) !== null, "the run has begun");
    await until(() => page.$eval(".answer .live", (e) => /[1-9]\d* evaluation/.test(e.textContent ?? "")).catch(() => false), "news of the run");
    assert(await page.$$eval("table.policy td", (cells) => cells.some((c) => /\d/.test(c.textContent ?? ""))), "the policy fills in while the run goes on");
    // While it goes on a redraw touches what changed, not the page: some tens of nodes, whatever the machine.
    const work = await page.evaluate(() =>
      new Promise((resolve) => {
        const counted = { redraws: 0, changes: 0 };
        const live = () => document.querySelector(".answer .live")?.textContent ?? "";
        let last = live();
        const watch = new MutationObserver((records) => {
          counted.changes += records.length;
          if (live() !== last) counted.redraws++;
          last = live();
          if (counted.redraws < 6 && document.querySelector("[data-stop]")) return;
          watch.disconnect();
          resolve(counted);
        });
        watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
      })
    );
    assert(work.changes <= 100 * work.redraws, `${work.changes} nodes changed in ${work.redraws} redraws`);
    await page.$eval("#answer-part-tab-proof", (e) => /** @type {HTMLElement} */ (e).click());
    const proving = await page.waitForSelector(".proving").then((e) => e?.evaluate((element) => element.textContent ?? ""));
    assert.match(proving ?? "", /Stop at any time/);
    await page.$eval("#answer-part-tab-plan", (e) => /** @type {HTMLElement} */ (e).click());
    const now = await page.$eval(".solvebar .primary", (e) => e.getBoundingClientRect().top);
    assert(Math.abs(now - button.top) < 1, `the button has moved from ${button.top} to ${now}`);
    await page.click("[data-stop]");
    await answered(page);
    await until(async () => (await runNames(page)).length > 0, "the run is in the list");
    assert.equal((await runNames(page)).length, 1);
    await assertStill(page, `solving ${at}`);
    await assertBelongs(page, "after Stop");
    await person.leave();
  });

  test(`every panel of the answer has something to say, and axe finds nothing serious, ${at}`, async () => {
    const { person, page } = await visit(size);
    const panel = async (/** @type {string} */ id) => {
      await page.$eval(`#answer-part-tab-${id}`, (e) => /** @type {HTMLElement} */ (e).click());
      await page.waitForSelector(`#answer-part[data-panel="${id}"]`);
    };
    await panel("why");
    const why = await until(
      () => page.$eval("#answer-part", (e) => (/What the limits cost/.test(e.textContent ?? "") ? e.textContent ?? "" : "")),
      "the reasons",
    );
    assert.match(why, /0\.01 more downtime saves about 0\.18 money/);
    assert.match(why, /harsh/);
    assert.match(why, /runner-up/);
    await panel("search");
    await until(() => page.$eval("#answer-part", (e) => /Solved at once/.test(e.textContent ?? "")), "no empty chart of a search that took no steps");
    await panel("tradeoff");
    await until(() => page.$$eval("#answer-part svg.plot", (all) => all.length > 0), "a chart");
    assert.deepEqual(await page.$$eval("#answer-part svg.plot text", (all) => all.filter((t) => /NaN|undefined/.test(t.textContent ?? "")).length), 0);
    await panel("compare");
    await press(page, "Solve with every method that fits");
    await page.waitForSelector(".board tbody tr");
    await caused(page); // from here on: of the results as they come
    await until(
      () =>
        page.$$eval(
          ".board tbody tr",
          (rows) => rows.length >= 4 && rows.every((r) => /\d evaluation|\d/.test(r.textContent ?? "") && !/…$/.test(r.textContent ?? "")),
        ),
      "every method has ended",
    );
    await assertStill(page, `comparing methods ${at}`);
    await press(page, "What does it cost?");
    await until(() => page.$eval("#answer-part", (e) => /If the nominal model is true/.test(e.textContent ?? "")), "the price of robustness");
    for (const id of ["plan", "picture", "why", "search", "compare", "tradeoff", "play", "proof"]) {
      await panel(id);
      await until(() => page.$eval("#answer-part", (e) => !/Loading…|Working out/.test(e.textContent ?? "")), id);
      assert.deepEqual(await faultsInEveryScheme(page), [], id);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert(over <= 0, `${id}: ${over} px too wide`);
    }
    await person.leave();
  });
}

test("methods that cannot run say why, and one that fails leaves the answer alone", async () => {
  const { person, page } = await visit();
  // The painted page lists every method; which can run is known once the solver has read the model.
  const off = await page.waitForSelector("select[aria-label=\"Method\"] option[value=\"policy-iteration\"]:disabled");
  assert.match(await off?.evaluate((e) => e.textContent ?? "") ?? "", /single transition kernel/);
  assert.equal(await page.$eval("select[aria-label=\"Method\"] option[value=\"epirc-pgs\"]", (e) => /** @type {HTMLOptionElement} */ (e).disabled), false);
  await person.leave();
});

test("the address follows the model, Back works, and a reload keeps the edits of a linked model with their answer", async () => {
  const { person, page } = await visit();
  await until(() => page.evaluate(() => /^#v1=[0-9a-f]{8}&example=machine-repair/.test(location.hash)), "the address names the model");
  await chooseExample(page, "fishery");
  await answered(page);
  await until(() => page.evaluate(() => /example=fishery/.test(location.hash)), "the address follows");
  await page.goBack();
  await until(() => page.evaluate(() => /example=machine-repair/.test(location.hash)), "Back");
  await until(async () => (await documentOf(page)).name === "Machine repair", "the model before");
  await answered(page);
  await assertBelongs(page, "after Back");
  await openTables(page);
  await tab(page, "Goal");
  await type(page, "Threshold of downtime", "0.15");
  await page.keyboard.press("Tab");
  await until(() => page.evaluate(() => /problem=/.test(location.hash)), "the address carries the edited model");
  await page.reload();
  await answered(page);
  assert.equal((await documentOf(page)).constraints[0].atMost, 0.15);
  await assertBelongs(page, "after the reload");
  const link = await page.evaluate(() => location.href);
  const other = await newPerson(browser);
  const there = await other.open(link, sizes[0]);
  await answered(there);
  assert.equal((await documentOf(there)).constraints[0].atMost, 0.15);
  await assertBelongs(there, "on another's page");
  await other.leave();
  await person.leave();
});

test(
  "the plan shows where it differs from the nominal one; a report opens from disk, whole and in print; charts leave as SVG and as PNG of 1600 pixels",
  async () => {
    const { person, page } = await visit();
    await solve(page);
    await choose(page, "Show where the plan differs from", "nominal");
    await until(() => page.$$eval("table.policy tbody tr", (rows) => rows.length === 1 && /was/.test(rows[0].textContent ?? "")), "the one state that differs");
    await choose(page, "Show where the plan differs from", "");
    await until(() => page.$$eval("table.policy tbody tr", (rows) => rows.length === 3), "all states again");
    await take(page, "Export", "Report");
    const report = await person.saved(/-report\.html$/);
    await clickOn(page, "#answer-part-tab-tradeoff");
    await press(page, "PNG: Money against downtime at most");
    const png = fs.readFileSync(await person.saved(/\.png$/));
    assert.equal(png.readUInt32BE(16), 1600, "pixels across");
    await press(page, "SVG: Money against downtime at most");
    const svg = fs.readFileSync(await person.saved(/\.svg$/), "utf8");
    for (const words of ["Money against downtime at most", "best plan found", "proved: no plan costs less", "Machine repair"])
      assert(svg.includes(words), words);
    assert.doesNotMatch(svg, /class=|var\(/, "its colours are in it");

    const reader = await newPage(browser);
    await reader.goto(`file://${report}`);
    const text = await reader.evaluate(() => document.body.textContent ?? "");
    for (const words of ["Machine repair", "10.136", "downtime", "The plan", "What is proved"]) assert(text.includes(words), words);
    const parts = await reader.evaluate(() => ["model", "policy", "certificate"].map((id) => JSON.parse(document.getElementById(id)?.textContent ?? "null")));
    assert.equal(parts[0].format, "rcmdp/1");
    assert.equal(parts[1].probabilities.length, parts[0].states.length);
    assert.match(parts[2].format, /^rcmdp-certificate/);
    await reader.close();
    await person.leave();
  },
);

test("a page opened from disk says what to do", async () => {
  const page = await newPage(browser);
  await page.goto(`file://${path.join(path.dirname(new URL(import.meta.url).pathname), "../../../dist/index.html")}`);
  const shown = await page.evaluate(() => ({
    said: getComputedStyle(/** @type {Element} */ (document.querySelector(".notice-line.disk"))).display,
    painted: [...document.querySelectorAll("[data-painted]")].map((e) => getComputedStyle(e).visibility)[0] ?? "hidden", // Firefox runs the page and takes it away
  }));
  assert.deepEqual(shown, { said: "block", painted: "hidden" });
  await page.close();
});

test("a wanderer of clicks, edits, switches, stops and reloads never meets an answer of another model", async () => {
  const { person, page } = await visit({ ...sizes[1], motion: true });
  let x = Number(process.env.RCMDP_SEED ?? 7);
  const random = (/** @type {number} */ n) => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    return Math.floor((x / 2 ** 32) * n);
  };
  const click = (/** @type {string} */ selector) => page.$eval(selector, (e) => /** @type {HTMLElement} */ (e).click()).catch(() => {});
  // A hand on the page, while its choice is made: what it moves is no surprise.
  const hand = () => page.mouse.click(2, 2);
  /** The hand is there before the choice and stays while it is carried out, which takes as long as the machine does. @template T @param {() => Promise<T>} choice */
  const held = async (choice) => {
    let over = false;
    await hand();
    const holding = (async () => {
      for (; !over; await new Promise((resolve) => setTimeout(resolve, 200))) await hand();
    })();
    try {
      return await choice();
    } finally {
      over = true;
      await holding;
      await hand();
    }
  };
  /** What the page says of its answer, once it has drawn what it knows. */
  const stands = () =>
    page.evaluate(async () => {
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      const text = (/** @type {string} */ selector) => document.querySelector(selector)?.textContent ?? "";
      const solve = document.querySelector("[data-solve]");
      return {
        fresh: document.querySelector(".answer[data-fresh=true]:not([aria-busy])") !== null,
        headline: text(".answer .headline"),
        running: document.querySelector("[data-stop]") !== null,
        ready: solve !== null && solve.getAttribute("aria-disabled") !== "true",
        why: text("#solve-why"),
        notices: text(".notices"),
      };
    });
  /** What stands there, of which model. */
  const seen = async () => {
    for (;;) {
      const before = await stands();
      const model = await held(() => documentOf(page)); // which is looked at in its table
      const after = await stands();
      if (before.headline === after.headline && before.running === after.running) return { ...after, model };
    }
  };
  // The document is read from the tables, which are closed at first: what opening them moves comes after all that loading moved.
  const tables = async () => {
    await page.waitForFunction(() => document.querySelector("[data-painted]") === null && document.querySelector("#method-title + span") !== null);
    await page.waitForFunction(() => /** @type {HTMLElement} */ (document.querySelector(".foot")).style.visibility !== "hidden"); // the visit has begun
    await held(() => openTables(page));
  };
  /**
   * A reload brings back what stood there: the answer, or the run that it has cut off and a way to go on with it, or the
   * model as it was left, to be solved or with what is in the way.
   */
  const reload = async () => {
    const { model, ...before } = await seen();
    const when = `after ${done.slice(-8).join(", ")}`;
    await assertStill(page, when); // of this document; the next has its own
    await page.reload();
    await tables();
    const { model: back, ...after } = await seen();
    const told = `${when}: ${JSON.stringify({ before, after })}`;
    assert(after.fresh || after.running || after.ready || /fault|cannot run/.test(after.why), `neither an answer nor Solve, nor why not, ${told}`);
    if (!isDeepStrictEqual(model, back)) return; // one that was on its way came in between
    if (before.fresh) assert(after.fresh, `the answer is lost, ${told}`);
    if (before.fresh && !before.running && !/not checked/.test(before.headline)) assert.equal(after.headline, before.headline, `another answer, ${told}`);
    if (before.running) assert(after.fresh || /was interrupted/.test(after.notices), `the run is lost, ${told}`);
  };
  await tables();
  /** @type {string[]} */
  const done = [];
  const acts = {
    example: () => askForExample(page, ["machine-repair", "fishery", "treatment", "call-centre", "gradient-conflict"][random(5)]),
    edit: async () => {
      await held(async () => {
        await openTables(page);
        await tab(page, "Goal");
      });
      await type(page, "Discount", ["0.9", "0.5", "0.8", "1", "x"][random(5)]);
    },
    solve: () => click("[data-solve]"),
    stop: () => click("[data-stop]"),
    method: () =>
      page.$eval("select[aria-label=\"Method\"]", (e, n) => {
        const select = /** @type {HTMLSelectElement} */ (e);
        const on = [...select.options].filter((o) => !o.disabled);
        select.value = on[n % on.length].value;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      }, random(50)).catch(() => {}),
    undo: () => click("button[aria-label=\"Undo\"]"),
    redo: () => click("button[aria-label=\"Redo\"]"),
    run: () => click(".runlist .open"),
    reload,
    wait: () => new Promise((resolve) => setTimeout(resolve, random(400))),
  };
  const names = /** @type {(keyof typeof acts)[]} */ (Object.keys(acts));
  // RCMDP_LONG=1 wanders for ten minutes, another number for so many seconds.
  const long = Number(process.env.RCMDP_LONG ?? 0);
  const end = Date.now() + 1000 * (long === 1 ? 600 : long || 15);
  while (Date.now() < end && (long > 0 || done.length < 40)) {
    const name = names[random(names.length)];
    done.push(name);
    if (["reload", "wait", "edit"].includes(name)) await acts[name](); // a hand that types is on the field
    else await held(acts[name]);
    if (name === "edit") await hand();
    await page.waitForSelector(".answer .headline");
    await held(() => assertBelongs(page, done.slice(-8).join(", "))); // which looks at the document in its table
  }
  await assertStill(page, `after ${done.slice(-8).join(", ")}`);
  if (long > 0) console.log(`# ${done.length} acts: ${names.map((n) => `${n} ${done.filter((d) => d === n).length}`).join(", ")}`);
  assert(done.length > 3, "it went somewhere");
  await person.leave();
});

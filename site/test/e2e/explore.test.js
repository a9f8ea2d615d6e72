// @ts-check
// explore.test.js — the trade-off explorer and the player, at the sizes of a laptop and a phone.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { accessibilityFaults, browserName, newPerson, prefers, startBrowser, startServer, until } from "./harness.js";
import { answer, choose, chooseExample, clickOn, documentOf, holdWorkers, press } from "./lab-page.js";

/** @type {import("puppeteer-core").Browser} */
let browser;
/** @type {string} */
let url;
before(async () => {
  ({ url } = await startServer());
  browser = await startBrowser();
});

/** @typedef {import("puppeteer-core").Page} Page */

/** Waits until an answer stands that can be played. @param {Page} page */
async function stands(page) {
  await until(
    () => page.evaluate(() => document.querySelector(".answer[data-fresh='true']") !== null && document.querySelector("[data-solve]") !== null),
    "an answer",
  );
  await until(() => page.evaluate(() => document.querySelector("#answer-part-tab-play") !== null), "the tab to play");
}

/** @param {Page} page @param {string} id */
async function look(page, id) {
  await page.waitForSelector(`#answer-part-tab-${id}`);
  await until(() =>
    page.$eval(`#answer-part-tab-${id}`, (button) => { // not by the mouse: what is still loading may move it, or put another in its place
      button.scrollIntoView({ block: "center" });
      /** @type {HTMLElement} */ (button).click();
      return button.getAttribute("aria-selected") === "true" ||
        document.querySelector("#answer-part")?.getAttribute("data-panel") === button.id.slice("answer-part-tab-".length);
    }), `the panel ${id}`);
}

/** @param {Page} page @param {string} label of the button */
const pressIn = (page, label) =>
  page.evaluate((name) => {
    const button = [...document.querySelectorAll("#answer-part button")].find((b) => b.textContent?.trim() === name);
    /** @type {HTMLElement} */ (button).click();
  }, label);

/** Sixty episodes of a machine, always the same. */
function machineLog() {
  let seed = 7;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  const rows = ["episode;step;state;action;next;cost;downtime"];
  for (let e = 1; e <= 60; e++) {
    let state = "good";
    for (let t = 0; t < 8; t++) {
      const action = random() < 0.4 ? "repair" : "run";
      const next = state === "good" ? (action === "run" && random() < 0.25 ? "broken" : "good") : action === "repair" && random() < 0.9 ? "good" : "broken";
      rows.push([e, t, state, action, next, action === "repair" ? "2,5" : "0", state === "broken" ? 1 : 0].join(";"));
      state = next;
    }
  }
  return rows.join("\n");
}

for (const [width, height] of [[1366, 768], [390, 844]]) {
  describe(`at ${width}x${height}`, () => {
    /** One person goes through all of it. @type {Awaited<ReturnType<typeof newPerson>>} */
    let person;
    /** @type {Page} */
    let page;
    before(async () => {
      person = await newPerson(browser);
      page = await person.open(url, { width, height });
      await stands(page);
    });
    after(() => person.leave());
    /** Another model, by the list of examples. @param {string} id */
    const example = async (id) => {
      await chooseExample(page, id);
      await stands(page);
    };

    test("the curve of a limit is drawn, a point of it opens its plan, and turning a slider solves there", async () => {
      await look(page, "tradeoff");
      const points = () => page.$$eval(".tradeoff .dots circle", (all) => all.length);
      await until(async () => (await points()) >= 21, "21 points");
      await until(() => page.evaluate(() => document.querySelector(".tradeoff .row")?.textContent?.includes("Pause") === false), "the curve's end");
      assert.deepEqual(await accessibilityFaults(page), []);

      // The slider: the newest turn wins.
      const before = await documentOf(page);
      await look(page, "tradeoff");
      await page.$eval("[data-knob='limit 0']", (input) => {
        for (const value of ["0.02", "0.05", "0.15"]) {
          /** @type {HTMLInputElement} */ (input).value = value;
          input.dispatchEvent(new Event("input", { bubbles: true }));
        }
      });
      await until(
        () => page.evaluate(() => /** @type {HTMLElement | null} */ (document.querySelector("[data-probe]"))?.dataset.probe === "0.15"),
        "the plan at 0.15",
      );
      assert.match(await page.$eval(".probe", (p) => p.textContent ?? ""), /9\.4768, proved optimal/);
      assert.deepEqual(await documentOf(page), before, "turning a slider leaves the model as it is");

      // The table twin has the same points.
      await look(page, "tradeoff");
      await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector(".tradeoff .tools button")).click());
      assert.equal(await page.$$eval(".tradeoff .twin tbody tr", (rows) => rows.length), 21);

      // A point opens its plan: the model becomes the point's, with its answer.
      const picked = await page.evaluate(() => {
        const select = /** @type {HTMLSelectElement} */ ([...document.querySelectorAll(".tradeoff label")].find((l) =>
          l.textContent?.startsWith("Plan at")
        )?.querySelector("select"));
        const option = select.options[4];
        select.value = option.value;
        select.dispatchEvent(new Event("change", { bubbles: true }));
        return Number(option.textContent);
      });
      await until(
        () =>
          page.evaluate(() =>
            [...document.querySelectorAll("#answer-part button")].some((b) =>
              b.textContent === "Open the plan" && !(/** @type {HTMLButtonElement} */ (b).disabled)
            )
          ),
        "the plan can be opened",
      );
      await pressIn(page, "Open the plan");
      await until(() => page.evaluate(() => document.querySelector(".answer[data-fresh='true'] .policy") !== null), "the plan");
      assert.equal((await documentOf(page)).constraints[0].atMost, picked);
      const shown = await answer(page);
      assert.match(shown.headline, /^Holds in all 3 models of the world, and no plan is cheaper$/);

      // The curve is still that of the model, and can be kept as one run.
      await look(page, "tradeoff");
      await until(async () => (await points()) === 21, "the same curve");
      await pressIn(page, "Save as a run");
      const saved = () => page.$$eval(".runlist button.open", (all) => all.findIndex((b) => b.textContent?.includes("trade-off along")));
      await until(async () => (await saved()) >= 0, "the run in the list");
      await chooseExample(page, "gradient-conflict");
      await page.evaluate((i) => /** @type {HTMLElement} */ (document.querySelectorAll(".runlist button.open")[i]).click(), await saved());
      await until(async () => (await documentOf(page)).name === before.name && (await points()) === 21, "the saved curve");
      person.stay();
    });

    test("a click on the curve opens the plan there, and what cannot be met is shaded as proved", async () => {
      await look(page, "tradeoff");
      await page.waitForSelector("[data-knob='limit 0']");
      await page.$eval("[data-knob='limit 0']", (slider) => void slider.dispatchEvent(new Event("input", { bubbles: true })));
      await page.waitForSelector(".probe");
      await example("gradient-conflict");
      await page.waitForSelector("#answer-part[data-panel='tradeoff'] [data-knob]");
      assert.equal(await page.$(".probe"), null, "the plan of a turn is of the model that was turned");
      await until(
        () => page.evaluate(() => document.querySelectorAll(".tradeoff .dots circle").length > 0 && document.querySelector(".tradeoff .region rect") !== null),
        "points and a region",
      );
      await until(() => page.evaluate(() => document.querySelector(".tradeoff .row")?.textContent?.includes("Pause") === false), "the curve's end");
      const opened = () => page.evaluate(() => document.querySelector("#answer-part[data-panel='plan'] .policy") !== null);
      await until(async () => {
        if (await opened()) return true;
        const sheet = await page.$(".tradeoff .sheet"); // its place anew each time: what is still loading may have moved it
        await sheet?.evaluate((element) => element.scrollIntoView({ block: "center" }));
        const box = await sheet?.boundingBox();
        if (!box) return false;
        const [x, y] = [box.x + box.width - 25, box.y + box.height / 2];
        if (width < 500) {
          await page.touchscreen.tap(x, y); // a finger that has not moved before
          return opened();
        }
        await page.mouse.move(x, y);
        if (!(await page.$eval(".tradeoff .read", (p) => p.textContent !== "").catch(() => false))) return false;
        await page.mouse.click(x, y);
        return opened();
      }, "the plan under the pointer, its reading before the click");
      person.stay();
    });

    test("logs become a model with its formula and guarantee, and episodes held out judge its plans", async () => {
      await clickOn(page, "[data-new]");
      await page.waitForSelector(".doors button");
      await page.evaluate(() =>
        /** @type {HTMLElement} */ ([...document.querySelectorAll(".doors button")].find((b) => b.textContent?.startsWith("From logs"))).click()
      );
      const field = await page.waitForSelector("textarea[aria-label='Log']");
      await field?.evaluate((element, text) => {
        /** @type {HTMLTextAreaElement} */ (element).value = text;
        element.dispatchEvent(new Event("input", { bubbles: true }));
      }, machineLog());
      await press(page, "Look at the log");
      const ask = await page.waitForSelector(".logs .ask");
      assert.match(await ask?.evaluate((e) => e.textContent ?? "") ?? "", /what is optimised/);
      await choose(page, "Objective", "cost");
      const preview = () => page.$eval(".logs .preview", (element) => element.textContent ?? "").catch(() => "");
      await until(async () => (await preview()).includes("Weissman"), "the formula of the L1 ball");
      assert.match(await preview(), /480 rows, 480 transitions of 60 episodes; 4 of 4 pairs tried/);
      assert.match(await preview(), /GuaranteeFor every sample size/);
      assert.deepEqual(await accessibilityFaults(page), []);
      await page.select(".logs .form select:has(option[value='interval'])", "interval");
      await until(async () => (await preview()).includes("Clopper"), "the formula of the intervals");
      await choose(page, "Limit on downtime", "atMost");
      await page.waitForSelector("input[aria-label='Threshold of downtime']");
      await until(
        () => page.$eval(".logs .limit .help", (e) => /can be kept/.test(e.textContent ?? "")).catch(() => false),
        "a limit to begin with, or that one is looked for",
      );

      const estimates = await page.evaluateHandle(() => {
        const seen = { times: 0 };
        const look = new MutationObserver(() => seen.times++);
        look.observe(/** @type {Element} */ (document.querySelector(".logs .preview")), { attributeFilter: ["aria-busy"] });
        return seen;
      });
      await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector(".judge button")).click());
      await until(
        () =>
          page.evaluate(() =>
            document.querySelectorAll(".judge .plot").length === 2 && document.querySelectorAll(".judge figure:first-child .dots circle").length >= 8
          ),
        "promised and observed",
      );
      await until(() => page.evaluate(() => document.querySelector(".judge button")?.textContent === "Judge on held-out episodes"), "the end of judging");
      assert.deepEqual(await estimates.jsonValue(), { times: 0 }, "a limit that is suggested late changes nothing that is judged");

      // Pressed right after a choice, while the solver is slow to answer.
      const release = await holdWorkers(page);
      await page.$eval("input[aria-label='Threshold of downtime']", (field) => {
        /** @type {HTMLInputElement} */ (field).value = "2,5";
        field.dispatchEvent(new Event("change", { bubbles: true }));
        /** @type {HTMLElement} */ (document.querySelector("[data-open-logs]")).click();
      });
      await page.waitForSelector(".logs .preview[aria-busy='true']");
      assert.equal(await page.$$eval(".judge .plot", (plots) => plots.length), 0, "nothing is said of the choice before");
      await release();
      await until(
        () => page.evaluate(() => document.querySelector("dialog[open]") === null && document.querySelector(".answer[data-fresh='true']") !== null),
        "the model and its answer",
      );
      const doc = await documentOf(page);
      assert.equal(doc.uncertainty.kind, "interval");
      assert.deepEqual(doc.states, ["good", "broken"]);
      assert.equal(doc.constraints[0].name, "downtime");
      assert.equal(doc.constraints[0].atMost, 2.5);
      person.stay();
    });

    test("a plan is played: means agree with the return, the token moves and stops, without motion where none is wanted", async () => {
      await prefers(page, "reduced-motion", "reduce");
      await example("machine-repair");
      await look(page, "play");
      await until(() => page.evaluate(() => document.querySelectorAll(".play .plot").length === 2), "two histograms");
      const agree = async () => {
        const pattern = /Mean ([\d.]+) ± ([\d.]+); the plan's return under this kernel is ([\d.]*\d)/;
        const says = await until(
          () => page.$eval(".play .says", (p) => p.textContent ?? "").then((text) => (pattern.test(text) ? text : ""), () => ""),
          "means",
        );
        const [, mean, error, expected] = pattern.exec(says) ?? assert.fail(says);
        assert.ok(Math.abs(Number(mean) - Number(expected)) < 2.5 * Number(error), says);
      };
      await agree();
      await choose(page, "Kernel", "worst money");
      await until(() => page.evaluate(() => document.querySelector(".play .quiet")?.textContent === "seed 1"), "the episodes under the worst kernel");
      await until(() => page.$eval(".play .says", (p) => (p.textContent ?? "").includes("10.136")).catch(() => false), "the worst-case return");
      await agree();
      if (browserName === "chromium") assert.equal(await page.$eval(".stage .token", (t) => getComputedStyle(t).transitionDuration), "0s");
      const step = () => page.$eval(".saying", (p) => Number(/Step (\d+)/.exec(p.textContent ?? "")?.[1]));
      await pressIn(page, "Step");
      await until(async () => (await step()) === 1, "a step");
      await pressIn(page, "Play");
      await until(async () => (await step()) >= 3, "it goes on");
      await pressIn(page, "Pause");
      const stopped = await step();
      await new Promise((resolve) => setTimeout(resolve, 700));
      assert.ok((await step()) - stopped <= 1, "paused");
      assert.deepEqual(await accessibilityFaults(page), []);
      person.stay();
    });
  });
}

// @ts-check
// Models from elsewhere, as a person brings them in: files dropped together, counts from a
// spreadsheet, text pasted where a model is wanted.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test, { before } from "node:test";
import {
  accessibilityFaults,
  assertNear,
  faultsInEveryScheme,
  newPerson,
  root,
  startBrowser,
  startServer,
  staysOpen,
  temporaryFolder,
  until,
} from "./harness.js";
import { workbook } from "../workbook.js";
import { answer, answered, clickOn, documentOf, openTables, paste, press, ready, solve, tab, take as takeOut } from "./lab-page.js";

/** @type {import('puppeteer-core').Browser} */
let browser;
/** @type {{ url: string, port: number, stop: () => Promise<void> }} */
let server;
before(async () => {
  [browser, server] = await Promise.all([startBrowser(), startServer()]);
});

async function visit() {
  const person = await newPerson(browser);
  const page = await person.open(server.url);
  await answered(page);
  await ready(page);
  return { person, page };
}

/** The page that a test goes on with where the one before has left it. */
const staying = staysOpen(visit);

const caseFile = (/** @type {string} */ name) => path.join(root, "core/testdata/cases", name);

/** @param {import('puppeteer-core').Page} page @param {string[]} files */
async function choose(page, files) {
  const input = await page.waitForSelector(".model input[type=file]");
  await /** @type {import('puppeteer-core').ElementHandle<HTMLInputElement>} */ (input).uploadFile(...files);
}

/** Presses the dialog's main button as soon as it can be. @param {import('puppeteer-core').Page} page */
async function take(page) {
  await clickOn(page, "dialog.import [data-take]:not([aria-disabled])");
  await page.waitForFunction(() => !document.querySelector("dialog.import")?.hasAttribute("open"));
}

/** 30 states × 4 actions of counts with semicolons and decimal commas, by a small generator. */
function counts() {
  let seed = 7;
  const draw = (/** @type {number} */ n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
  const rows = ["Zustand;Aktion;nach;Anzahl;Kosten"];
  for (let s = 0; s < 30; s++) {
    for (let a = 0; a < 4; a++) {
      for (let k = 0; k < 3; k++) rows.push(`z${s};a${a};z${(s + k * (a + 1)) % 30};${1 + draw(20)},0;${1 + draw(9)},5`);
    }
  }
  return `\ufeff${rows.join("\r\n")}`;
}

test("counts of 30 states and 4 actions become a solved robust model in under ten clicks", async () => {
  const { person, page } = await visit();
  let clicks = 0;
  await page.exposeFunction("clicked", () => clicks++);
  await page.evaluate(() => addEventListener("click", (event) => event.isTrusted && /** @type {any} */ (globalThis).clicked(), true));
  await press(page, "New");
  await clickOn(page, "::-p-xpath(//dialog[@open]//button[b='From a table'])");
  const area = await page.waitForSelector("dialog.new textarea");
  await area?.evaluate((element, text) => {
    element.focus();
    document.execCommand("insertText", false, text); // as a paste puts it in
  }, counts());
  await press(page, "Look at the table");
  await page.waitForSelector("dialog.import .counts");
  assert.deepEqual(await accessibilityFaults(page), []);
  await take(page);
  await until(async () => (await documentOf(page)).states.length === 30, "the model has 30 states");
  const problem = await documentOf(page);
  assert.equal(problem.actions.length, 4);
  assert.equal(problem.uncertainty.kind, "l1");
  assert.ok(Array.isArray(problem.uncertainty.radius), "each pair has the radius of its own number of tries");
  const before = clicks;
  await solve(page);
  assert.ok(Number.isFinite((await answer(page)).objective));
  console.log(`note: ${before + 1} clicks of the person, those of looking at the JSON view among them`);
  assert.ok(clicks < 10, `${clicks} clicks`);
  await person.leave();
});

/** A log of 40 machines over 100 weeks, with headings of one's own and decimal commas, always the same. */
function machineWeeks() {
  let seed = 11;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const names = ["wear 00", "wear 01", "wear 02", "wear 03", "failed"];
  const rows = ["machine;week;state;action;cost_eur;downtime_h;next_state"];
  for (let m = 1; m <= 40; m++) {
    let state = 0;
    for (let week = 1; week <= 100; week++) {
      const repair = state === 4 || random() < 0.1 + 0.2 * state;
      const next = repair ? (random() < 0.95 ? 0 : state) : Math.min(4, state + (random() < 0.3 ? 1 : 0) + (random() < 0.05 ? 1 : 0));
      const cost = `${repair ? 400 + 50 * state : 20}${random() < 0.5 ? ",5" : ",25"}`;
      rows.push([`M${m}`, week, names[state], repair ? "repair" : "run", cost, repair ? (state === 4 ? "16" : "4,5") : "0", names[next]].join(";"));
      state = next;
    }
  }
  return `\ufeff${rows.join("\r\n")}\r\n`;
}

/** Looks at a laptop's size, then at a phone's, at which the page stays. @param {import('puppeteer-core').Page} page @param {() => Promise<void>} look */
async function bothSizes(page, look) {
  for (const [width, height] of [[1366, 768], [390, 844]]) {
    await page.setViewport({ width, height });
    await look();
  }
}

test("a log with headings of one's own becomes a feasible robust plan with a report in under twelve clicks", async () => {
  const { person, page } = await visit();
  let clicks = 1; // Open
  const file = path.join(temporaryFolder("machines"), "maschinen.csv");
  fs.writeFileSync(file, machineWeeks());
  await choose(page, [file]);
  await page.waitForSelector(".logs .ask");
  const roles = await page.$$eval("dialog.import .roles select", (all) => all.map((e) => /** @type {HTMLSelectElement} */ (e).value));
  assert.deepEqual(roles, ["episode", "step", "state", "action", "cost", "cost", "next"]);
  await bothSizes(page, async () => assert.deepEqual(await accessibilityFaults(page), []));
  const pick = async (/** @type {string} */ label, /** @type {string} */ value) => {
    clicks += 2; // a list is opened, and one of it pressed
    await page.evaluate(
      (name, chosen) => {
        const field = [...document.querySelectorAll("dialog.import select")].find((e) =>
          (e.getAttribute("aria-label") ?? e.parentElement?.textContent ?? "").startsWith(name)
        );
        /** @type {HTMLSelectElement} */ (field).value = chosen;
        field?.dispatchEvent(new Event("change", { bubbles: true }));
      },
      label,
      value,
    );
  };
  await pick("Objective", "cost_eur");
  await page.waitForSelector(".logs [data-open-logs]");
  await pick("Limit on downtime_h", "atMost");
  const kept = await until(
    () => page.$eval(".logs .limit .help", (e) => /The least ([\d.]+) can be kept/.exec(e.textContent ?? "")?.[1]).catch(() => undefined),
    "the least that can be kept",
  );
  await until(
    () =>
      page.$eval(
        "input[aria-label='Threshold of downtime_h']",
        (e, least) => Number(/** @type {HTMLInputElement} */ (e).value) >= least,
        Number(kept) * 0.999,
      ),
    "a limit that can be kept",
  );
  clicks++;
  await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector("[data-open-logs]")).click());
  await until(async () => (await documentOf(page)).states.length === 5, "the model");
  const doc = await documentOf(page);
  assert.deepEqual(doc.states, ["wear 00", "wear 01", "wear 02", "wear 03", "failed"]);
  assert.equal(doc.uncertainty.kind, "l1");
  assert.match(doc.source, /confidence 0.95/);
  clicks++;
  await solve(page);
  const found = await answer(page);
  assert.ok(Number.isFinite(found.objective), found.headline);
  clicks += 2;
  await takeOut(page, "Export", "Report");
  const report = fs.readFileSync(await person.saved(/-report\.html$/), "utf8").replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  assert.match(report, /estimated from 4000 rows of 40 episodes: 4000 transitions of \d+ pairs; L1 ball.* at confidence 0\.95: radius\(s,a\) = √.*Weissman/);
  assert.match(report, /downtime_h/);
  assert.ok(clicks < 12, `${clicks} clicks`);
  await person.leave();
});

/** Estimated of 1 031 counts, with a limit that this set keeps nobody from breaking and three quarters of it do not. */
const COUNTED = JSON.parse(
  String
    .raw`{"format": "rcmdp/1", "name": "Counted repairs", "description": "Estimated from logs. L1 ball, from a concentration inequality.", "source": "estimated from 8 rows: 1031 transitions of 4 pairs; L1 ball, from a concentration inequality at confidence 0.95: radius(s,a) = √( 2 ln((2^m − 2)/δ) / n(s,a) ), at most 2, with m possible successors and δ = (1 − confidence)/pairs; Weissman, Ordentlich, Seroussi, Verdú, Weinberger: Inequalities for the L1 deviation of the empirical distribution (2003)", "states": ["good", "worn", "failed"], "actions": ["run", "repair"], "discount": 0.95, "initial": [0.3333333333333333, 0.3333333333333333, 0.3333333333333333], "objective": {"name": "cost", "sense": "minimize", "values": [[1, null], [2, 9], [null, 20]]}, "constraints": [{"name": "downtime", "values": [[0, null], [0, 1], [null, 4]], "atMost": 12.5}], "uncertainty": {"kind": "l1", "nominal": [[[0.7142857142857143, 0.2857142857142857, 0], null], [[0, 0.8064516129032258, 0.1935483870967742], [0.9523809523809523, 0.047619047619047616, 0]], [null, [0.8928571428571429, 0, 0.10714285714285714]]], "radius": [[0.171462, null], [0.199577, 0.2556], [null, 0.332034]], "support": "all"}}`,
);

test("where the set is too wide for a limit, each of three ways on is one press", async () => {
  const { person, page } = await visit();
  const file = path.join(temporaryFolder("counted"), "counted.json");
  fs.writeFileSync(file, JSON.stringify(COUNTED));
  const infeasible = async () => {
    await choose(page, [file]);
    await until(async () => (await documentOf(page)).constraints[0]?.atMost === 12.5, "the model");
    await solve(page);
    await page.waitForSelector("[data-way=calmer]");
    await page.waitForSelector("[data-way=least]");
  };
  await infeasible();
  await bothSizes(page, async () => assert.deepEqual(await faultsInEveryScheme(page), []));
  const words = await page.$eval(".ways", (e) => (e.textContent ?? "").replace(/\u202f/g, " "));
  assert.match(words, /Take the least that can be kept: downtime ≤ 14\.48/);
  assert.match(words, /Be less cautious: 75 % of each radius, confidence 25 % instead of 95 %/);
  assert.match(words, /with at least 25 % confidence all true rows are in the smaller set/);
  assert.doesNotMatch(words, /nominal/);
  const way = (/** @type {string} */ name) => page.$eval(`[data-way=${name}]`, (e) => /** @type {HTMLElement} */ (e).click());
  await way("plain");
  await page.waitForFunction(() => /exactly right.* in the worst case/.test(document.querySelector(".notices")?.textContent ?? ""));
  await way("calmer");
  const calmer = await until(async () => {
    const doc = await documentOf(page);
    return doc.uncertainty.radius[0][0] < 0.17 && doc;
  }, "the smaller set");
  assert.match(calmer.source, /; 75 % of each radius$/);
  await solve(page);
  assert.ok(Number.isFinite((await answer(page)).objective), "a plan keeps the limit");
  await infeasible();
  await way("least");
  await until(async () => (await documentOf(page)).constraints[0].atMost > 14, "the least that can be kept");
  await solve(page);
  assert.ok(Number.isFinite((await answer(page)).objective), "a plan keeps the limit");
  await person.leave();
});

test("transitions and labels chosen together make one model with the value that its format means", async () => {
  const { person, page } = await visit();
  await choose(page, [caseFile("intervalmdp/multiObj_robotIMDP.tra"), caseFile("intervalmdp/multiObj_robotIMDP.lab")]);
  const actions = await page.waitForSelector("dialog.import .pasted-names label:nth-child(2) textarea");
  const held = await actions?.evaluate((area) => {
    /** @type {HTMLDetailsElement} */ (area.closest("details")).open = true;
    return Number(/^(\d+) to name/.exec(area.nextElementSibling?.textContent ?? "")?.[1]);
  });
  assert.ok(held);
  await actions?.type(Array.from({ length: held }, (_, i) => `way ${i + 1}`).join("\n"));
  assert.deepEqual(await accessibilityFaults(page), []);
  await take(page);
  await until(async () => (await documentOf(page)).actions[0] === "way 1", "the names that were pasted");
  await solve(page);
  assertNear((await answer(page)).objective, 0.8946629825788603, 1e-6, "pessimistic probability of reaching the goal");
  await page.waitForSelector(".model .imported");
  await person.leave();
});

test("a file with a fault says where, and its way out works; Escape changes nothing", async () => {
  const { person, page } = await staying();
  const before = await documentOf(page);
  const file = path.join(temporaryFolder("import"), "almost.csv");
  fs.writeFileSync(file, "idstatefrom,idaction,idstateto,probability,reward\n0,0,0,0.5,1\n0,0,1,0.49999,1\n1,0,1,1,0\n");
  await choose(page, [file]);
  const fault = await page.waitForSelector("dialog.import .faultlist li");
  assert.match(await fault?.evaluate((e) => e.textContent ?? "") ?? "", /Line 2, column 7.*sum to 0.99999/);
  assert.equal(await page.$eval("dialog.import .import-end .help", (e) => e.textContent), "1 fault first: see above.");
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press("Escape");
  assert.deepEqual(await documentOf(page), before);
  await choose(page, [file]);
  await clickOn(page, "dialog.import .faultlist button");
  await take(page);
  await until(async () => (await documentOf(page)).states.length === 2, "the model was taken in");
  await press(page, "Undo");
  assert.deepEqual(await documentOf(page), before);
  person.stay();
});

test("text of another tool in the JSON view says what it looks like and opens", async () => {
  const { person, page } = await staying();
  await openTables(page);
  await tab(page, "JSON");
  const area = await page.waitForSelector("textarea[aria-label=\"The model as a JSON document\"]");
  await area?.evaluate((element) => {
    /** @type {HTMLTextAreaElement} */ (element).focus();
    /** @type {HTMLTextAreaElement} */ (element).select();
    document.execCommand("insertText", false, "numStates 2\nnumActions 1\nend 1\ntransition 0 0 1 5 1\nmdptype episodic\ndiscount 0.9\n");
  });
  await press(page, "Open it as a model");
  await take(page);
  await until(async () => (await documentOf(page)).discount === 0.9, "the model was taken in");
  person.stay();
});

test("the JSON view keeps every key at any speed", async () => {
  const { person, page } = await staying();
  await openTables(page);
  await tab(page, "JSON");
  const area = await page.waitForSelector("textarea[aria-label=\"The model as a JSON document\"]");
  await area?.evaluate((element) => {
    /** @type {HTMLTextAreaElement} */ (element).focus();
    /** @type {HTMLTextAreaElement} */ (element).select();
  });
  const text = Array.from({ length: 400 }, (_, i) => "{\"abc: 17, ]"[i % 12]).join("");
  await page.keyboard.type(text);
  assert.equal(await area?.evaluate((element) => /** @type {HTMLTextAreaElement} */ (element).value), text);
  await press(page, "Discard this text");
  person.stay();
});

test("a file that can be read in two ways asks, with what each means, before anything is opened", async () => {
  const { person, page } = await staying();
  await choose(page, [caseFile("doors/b7c-zeros-then-rows.txt")]);
  const question = await page.waitForSelector("dialog.import [data-question=axes]");
  assert.match(await question?.evaluate((e) => e.textContent ?? "") ?? "", /In state|in state "0", action "1" gives 10/);
  assert.equal(await page.$("dialog.import [data-take]:not([aria-disabled])"), null, "not before it is answered");
  assert.deepEqual(await accessibilityFaults(page), []);
  await clickOn(page, "dialog.import [data-question=axes] input[value=ASS]");
  await take(page);
  await until(async () => (await documentOf(page)).discount === 0.9, "the model was taken in");
  assert.match((await documentOf(page)).source, /axes ASS/);
  person.stay();
});

test("a workbook of two sheets asks which, and reads the one that is chosen", async () => {
  const { person, page } = await staying();
  const model = [["Zustand", "Aktion", "Folgezustand", "Wahrscheinlichkeit", "Kosten"], ["gut", "weiter", "gut", 0.9, 1], ["gut", "weiter", "kaputt", 0.1, 1], [
    "kaputt",
    "tauschen",
    "gut",
    1,
    4,
  ]];
  const file = path.join(temporaryFolder("workbook"), "anlage.xlsx");
  fs.writeFileSync(file, workbook({ Notizen: [["Stand", "März"], ["von", "Eva"]], Modell: model }));
  await choose(page, [file]);
  const sheet = "dialog.import [data-question=sheet]";
  await page.waitForSelector(sheet);
  assert.deepEqual(await page.$$eval(`${sheet} input`, (all) => all.map((e) => /** @type {HTMLInputElement} */ (e).value)), ["Notizen", "Modell"]);
  assert.equal(await page.$("dialog.import [data-take]:not([aria-disabled])"), null, "not before it is answered");
  assert.deepEqual(await accessibilityFaults(page), []);
  await clickOn(page, `${sheet} input[value=Modell]`);
  await take(page);
  await until(async () => (await documentOf(page)).states.join() === "gut,kaputt", "the model was taken in");
  assert.match((await documentOf(page)).source, /Modell/);
  person.stay();
});

/** @type {{ files: string, asks?: string, refused?: string, unpacked?: boolean, log?: boolean, says?: string }[]} */
const doors = JSON.parse(fs.readFileSync(path.join(root, "core/interchange/testdata/doors.json"), "utf8"));

/** What the dialog comes to, and how many faults it says. @param {import('puppeteer-core').Page} page @param {string} of */
const dialogSays = (page, of) =>
  until(
    () =>
      page.evaluate(() => {
        const dialog = document.querySelector("dialog.import[open]");
        if (!dialog || dialog.querySelector(".logs [aria-busy], [data-take][aria-busy]")) return null;
        const faults = dialog.querySelectorAll(".faultlist li");
        const question = dialog.querySelector("[data-question]")?.getAttribute("data-question");
        const text = dialog.textContent ?? "";
        if (faults.length > 0) return { is: "refused", text, faults: faults.length };
        if (dialog.querySelector(".logs")) return { is: "log", text, faults: 0 };
        if (question) return { is: `asks ${question}`, text, faults: 0 };
        return dialog.querySelector("[data-take]:not([aria-disabled])") ? { is: "model", text, faults: 0 } : null;
      }),
    `what the dialog says of ${of}`,
  );

test("every door is a drop or a paste, and says what it is", async () => {
  const { person, page } = await staying();
  for (const door of doors) {
    const names = door.files.split(" ");
    if (door.files.startsWith("c")) continue; // documents of our own open at once
    for (const way of names.length === 1 ? ["drop", "paste"] : ["drop"]) {
      const files = names.map((name) => ({ name, text: fs.readFileSync(caseFile(`doors/${name}`), "utf8") }));
      if (way === "paste") await paste(page, files[0].text);
      else {
        await page.evaluate((all) => {
          const dataTransfer = new DataTransfer();
          for (const { name, text } of all) dataTransfer.items.add(new File([text], name));
          dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        }, files);
      }
      const { is, text, faults } = /** @type {{ is: string, text: string, faults: number }} */ (await dialogSays(page, `${door.files}, ${way}`));
      const pasted = way === "paste";
      const want = door.refused && !(door.unpacked && !pasted) ? "refused" : door.log ? "log" : door.asks ? `asks ${door.asks}` : "model";
      // Without its name a file of transitions is a table, of which more is asked.
      if (!(pasted && /\.tra$/.test(door.files))) assert.equal(is, want, `${door.files}, ${way}: ${text.slice(0, 600)}`);
      if (is === "refused") assert.ok(faults === 1 && (!door.refused || text.includes(door.refused)), `${door.files}, ${way}: ${text}`);
      await page.keyboard.press("Escape");
      await page.waitForFunction(() => !document.querySelector("dialog.import")?.hasAttribute("open"));
    }
  }
  person.stay();
});

test("no discount and the long-run average are chosen by name", async () => {
  const { person, page } = await staying();
  for (
    const [file, name, is] of /** @type {[string, string, (doc: any) => boolean][]} */ ([
      ["doors/die.drn", "No discount", (doc) => doc.discount === 1 && doc.end.length === 6],
      ["doors/k07-tijms64.csv", "Long-run average", (doc) => doc.discount === 0.999999 && doc.objective.scale === "average"],
    ])
  ) {
    await choose(page, [caseFile(file)]);
    const button = await page.waitForSelector(`dialog.import[open] .choice ::-p-text(${name})`);
    await button?.evaluate((b) => /** @type {HTMLElement} */ (b).click());
    await page.waitForFunction(
      (value) => /** @type {HTMLInputElement | null} */ (document.querySelector("#import-discount"))?.value === value,
      {},
      name === "No discount" ? "1" : "average",
    );
    await take(page);
    await until(async () => is(await documentOf(page)), `${file}: ${name}`);
  }
  person.stay();
});

test("a press while a limit is looked for waits for the limit", async () => {
  const { person, page } = await staying();
  await choose(page, [caseFile("doors/b2-gym-info-cost.json")]);
  await page.waitForSelector("dialog.import select[aria-label='Limit on cost']");
  await page.evaluate(() => {
    const side = /** @type {HTMLSelectElement} */ (document.querySelector("dialog.import select[aria-label='Limit on cost']"));
    side.value = "atMost";
    side.dispatchEvent(new Event("change", { bubbles: true }));
    /** @type {HTMLElement} */ (document.querySelector("dialog.import [data-take]")).click();
  });
  await page.waitForFunction(() => !document.querySelector("dialog.import")?.hasAttribute("open"));
  const doc = await until(async () => {
    const d = await documentOf(page);
    return d.constraints[0]?.name === "cost" && d;
  }, "the model");
  await solve(page);
  assert.ok(Number.isFinite((await answer(page)).objective), `cost at most ${doc.constraints[0].atMost} is kept by some plan`);
  assert.match(doc.source, /limits/);
  person.stay();
});

test("a block from a spreadsheet fills a grid, headers and percent signs and all, and enlarges the model", async () => {
  const { person, page } = await staying();
  await press(page, "New");
  await clickOn(page, "::-p-xpath(//dialog[@open]//button[b='A small model to edit'])");
  await openTables(page);
  await tab(page, "Nature");
  const cell = "table.grid input[data-row=\"0\"][data-col=\"0\"]";
  await page.waitForSelector(cell);
  await paste(page, "\ta\tb\tc\t\nrow\t80%\t20 %\t\t\nrow\t0,5\t\t0,5\t\n", cell);
  const grown = await documentOf(page);
  assert.equal(grown.states.length, 3);
  const [first] = grown.uncertainty.kernels;
  assert.deepEqual(first.transitions[0].slice(0, 2), [[0.8, 0.2, 0], [0.5, 0, 0.5]]);
  await tab(page, "States");
  await page.waitForSelector("input[data-pointer=\"/states/0\"]");
  await paste(page, "good\nworn\nbroken\nsold\n", "input[data-pointer=\"/states/0\"]");
  assert.deepEqual((await documentOf(page)).states, ["good", "worn", "broken", "sold"]);
  person.stay();
});

test("the examples are cards that axe finds nothing wrong with, opened and left by key, chosen by name", async () => {
  const { person, page } = await staying();
  await page.focus("[data-examples]");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog.examples[open] .card-picture svg");
  assert.deepEqual(await faultsInEveryScheme(page), []);
  assert.ok((await page.$$("dialog.examples .cards button")).length >= 20);
  await page.keyboard.press("Escape");
  await until(async () => await page.$("dialog") === null, "it is closed");
  assert.ok(await page.evaluate(() => document.activeElement?.matches("[data-examples]")), "the focus is back where it was");
  await page.keyboard.press("Enter");
  await clickOn(page, "dialog.examples[open] [data-example='plain']");
  await until(() => page.evaluate(() => document.title.startsWith("A plain of 400 cells")), "the example");
  await answered(page);
  person.stay();
});

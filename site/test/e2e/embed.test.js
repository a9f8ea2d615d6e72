// @ts-check
// The embed as it is built and served, inside pages of another site.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import test, { before } from "node:test";
import zlib from "node:zlib";
import { accessibilityFaults, assertNear, atEnd, browserName, dist, native, newPerson, prefers, root, startBrowser, startServer, until } from "./harness.js";
import { answer, answered, clickOn, documentOf, press, ready } from "./lab-page.js";

/** @type {import('puppeteer-core').Browser} */
let browser;
/** @type {{ url: string, stop: () => Promise<void> }} */
let server;
/** Pages of the host by path. @type {Map<string, string>} */
const pages = new Map();
let host = "";
/** The problem of the fragment below, and what it is worth natively. @type {any} */
let expected;

const options = { outerIterations: 10, innerIterations: 500, stepSize: 0.005 };
const fragment = "#example=gradient-conflict&algorithm=epirc-pgs&option.outerIterations=10&option.innerIterations=500&option.stepSize=0.005";
const runTolerance = 1e-6;

before(async () => {
  [browser, server] = await Promise.all([startBrowser(), startServer()]);
  const hosting = http.createServer((request, response) => {
    const page = pages.get(request.url ?? "");
    response.writeHead(page === undefined ? 404 : 200, { "Content-Type": request.url?.endsWith(".json") ? "application/json" : "text/html" })
      .end(
        page !== undefined && !request.url?.endsWith(".json")
          ? `<!doctype html><html lang="en"><meta charset="utf-8"><title>host</title><link rel="icon" href="data:,">${page}`
          : page,
      );
  });
  await new Promise((resolve) => hosting.listen(0, "127.0.0.1", () => resolve(undefined)));
  atEnd(() => hosting.close());
  // localhost and 127.0.0.1 are different sites: frames of one are third parties in the other.
  host = `http://localhost:${/** @type {import('node:net').AddressInfo} */ (hosting.address()).port}`;

  const { problem } = JSON.parse(fs.readFileSync(path.join(dist, "gallery/gradient-conflict.json"), "utf8"));
  const [{ solved }] = native([{ problem, algorithm: "epirc-pgs", options }]);
  assert(solved.feasible, "the options are enough for a feasible policy");
  expected = { problem, solved };
});

/** Opens a page of the host. @param {string} html @param {Parameters<Awaited<ReturnType<typeof newPerson>>['open']>[1]} [more] */
async function visit(html, more) {
  pages.set("/", html);
  const person = await newPerson(browser);
  const page = await person.open(`${host}/`, { also: [server.url], ...more });
  return { person, page };
}

/** The frame of an embed on a page, by what its address says: which comes first is not told by the page. @param {import('puppeteer-core').Page} page */
const frame = (page, says = "") => until(() => page.frames().filter((f) => /embed\.html/.test(f.url()) && f.url().includes(says))[0], `the frame ${says}`);

/** Waits until an embed has solved its model itself; looks again and again, for puppeteer does not hear of words that change where they stand. @param {any} inside */
async function ran(inside) {
  await until(async () => (await inside.$$eval(".go button", (/** @type {Element[]} */ all) => all.map((e) => e.textContent)))[0] === "Solve again", "solved");
  await inside.waitForSelector("aria/Solve again[role=\"button\"]");
  await openMore(inside);
}

/** Opens what is shown when it is wanted: the plan and more. @param {any} inside */
async function openMore(inside) {
  if (await inside.$(".more[open]")) return;
  await inside.$eval(".more > summary", (/** @type {HTMLElement} */ summary) => summary.click());
  await inside.waitForSelector("[role=tabpanel] > *");
}

/** @param {import('puppeteer-core').Frame} inside */
async function assertSolved(inside) {
  await ran(inside);
  const shown = await answer(inside);
  const [{ evaluated }] = native([{ problem: expected.problem, policy: shown.policy }]);
  assert.equal(/^Holds/.test(shown.headline), expected.solved.feasible, shown.headline);
  assertNear(shown.objective, expected.solved.returns[0], runTolerance, "objective");
  assertNear(shown.objective, evaluated.returns[0], 1e-9, "the objective is that of the policy shown");
}

/** That nothing of the solver was asked for, and at most 60 kB of scripts as a server sends them. @param {string[]} asked addresses */
function assertLight(asked) {
  assert.deepEqual(asked.filter((url) => /wasm|worker/.test(url)), [], "nothing of the solver before it is asked for");
  const scripts = asked.filter((url) => url.endsWith(".js") && url.startsWith(server.url)).map((url) =>
    zlib.brotliCompressSync(fs.readFileSync(path.join(dist, new URL(url).pathname))).length
  );
  assert(scripts.length > 0 && scripts.reduce((a, b) => a + b, 0) <= 60_000, `scripts of ${scripts} bytes`);
}

for (const [how, sandbox] of [["an iframe of another site", ""], ["a sandboxed iframe", " sandbox=\"allow-scripts\""]]) {
  test(`the embed solves in ${how}, and asks for the solver only then`, async () => {
    /** @type {string[]} */
    const asked = [];
    const { person, page } = await visit(`<iframe${sandbox} width="400" height="900" title="embed" src="${server.url}embed.html${fragment}"></iframe>`, {
      before: async (p) => {
        p.on("request", (request) => asked.push(request.url()));
      },
    });
    const inside = await frame(page);
    await inside.waitForSelector("aria/Run it yourself[role=\"button\"]");
    assert.match((await answer(inside)).headline, /^Solved when this page was built, not checked yet/, "an answer is there before anything runs");
    assert.doesNotMatch(await inside.evaluate(() => document.body.innerHTML), /proved|optimal/i, "and claims nothing");
    assert.ok(await inside.$(".walk svg .token"), "and a picture");
    assertLight(asked);
    await press(inside, "Run it yourself");
    await assertSolved(inside);
    await person.leave();
  });
}

test("with run=1 the embed solves by itself, alone in a tab too", async () => {
  const person = await newPerson(browser);
  const page = await person.open(`${server.url}embed.html${fragment}&run=1`);
  await ran(page);
  const shown = await answer(page);
  assertNear(shown.objective, expected.solved.returns[0], runTolerance, "objective");
  assert.deepEqual(await accessibilityFaults(page), []);
  await person.leave();
});

test("<rcmdp-embed> makes frames that fit their content, each its own, and never scrolls the host", async () => {
  pages.set("/problem.json", JSON.stringify({ ...expected.problem, name: "A problem of the host" }));
  const { person, page } = await visit(
    `<script type="module" src="${server.url}embed.js"></script>
    <div style="height: 3000px"></div>
    <rcmdp-embed example="gradient-conflict" algorithm="epirc-pgs" run></rcmdp-embed>
    <rcmdp-embed src="problem.json" algorithm="epirc-pgs" run></rcmdp-embed>
    <rcmdp-embed example="machine-repair" height="333"></rcmdp-embed>`,
    { width: 400, height: 700 },
  );
  assert.equal(await page.evaluate(() => scrollY), 0);
  const heights = () => page.$$eval("rcmdp-embed", (elements) => elements.map((e) => e.getBoundingClientRect().height));
  await page.evaluate(() => scrollTo(0, 2900));
  const first = await frame(page, "example=gradient-conflict");
  await ran(first);
  const inside = await first.evaluate(() => document.documentElement.getBoundingClientRect().height);
  await until(async () => Math.abs((await heights())[0] - inside) <= 2, "the frame is as high as what is in it");
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await until(() => page.frames().filter((f) => f.url().includes("embed.html")).length === 3, "three frames");
  /** The titles of the frames that answer soon: one that is on its way elsewhere may never. */
  const titles = () => {
    const title = (/** @type {import('puppeteer-core').Frame} */ f) => f.$eval("h1", (e) => e.textContent ?? "").catch(() => "");
    const late = () => new Promise((resolve) => setTimeout(resolve, 2000, ""));
    return Promise.all(page.frames().filter((f) => f.url().includes("embed.html")).map((f) => Promise.race([title(f), late()])));
  };
  const named = (/** @type {RegExp} */ wanted) =>
    until(async () => {
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight)); // a frame that the growth of another pushed out of sight is not drawn
      return (await titles()).some((text) => wanted.test(text));
    }, String(wanted));
  for (const title of [/^Gradient conflict/, /^A problem of the host/, /^Machine repair/]) await named(title);
  assert.equal((await heights())[2], 333);
  // A model of the page takes the place of what an element's attributes name, and leaves it again.
  for (const problem of [{ ...expected.problem, name: "Of this page" }, null]) {
    await page.evaluate((given) => Object.assign(document.querySelectorAll("rcmdp-embed")[2], { problem: given }), problem);
    await named(problem ? /^Of this page/ : /^Machine repair/);
    await page.evaluate(() => document.body.append(document.querySelectorAll("rcmdp-embed")[2])); // its frame begins anew
    await named(problem ? /^Of this page/ : /^Machine repair/);
  }
  await person.leave();
});

test("the host stays where it is while the embed loads and runs", async () => {
  // A corner of the frame is in sight: what is wholly out of sight is not drawn at all.
  const { person, page } = await visit(
    `<div style="height: 800px"></div><iframe width="400" height="900" title="embed" src="${server.url}embed.html${fragment}&run=1"></iframe>`,
    { width: 800, height: 900 },
  );
  const inside = await frame(page);
  await assertSolved(inside);
  assert.equal(await page.evaluate(() => scrollY), 0);
  await person.leave();
});

test("the embed fits 320 px and has nothing serious for axe, solved and not; \"Open in the lab\" leads to the same problem and method", async () => {
  const person = await newPerson(browser);
  const page = await person.open(`${server.url}embed.html${fragment}`, { width: 320, height: 700 });
  for (const solved of [false, true]) {
    if (solved) await press(page, "Run it yourself");
    await page.waitForSelector(`aria/${solved ? "Solve again" : "Run it yourself"}[role="button"]`);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert(over <= 0, `${over} px too wide`);
    assert.deepEqual(await accessibilityFaults(page), []);
  }
  const lab = await person.open(await page.$eval("a[target=_blank]", (a) => /** @type {HTMLAnchorElement} */ (a).href));
  await ready(lab);
  assert.deepEqual(await documentOf(lab), expected.problem);
  await until(() => lab.$eval("select[aria-label=\"Method\"]", (e) => /** @type {HTMLSelectElement} */ (e).value === "epirc-pgs"), "the same method");
  await person.leave();
});

test("after a visit to the lab the embed and the paper's figures open and solve with the server stopped", async () => {
  const own = await startServer();
  const person = await newPerson(browser, { keeps: true });
  const page = await person.open(own.url);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await answered(page);
  await own.stop();
  await page.goto(`${own.url}embed.html${fragment}&run=1`);
  await assertSolved(/** @type {any} */ (page));
  await page.goto(`${own.url}guide/paper.html#bisection`);
  await page.waitForSelector("#bisection svg.plot .walk.now");
  await person.leave();
});

test("parts are left out, colours are as told, and a slider moves a limit", async () => {
  const person = await newPerson(browser);
  const page = await person.open(`${server.url}embed.html#example=machine-repair&hide=proof,search,picture,lab&theme=dark&slider=/constraints/0/atMost`);
  await page.waitForSelector("aria/Run it yourself[role=\"button\"]");
  assert.equal(await page.$(".walk"), null);
  assert.equal(await page.$("a[target=_blank]"), null);
  await openMore(page);
  assert.deepEqual(await page.$$eval("[role=tab]", (all) => all.map((e) => e.textContent)), ["Plan"]);
  const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g)?.map(Number) ?? []);
  assert.ok(Math.max(...dark) < 80, `a dark ground: ${dark}`);
  const before = (await answer(page)).objective ?? NaN;
  await page.$eval(".turn input", (input) => {
    const range = /** @type {HTMLInputElement} */ (input);
    range.value = String(Number(range.value) * 1.6);
    range.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await until(async () => ((await answer(page)).objective ?? Infinity) < before - 1e-6, "a looser limit makes the plan cheaper");
  await person.leave();
});

test("a saved trade-off is read before anything runs, found again after Run, and a point of it opens its plan", async () => {
  const { problem, curve } = JSON.parse(fs.readFileSync(path.join(dist, "gallery/ambulance.json"), "utf8"));
  pages.set("/trade-off.json", JSON.stringify({ format: "rcmdp-run/1", problem, result: { algorithm: "sweep", status: "finished", ...curve } }));
  /** @type {string[]} */
  const asked = [];
  const { person, page } = await visit(
    `<script type="module" src="${server.url}embed.js"></script><rcmdp-embed src="trade-off.json" hide="search,proof"></rcmdp-embed>`,
    {
      width: 320,
      before: async (p) => {
        p.on("request", (request) => asked.push(request.url()));
      },
    },
  );
  const inside = await frame(page);
  await inside.waitForSelector(".explorer .plot .region.bad");
  const explorer = () => inside.$eval(".explorer", (e) => e.textContent ?? "");
  const turn = (/** @type {number} */ to) =>
    inside.$eval(".explorer input[type=range]", (input, value) => {
      /** @type {HTMLInputElement} */ (input).value = String(value);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }, to);
  await turn(0.41);
  await inside.waitForSelector("[data-probe='0.4']");
  assert.match(await explorer(), /found before/);
  assert.doesNotMatch(await explorer(), /proved/, "what was not checked here claims nothing");
  assertLight(asked);
  await press(inside, "Open this plan");
  await until(async () => /not checked yet/.test((await answer(inside)).headline), "its plan, as found before");
  assert.ok(await inside.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), "it fits 320 px");
  assert.deepEqual(await accessibilityFaults(inside), []);

  await press(inside, "Run it yourself");
  await until(async () => !/found before|Pause|Running it|said to be/i.test(await explorer()), "every point found here");
  assert.equal(await inside.$$eval(".explorer .plot .dots circle", (all) => all.length), curve.points.filter((/** @type {any} */ p) => p.feasible).length);
  await turn(0.39);
  await until(async () => /0\.39.*proved optimal/.test(await inside.$eval(".probe", (e) => e.textContent ?? "")), "the plan between two points");
  const feasible = curve.points.filter((/** @type {any} */ p) => p.feasible).map((/** @type {any} */ p) => p.value);
  await inside.$eval(".explorer .sheet", (sheet, nth) => { // a click on the chart, above the point
    const { left, width } = sheet.querySelectorAll(".dots circle")[nth].getBoundingClientRect();
    const at = { clientX: left + width / 2, clientY: sheet.getBoundingClientRect().top + 60, bubbles: true };
    sheet.dispatchEvent(new PointerEvent("pointermove", at));
    sheet.dispatchEvent(new MouseEvent("click", at));
  }, feasible.indexOf(0.46));
  await openMore(inside);
  await until(async () => /≤ 0\.46/.test(await inside.$eval("#app", (e) => e.textContent ?? "")), "the model of the point");
  const shown = await until(async () => ((await answer(inside)).objective > 0 ? answer(inside) : null), "its answer");
  const stored = curve.points.find((/** @type {any} */ p) => p.value === 0.46);
  assertNear(shown?.objective, stored.objective.value, 1e-4, "what was found before is what was found here");
  const [{ evaluated }] = native([{
    problem: { ...problem, constraints: [{ ...problem.constraints[0], atMost: 0.46 }, problem.constraints[1]] },
    policy: shown?.policy,
  }]);
  assertNear(shown?.objective, evaluated.returns[0], 1e-9, "and that of the policy shown");
  await person.leave();
});

test("the guide's blocks of HTML show what they say, in a page of another site", async () => {
  const { problem, result, curve } = JSON.parse(fs.readFileSync(path.join(dist, "gallery/ambulance.json"), "utf8"));
  pages.set("/problem.json", JSON.stringify(problem));
  pages.set("/result.json", JSON.stringify(result));
  pages.set("/trade-off.json", JSON.stringify({ format: "rcmdp-run/1", problem, result: { ...curve, algorithm: "sweep", status: "finished" } }));
  const blocksOf = (/** @type {string} */ name) =>
    [...fs.readFileSync(path.join(root, `site/guide/${name}.html`), "utf8").matchAll(/<code data-run="html">([^]*?)<\/code>/g)]
      .map(([, code]) => text(code).replaceAll("https://your.site/rcmdp/", server.url));
  const text = (/** @type {string} */ code) => code.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", "\"").replaceAll("&amp;", "&");
  const blocks = blocksOf("embedding");
  assert.equal(blocks.length, 4);
  // What other tools make of theirs: Quarto of its fences, Hugo and Jekyll of what stands in braces, reveal.js of an address for later.
  const places = ["quarto", "observable", "reveal", "hugo"].flatMap(blocksOf)
    .map((block) => block.replace(/^```.*$/gm, "").replace(/\{\{[^}]*\}\}/, "machine-repair").replace("data-src=", "src="));
  assert.equal(places.length, 5);
  const { person, page } = await visit([...blocks, ...places].join("\n"), { height: 9000 });
  const embeds = () => page.frames().filter((f) => f.url().includes("embed.html"));
  await until(() => embeds().length === 10, "ten frames");
  for (const inside of embeds()) await inside.waitForSelector(".go button");
  await until(async () => (await Promise.all(embeds().map((f) => f.$(".explorer")))).filter(Boolean).length === 2, "two with a trade-off");
  const heights = () => page.$$eval("rcmdp-embed, iframe", (all) => all.map((e) => Math.round(e.getBoundingClientRect().height)));
  await until(async () => (await heights()).every((h) => ![480, 640].includes(h)), "each has the height of what is in it");
  await person.leave();
});

test("three embeds of a page with a strict policy compile one solver, and each keeps its own answer", async () => {
  const ids = ["machine-repair", "fishery", "inventory"];
  const frames = ids.map((id) => `<iframe width="600" height="700" title="${id}" src="${server.url}embed.html#example=${id}&run=1"></iframe>`).join("");
  const strict = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; frame-src ${new URL(server.url).origin}; img-src data:">`;
  const { person, page } = await visit(strict + frames, { height: 2400 });
  for (const id of ids) await ran(await frame(page, `example=${id}`));
  const all = page.frames().filter((f) => f.url().includes("embed.html"));
  const made = await Promise.all(all.map((f) => f.evaluate(() => Boolean(/** @type {any} */ (globalThis).rcmdpShared?.module))));
  assert.equal(made.filter(Boolean).length, 1, "one frame compiled, the others took its module");
  const shown = await Promise.all(all.map((f) => answer(f)));
  assert.equal(new Set(shown.map(({ objective }) => objective)).size, 3);
  await person.leave();
});

test("closed an embed is at most 720 px high, says its number once, and is light unless it is told otherwise", async () => {
  const person = await newPerson(browser);
  const page = await person.open(`${server.url}embed.html#example=machine-repair`, { width: 390, height: 844 });
  await prefers(page, "color-scheme", "dark");
  for (const [width, height] of [[390, 844], [1366, 768]]) {
    await page.setViewport({ width, height });
    for (
      const more of [
        "",
        "&slider=/constraints/0/atMost",
        "&explore=/constraints/0/atMost",
        "&slider=/constraints/0/atMost&explore=/constraints/0/atMost&hide=exports",
      ]
    ) {
      await page.goto("about:blank");
      await page.goto(`${server.url}embed.html#example=machine-repair${more}`);
      await page.waitForSelector(more.includes("explore") ? ".explorer .plot" : ".walk .place");
      const seen = await page.evaluate(() => ({
        height: document.documentElement.getBoundingClientRect().height,
        values: document.body.textContent?.match(/10\.136/g)?.length,
        sliders: document.querySelectorAll("input[type=range]").length,
        ground: getComputedStyle(document.body).backgroundColor.match(/\d+/g)?.map(Number) ?? [],
        exports: [...document.querySelectorAll("button")].filter((b) => /CSV|SVG|PNG|Export/.test(b.textContent ?? "")).length,
      }));
      assert(seen.height <= 720, `${more} at ${width} px: ${seen.height} px high`);
      assert.equal(seen.values, 1, `${more}: the value stands once`);
      assert.equal(seen.sliders, more === "" ? 0 : 1, `${more}: one control`);
      assert(Math.min(...seen.ground.slice(0, 3)) > 200, `${more}: a light ground, ${seen.ground}`);
      assert.equal(seen.exports, more.includes("explore") && !more.includes("exports") ? 3 : 0, `${more}: exports`);
    }
  }
  if (browserName !== "firefox") { // which cannot say what its reader prefers
    await page.goto("about:blank");
    await page.goto(`${server.url}embed.html#example=machine-repair&theme=auto`);
    await page.waitForSelector(".walk .place");
    const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g)?.map(Number) ?? []);
    assert(Math.max(...dark) < 80, `with auto it is the reader's: ${dark}`);
  }
  await person.leave();
});

test("a model's own page is whole without scripts, loads nothing of the lab before it is pressed, and then checks the answer", async () => {
  const person = await newPerson(browser);
  /** @type {string[]} */
  const asked = [];
  const page = await person.open(`${server.url}gallery/machine-repair/`, {
    width: 390,
    before: async (p) => {
      p.on("request", (request) => asked.push(request.url()));
    },
  });
  assert.match(await page.$eval(".found", (e) => e.textContent ?? ""), /worst-case money 10\.136, bound 10\.136/);
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), "it fits 390 px");
  assert.deepEqual(asked.filter((url) => /embed|\.js$|wasm/.test(url)), []);
  await page.$eval(".check summary", (summary) => /** @type {HTMLElement} */ (summary).click());
  const inside = await frame(page);
  await ran(inside);
  assert.match((await answer(inside)).headline, /^Holds|proved/i);
  await person.leave();
});

test("the proof panel saves the proof for other people's checkers, and one of them verifies it", async () => {
  const person = await newPerson(browser);
  const page = await person.open(`${server.url}embed.html#example=machine-repair&run=1`);
  await ran(page);
  await clickOn(page, "aria/Proof[role=\"tab\"]");
  await press(page, "VIPR");
  const file = await until(() => fs.readdirSync(person.downloads).find((name) => name.endsWith(".vipr")), "the file");
  const saved = path.join(person.downloads, file ?? "");
  await until(() => /\} -1\n$/.test(fs.readFileSync(saved, "utf8")), "all of it");
  const { stdout, error } = spawnSync("python3", [path.join(root, "core/vipr/testdata/read.py"), saved], { encoding: "utf8" });
  if (!error) assert.match(stdout, /verified range /);
  await person.leave();
});

// @ts-check
// The model as a picture: drawn, chosen from by keyboard, saved with the model inside and opened again.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { before, test } from "node:test";
import { answered, documentOf, openTables, press } from "./lab-page.js";
import { accessibilityFaults, browserName, newPerson, startBrowser, startServer, until } from "./harness.js";

/** @type {import('puppeteer-core').Browser} */
let browser;
/** @type {{ url: string }} */
let server;
before(async () => {
  [browser, server] = await Promise.all([startBrowser(), startServer()]);
});

/** @param {Element} element */
const focused = (element) => /** @type {SVGElement} */ (element).focus();

/** Until the focus is in a field whose name begins so. @param {import('puppeteer-core').Page} page @param {string} name */
const editing = (page, name) =>
  until(() => page.evaluate((name) => document.activeElement?.getAttribute("aria-label")?.startsWith(name), name), `“${name} ...” has the focus`);

/** A finger that goes from place to place. @param {import('puppeteer-core').Page} page @param {(readonly [number, number])[]} places */
async function stroke(page, [first, ...places]) {
  const finger = await page.touchscreen.touchStart(...first);
  for (const place of places) await finger.move(...place);
  await finger.end();
}

/** The states of the picture stand where they go on standing: it has been laid out, and is not on its way elsewhere. @param {import('puppeteer-core').Page} page */
async function settled(page) {
  const places = () =>
    page.$$eval("svg.model-picture .spot circle", (all) =>
      all.map((c) => {
        const { x, y } = c.getBoundingClientRect();
        return `${x} ${y}`;
      }).join());
  let before = "";
  await until(async () => {
    await page.evaluate(() => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve), 60)));
    const now = await places();
    const still = now === before && await page.$("svg.model-picture[aria-busy='false']") !== null;
    before = now;
    return still;
  }, "the picture stands still");
}

/** Notes from here on where the picture begins in its panel. @param {import('puppeteer-core').Page} page @returns {Promise<() => Promise<number[]>>} the places it had */
async function pictureFollowed(page) {
  const seen = await page.evaluateHandle(() => {
    const seen = new Set();
    const look = () => {
      const [panel, picture] = [".picture", "svg.model-picture"].map((selector) => document.querySelector(selector)?.getBoundingClientRect());
      if (panel && picture) seen.add(Math.round(picture.top - panel.top));
      requestAnimationFrame(look);
    };
    look();
    return seen;
  });
  return () => seen.evaluate((seen) => [...seen]);
}

test("a solved model is drawn on a phone and a laptop, chosen from with the keyboard, and told as a table too", async () => {
  const person = await newPerson(browser);
  const page = await person.open(`${server.url}#example=machine-repair`, { width: 390, height: 844 });
  await page.waitForSelector("#answer-part-tab-picture");
  await page.$eval("#answer-part-tab-picture", (tab) => /** @type {HTMLElement} */ (tab).click());
  for (const [n, [width, height]] of [[390, 844], [1366, 768]].entries()) {
    await page.setViewport({ width, height });
    await page.waitForSelector("svg.model-picture .spot");
    assert.equal((await page.$$("svg.model-picture .spot")).length, 3);
    if (browserName === "chromium") assert.ok(page.workers().some((w) => /assets\/layout-/.test(w.url())), "a worker has laid it out");
    const spot = `svg.model-picture .spot[data-state="${n}"]`;
    await page.$eval(spot, focused);
    await page.keyboard.press("Enter");
    const name = await page.$eval(spot, (g) => g.getAttribute("aria-label")?.split(",")[0]);
    await until(
      () => page.$eval(".picture section input.name", (input) => /** @type {HTMLInputElement} */ (input).value).then((v) => v === name, () => false),
      "its fields",
    );
    assert.equal((await page.$$(".picture .twin tbody tr")).length, 5, "three states with two actions, one of them with one");
    assert.deepEqual(await accessibilityFaults(page), []);
  }
  await person.leave();
});

test("a grid is a grid wherever it is shown: its walls, danger, goal and start, and the plan on them", async () => {
  const person = await newPerson(browser);
  const page = await person.open(`${server.url}#example=grid`, { width: 390, height: 844 });
  const whole = async (/** @type {string} */ where) => {
    await page.waitForSelector(`${where} .step[d^=M]`);
    for (const part of [".floor", ".lines", ".start", ".flag"]) assert.ok(await page.$(`${where} ${part}`), `${where} ${part}`);
  };
  const look = (/** @type {string} */ panel) => page.$eval(`#answer-part-tab-${panel}`, (tab) => /** @type {HTMLElement} */ (tab).click());
  await answered(page);
  await whole(".first .stage");
  await whole("[data-panel=picture] .world"); // which is what a grid's answer begins with
  const link = await page.evaluate(() => location.href);
  await openTables(page);
  await whole(".painter");
  for (const [width, height] of [[390, 844], [1366, 768]]) {
    await page.setViewport({ width, height });
    await look("play");
    await whole(".player .stage");
    assert.ok(await page.$(".player .stage .token"));
    if (width > 1000) {
      await press(page, "GIF");
      const file = path.join(person.downloads, "Grid-with-a-danger-zone-play.gif");
      const gif = /** @type {Buffer} */ (await until(() =>
        fs.existsSync(file) && fs.readFileSync(file).at(-1) === 0x3b && fs.readFileSync(file), "the animated picture"));
      assert.equal(gif.toString("latin1", 0, 6), "GIF89a");
      assert.equal(gif.readUInt16LE(6), 480, "pixels wide");
      assert.ok(gif.includes("NETSCAPE2.0"), "it goes on for ever");
      const frames = gif.toString("latin1").split("\x21\xf9\x04").length - 1;
      assert.ok(frames > 3 && frames <= 61 && gif.length < 500_000, `${frames} frames, ${gif.length} bytes`);
    }
    await look("why");
    await whole("[data-panel=why] .world");
    await page.$eval("[data-panel=why] [data-state=\"5\"]", focused);
    await page.keyboard.press("Enter");
    await until(() => page.$$eval("[data-panel=why] h3 em", (all) => all.some((e) => e.textContent === "row 2, column 2")), "the cell's value");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing wider than the page");
    assert.deepEqual(await accessibilityFaults(page), []);
  }
  await page.$eval("[data-examples]", (button) => /** @type {HTMLElement} */ (button).click());
  await whole(".card-picture");
  // A link to it, and to a painting, opens as a grid for everybody.
  await page.goto("about:blank");
  await page.goto(link);
  await whole(".first .stage");
  await openTables(page);
  await page.waitForSelector("#model-editor .painter .flag");
  await person.leave();
});

test("a saved picture carries its model, and opens again", async () => {
  const person = await newPerson(browser);
  const page = await person.open(`${server.url}#example=grid`);
  await page.waitForSelector("svg.world .cell");
  assert.equal((await page.$$("svg.world .cell")).length, 16);
  await page.$$eval(".picture button", (buttons) => buttons.find((b) => b.textContent === "SVG")?.click());
  const file = path.join(person.downloads, "Grid-with-a-danger-zone-picture.svg");
  const text = /** @type {string} */ (await until(
    () => fs.existsSync(file) && fs.readFileSync(file, "utf8").endsWith("</svg>\n") && fs.readFileSync(file, "utf8"),
    "the saved file",
  ));
  assert.match(text, /^<svg[^>]* width="1600"/);
  await page.goto(`${server.url}#example=machine-repair`);
  await page.evaluate((svg) => {
    const data = new DataTransfer();
    data.items.add(new File([svg], "picture.svg", { type: "image/svg+xml" }));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, text);
  await until(() => page.evaluate(() => document.title.startsWith("Grid with a danger zone")), "the model of the picture");
  // A PNG carries it too.
  await page.$eval("#answer-part-tab-picture", (tab) => /** @type {HTMLElement} */ (tab).click());
  await page.waitForSelector("svg.world .cell");
  await page.$$eval(".picture button", (buttons) => buttons.find((b) => b.textContent === "PNG")?.click());
  const png = file.replace(/svg$/, "png");
  const bytes = /** @type {Buffer} */ (await until(
    () => fs.existsSync(png) && fs.readFileSync(png).includes("IEND") && fs.readFileSync(png),
    "the saved PNG",
  ));
  assert.equal(bytes.readUInt32BE(16), 1600, "pixels wide");
  await page.goto(`${server.url}#example=fishery`);
  await until(() => page.evaluate(() => document.title.startsWith("Fishery")), "another model");
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], "picture.png", { type: "image/png" }));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, bytes.toString("base64"));
  await until(() => page.evaluate(() => document.title.startsWith("Grid with a danger zone")), "the model of the PNG");
  await person.leave();
});

test("a grid is painted with the mouse, a finger and keys, a stroke is one undo, the plan is drawn on it, and a reload brings it back", async () => {
  const person = await newPerson(browser);
  const page = await person.open(server.url, { width: 390, height: 844 });
  await page.waitForSelector("select[aria-label=Method]");
  await page.$eval("[data-new]", (button) => /** @type {HTMLElement} */ (button).click());
  await page.waitForSelector("[data-new-grid]", { visible: true });
  await page.focus("[data-new-grid]");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".painter .cell");
  const cell = (/** @type {number} */ row, /** @type {number} */ column) => `.painter [aria-label^="row ${row}, column ${column}:"]`;
  const says = (/** @type {number} */ row, /** @type {number} */ column) =>
    page.$eval(cell(row, column), (g) => g.getAttribute("aria-label")?.split(": ")[1].split(", plan")[0] ?? "");
  const middle = async (/** @type {number} */ row, /** @type {number} */ column) => {
    await page.$eval(".painter", (svg) => svg.scrollIntoView({ block: "center" })); // a button that was pressed may have moved it
    const box = await (await page.$(cell(row, column)))?.boundingBox();
    assert.ok(box);
    return /** @type {const} */ ([box.x + box.width / 2, box.y + box.height / 2]);
  };
  const walls = async () => (await page.$$(".painter .wall")).length;
  await until(async () => (await page.$$(".painter .step")).length > 20, "the plan on the cells");
  assert.equal(await walls(), 2);
  await page.mouse.move(...await middle(5, 1));
  await page.mouse.down();
  await page.mouse.move(...await middle(5, 6), { steps: 2 }); // quickly: two places are all the page hears of
  await page.mouse.up();
  await until(async () => (await walls()) === 8, "six more walls");
  await press(page, "Undo");
  await until(async () => (await walls()) === 2, "one undo takes the stroke back");
  await stroke(page, [await middle(5, 1), await middle(5, 4), await middle(5, 6)]);
  await until(async () => (await walls()) === 8, "a finger paints as the mouse does");
  await press(page, "Undo");
  await until(async () => (await walls()) === 2, "and so does its undo");
  // Keys: from the first cell two to the right and one down, then letters.
  await page.$eval(cell(1, 1), focused);
  for (const key of ["ArrowRight", "ArrowRight", "ArrowDown"]) await page.keyboard.press(/** @type {any} */ (key));
  await page.keyboard.press("w");
  await until(async () => (await says(2, 3)) === "wall", "W is a wall");
  await page.keyboard.press(" ");
  await until(async () => (await says(2, 3)) === "steps 1, danger 0", "once more takes it away");
  await page.keyboard.down("Shift");
  for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(/** @type {any} */ (key));
  await page.keyboard.up("Shift");
  await until(async () => (await says(2, 3)) === "wall" && (await says(3, 3)) === "wall" && (await says(4, 3)) === "wall", "Shift and arrows paint on");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("s");
  await until(async () => (await says(4, 4)) === "start, steps 1, danger 0", "S moves the start");
  assert.equal(await says(1, 1), "steps 1, danger 0");
  await page.keyboard.press("d");
  await until(async () => (await says(4, 4)) === "start, steps 1, danger 1", "D is danger");
  const columns = await page.waitForSelector("aria/Columns[role=\"textbox\"]");
  await columns?.evaluate((field) => /** @type {HTMLInputElement} */ (field).select());
  await columns?.type("8");
  await until(async () => (await page.$$(".painter .cell")).length === 40, "another column");
  await answered(page);
  const solid = await walls();
  const before = await documentOf(page);
  await page.waitForSelector(".painter .cell");
  assert.equal(before.states.length, 40 - solid);
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing wider than the page");
  await page.reload();
  await page.waitForSelector(".model .toggle");
  await openTables(page); // they may be open and on their way: a click more would close them
  await page.waitForSelector("#model-part-tab-grid");
  await page.$eval("#model-part-tab-grid", (tab) => /** @type {HTMLElement} */ (tab).click());
  await until(async () => (await page.$$(".painter .cell")).length === 40, "the painting after a reload");
  assert.equal(await says(4, 4), "start, steps 1, danger 1");
  await press(page, "Undo"); // the steps before the reload are there still: eight columns, then danger
  await until(async () => (await page.$$(".painter .cell")).length === 35, "seven columns again");
  await press(page, "Redo");
  await page.waitForSelector(cell(5, 8));
  await page.$eval(cell(5, 8), focused);
  await page.keyboard.press("g");
  await until(async () => /^goal/.test(await says(5, 8)), "and painting goes on");
  await person.leave();
});

test("a model is drawn by hand: a state added and named in place, moves pulled with the mouse and a finger and added with keys, all undone again", async () => {
  const person = await newPerson(browser, { motion: true });
  const page = await person.open(`${server.url}#example=machine-repair`, { width: 1366, height: 900 });
  await page.waitForSelector("#answer-part-tab-picture");
  await page.$eval("#answer-part-tab-picture", (tab) => /** @type {HTMLElement} */ (tab).click());
  await page.waitForSelector("svg.model-picture.live .spot");
  const before = await documentOf(page);
  await page.$eval("svg.model-picture", (svg) => svg.scrollIntoView({ block: "center" }));
  const spots = () => page.$$eval("svg.model-picture .spot", (all) => all.map((g) => g.getAttribute("aria-label")?.split(",")[0]));
  const box = async (/** @type {string} */ selector) => {
    const found = await (await page.$(selector))?.boundingBox();
    assert.ok(found, selector);
    return /** @type {const} */ ([found.x + found.width / 2, found.y + found.height / 2]);
  };
  const svg = await (await page.$("svg.model-picture"))?.boundingBox();
  assert.ok(svg);
  await page.mouse.click(svg.x + 14, svg.y + svg.height - 14, { count: 2 });
  await until(async () => (await spots()).length === 4, "a double click adds a state");
  await until(() => page.evaluate(() => document.activeElement?.matches(".state-editor .name")), "the new state's name has the focus");
  await settled(page);
  const places = await pictureFollowed(page);
  await page.keyboard.type("scrap");
  await until(async () => (await spots()).includes("scrap"), "it is named in place");
  await page.waitForSelector("#answer:not(.stale)");
  assert.equal((await places()).length, 1, "an answer that goes out of date and the next one leave the picture in its place");
  await page.$eval("svg.model-picture", (picture) => picture.scrollIntoView({ block: "center" }));
  await settled(page);
  // From the knob of the new state to the first one.
  await page.mouse.move(...await box(".knob"));
  await page.mouse.down();
  await page.mouse.move(...await box(".spot[data-state='0'] circle"), { steps: 3 });
  await page.mouse.up();
  await editing(page, "Probability of");
  const pulled = await documentOf(page);
  assert.equal(pulled.states[3], "scrap");
  assert.equal(pulled.uncertainty.kernels[0].transitions[3][0][0], 1, "it only stayed, and now leads there for sure");
  // A finger drags a state, and pulls a line from an action's dot to a state; the page does not scroll under it.
  await page.$eval("svg.model-picture", (picture) => picture.scrollIntoView({ block: "center" }));
  await settled(page);
  const [x, y] = await box(".spot[data-state='1'] circle");
  const height = () => page.$eval(".spot[data-state='1'] circle", (c) => Number(c.getAttribute("cy")));
  const stood = await height();
  await stroke(page, [[x, y], [x + 10, y + 20], [x + 20, y + 50]]);
  await until(async () => (await height()) > stood + 20, "the state has gone with the finger");
  await settled(page); // the frame fits again
  const dots = await page.$$("svg.model-picture .act .reach");
  const dot = await dots[dots.length - 1].boundingBox();
  assert.ok(dot);
  await stroke(page, [[dot.x + dot.width / 2, dot.y + dot.height / 2], [x, y + 20], await box(".spot[data-state='1'] circle")]);
  await editing(page, "Probability of");
  assert.equal((await documentOf(page)).uncertainty.kernels[0].transitions[3][1][1] > 0, true, "a new move of the last action");
  await press(page, "Undo");
  // The keyboard's way: T, then the target's name.
  await page.$eval(".spot[data-state='3']", focused);
  await page.keyboard.press("t");
  await until(() => page.evaluate(() => document.activeElement?.matches(".state-editor .find")), "the target's name is asked for");
  await page.keyboard.type(before.states[1].slice(0, 3));
  await page.keyboard.press("Enter");
  await page.waitForSelector(`aria/Probability of ${before.states[1]} after ${before.actions[0]} in scrap`);
  assert.deepEqual((await documentOf(page)).uncertainty.kernels[0].transitions[3][0], [0.9, 0.1, 0, 0], "a tenth of the likeliest move");
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.$eval(".spot[data-state='3']", focused);
  await page.keyboard.press("Delete");
  await until(async () => (await spots()).length === 3, "Delete removes it");
  for (let i = 0; i < 12 && !(await page.$eval("[aria-label=Undo]", (b) => /** @type {HTMLButtonElement} */ (b).disabled)); i++) await press(page, "Undo");
  assert.deepEqual(await documentOf(page), before);
  await person.leave();
});

// @ts-check
// harness.js — a server and a browser for one test file, and pages that notice what must never happen:
// console errors, uncaught exceptions, requests to another origin.

import assert from "node:assert/strict";
import { spawn, execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import { findFirefox, launchChromium, protocolTimeout, still } from "./browser.js";

export const root = fileURLToPath(new URL("../../../", import.meta.url));
export const dist = path.join(root, "dist");

/** How long anything on a page is waited for, in milliseconds: a busy machine is slow, not wrong. */
export const patience = 180_000;

/** What to undo when the test file ends, last first. @type {(() => unknown)[]} */
const cleanups = [];
after(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

/** Runs when the test file ends, also when registered inside a test or a hook. @param {() => unknown} undo */
export const atEnd = (undo) => void cleanups.push(undo);

/** A folder that is removed when the test file ends. @param {string} name */
export function temporaryFolder(name) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `rcmdp-${name}-`));
  atEnd(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The sources of the page with what its build reads beside them, below a folder; gives its site/. @param {string} folder */
export function copyOfSources(folder) {
  const site = path.join(folder, "site");
  fs.cpSync(path.join(root, "site"), site, { recursive: true, filter: (file) => !/node_modules|[\\/]test$/.test(path.relative(root, file)) });
  fs.symlinkSync(path.join(root, "site/node_modules"), path.join(site, "node_modules"));
  fs.copyFileSync(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
  fs.cpSync(path.join(root, "core/vector"), path.join(folder, "core/vector"), { recursive: true, filter: (file) => !/\.go$/.test(file) }); // the loops
  return site;
}

/**
 * Builds sources over a copy of dist/: what differs is written, packed quickly; what is the same is not packed again.
 * @param {string} site @param {string} out @returns {string} out
 */
export function builtAgain(site, out) {
  fs.cpSync(dist, out, { recursive: true });
  const { commit, go } = JSON.parse(fs.readFileSync(path.join(dist, "build.json"), "utf8"));
  const goroot = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
  execFileSync("node", [
    path.join(site, "build.mjs"),
    ...["--wasm", path.join(root, "bin/rcmdp.wasm"), "--gallery", path.join(root, "bin/gallery.json")],
    ...["--wasm-exec", path.join(goroot, "lib/wasm/wasm_exec.js"), "--commit", commit, "--go", go, "--out", out],
  ], { env: { ...process.env, QUICK: "1" } });
  return out;
}

/** A program of ours: the one in bin/ when build.sh has just made it, else one made now. @param {string} name @param {string} source */
function program(name, source) {
  if (process.env.BUILT) return path.join(root, "bin", name);
  const file = path.join(temporaryFolder(name), name);
  execFileSync("go", ["build", "-o", file, source], { cwd: root });
  return file;
}

/** @type {string | undefined} */
let serve;

/**
 * Serves a folder with serve.go.
 * @param {{ folder?: string, port?: number }} [options] dist/ and a free port unless told otherwise
 * @returns {Promise<{ url: string, port: number, stop: () => Promise<void> }>}
 */
export async function startServer({ folder = dist, port = 0 } = {}) {
  serve ??= program("serve", "serve.go");
  const child = spawn(serve, ["-dist", folder, "-addr", `127.0.0.1:${port}`], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  atEnd(stop);
  const line = await Promise.race([
    new Promise((resolve) => child.stdout.once("data", (data) => resolve(String(data)))),
    ended.then((code) => {
      throw new Error(`the server ended with ${code}`);
    }),
  ]);
  const url = /http:\S+/.exec(line)?.[0] ?? assert.fail(`no address in ${line}`);
  return { url, port: Number(new URL(url).port), stop };
}

/** @type {string | undefined} */
let nativeSolver;

/**
 * Solves and evaluates with the core outside the browser (native.go); numbers in the person's units.
 * @param {{ problem: any, algorithm?: string, options?: Record<string, number>, policy?: number[][] }[]} jobs
 * @returns {{ solved: Point, evaluated: Point }[]}
 * @typedef {{ feasible: boolean, returns: number[], violations: number[], worstKernels: number[], policy: number[][], outerSteps?: number }} Point
 */
export function native(jobs) {
  nativeSolver ??= program("native", "site/test/e2e/native.go");
  return JSON.parse(execFileSync(nativeSolver, { input: JSON.stringify(jobs), maxBuffer: 1 << 28 }).toString());
}

/** Fails unless the numbers agree, relative to their size or to 1. @param {number | null | undefined} got @param {number} want @param {number} tolerance @param {string} what */
export function assertNear(got, want, tolerance, what) {
  assert(typeof got === "number" && Math.abs(got - want) <= tolerance * Math.max(1, Math.abs(want)), `${what}: ${got}, want ${want} within ${tolerance}`);
}

/** The browser that a file is driven in unless it says which: RCMDP_BROWSER=firefox runs it in the other one. */
export const browserName = process.env.RCMDP_BROWSER === "firefox" ? "firefox" : "chromium";

/**
 * Options of a test that needs what only the one debugging protocol can do; elsewhere it is skipped with that reason.
 * @param {string} what as "to forbid scripts"
 */
export const onlyChromium = (what) => (browserName === "firefox" ? { skip: `WebDriver BiDi has no way ${what}` } : {});

/** The colour schemes that a test can ask for. */
const schemes = browserName === "firefox" ? ["light"] : ["light", "dark"];

/** Dresses a page for a reader's preference, where the protocol can. @param {import('puppeteer-core').Page} page @param {string} name of the media feature @param {string} value */
export const prefers = (page, name, value) => browserName === "firefox" ? Promise.resolve() : page.emulateMediaFeatures([{ name: `prefers-${name}`, value }]);

/** The Firefox of a test file: to start one costs as much as three visits. @type {ReturnType<typeof launchFirefox> | undefined} */
let firefox;

async function launchFirefox() {
  const extraPrefsFirefox = { "ui.prefersReducedMotion": 1 }; // as Chromium is told (browser.js)
  const browser = await puppeteer.launch({ browser: "firefox", executablePath: findFirefox(), protocolTimeout, timeout: protocolTimeout, extraPrefsFirefox });
  atEnd(() => browser.close());
  return browser;
}

/**
 * The browser of a test file: that of its lane (lanes.mjs), in which it leaves nothing, else one of its own.
 * @param {string[]} [args] of Chromium; with any it is one of its own
 * @param {"chromium" | "firefox"} [name]
 */
export async function startBrowser(args = [], name = browserName) {
  if (name === "firefox") return firefox ??= launchFirefox();
  const endpoint = process.env.RCMDP_CHROMIUM;
  if (!endpoint || args.length > 0) {
    const browser = await launchChromium([still, ...args]);
    atEnd(() => browser.close());
    return browser;
  }
  const browser = await puppeteer.connect({ browserWSEndpoint: endpoint, protocolTimeout });
  const { pages, contexts } = { pages: await browser.pages(), contexts: browser.browserContexts() };
  atEnd(async () => {
    for (const context of browser.browserContexts()) if (!contexts.includes(context)) await context.close();
    for (const page of await browser.pages()) if (!pages.includes(page)) await page.close();
    await browser.disconnect();
  });
  return browser;
}

/** A page that is waited for as long as anything is. @param {{ newPage(): Promise<import('puppeteer-core').Page> }} where */
export async function newPage(where) {
  const page = await where.newPage();
  page.setDefaultTimeout(patience);
  return page;
}

/** Runs in a page before its scripts: keeping the site is refused, as a browser may that is told to store nothing. */
function refuseToKeepTheSite() {
  const refuse = () => Promise.reject(new DOMException("The test has no use for it.", "SecurityError"));
  if (globalThis.ServiceWorkerContainer) ServiceWorkerContainer.prototype.register = refuse;
}

/**
 * A person: own storage, own caches, a folder for what they save, and a record of what went wrong on every page they opened.
 *
 * Their browser does not let the site keep itself unless `keeps` says so. Each first visit would fetch, digest and store every
 * file of the site anew, which is a third of what a short test costs, beside the page that it is about. With the true service
 * worker are the tests of what it is for: every kind of page opened without a server, builds that follow each other, a page
 * that it answers for (lab, embed, update, service-worker, paper). They also want no motion unless `motion` says so (browser.js).
 * @param {import('puppeteer-core').Browser} browser @param {{ keeps?: boolean, motion?: boolean }} [options]
 */
export async function newPerson(browser, { keeps = false, motion = false } = {}) {
  const downloads = temporaryFolder("downloads");
  const context = await browser.createBrowserContext({ downloadBehavior: { policy: "allow", downloadPath: downloads } });
  /** What was seen and must not be. @type {string[]} */
  const faults = [];
  /** Origins that pages may ask. @type {Set<string>} */
  const origins = new Set();

  /** @param {import('puppeteer-core').Page} page */
  const watch = (page) => {
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(`console: ${message.text()} ${message.location().url ?? ""}`);
    });
    page.on("pageerror", (error) => faults.push(`uncaught: ${error instanceof Error ? error.message : error}`));
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (/^https?:|^wss?:/.test(url.protocol) && !origins.has(url.origin)) faults.push(`request to another origin: ${url.href}`);
    });
  };

  return {
    context,
    downloads,
    faults,
    /**
     * A file that a page saves, once all of it is there: it may have its name, or another, while it is written.
     * @param {string | RegExp} name @returns {Promise<string>} its path
     */
    saved(name) {
      return until(() => {
        const all = fs.readdirSync(downloads);
        const found = all.find((file) => (typeof name === "string" ? file === name : name.test(file)));
        const being = all.some((file) => /\.(part|crdownload|tmp)$/.test(file));
        return found && !being && fs.statSync(path.join(downloads, found)).size > 0 ? path.join(downloads, found) : "";
      }, `the file ${name} is saved`);
    },
    /** Opens an address; its origin, and those in `also`, become ones that pages may ask. @param {string} url @param {{ also?: string[], width?: number, height?: number, before?: (page: import('puppeteer-core').Page) => Promise<unknown> }} [options] */
    async open(url, { also = [], width = 1280, height = 900, before } = {}) {
      for (const allowed of [url, ...also]) origins.add(new URL(allowed).origin);
      const page = await newPage(context);
      await page.setViewport({ width, height });
      watch(page);
      opened.set(page, faults);
      if (!keeps) await page.evaluateOnNewDocument(refuseToKeepTheSite);
      if (motion) await prefers(page, "reduced-motion", "no-preference");
      await before?.(page);
      await page.goto(url);
      return page;
    },
    /** Forgets faults that a test has caused on purpose. @param {RegExp} expected */
    expect(expected) {
      const kept = faults.filter((fault) => !expected.test(fault));
      assert(kept.length < faults.length, `expected a fault like ${expected}, saw none`);
      faults.splice(0, faults.length, ...kept);
    },
    /** The next test goes on with what is open; fails when something was seen that must not be. */
    stay() {
      assert.deepEqual(faults.splice(0), []);
    },
    /** Ends the visit; fails when something was seen that must not be. */
    async leave() {
      await context.close();
      assert.deepEqual(faults, []);
    },
  };
}

/**
 * One visit for several tests of a file, each of which goes on where the one before has left it (`person.stay()`); it ends with the file.
 * @template {{ person: { leave: () => Promise<void> } }} V
 * @param {() => Promise<V>} visit
 * @returns {() => Promise<V>}
 */
export function staysOpen(visit) {
  /** @type {Promise<V> | undefined} */
  let visited;
  return () => {
    visited ??= visit().then((made) => {
      atEnd(() => made.person.leave());
      return made;
    });
    return visited;
  };
}

/** @type {string | undefined} */
let axe;

/**
 * What axe-core finds of serious or critical impact, as text. A document reads axe once; style sheets and media are not fetched
 * again for it ("preload"), which only rules of less impact or not yet in force look at.
 * @param {import('puppeteer-core').Page | import('puppeteer-core').Frame} page
 * @param {string[]} [rules] all, or those that are named
 */
export async function accessibilityFaults(page, rules) {
  axe ??= fs.readFileSync(path.join(root, "site/node_modules/axe-core/axe.min.js"), "utf8");
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe); // through the debugger, where the page's policy does not reach
  return page.evaluate(async (runOnly) => {
    const { violations } = await /** @type {any} */ (globalThis).axe.run(document, {
      resultTypes: ["violations"],
      preload: false,
      ...(runOnly && { runOnly }),
    });
    return violations
      .filter((/** @type {any} */ v) => v.impact === "serious" || v.impact === "critical")
      .map((/** @type {any} */ v) => `${v.id}: ${v.help}; ${v.nodes.map((/** @type {any} */ n) => n.target.join(" ")).join(", ")}`);
  }, rules);
}

/** The rules that a colour scheme can break: what the others look at is the same in both. */
const ofColours = ["color-contrast", "link-in-text-block"];

/** The same in each colour scheme that the page can be dressed in, which is light again then. @param {import('puppeteer-core').Page} page */
export async function faultsInEveryScheme(page) {
  /** @type {string[]} */
  const faults = [];
  for (const [n, scheme] of schemes.entries()) {
    await prefers(page, "color-scheme", scheme);
    faults.push(...(await accessibilityFaults(page, n > 0 ? ofColours : undefined)).map((/** @type {string} */ fault) => `${scheme}: ${fault}`));
  }
  await prefers(page, "color-scheme", schemes[0]);
  return faults;
}

/** The pages of people who have not left, with what went wrong on them: looked at where something is waited for in vain. @type {Map<import('puppeteer-core').Page, string[]>} */
const opened = new Map();

/** What the open pages look like to whoever waits in vain. */
async function whatIsSeen() {
  const seen = [...opened].filter(([page]) => !page.isClosed()).map(async ([page, faults]) => {
    const looks = page.evaluate(async () => {
      const frame = new Promise((resolve) => {
        requestAnimationFrame(() => resolve("frames come"));
        setTimeout(() => resolve("no frame comes"), 3000);
      });
      return `${document.visibilityState}, ${await frame}, ${location.hash.slice(0, 60)}, ${
        (document.querySelector("#answer-part") ?? document.body).textContent.replace(/\s+/g, " ").slice(0, 1500)
      }`;
    });
    const late = new Promise((resolve) => {
      setTimeout(resolve, 10_000, "does not answer").unref();
    });
    return `${page.url().split("#")[0]}: ${await Promise.race([looks.catch(String), late])}${faults.map((fault) => `\n  ${fault}`).join("")}`;
  });
  return (await Promise.all(seen)).map((one) => `\n  seen: ${one}`).join("");
}

/** A frame that is just loading its page has nothing to look at yet. @param {Error} error @returns {undefined} */
function betweenPages(error) {
  if (!/Execution context was destroyed|Cannot find context/.test(error.message)) throw error;
}

/**
 * Waits until a condition holds; fails with `what` when it never does. What has taken long is looked at less often.
 * @template T
 * @param {() => Promise<T> | T} condition truthy when it holds
 * @param {string | (() => string)} what
 * @param {number} [timeout] milliseconds
 * @returns {Promise<T>}
 */
export async function until(condition, what, timeout = patience) {
  const begun = Date.now();
  for (;;) {
    const value = await Promise.resolve(condition()).catch(betweenPages);
    if (value) return value;
    const waited = Date.now() - begun;
    if (waited > timeout) assert.fail(`waited ${timeout / 1000} s: ${typeof what === "string" ? what : what()}${await whatIsSeen()}`);
    await new Promise((resolve) => setTimeout(resolve, Math.min(30 + waited / 10, 300)));
  }
}

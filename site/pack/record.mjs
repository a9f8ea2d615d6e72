// @ts-check
// record.mjs — which functions of the solver first solves call: walks tour.js in Node, Chromium and Firefox on a build
// that counts (./build.sh record makes it), presses Solve in the page, and writes first.txt.
//
//   node site/pack/record.mjs FOLDER

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";
import { findFirefox, launchChromium, protocolTimeout } from "../test/e2e/browser.js";
import { keep } from "./early.mjs";
import { tour } from "./tour.js";

const folder = path.resolve(process.argv[2]);
const root = fileURLToPath(new URL("../../", import.meta.url));

/** Whether a model is of the classes that most are not of: what they alone call is fetched with the first of them. @param {any} p */
const wider = (p) => p.end !== undefined || p.policies !== undefined || [p.objective, ...(p.constraints ?? [])].some((cost) => cost.over !== undefined);

function problems() {
  const at = path.join(root, "core/testdata/fixtures/problems");
  const fixtures = fs.readdirSync(at).filter((name) => !/seed[1-9]\.json$/.test(name)).map((name) => JSON.parse(fs.readFileSync(path.join(at, name), "utf8")));
  return [...JSON.parse(fs.readFileSync(path.join(root, "bin/gallery.json"), "utf8")).map((/** @type {any} */ item) => item.problem), ...fixtures].filter((
    problem,
  ) => !wider(problem));
}

if (process.env.RECORD) {
  const { openSolver } = await import(pathToFileURL(path.join(folder, "rcmdp.js")).href);
  await tour(openSolver, problems(), { runsFolder: path.join(process.env.RECORD, "runs") });
  process.exit(0);
}

const names = fs.readFileSync(path.join(folder, fs.readdirSync(folder).find((name) => /^rcmdp-names-.*\.txt$/.test(name)) ?? ""), "utf8")
  .split("\n").map((line) => line.split("\t")[0]);
/** @type {Set<string>} */
const seen = new Set();
const take = (/** @type {string} */ json, /** @type {string} */ where) => {
  const before = seen.size;
  for (const i of JSON.parse(json)) seen.add(names[i]);
  if (seen.size > before) console.log(`${where}: ${seen.size - before} more, ${seen.size} of ${names.length}`);
};

const marks = fs.mkdtempSync(path.join(os.tmpdir(), "rcmdp-record-"));
const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), folder], { env: { ...process.env, RECORD: marks }, stdio: "inherit" });
for (const name of fs.readdirSync(marks).filter((file) => file.endsWith(".json"))) take(fs.readFileSync(path.join(marks, name), "utf8"), "Node");
fs.rmSync(marks, { recursive: true });
if (status !== 0) throw new Error("the tour did not end well in Node");

const page = `<!doctype html><meta charset="utf-8"><title>going</title><script type="module">
  import { openSolver } from "./rcmdp.js";
  import { tour } from "./tour.js";
  const problems = await (await fetch("problems.json")).json();
  tour(openSolver, problems, {}).then(() => { document.title = "done"; }, (error) => { document.title = String(error); });
</script>`;
let where = "";
/** @type {Record<string, string>} */
const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};
const server = http.createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const give = (/** @type {string} */ type, /** @type {string | Buffer} */ content) => response.writeHead(200, { "content-type": type }).end(content);
  if (pathname === "/hits") {
    let json = "";
    request.on("data", (chunk) => (json += chunk)).on("end", () => {
      take(json, where);
      response.end();
    });
  } else if (pathname === "/tour.html") give("text/html", page);
  else if (pathname === "/tour.js") give("text/javascript", fs.readFileSync(new URL("tour.js", import.meta.url)));
  else if (pathname === "/problems.json") give("application/json", JSON.stringify(problems().filter((_, i) => i % 3 === 0)));
  else {
    const file = path.join(folder, pathname === "/" ? "index.html" : pathname);
    if (file.startsWith(folder) && fs.existsSync(file)) give(types[path.extname(file)] ?? "text/plain", fs.readFileSync(file));
    else response.writeHead(404).end();
  }
}).listen(0);
const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());

for (
  const [name, launch] of /** @type {const} */ ([
    ["Chromium", () => launchChromium()],
    ["Firefox", () => puppeteer.launch({ browser: "firefox", executablePath: findFirefox(), headless: true, protocolTimeout })],
  ])
) {
  where = name;
  const browser = await launch();
  try {
    const tab = await browser.newPage();
    await tab.goto(`http://localhost:${port}/tour.html`);
    await tab.waitForFunction(() => document.title !== "going", { timeout: 1_800_000, polling: 1000 });
    if ((await tab.title()) !== "done") throw new Error(`${name}: ${await tab.title()}`);
    // The page as it opens, and its button.
    await tab.goto(`http://localhost:${port}/`);
    await tab.waitForFunction(() => [...document.querySelectorAll("button")].some((b) => /^Solve/.test(b.textContent ?? "") && !b.disabled), {
      timeout: 60_000,
    });
    await tab.evaluate(() => [...document.querySelectorAll("button")].find((b) => /^Solve/.test(b.textContent ?? ""))?.click());
    await new Promise((resolve) => {
      setTimeout(resolve, 8000);
    });
  } finally {
    await browser.close();
  }
}
server.close();
keep(seen);

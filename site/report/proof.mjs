// @ts-check
// proof.mjs — certified gaps in a page: `node site/report/proof.mjs FILE...` solves each problem in
// Chromium with two workers and prints the certified gap after 10, 30 and 60 s of both processors.
//
// Seconds are half the processor time of the browser, because the machine may have other work. How many
// boxes are worked on in a processor second, with one worker (PROOF_WORKERS=1) and with two, says what a
// second one is worth: it loses what the two wait for each other's boxes, and what both do for the same one.

import fs from "node:fs";
import path from "node:path";
import http from "node:http";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import { findChromium } from "../test/e2e/browser.js";

const marks = (process.env.PROOF_TIMES ?? "10,30,60").split(",").map(Number);
const gap = Number(process.env.PROOF_GAP ?? 0.001);
const workers = Number(process.env.PROOF_WORKERS ?? 2);
const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const types = /** @type {Record<string, string>} */ ({ ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" });

const server = http.createServer((request, response) => {
  const name = new URL(request.url ?? "/", "http://a").pathname.slice(1);
  if (name === "empty.html") return void response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>");
  const file = path.join(dist, name);
  if (!file.startsWith(dist) || !fs.existsSync(file)) return void response.writeHead(404).end();
  response.writeHead(200, { "content-type": types[path.extname(file)] ?? "application/octet-stream" }).end(fs.readFileSync(file));
});
await new Promise((resolve) => {
  server.listen(0, "127.0.0.1", () => resolve(undefined));
});
const origin = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;

/** Processor seconds of a process and all below it. @param {number} root */
function processor(root) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  /** @type {Map<number, number>} */
  const spent = new Map();
  for (const name of fs.readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const fields = fs.readFileSync(`/proc/${name}/stat`, "utf8").replace(/^.*\) /s, "").split(" ");
      const parent = Number(fields[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
      spent.set(Number(name), (Number(fields[11]) + Number(fields[12])) / 100);
    } catch {
      // it has ended
    }
  }
  /** @param {number} id @returns {number} */
  const sum = (id) => (spent.get(id) ?? 0) + (children.get(id) ?? []).reduce((all, child) => all + sum(child), 0);
  return sum(root);
}

const executablePath = findChromium();
for (const file of process.argv.slice(2)) {
  const browser = await puppeteer.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [], protocolTimeout: 3_600_000 });
  const page = await browser.newPage();
  await page.goto(`${origin}/empty.html`);
  const pid = browser.process()?.pid ?? 0;
  const idle = processor(pid);
  /** @type {number[]} */
  const gaps = [];
  const seconds = () => (processor(pid) - idle) / workers;
  await page.exposeFunction("told", (/** @type {number | null} */ relativeGap) => {
    while (gaps.length < marks.length && seconds() >= marks[gaps.length]) gaps.push(100 * (relativeGap ?? Number.NaN));
    return gaps.length === marks.length;
  });
  const end = await page.evaluate(
    async (/** @type {string} */ origin, /** @type {any} */ problem, /** @type {number} */ gap, /** @type {number} */ workers) => {
      const { openSolver } = await import(`${origin}/rcmdp.js`);
      const solver = await openSolver({ workers });
      const run = solver.solve(problem, { algorithm: "solve", gap, timeLimit: 0 });
      for await (const p of run) if (await /** @type {any} */ (globalThis).told(p.relativeGap)) run.stop();
      const result = await run.result;
      return {
        status: result.status,
        gap: result.objective.relativeGap,
        nodes: result.nodes,
        bytes: JSON.stringify(result.certificate ?? "").length,
        loops: solver.version.loops,
      };
    },
    origin,
    JSON.parse(fs.readFileSync(file, "utf8")),
    gap,
    workers,
  );
  const took = seconds();
  while (gaps.length < marks.length) gaps.push(100 * end.gap);
  console.log(
    `page   ${path.basename(file, ".json").padEnd(10)} gap % ${gaps.map((g) => g.toPrecision(3)).join(" ")} after ${marks.join(", ")} s of ${
      workers === 1 ? "one" : workers === 2 ? "both" : `each of ${workers}`
    }; ` +
      `${took.toFixed(1)} s in all; ${end.nodes} boxes, ${(end.nodes / (workers * took)).toFixed(1)} a processor second; ${
        Math.round(end.bytes / 1000)
      } kB; ${end.status}; loops: ${end.loops}`,
  );
  await browser.close();
}
server.close();

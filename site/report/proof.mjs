// @ts-check
// proof.mjs — certified gaps in a page: `node site/report/proof.mjs FILE...` solves each problem in
// Chromium with two workers and prints the certified gap after 10, 30 and 60 s of both processors.
//
// Seconds are half the processor time of the browser, because the machine may have other work. How many
// boxes are worked on in a processor second, with one worker (PROOF_WORKERS=1) and with two, says what a
// second one is worth in work done twice; what it waits for boxes is seen in how much of the first one's time
// each other worker ran (on a busy machine both get less, and about equally).

import fs from "node:fs";
import path from "node:path";
import http from "node:http";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import { findChromium } from "../test/e2e/browser.js";
import { processor, workerSeconds } from "./processor.mjs";

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

/** A share that is to be open at most, of the paper's ten, in percent: after a minute, and so the less is missing before. */
const GOAL = 1;

/** What became of the paper's ten. @type {{ gap: number, bytes: number }[]} */
const ten = [];
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
  const [first = 1, ...others] = workerSeconds(pid).slice(0, workers);
  while (gaps.length < marks.length) gaps.push(100 * end.gap);
  console.log(
    `page   ${path.basename(file, ".json").padEnd(10)} gap % ${gaps.map((g) => g.toPrecision(3)).join(" ")} after ${marks.join(", ")} s of ${
      workers === 1 ? "one" : workers === 2 ? "both" : `each of ${workers}`
    }; ` +
      `${took.toFixed(1)} s in all; ${end.nodes} boxes, ${(end.nodes / (workers * took)).toFixed(1)} a processor second; ${
        others.map((other) => `another worker ran ${Math.round((100 * other) / first)} %; `).join("")
      }${Math.round(end.bytes / 1000)} kB; ${end.status}; loops: ${end.loops}`,
  );
  await browser.close();
  if (!/^random\d\.json$/.test(path.basename(file))) continue;
  ten.push({ gap: gaps[gaps.length - 1], bytes: end.bytes });
  const { gap: open } = ten[ten.length - 1];
  console.log(`${open <= GOAL * 1.001 ? "met   " : "MISSED"} ${open.toPrecision(3)} % after ${marks[marks.length - 1]} s in the page, want at most ${GOAL}`);
}
server.close();
if (ten.length === 10 && marks[marks.length - 1] === 60) {
  const within = (/** @type {number} */ gap) => ten.filter((one) => one.gap <= gap * 1.001).length;
  const largest = Math.max(...ten.map(({ bytes }) => bytes)) / 1e6;
  for (
    const [text, met] of /** @type {[string, boolean][]} */ ([
      [`1 % on ${within(1)} of the ten after 60 s, want 10`, within(1) === 10],
      [`.1 % on ${within(0.1)} of the ten after 60 s, want 7`, within(0.1) >= 7],
      [`the largest certificate has ${largest.toPrecision(3)} MB, want less than 1`, largest < 1],
    ])
  ) {
    console.log(`${met ? "met   " : "MISSED"} ${text}`);
    if (!met) process.exitCode = 1;
  }
}

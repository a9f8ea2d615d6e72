// @ts-check
// screenshot.mjs — takes the picture of the README, the page as a first visitor sees it.
//
//   ./build.sh build && node site/report/screenshot.mjs

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import { findChromium, remedy } from "../test/e2e/browser.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const executablePath = findChromium();
if (!executablePath) throw new Error(remedy);

const server = spawn("go", ["run", "serve.go", "-dist", "dist", "-addr", "127.0.0.1:0"], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
const line = await new Promise((resolve) => server.stdout.once("data", (data) => resolve(String(data))));
const browser = await puppeteer.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900, deviceScaleFactor: 1.5 });
  await page.goto(/http:\S+/.exec(line)?.[0] ?? "");
  await page.waitForFunction(() => {
    const answer = document.querySelector(".answer");
    return /checked here\./.test(answer?.querySelector(".effort")?.textContent ?? "") && answer?.querySelector(".toolbar .menu");
  }, { timeout: 60_000 });
  await page.screenshot({ path: `${root}site/guide/screenshot.png`, optimizeForSpeed: false });
} finally {
  await browser.close();
  server.kill("SIGTERM");
}

// @ts-check
// webkit.js — drives WebKit, which puppeteer does not know, by the W3C's WebDriver protocol: a driver
// from the system's packages, on a screen of its own, and the few commands that webkit.test.js needs.

import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { atEnd, patience, until } from "./harness.js";

/** @param {string} program */
const installed = (program) => (process.env.PATH ?? "").split(path.delimiter).some((folder) => fs.existsSync(path.join(folder, program)));

/** Why WebKit cannot be driven here; empty when it can. */
export const missing = !installed("WebKitWebDriver")
  ? "WebKitWebDriver is not installed (Debian: apt-get install webkit2gtk-driver)"
  : !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY && !installed("Xvfb")
  ? "WebKit needs a screen, and Xvfb is not installed (Debian: apt-get install xvfb)"
  : "";

/** A screen that nobody looks at, where there is none. @returns {Promise<string>} its name */
async function screen() {
  if (process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return process.env.DISPLAY ?? "";
  const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"], { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  atEnd(() => server.kill());
  const number = await new Promise((resolve) => /** @type {import("node:stream").Readable} */ (server.stdio[3]).once("data", resolve));
  return `:${String(number).trim()}`;
}

/** A port that is free now. @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve) => {
    const probe = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = /** @type {net.AddressInfo} */ (probe.address());
      probe.close(() => resolve(port));
    });
  });

/** Starts the driver with one window; both end with the test file. */
export async function startWebKit() {
  const port = await freePort();
  const driver = spawn("WebKitWebDriver", [`--port=${port}`], { stdio: "ignore", env: { ...process.env, DISPLAY: await screen() } });
  atEnd(() => driver.kill());
  const home = `http://127.0.0.1:${port}`;
  await until(() => fetch(`${home}/status`).then((answer) => answer.ok, () => false), "the driver answers");

  /** One command of the protocol. @param {string} method @param {string} at @param {unknown} [body] */
  async function command(method, at, body) {
    const answer = await fetch(home + at, { method, body: body === undefined ? undefined : JSON.stringify(body) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`WebKit: ${value.error}: ${value.message}`);
    return value;
  }
  const { sessionId, capabilities } = await command("POST", "/session", { capabilities: { alwaysMatch: {} } });
  const session = `/session/${sessionId}`;
  atEnd(() => command("DELETE", session));
  await command("POST", `${session}/timeouts`, { script: patience, pageLoad: patience });

  /**
   * Runs a function in the page, which may be async; only its text goes there.
   * @template T
   * @param {(...args: any[]) => T | Promise<T>} work @param {...unknown} args
   * @returns {Promise<T>}
   */
  async function run(work, ...args) {
    const script = `const done = arguments[arguments.length - 1];
      Promise.resolve().then(() => (${work})(...Array.prototype.slice.call(arguments, 0, -1))).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value, error } = await command("POST", `${session}/execute/async`, { script, args });
    if (error) throw new Error(error);
    return value;
  }
  return {
    version: `${capabilities.browserName} ${capabilities.browserVersion}`,
    run,
    open: (/** @type {string} */ url) => command("POST", `${session}/url`, { url }),
    reload: () => command("POST", `${session}/refresh`, {}),
    resize: (/** @type {number} */ width, /** @type {number} */ height) => command("POST", `${session}/window/rect`, { width, height }),
    /** A picture of the window, as PNG. */
    picture: async () => Buffer.from(await command("GET", `${session}/screenshot`), "base64"),
    /** Clicks the button with these words as a person does, when it can be clicked. @param {string} words */
    async press(words) {
      const xpath = `//button[normalize-space(.)="${words}" and not(@aria-disabled="true") and not(@disabled)]`;
      await until(async () => {
        try {
          const element = await command("POST", `${session}/element`, { using: "xpath", value: xpath });
          await command("POST", `${session}/element/${Object.values(element)[0]}/click`, {});
          return true;
        } catch (error) {
          if (/no such element|stale element|intercepted|not interactable/.test(String(error))) return false;
          throw error;
        }
      }, `the button “${words}”`);
    },
  };
}

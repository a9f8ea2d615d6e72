// @ts-check
// What npm installs, where people use it: the README's program as it stands there, never told where a file is. Vite,
// webpack and Node always; with PACKAGES=all (./build.sh test packages) Parcel, Next, Bun and Deno too, and what
// publint and arethetypeswrong say, and the notebooks' widget in anywidget's own front end. The tools are fetched once, into bin/packages.

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import test, { before } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import * as esbuild from "esbuild";
import { findFirefox } from "./browser.js";
import { atEnd, dist, newPerson, root, startBrowser, startServer, temporaryFolder, until } from "./harness.js";

const all = process.env.PACKAGES === "all";
const versions = {
  vite: "8.4.0",
  webpack: "5.113.0",
  ...(all && {
    parcel: "2.16.4",
    next: "16.4.6",
    react: "19.2.0",
    "react-dom": "19.2.0",
    bun: "1.4.5",
    deno: "2.9.6",
    publint: "0.3.25",
    "@arethetypeswrong/cli": "0.18.5",
    anywidget: "0.11.0",
    "@jupyter-widgets/base": "6.0.12",
    "@jupyter-widgets/base-manager": "1.0.13",
  }),
};
const tools = path.join(root, "bin", all ? "packages-all" : "packages");
/** @param {string} name of a program of theirs */
const bin = (name) => path.join(tools, "node_modules/.bin", name);
const run = promisify(execFile);

const program = /```js\n([^]*?)```/.exec(fs.readFileSync(path.join(dist, "README.md"), "utf8"))?.[1] ?? assert.fail("the README has no program");
/** No first solve asks for the formats: the second part of the solver has to be there. */
const second = `import { openSolver } from "rcmdp";
const solver = await openSolver({ workers: 1 });
console.log("reads Storm:", (await solver.formats()).some((format) => format.id === "drn"));
solver.close();
`;
const printed = /^(proved-optimal|bounded) \d+\.\d+ \d+\.\d+$/;

/** @type {import('puppeteer-core').Browser} */
let browser;
let tarball = "";
/** Why the tools are not there, for the tests that need them. */
let missing = "";

/** Fetches the tools, unless these are there. */
function install() {
  const stamp = path.join(tools, "stamp.json"), want = JSON.stringify(versions);
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, "utf8") === want) return;
  fs.writeFileSync(path.join(tools, "package.json"), "{\"private\":true,\"type\":\"module\"}");
  const names = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  execFileSync("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", "--save-exact", ...names], { cwd: tools, stdio: "pipe" });
  // These two bring their programs by a script, which npm may be told not to run.
  for (const file of all ? ["bun/install.js", "deno/install.cjs"] : []) {
    execFileSync(process.execPath, [path.basename(file)], { cwd: path.join(tools, "node_modules", path.dirname(file)), stdio: "ignore" });
  }
  fs.writeFileSync(stamp, want);
}

before(async () => {
  browser = await startBrowser();
  fs.mkdirSync(tools, { recursive: true });
  try {
    install();
  } catch (error) {
    missing = `npm could not fetch ${Object.keys(versions).join(", ")}: ${/** @type {Error} */ (error).message.split("\n", 2).join(" ")}`;
  }
  const folder = temporaryFolder("packed");
  const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder, dist], { encoding: "utf8" }));
  tarball = path.join(folder, filename);
});

/** A stranger's project, with the package and nothing else, below where the tools are. @param {string} name @param {Record<string, string>} [files] */
function project(name, files = {}) {
  const home = path.join(tools, "projects", name);
  fs.rmSync(home, { recursive: true, force: true });
  atEnd(() => fs.rmSync(home, { recursive: true, force: true }));
  fs.mkdirSync(path.join(home, "node_modules/rcmdp"), { recursive: true });
  execFileSync("tar", ["xzf", tarball, "-C", path.join(home, "node_modules/rcmdp"), "--strip-components=1"]);
  const page = "<!doctype html><meta charset=\"utf-8\"><title>stranger</title><link rel=\"icon\" href=\"data:,\">" +
    "<script type=\"module\" src=\"./main.js\"></script><script type=\"module\" src=\"./second.js\"></script>";
  const own = { "package.json": "{\"name\":\"stranger\",\"private\":true,\"type\":\"module\"}", "index.html": page, "main.js": program, "second.js": second };
  for (const [file, text] of Object.entries({ ...own, ...files })) {
    fs.mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
    fs.writeFileSync(path.join(home, file), text);
  }
  return home;
}

/** @type {Record<string, string>} */
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".txt": "text/plain" };

/** A folder, as a plain web server gives it to pages of any origin. @param {string} folder */
async function served(folder) {
  const server = http.createServer((request, response) => {
    const file = path.join(folder, new URL(request.url ?? "", "http://x").pathname.replace(/\/$/, "/index.html"));
    const found = fs.existsSync(file) && fs.statSync(file).isFile();
    response.writeHead(found ? 200 : 404, { "Content-Type": types[path.extname(file)] ?? "text/plain", "Access-Control-Allow-Origin": "*" });
    response.end(found ? fs.readFileSync(file) : "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  atEnd(() => server.close());
  return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/`;
}

/** What a page writes to its console, once it has written so many lines. @param {string} url @param {{ lines?: number, also?: string[], fault?: RegExp }} [options] */
async function said(url, { lines = 2, also, fault } = {}) {
  const person = await newPerson(browser);
  /** @type {string[]} */
  const log = [],
    before = async (/** @type {import('puppeteer-core').Page} */ page) => {
      page.on("console", (message) => void (message.type() === "log" && log.push(message.text())));
    };
  await person.open(url, { before, also });
  await until(() => log.length >= lines || (person.faults.length > 0 && !fault), `${lines} lines of ${url}`);
  if (fault) person.expect(fault);
  await person.leave();
  return log.sort();
}

/** Whether both programs said what they are to say. @param {string[]} lines */
function assertSaid(lines) {
  assert.equal(lines.length, 2, lines.join("\n"));
  assert.match(lines[0], printed);
  assert.equal(lines[1], "reads Storm: true");
}

/** The programs by a command. @param {string} home @param {string} command @param {string[]} [args] */
async function assertRuns(home, command, args = []) {
  const outputs = await Promise.all(["main.js", "second.js"].map((file) => run(command, [...args, file], { cwd: home })));
  assertSaid(outputs.map(({ stdout }) => stdout.trim()));
}

test("Node", () => assertRuns(project("node"), process.execPath, ["--liftoff-only"]));

test("Vite, built and as it is developed", async (t) => {
  if (missing) return t.skip(missing);
  const home = project("vite");
  /** @type {any} */
  const vite = await import(pathToFileURL(path.join(tools, "node_modules/vite/dist/node/index.js")).href);
  /** @type {string[]} */
  const warnings = [], warn = (/** @type {string} */ text) => void warnings.push(text);
  const customLogger = { ...vite.createLogger("warn"), warn, warnOnce: warn };
  await vite.build({ root: home, configFile: false, logLevel: "warn", customLogger });
  assertSaid(await said(await served(path.join(home, "dist"))));
  const server = await vite.createServer({ root: home, configFile: false, customLogger, server: { host: "127.0.0.1", port: 0 } });
  await server.listen();
  try {
    assertSaid(await said(server.resolvedUrls.local[0], { also: [server.resolvedUrls.local[0].replace("http", "ws")] }));
  } finally {
    await server.close();
  }
  // The worker is a classic script, in which a development server lets stand only what is named outright.
  const known = /^warning: Module "node:\w+(\/\w+)?" has been externalized .*\/rcmdp\/worker\.js|^\[PLUGIN_TIMINGS\]/; // how long a busy machine took
  assert.deepEqual(warnings.filter((text) => !known.test(text)), []);
});

test("webpack", async (t) => {
  if (missing) return t.skip(missing);
  const home = project("webpack");
  /** @type {any} */
  const { default: webpack } = await import(pathToFileURL(path.join(tools, "node_modules/webpack/lib/index.js")).href);
  const stats = await promisify(webpack)({
    mode: "production",
    context: home,
    entry: { main: "./main.js", second: "./second.js" },
    output: { path: path.join(home, "dist") },
    performance: { hints: false }, // a solver is larger than a script
    optimization: { minimize: false },
  });
  const { errors, warnings } = stats.compilation;
  assert.deepEqual([errors, warnings].flat().map(String), []);
  fs.copyFileSync(path.join(home, "index.html"), path.join(home, "dist/index.html"));
  assertSaid(await said(await served(path.join(home, "dist"))));
});

test("a bundler that copies no files: the error says which to copy, and with them it runs", async () => {
  const home = project("esbuild");
  await esbuild.build({ absWorkingDir: home, entryPoints: ["main.js", "second.js"], bundle: true, outdir: "dist", format: "esm", logLevel: "error" });
  fs.copyFileSync(path.join(home, "index.html"), path.join(home, "dist/index.html"));
  const url = await served(path.join(home, "dist"));
  const person = await newPerson(browser);
  await person.open(url);
  const advised = () => person.faults.filter((fault) => fault.includes("copy rcmdp*.wasm, rcmdp*.txt and worker.js"));
  await until(() => advised().length === 2, "an error of each program that says what to do");
  person.expect(/./);
  await person.leave();
  for (const name of fs.readdirSync(path.join(home, "node_modules/rcmdp"))) {
    if (/^rcmdp.*\.(wasm|txt)$|^worker\.js$/.test(name)) fs.copyFileSync(path.join(home, "node_modules/rcmdp", name), path.join(home, "dist", name));
  }
  assertSaid(await said(url));
});

test("a page of another origin, and a module in a blob there; one whose library is in a blob is told what to give", async () => {
  const library = await served(path.join(project("origin"), "node_modules/rcmdp"));
  const from = (/** @type {string} */ text) => text.replace("\"rcmdp\"", JSON.stringify(`${library}rcmdp.js`));
  const page = `<!doctype html><meta charset="utf-8"><title>other</title><link rel="icon" href="data:,"><script type="module">${from(program)}</script>
<script type="module">
const blob = (text) => import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
await blob(${JSON.stringify(from(second))});
const { openSolver } = await blob(await (await fetch("${library}rcmdp.js")).text());
console.log(await openSolver().catch((error) => error.code + ": " + error.message));
</script>`;
  const home = project("other", { "index.html": page });
  const lines = await said(await served(home), { lines: 3, also: [library] });
  assert.match(lines.pop() ?? "", /^unavailable: .*give wasmURL and workerURL/);
  assertSaid(lines);
});

const only = all ? {} : { skip: "./build.sh test packages runs it" };

test("Parcel", only, async () => {
  const home = project("parcel");
  await run(bin("parcel"), ["build", "index.html", "--no-cache", "--dist-dir", "dist"], { cwd: home });
  assertSaid(await said(await served(path.join(home, "dist"))));
});

test("Next, in an effect", only, async () => {
  const effect = [program, second].map((text) => text.replace(/import .*\n/, "")).map((text) => `(async () => {\n${text}\n})();`);
  const home = project("next", {
    "next.config.mjs": `export default { output: "export", turbopack: { root: ${JSON.stringify(tools)} } };`,
    "app/layout.js": "export default ({ children }) => <html lang=\"en\"><body>{children}</body></html>;",
    "app/page.js": `"use client";
import { useEffect } from "react";
import { openSolver } from "rcmdp";
export default function Page() {
  useEffect(() => {
    ${effect.join("\n")}
  }, []);
  return <p>stranger</p>;
}`,
    "public/favicon.ico": "",
  });
  await run(bin("next"), ["build"], { cwd: home, env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" } });
  assertSaid(await said(await served(path.join(home, "out"))));
});

/** Another process lists what one has kept in a folder. */
const kept = `import { openSolver } from "rcmdp";
const solver = await openSolver({ workers: 1, runsFolder: "runs" });
const problem = await solver.example("machine-repair");
const run = solver.solve(problem);
await solver.runs.put({ id: run.id, problem, options: {}, result: await run.result });
console.log("kept:", (await solver.runs.list()).length);
solver.close();
`;

for (const [name, args] of /** @type {const} */ ([["bun", []], ["deno", ["run", "-A", "--node-modules-dir=manual"]]])) {
  test(`${name}, and its runs in a folder`, only, async () => {
    const home = project(name, { "kept.js": kept });
    await assertRuns(home, bin(name), [...args]);
    assert.equal((await run(bin(name), [...args, "kept.js"], { cwd: home })).stdout.trim(), "kept: 1");
  });
}

/** What notebooks have of a widget, as Jupyter loads it: anywidget's own model and view, and a manager without a kernel. */
const frontEnd = `import * as base from "@jupyter-widgets/base";
import { ManagerBase } from "@jupyter-widgets/base-manager";
let made;
globalThis.define = (_, make) => { made = make(base); };
class Manager extends ManagerBase {
  async loadClass(name, module) { return (module === "anywidget" ? made : base)[name]; }
  async _get_comm_info() { return {}; }
  async _create_comm() { throw new Error("no kernel"); }
}
globalThis.show = async (_esm, state) => {
  await import("anywidget");
  const manager = new Manager();
  const classes = { model_name: "AnyModel", model_module: "anywidget", model_module_version: "*", view_name: "AnyView", view_module: "anywidget", view_module_version: "*" };
  const own = Object.fromEntries(Object.entries(classes).map(([name, value]) => ["_" + name, value]));
  globalThis.model = await manager.new_model({ ...classes, model_id: "one" }, { ...own, _esm, _anywidget_id: "rcmdp_lab.Lab", result: null, error: "", ...state });
  document.body.append((await manager.create_view(globalThis.model)).el);
};`;

for (const name of /** @type {const} */ (["chromium", "firefox"])) {
  test(`anywidget's own front end shows the widget, and has its answer; in ${name}`, only, async (t) => {
    if (name === "firefox" && findFirefox() === "") return t.skip("Firefox is not installed");
    const bundle = {
      bundle: true,
      write: false,
      loader: /** @type {any} */ ({ ".css": "empty", ".svg": "dataurl" }),
      logLevel: /** @type {const} */ ("error"),
    };
    const { outputFiles } = await esbuild.build({ ...bundle, stdin: { contents: frontEnd, resolveDir: tools } });
    const page = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>notebook</title><link rel=\"icon\" href=\"data:,\"><body></body>";
    const home = project(`widget-${name}`, { "index.html": `${page}<script src="bundle.js"></script>`, "bundle.js": outputFiles?.[0]?.text ?? "" });
    const server = await startServer();
    const person = await newPerson(await startBrowser([], name));
    const shown = await person.open(await served(home), { also: [server.url] });
    const { problem } = JSON.parse(fs.readFileSync(path.join(dist, "gallery/machine-repair.json"), "utf8"));
    const module = fs.readFileSync(path.join(dist, "widget.mjs"), "utf8");
    await shown.evaluate((esm, state) => /** @type {any} */ (globalThis).show(esm, state), module, { home: server.url, problem, run: true });
    const trait = (/** @type {string} */ key) => shown.evaluate((of) => /** @type {any} */ (globalThis).model.get(of), key);
    const result = await until(async () => (await trait("result"))?.objective.lowerBound && trait("result"), "a result with a bound");
    assert.equal(result.status, "proved-optimal");
    await shown.evaluate((faulty) => void /** @type {any} */ (globalThis).model.set("problem", faulty), { ...problem, discount: 2 });
    await until(async () => /discount: found 2/.test(await trait("error")), "the fault of the model");
    await person.leave();
    await server.stop();
  });
}

test("publint and arethetypeswrong have nothing to say", only, async () => {
  const home = project("lint");
  assert.match((await run(bin("publint"), ["--strict", "node_modules/rcmdp"], { cwd: home })).stdout, /All good!/);
  const others = ["rcmdp.wasm", "rcmdp-second.wasm", "worker.js"]; // are not modules
  await run(bin("attw"), [tarball, "--profile", "esm-only", "--exclude-entrypoints", ...others], { cwd: home });
});

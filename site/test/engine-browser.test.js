// @ts-check
// engine-browser.test.js — the JavaScript API in a browser: workers, saved runs over a reload and
// between tabs, frames that may do little, and what is said when the solver cannot be loaded.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import * as esbuild from "esbuild";
import { newPage, onlyChromium, startBrowser, until } from "./e2e/harness.js";
import { build, fixture, root } from "./engine-build.js";

const { folder } = build();
/** The solver as it was linked. */
const plain = readdirSync(path.join(root, "dist")).find((name) => /^rcmdp-plain-.*\.wasm$/.test(name)) ?? "";
esbuild.buildSync({
  entryPoints: [path.join(root, "site/src/engine.js")],
  outfile: path.join(folder, "rcmdp.js"),
  bundle: true,
  format: "esm",
  target: "es2022",
  external: ["node:*"],
  define: { __PLAIN_WASM__: JSON.stringify(plain) },
  logLevel: "error",
});

const file = (/** @type {string} */ name) => readFileSync(path.join(folder, name));
const types = /** @type {Record<string, string>} */ ({ ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" });
const strict = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'";

/** Paths that are not plain files: what each answers. @type {Record<string, (response: http.ServerResponse) => void>} */
const odd = {
  "/": (r) => r.writeHead(200, { "content-type": "text/html", "content-security-policy": strict }).end("<!doctype html><title>test</title>"),
  "/closed": (r) =>
    r.writeHead(200, { "content-type": "text/html", "content-security-policy": "default-src 'self'" }).end("<!doctype html><title>no wasm</title>"),
  "/frame": (r) =>
    r.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>frame</title><iframe sandbox=\"allow-scripts\" src=\"/inner\"></iframe>"),
  "/inner": (r) => r.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>inner</title>"),
  "/page.wasm": (r) => r.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><p>Not here"),
  "/octets.wasm": (r) => r.writeHead(200, { "content-type": "application/octet-stream" }).end(file("rcmdp.wasm")),
  "/squeezed.wasm": (r) => r.writeHead(200, { "content-type": "application/wasm" }).end(Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3])),
  "/empty.wasm": (r) => r.writeHead(200, { "content-type": "application/wasm" }).end(),
  "/broken.wasm": (r) => r.writeHead(200, { "content-type": "application/wasm" }).end(file("rcmdp.wasm").subarray(0, 100000)),
  "/unstartable.wasm": (r) =>
    // its start function is not to be reached
    r.writeHead(200, { "content-type": "application/wasm" })
      .end(Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 8, 1, 0, 10, 5, 1, 3, 0, 0, 0x0b])),
  "/other.js": (r) =>
    r.writeHead(200, { "content-type": "text/javascript" }).end(file("worker.js").toString().replace("\"runtime.wasmExit\"", "\"runtime.another\"")),
};
let givesPlain = false;
/** What was asked for. @type {string[]} */
const asked = [];
const server = http.createServer((request, response) => {
  const name = new URL(request.url ?? "", "http://x").pathname;
  asked.push(name);
  response.setHeader("access-control-allow-origin", "*");
  if (odd[name]) return odd[name](response);
  try {
    const content = givesPlain && name === `/${plain}` ? readFileSync(path.join(root, "dist", name)) : file(name);
    response.writeHead(200, { "content-type": types[path.extname(name)] ?? "text/plain", "content-length": content.length }).end(content);
  } catch {
    response.writeHead(404).end("not found");
  }
});
await new Promise((resolve) => {
  server.listen(0, "127.0.0.1", () => resolve(undefined));
});
after(() => server.close());
const origin = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;

/** @type {import('puppeteer-core').Browser} */
let browser;
before(async () => {
  browser = await startBrowser();
});
/** A person with a storage of their own. @type {import('puppeteer-core').BrowserContext} */
let person;
beforeEach(async () => {
  await person?.close();
  person = await browser.createBrowserContext();
});

/** A page with a solver on it. @param {string} [where] @param {object} [options] of openSolver */
async function open(where = "/", options = { workers: 2 }) {
  const page = await newPage(person);
  await page.goto(origin + where);
  await page.evaluate(async (options) => {
    const g = /** @type {any} */ (globalThis);
    const { openSolver } = await import(/** @type {any} */ ("/rcmdp.js"));
    g.solver = await openSolver(options);
    g.plain = (/** @type {any} */ e) => ({ code: e.code, message: e.message });
    // Until two more checkpoints are on disk, the second of which was made after this was asked.
    g.keptTwice = async () => {
      const [{ name }] = await indexedDB.databases();
      const db = await new Promise((resolve) => {
        indexedDB.open(/** @type {string} */ (name)).onsuccess = (e) => resolve(/** @type {any} */ (e.target).result);
      });
      const kept = () =>
        new Promise((resolve) => {
          db.transaction("checkpoints").objectStore("checkpoints").getAll().onsuccess = (/** @type {any} */ e) => {
            let sum = 0;
            for (const bytes of e.target.result) for (const byte of bytes) sum = (Math.imul(sum, 31) + byte) | 0;
            resolve(sum);
          };
        });
      for (let seen = await kept(), more = 2; more > 0;) {
        await new Promise((r) => {
          setTimeout(r, 100);
        });
        const now = await kept();
        if (now !== seen) more--;
        seen = now;
      }
      db.close();
    };
  }, options);
  return page;
}

describe("in a browser", () => {
  test("it solves, stops and aborts under a strict security policy", async () => {
    const page = await open();
    const seen = await page.evaluate(async (problem) => {
      const { solver } = /** @type {any} */ (globalThis);
      const short = await solver.solve(problem, { algorithm: "epirc-pgs", outerIterations: 4, innerIterations: 500 }).result;
      const endless = { algorithm: "epirc-pgs", outerIterations: 100000 };
      for (const ms of [0, 10, 50, 200, 400]) {
        const run = solver.solve(problem, endless);
        await new Promise((r) => {
          setTimeout(r, ms);
        });
        run.stop();
        const { status, policy } = await run.result;
        if (status !== "stopped" || policy.length === 0) throw new Error(status);
      }
      const controller = new AbortController();
      const run = solver.solve(problem, { ...endless, signal: controller.signal });
      setTimeout(() => controller.abort(), 100);
      const aborted = await run.result.catch((/** @type {any} */ e) => e.name);
      const again = await solver.solve(problem, { algorithm: "uniform" }).result;
      return { short, aborted, again: again.status };
    }, fixture("a_seed0"));
    assert.ok(seen.short.feasible);
    assert.equal(seen.aborted, "AbortError");
    assert.ok(seen.again);
  });
});

describe("saved runs", () => {
  /** Solves shortly and saves. @param {import('puppeteer-core').Page} page @param {string} name */
  const save = (page, name) =>
    page.evaluate(
      async (problem, name) => {
        const { solver } = /** @type {any} */ (globalThis);
        const options = { algorithm: "epirc-pgs", outerIterations: 3, innerIterations: 100 };
        const run = solver.solve(problem, options);
        const result = await run.result;
        await solver.runs.put({ id: run.id, name, problem, options, result });
        return { id: run.id, value: result.objective.value, k: [...result.trace.k] };
      },
      fixture("machine_repair"),
      name,
    );

  test("they are there after a reload, with every number", async () => {
    const page = await open();
    const saved = await save(page, "first");
    await page.reload();
    const next = await open();
    const { list, run, room } = await next.evaluate(async (id) => {
      const { solver } = /** @type {any} */ (globalThis);
      const run = await solver.runs.get(id);
      return {
        list: await solver.runs.list(),
        run: { ...run, k: [...run.result.trace.k], isColumn: run.result.trace.k instanceof Float64Array },
        room: await solver.runs.estimate(),
      };
    }, saved.id);
    assert.deepEqual(list.map((/** @type {any} */ r) => [r.id, r.name, r.rev, r.resumable]), [[saved.id, "first", 1, false]]);
    assert.equal(list[0].objective, saved.value);
    assert.equal(run.result.objective.value, saved.value);
    assert.deepEqual(run.k, saved.k);
    assert.ok(run.isColumn);
    assert.deepEqual(run.problem, fixture("machine_repair"));
    assert.equal(run.options.outerIterations, 3);
    assert.equal(room.storage, "indexeddb");
    assert.equal(room.notice, null);
    assert.ok(room.quota > 0);
  });

  test("rename, delete, export and import", async () => {
    const page = await open();
    const { id } = await save(page, "first");
    await save(page, "second");
    const seen = await page.evaluate(async (id) => {
      const { solver, plain } = /** @type {any} */ (globalThis);
      const { runs } = solver;
      const renamed = await runs.put({ id, name: "renamed" });
      const before = await runs.get(id);
      const text = await runs.exportAll();
      await runs.delete(id);
      const gone = await runs.get(id).catch(plain);
      const ghost = await runs.put({ id, name: "ghost" }).catch(plain);
      const left = (await runs.list()).length;
      const imported = await runs.importAll(text);
      const after = await runs.get(id);
      const kept = (/** @type {any} */ { name, created, updated, options, problem, result: { policy, objective, maxViolation, trace } }) =>
        JSON.stringify({ name, created, updated, options, problem, policy, objective: { ...objective, best: undefined }, maxViolation, trace });
      const same = kept(before) === kept(after), statuses = [before.status, before.result.status, after.status, after.result.status];
      const bad = await Promise.all(
        ["", "{}", "{\"format\":\"rcmdp-runs/1\",\"runs\":[{}]}", "{\"format\":\"rcmdp-runs/1\",\"runs\":[{\"id\":\"x\",\"problem\":{},\"result\":{}}]}"].map((
          t,
        ) => runs.importAll(t).catch(plain)),
      );
      return { renamed, gone, ghost, left, imported, same, statuses, bad, count: (await runs.list()).length };
    }, id);
    assert.equal(seen.renamed.name, "renamed");
    assert.equal(seen.renamed.rev, 2);
    assert.equal(seen.gone.code, "invalid-option");
    assert.match(seen.ghost.message, /deleted/);
    assert.equal(seen.left, 1);
    assert.deepEqual(seen.imported, { added: 1, kept: 1 });
    assert.ok(seen.same, "what a person made and what the run found are there again");
    assert.deepEqual(seen.statuses, ["feasible", "feasible", "unchecked", "unchecked"], "and claim nothing until they are checked here");
    for (const { code } of seen.bad) assert.equal(code, "invalid-option");
    assert.equal(seen.count, 2);
  });

  test("two tabs see each other, and neither undoes the other", async () => {
    const [a, b] = [await open(), await open()];
    const { id } = await save(a, "shared");
    await b.evaluate(() => {
      const g = /** @type {any} */ (globalThis);
      g.heard = 0;
      g.solver.runs.onChange(() => {
        g.heard++;
      });
    });
    const rename = (/** @type {import('puppeteer-core').Page} */ page, /** @type {string} */ tab) =>
      page.evaluate(
        async (id, tab) => {
          const { solver } = /** @type {any} */ (globalThis);
          for (let i = 0; i < 20; i++) await solver.runs.put(tab === "a" ? { id, name: `name ${i}` } : { id, created: new Date(i * 1e10).toISOString() });
        },
        id,
        tab,
      );
    await Promise.all([rename(a, "a"), rename(b, "b")]);
    const [run, heard] = await b.evaluate(async (id) => [await /** @type {any} */ (globalThis).solver.runs.get(id), /** @type {any} */ (globalThis).heard], id);
    assert.equal(run.rev, 41);
    assert.equal(run.name, "name 19");
    assert.equal(run.created, new Date(19e10).toISOString());
    assert.ok(heard >= 20);
  });

  test("a run that was interrupted is continued from its checkpoint", async () => {
    const page = await open();
    const endless = { algorithm: "epirc-pgs", outerIterations: 100000, innerIterations: 2000 };
    const id = await page.evaluate(
      async (problem, options) => {
        const { solver, keptTwice } = /** @type {any} */ (globalThis);
        const run = solver.solve(problem, options);
        await solver.runs.put({ id: run.id, name: "long", problem, options });
        for await (const p of run) if (p.k >= 1 && p.seconds > 1.1 && p.evaluations > 2500) break; // the run goes on
        await keptTwice();
        return run.id;
      },
      fixture("a_seed0"),
      endless,
    );
    await page.close(); // as a browser does with a tab it needs the memory of
    const next = await open();
    const seen = await next.evaluate(async (id) => {
      const { solver, plain } = /** @type {any} */ (globalThis);
      const before = await solver.runs.get(id);
      const run = await solver.runs.resume(id);
      let first;
      for await (const p of run) {
        first ??= p;
        if (p.seconds > first.seconds + 0.5) run.stop();
      }
      const result = await run.result;
      await solver.runs.put({ id, result });
      return {
        before,
        first,
        same: run.id === id,
        k: [...result.trace.k],
        best: [...result.trace.bestObjective],
        status: result.status,
        after: (await solver.runs.list())[0],
        again: await solver.runs.resume(id, { outerIterations: 1 }).then(async (/** @type {any} */ r) => ({ k: [...(await r.result).trace.k] })),
        finished: await solver.runs.put({ id: "done", problem: before.problem, result: await solver.solve(before.problem, { algorithm: "uniform" }).result })
          .then(() => solver.runs.resume("done")).catch(plain),
        nobody: await solver.runs.resume("nobody").catch(plain),
      };
    }, id);
    assert.equal(seen.before.status, "running");
    assert.equal(seen.before.result, null);
    assert.ok(seen.same);
    assert.ok(seen.first.k > 0 && seen.first.seconds > 1 && seen.first.evaluations > 2000, JSON.stringify(seen.first));
    assert.deepEqual(seen.k, seen.k.map((/** @type {number} */ _, /** @type {number} */ i) => i), "outer steps are counted on");
    const known = seen.best.filter((/** @type {number | null} */ x) => x !== null && !Number.isNaN(x));
    for (let i = 1; i < known.length; i++) assert.ok(known[i] <= known[i - 1], "the best is never lost");
    assert.equal(seen.after.status, "stopped");
    assert.equal(seen.after.resumable, true, "it was stopped");
    assert.ok(seen.again.k.length > seen.k.length);
    assert.match(seen.finished.message, /come to its end/);
    assert.equal(seen.nobody.code, "invalid-option");
  });

  test("a proof that was interrupted goes on from its bound", async () => {
    const page = await open();
    const options = { algorithm: "solve", gap: 1e-6, timeLimit: 0, starts: 4 };
    const { id, bound } = await page.evaluate(
      async (problem, options) => {
        const { solver, keptTwice } = /** @type {any} */ (globalThis);
        const run = solver.solve(problem, options);
        await solver.runs.put({ id: run.id, name: "proof", problem, options });
        let bound = null;
        for await (const p of run) {
          bound = p.lowerBound;
          if (bound !== null) break;
        }
        await keptTwice();
        return { id: run.id, bound };
      },
      fixture("a_seed1"),
      options,
    );
    await page.close();
    const next = await open();
    const seen = await next.evaluate(async (id) => {
      const { solver } = /** @type {any} */ (globalThis);
      const run = await solver.runs.resume(id);
      let first = null;
      for await (const p of run) {
        if (p.lowerBound === null) continue;
        first ??= p;
        run.stop();
      }
      return { first, result: await run.result.then((/** @type {any} */ r) => ({ lowerBound: r.objective.lowerBound, k: [...r.trace.k] })) };
    }, id);
    assert.ok(seen.first.lowerBound >= bound, `${seen.first.lowerBound} after ${bound}`);
    assert.ok(seen.result.lowerBound >= bound, `${seen.result.lowerBound} at the end, ${bound} before`);
    for (let i = 1; i < seen.result.k.length; i++) assert.ok(seen.result.k[i] > seen.result.k[i - 1]);
  });

  test("a full storage is said, and nothing is lost", onlyChromium("to bound what is stored"), async () => {
    const page = await newPage(person);
    const session = await page.createCDPSession();
    await page.goto(`${origin}/`);
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 3e6 });
    const next = await open(); // the limit lasts as long as the page that set it
    const seen = await next.evaluate(async (problem) => {
      const { solver, plain } = /** @type {any} */ (globalThis);
      const answers = [];
      for (let i = 0; i < 12; i++) {
        const bytes = new Uint8Array(4e5); // random, for the disk format compresses
        for (let at = 0; at < bytes.length; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
        const description = Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
        answers.push(await solver.runs.put({ id: `r${i}`, name: "r", problem: { ...problem, description } }).then(() => "saved", plain));
      }
      return { answers, list: (await solver.runs.list()).length };
    }, fixture("machine_repair"));
    const refused = seen.answers.filter((/** @type {any} */ a) => a !== "saved");
    assert.ok(refused.length > 0, "the quota was not felt");
    for (const { code, message } of refused) {
      assert.equal(code, "quota");
      assert.match(message, /Not saved/);
    }
    assert.equal(seen.list, seen.answers.length - refused.length);
    const large = await next.evaluate(async (problem) => {
      const { solver, plain } = /** @type {any} */ (globalThis);
      return solver.runs.put({ id: "huge", problem: { ...problem, description: "x".repeat(40e6) } }).catch(plain);
    }, fixture("machine_repair"));
    assert.equal(large.code, "quota");
    assert.match(large.message, /at most 32 MB/);
  });
});

describe("a sandboxed frame", () => {
  test("solves with a worker from a blob, and keeps runs in memory with a notice", async () => {
    const page = await newPage(person);
    await page.goto(`${origin}/frame`);
    const frame = /** @type {import('puppeteer-core').Frame} */ (page.frames().find((f) => f.url().endsWith("/inner")));
    const seen = await frame.evaluate(async (problem) => {
      const { openSolver } = await import(/** @type {any} */ ("/rcmdp.js"));
      const solver = await openSolver({ workers: 1 });
      const formats = (await solver.formats()).length; // of the second part
      const run = solver.solve(problem, { algorithm: "uniform" });
      const result = await run.result;
      await solver.runs.put({ id: run.id, name: "in memory", problem, result });
      return { formats, status: result.status, room: await solver.runs.estimate(), list: await solver.runs.list() };
    }, fixture("machine_repair"));
    assert.ok(seen.status && seen.formats > 5);
    assert.equal(seen.room.storage, "memory");
    assert.match(seen.room.notice, /runs are lost when the page closes/);
    assert.equal(seen.list[0].name, "in memory");
  });
});

describe("loading", () => {
  /** @param {object} options @param {string} [where] */
  async function attempt(options, where = "/") {
    const page = await newPage(person);
    await page.goto(origin + where);
    return page.evaluate(async (options) => {
      /** @type {any[]} */
      const phases = [];
      const { openSolver } = await import(/** @type {any} */ ("/rcmdp.js"));
      const o = /** @type {any} */ ({ workers: 1, ...options, onProgress: (/** @type {any} */ e) => phases.push(e) });
      if (o.without) delete /** @type {any} */ (globalThis).WebAssembly;
      return openSolver(o).then(
        (/** @type {any} */ s) => ({ version: s.version, phases }),
        (/** @type {any} */ e) => ({ code: e.code, message: e.message, phases }),
      );
    }, options);
  }

  test("bytes are counted, then it compiles, starts and is ready", async () => {
    const { version, phases } = await attempt({});
    assert.ok(version);
    const download = phases.filter((/** @type {any} */ p) => p.phase === "download");
    assert.ok(download.length > 1);
    assert.equal(download.at(-1).loaded, file("rcmdp.wasm").length);
    assert.equal(download.at(-1).total, file("rcmdp.wasm").length);
    assert.deepEqual([...new Set(phases.map((/** @type {any} */ p) => p.phase))], ["download", "compile", "start", "ready"]);
  });

  const skip = plain === "" && "the solver was built as it was linked";
  test("the second part comes when one of its functions is called, or when there is nothing to do, not before the answer", { skip }, async () => {
    const seconds = () => asked.filter((name) => /second/.test(name)).length;
    asked.length = 0;
    const page = await newPage(person);
    await page.goto(origin);
    const status = await page.evaluate(
      async (problem, endless) => {
        const { openSolver } = await import(/** @type {any} */ ("/rcmdp.js"));
        const g = /** @type {any} */ (globalThis);
        g.solver = await openSolver({ workers: 1 });
        const { status } = await g.solver.solve(problem).result; // at once, and then another: a page at rest would fetch it
        g.solver.solve(endless, { gap: 0, timeLimit: 0 });
        return status;
      },
      fixture("machine_repair"),
      fixture("a_seed0"),
    );
    assert.match(status, /proved/);
    assert.equal(seconds(), 0, "a solve to its proof does without it");
    const formats = await page.evaluate(() => /** @type {any} */ (globalThis).solver.formats());
    assert.ok(formats.length > 5);
    await until(() => seconds() > 0, "it was fetched");
    asked.length = 0;
    await open("/", { workers: 1 });
    await until(() => seconds() === 1, "a page at rest fetches it");
  });

  test("a browser that cannot start the solver as it is packed gets it as it was linked", { skip }, async () => {
    asked.length = 0;
    assert.equal((await attempt({ wasmURL: "/unstartable.wasm" })).code, "crashed", "what was wrong is said when there is no other");
    givesPlain = true;
    assert.ok((await attempt({ wasmURL: "/unstartable.wasm" })).version);
    givesPlain = false;
    assert.equal(asked.filter((name) => /plain/.test(name)).length, 2);
  });

  test("a wrong content type is no obstacle", async () => {
    assert.ok((await attempt({ wasmURL: "/octets.wasm" })).version);
  });

  for (
    const [what, options, message] of /** @type {[string, object, RegExp][]} */ ([
      ["a missing file", { wasmURL: "/missing.wasm" }, /missing\.wasm answered 404/],
      ["a page instead of the solver", { wasmURL: "/page.wasm" }, /page\.wasm is a web page/],
      ["an undeclared compression", { wasmURL: "/squeezed.wasm" }, /starts with 1f 8b 08 00.*Content-Encoding/],
      ["an empty file", { wasmURL: "/empty.wasm" }, /is empty/],
      ["half a file", { wasmURL: "/broken.wasm" }, /could not be compiled/],
      ["a server that is not there", { wasmURL: "http://127.0.0.1:9/x.wasm" }, /could not be loaded from/],
      ["a missing worker", { workerURL: "/missing.js" }, /worker could not be loaded from .*missing\.js: it answered 404/],
      ["no WebAssembly", { without: true }, /WebAssembly switched off/],
    ])
  ) {
    test(`${what} is said in a sentence`, async () => {
      const answer = await attempt(options);
      assert.equal(answer.code, "unavailable", JSON.stringify(answer));
      assert.match(answer.message, message);
    });
  }

  test("glue of another Go version is said to be a half-updated site", async () => {
    const answer = await attempt({ workerURL: "/other.js" });
    assert.equal(answer.code, "crashed");
    assert.match(answer.message, /different builds.*Reload/);
  });

  test("a security policy without wasm is named with its directive", async () => {
    const answer = await attempt({}, "/closed");
    assert.equal(answer.code, "unavailable");
    assert.match(answer.message, /script-src must allow 'wasm-unsafe-eval'/);
  });
});

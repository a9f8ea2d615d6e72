// @ts-check
// worker.test.js — what worker.js does between two slices of a run, with a program in Go's place
// that does what the test says and a clock that only the test moves: counted in slices, not in time.

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { encode, open, pack } from "../src/engine/message.js";
import { Pool } from "../src/engine/pool.js";

/**
 * A worker whose Go is `program`: the body of a function of `post` (to the test), `wait` (blocks the
 * worker until the test calls `go`) and `clock` (its .now is performance.now), giving `{ call, step }`.
 * @param {string} program
 */
function start(program) {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const source = `
    const { parentPort, workerData } = require("node:worker_threads");
    const clock = { now: 1000 };
    globalThis.performance.now = () => clock.now;
    const post = (message) => parentPort.postMessage(message);
    const wait = () => { Atomics.wait(workerData, 0, 0); Atomics.store(workerData, 0, 0); };
    globalThis.Go = class {
      importObject = {};
      run() { globalThis.rcmdp = (() => { ${program} })(); return new Promise(() => {}); }
    };
    ${fs.readFileSync(new URL("../src/worker.js", import.meta.url), "utf8")}`;
  const worker = new Worker(source, { eval: true, workerData: flag });
  /** @type {any[]} */
  const seen = [];
  /** @type {(() => void)[]} */
  const waiting = [];
  worker.on("message", (message) => {
    seen.push(message);
    for (const look of waiting.splice(0)) look();
  });
  return {
    seen,
    post: (/** @type {any} */ message) => worker.postMessage(message),
    go: () => {
      Atomics.store(flag, 0, 1);
      Atomics.notify(flag, 0);
    },
    end: () => worker.terminate(),
    /** @param {string} type @returns {Promise<any>} */
    until: async (type) => {
      for (;;) {
        const found = seen.find((message) => message.type === type);
        if (found) return found;
        await new Promise((resolve) => waiting.push(() => resolve(undefined)));
      }
    },
  };
}

const module = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
const bytes = "new Uint8Array(1)";

test("a stop that comes during a slice is heard before the next one", async () => {
  const worker = start(`
    let slices = 0, stopped = 0;
    return {
      call: (name) => { if (name === "stop") stopped = slices; return ${bytes}; },
      step: () => {
        slices++;
        if (stopped) { post({ type: "count", after: slices - stopped }); return { done: true, bytes: ${bytes} }; }
        if (slices === 7) { post({ type: "seventh" }); wait(); }
        return null;
      },
    };`);
  try {
    worker.post({ type: "boot", module, role: "solver" });
    await worker.until("ready");
    worker.post({ type: "run", id: 1, parts: [] });
    await worker.until("seventh");
    worker.post({ type: "stop", id: 1 });
    worker.post({ type: "call", id: 2, name: "validate", parts: [] });
    worker.go();
    assert.equal((await worker.until("count")).after, 1, "slices from hearing the stop to the end, the last one included");
    await worker.until("done");
    const order = worker.seen.map(({ type }) => type).filter((type) => type === "reply" || type === "done");
    assert.deepEqual(order, ["reply", "done"], "a call beside the run is answered between two slices");
  } finally {
    await worker.end();
  }
});

test("news is asked for at most every 50 ms of the clock, the result every half second after the first, the state of a kept run every three", async () => {
  const worker = start(`
    let slices = 0, news = [], snapshots = [], states = [];
    return {
      call: (name, alone) => { if (name === "snapshot") { snapshots.push(clock.now); if (!alone) states.push(clock.now); } return ${bytes}; },
      step: (budget, wanted) => {
        clock.now += 1000 * budget;
        if (++slices === 1) { post({ type: "begun" }); wait(); } // until the run is to be kept
        if (slices === 500) { post({ type: "count", news, snapshots, states, end: clock.now }); return { done: true, bytes: ${bytes} }; }
        if (!wanted) return null;
        news.push(clock.now);
        return { bytes: ${bytes} };
      },
    };`);
  try {
    worker.post({ type: "boot", module, role: "solver" });
    await worker.until("ready");
    worker.post({ type: "run", id: 1, parts: [] });
    await worker.until("begun");
    worker.post({ type: "keep", id: 1 });
    worker.go();
    const { news, snapshots, states, end } = await worker.until("count");
    for (let i = 1; i < news.length; i++) assert.ok(news[i] - news[i - 1] >= 50, `news at ${news[i - 1]} and ${news[i]}`);
    assert.ok(news.length >= (end - 1000) / 70, `${news.length} times`);
    assert.ok(snapshots.length >= 3 && snapshots[0] - 1000 <= 240, `snapshots at ${snapshots}`);
    for (const [times, interval] of [[snapshots, 500], [states, 3000]]) {
      assert.ok(times.length >= 3, `at ${times}`);
      for (let i = 1; i < times.length; i++) {
        const apart = times[i] - times[i - 1];
        assert.ok(apart >= interval - 1 && apart <= interval + 540, `apart by ${apart}: ${times}`);
      }
    }
  } finally {
    await worker.end();
  }
});

const answered = (/** @type {unknown} */ value) => `Uint8Array.from([${[...pack(encode({ value }), {})]}])`;

/**
 * What becomes of a run in a worker of its own that is stopped at its first news: those, a long step, its end if that comes.
 * @param {{ news: object, took?: number, kept?: boolean, owes?: boolean }} how owes: it is stopped when a box was given away after the newest snapshot; news: its record; took: milliseconds that the step takes, without end if it is not given
 */
async function stopped({ news, took, kept = false, owes = false }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rcmdp-worker-"));
  const file = path.join(folder, "worker.cjs");
  const found = (/** @type {number} */ k) => answered({ result: { found: k, objective: { lowerBound: null, value: null }, warnings: [] } });
  fs.writeFileSync(
    file,
    `const clock = { now: 1000 };
    globalThis.performance.now = () => clock.now;
    let slices = 0, snapshots = 0, kept = ${!kept};
    globalThis.Go = class {
      importObject = {};
      run() {
        globalThis.rcmdp = {
          call: (name) => (kept ||= name === "keep", name === "snapshot") ? (snapshots++ === 0 ? ${found(1)} : ${found(2)}) : ${answered({ shares: false })},
          step: () => {
            if (!kept) return null; // nothing happens before it is asked to
            clock.now += 200;
            slices = ${owes} && snapshots > 0 ? 6 : slices + 1; // the long step is the next
            if (slices === 6) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${took});
            if (slices === 6) return { done: true, bytes: ${answered({ progress: news, result: { found: 3, warnings: [] } })} };
            return slices === 5 ? { bytes: ${answered({ progress: [news] })} } : null;
          },
        };
        return new Promise(() => {});
      }
    };
    ${fs.readFileSync(new URL("../src/worker.js", import.meta.url), "utf8")}`,
  );
  const pool = new Pool({ module }, pathToFileURL(file), 1, "solver");
  try {
    let goesOnFrom = 0;
    const result = await new Promise((resolve, reject) => {
      const checkpoint = (/** @type {Uint8Array} */ bytes, /** @type {boolean} */ last) => {
        goesOnFrom = open(bytes).value.result.found;
        if (!owes || last) return;
        run.owe();
        run.stop();
      };
      const run = pool.run({ parts: [], begun() {}, progress: () => owes || run.stop(), checkpoint, done: resolve, fail: reject });
      if (kept) run.keep();
    });
    const { value } = await pool.call("anything");
    assert.deepEqual(value, { shares: false }, "that worker answers, or another");
    return { ...result.value, goesOnFrom };
  } finally {
    pool.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

test("a stop in the middle of a step that does not end is answered with the newest snapshot, and the worker is replaced", async () => {
  const result = await stopped({ news: { k: 5 } });
  assert.equal(result.found, 2, "of the newest snapshot");
  assert.match(result.warnings.join(), /middle of a long step/);
});

test("a stop waits for a busy machine where the newest snapshot lacks what was told, or what it takes to go on from there", async () => {
  const ways = [
    { news: { k: 5, lowerBound: 2 } },
    { news: { k: 5, upperBound: 2 } },
    { news: { k: 5, best: { feasible: true, objective: 1 } } },
    { news: { k: 5 }, kept: true },
  ];
  for (const { found, goesOnFrom } of await Promise.all(ways.map((way) => stopped({ ...way, took: 700 })))) {
    assert.ok(found === 3 || found === goesOnFrom, `${found} is the answer, and it goes on from ${goesOnFrom}`); // a stop may be heard before the long step
  }
  const { found } = await stopped({ news: { k: 5 }, kept: true, owes: true, took: 700 });
  assert.equal(found, 3, "the newest snapshot knows nothing of a box that was given away after it");
});

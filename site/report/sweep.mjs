// @ts-check
// sweep.mjs — how long trade-offs of 41 points take with two workers in Node, from the built library;
// fails when one takes longer than a person would wait. Beside other work the processor's time tells
// more than the clock, so both are said.
//
//   ./build.sh build && node site/report/sweep.mjs

/** Model, pointer, ends of the values, and at most how many seconds. */
const sweeps = [
  { id: "machine-repair", from: 0, to: 0.25, most: 2 },
  { id: "setting-a", from: -10, to: 30, most: 30, about: true },
];

/** @type {typeof import("../src/engine.js")} */
const { openSolver } = await import(String(new URL("../../dist/rcmdp.js", import.meta.url)));
const solver = await openSolver({ workers: 2 });
for (const { id, from, to, most, about } of sweeps) {
  const problem = /** @type {any} */ (await solver.example(id));
  const limit = about ? problem.constraints[0].atMost : 0;
  const values = Array.from({ length: 41 }, (_, i) => limit + from + ((to - from) * i) / 40);
  const begun = process.cpuUsage();
  const { points, seconds } = await solver.sweep(problem, { pointer: "/constraints/0/atMost", values }).result;
  const { user, system } = process.cpuUsage(begun);
  const gaps = points.map((p) => p?.objective.relativeGap ?? 1).toSorted((a, b) => a - b);
  const met = seconds <= most;
  console.log(
    `${met ? "met   " : "MISSED"} 41 points of ${id}: ${seconds.toFixed(1)} s, want at most ${most} (${
      ((user + system) / 1e6).toFixed(1)
    } s of processor; median gap ${(100 * gaps[20]).toFixed(2)} %)`,
  );
  if (!met) process.exitCode = 1;
}
solver.close();

// @ts-check
// scale.mjs — how the time of the default method grows with the states of a model.
//
//   node site/report/scale.mjs native.txt wasm.txt
//
// Both files are output of `go test -bench Scale` from one run of build.sh bench scale. Of each size the
// fastest repetition counts, by processor time. The exponent is the slope of log time over log states, from 400 states on.
// Goals: in wasm at most twice native at the largest size, and as much as value iteration takes at most.

import fs from "node:fs";

/** @typedef {Map<string, Map<number, { ns: number, gap: number }>>} Times by "kind method", then states */

/** @param {string} file @returns {Times} */
function read(file) {
  /** @type {Times} */
  const times = new Map();
  const line = /^BenchmarkScale\/(\S+)\/S=(\d+)\/method=(\w+?)(?:-\d+)?\s+\d+\s+([\d.e+]+) ns\/op(.*)$/gm;
  for (const [, kind, size, method, , rest] of fs.readFileSync(file, "utf8").matchAll(line)) {
    const key = `${kind} ${method}`, states = Number(size);
    const own = times.get(key) ?? new Map();
    times.set(key, own);
    const old = own.get(states);
    const ns = Number(/([\d.e+-]+) cpu-ns\/run/.exec(rest)?.[1] ?? NaN);
    const gap = Number(/([\d.e+-]+) picogap\/run/.exec(rest)?.[1] ?? NaN) / 1e12;
    if (!old || ns < old.ns) own.set(states, { ns, gap });
  }
  return times;
}

/** @param {Map<number, { ns: number }>} own */
function exponent(own) {
  const points = [...own].filter(([s]) => s >= 400).map(([s, { ns }]) => [Math.log(s), Math.log(ns)]);
  if (points.length < 2) return "-";
  const mean = (/** @type {number} */ k) => points.reduce((sum, p) => sum + p[k], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const slope = points.reduce((sum, p) => sum + (p[0] - x) * (p[1] - y), 0) / points.reduce((sum, p) => sum + (p[0] - x) ** 2, 0);
  return slope.toFixed(2);
}

/** @param {number | undefined} ns */
const time = (ns) => (ns === undefined ? "-" : ns < 1e9 ? `${(ns / 1e6).toPrecision(3)} ms` : `${(ns / 1e9).toPrecision(3)} s`);

const [native, wasm] = process.argv.slice(2, 4).map(read);
const sizes = [...new Set([...native.values()].flatMap((own) => [...own.keys()]))].sort((a, b) => a - b);
const rows = [["kind", "where", ...sizes.map((s) => `S=${s}`), "exponent", "gap at the largest"]];
/** @type {[string, number, number][]} */
const goals = []; // what, how much it is, at most how much
const kinds = [...native.keys()].filter((key) => key.endsWith(" ours")).map((key) => key.slice(0, -5));
for (const kind of kinds) {
  for (const [where, times] of /** @type {[string, Times][]} */ ([["native", native], ["wasm", wasm]])) {
    const ours = times.get(`${kind} ours`), plain = times.get(`${kind} plain`);
    if (!ours) continue;
    const last = ours.get(sizes[sizes.length - 1]), states = Math.max(...ours.keys()), is = ours.get(states)?.ns ?? NaN;
    if (where === "wasm") goals.push([`${kind}, ${states} states: times native in wasm`, is / (native.get(`${kind} ours`)?.get(states)?.ns ?? NaN), 2]);
    if (plain?.has(states)) goals.push([`${kind}, ${states} states, ${where}: times what value iteration takes`, is / (plain.get(states)?.ns ?? NaN), 1]);
    rows.push([kind, where, ...sizes.map((s) => time(ours.get(s)?.ns)), exponent(ours), last ? last.gap.toPrecision(2) : "-"]);
    if (!plain) continue;
    rows.push([
      "",
      "  value iteration takes",
      ...sizes.map((s) => {
        const a = plain.get(s), b = ours.get(s);
        return a && b ? `${(a.ns / b.ns).toFixed(1)}x` : "-";
      }),
      exponent(plain),
      "",
    ]);
  }
}
const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
for (const row of rows) console.log(row.map((cell, i) => (i < 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  ").trimEnd());
console.log();
for (const [what, is, most] of goals) {
  const met = is <= most;
  console.log(`${met ? "met   " : "MISSED"} ${what}: ${is.toFixed(2)}, want at most ${most}`);
  if (!met) process.exitCode = 1;
}

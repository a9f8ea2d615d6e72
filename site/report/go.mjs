// @ts-check
// go.mjs — reads `go test -json`, shows what failed and was skipped, and ends with "#tally passed failed skipped".
// A test that has subtests is not counted beside them; a package that fails without a failed test counts once.

import readline from "node:readline";

/** @typedef {{ Action: string, Package?: string, ImportPath?: string, Test?: string, Output?: string, Elapsed?: number }} Event */

/** Results by package and test. @type {Map<string, Map<string, string>>} */
const results = new Map();
/** @type {Map<string, string>} */
const output = new Map();
/** @type {Map<string, string>} */
const packages = new Map();
/** @type {[number, string][]} */
const slow = [];

for await (const line of readline.createInterface({ input: process.stdin })) {
  /** @type {Event} */
  let event;
  try {
    event = JSON.parse(line);
  } catch {
    console.log(line); // go's own complaints
    continue;
  }
  const pkg = event.Package ?? event.ImportPath ?? "";
  const test = event.Test ?? "";
  const key = `${pkg} ${test}`;
  switch (event.Action) {
    case "output":
    case "build-output":
      output.set(key, (output.get(key) ?? "") + event.Output);
      break;
    case "build-fail":
      console.log(output.get(key) ?? `${pkg} does not build`);
      break;
    case "pass":
    case "fail":
    case "skip":
      if (test) {
        if (!results.has(pkg)) results.set(pkg, new Map());
        results.get(pkg)?.set(test, event.Action);
        if (!test.includes("/") && (event.Elapsed ?? 0) >= 5) slow.push([event.Elapsed ?? 0, key]);
      } else {
        packages.set(pkg, event.Action);
      }
  }
}

const count = { pass: 0, fail: 0, skip: 0 };
for (const [pkg, tests] of results) {
  const parents = new Set([...tests.keys()].flatMap((test) => {
    const parts = test.split("/");
    return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("/"));
  }));
  for (const [test, result] of tests) {
    const text = (output.get(`${pkg} ${test}`) ?? "").replace(/^ *(=== |--- PASS).*\n/gm, "").trimEnd();
    if (result === "skip") console.log(`skipped ${pkg} ${test}: ${text.replace(/^ *--- SKIP.*$/m, "").replace(/\s+/g, " ").trim()}`);
    if (result === "fail") console.log(`FAILED ${pkg} ${test}\n${text}`);
    // A parent may fail by itself after its subtests passed.
    const own = !parents.has(test) || (result === "fail" && ![...tests].some(([t, r]) => t.startsWith(`${test}/`) && r === "fail"));
    if (own) count[/** @type {'pass' | 'fail' | 'skip'} */ (result)]++;
  }
}
for (const [pkg, result] of packages) {
  if (result === "fail" && ![...(results.get(pkg)?.values() ?? [])].includes("fail")) {
    console.log(`FAILED ${pkg}\n${output.get(`${pkg} `) ?? ""}`);
    count.fail++;
  }
}
for (const [seconds, key] of slow.sort(([a], [b]) => b - a)) console.log(`slow: ${seconds.toFixed(1)} s ${key}`);
console.log(`#tally ${count.pass} ${count.fail} ${count.skip}`);

#!/usr/bin/env node
// @ts-check
// command.js — the command `rcmdp`: the library's calls on files. Results go to standard output,
// progress and complaints to standard error, and the exit code says how it ended.

import { openSolver } from "../src/engine.js";
import { parse, usage } from "./command/arguments.js";
import { batch } from "./command/batch.js";
import { complain } from "./command/complain.js";
import { codes } from "./command/ending.js";
import { merge } from "./command/merge.js";
import { bound, check, estimateOf, evaluate, exportTo, importFrom, solve, sweep } from "./command/verbs.js";

/** @typedef {import('./command/arguments.js').Call} Call */
/** @typedef {import('../src/rcmdp.js').Solver} Solver */

/** What each verb does with an open solver; the number is the exit code. @type {Record<string, (call: Call, open: (workers?: number, runsFolder?: string) => Promise<Solver>) => Promise<number>>} */
const verbs = { solve, bound, evaluate, check, import: importFrom, estimate: estimateOf, export: exportTo, sweep, batch, merge };

/** @param {string[]} argv */
async function main(argv) {
  const call = parse(argv);
  if (call.verb === "help") {
    process.stdout.write(usage(call.files[0]));
    return codes.proved;
  }
  /** @type {Solver[]} */
  const opened = [];
  const open = async (workers = call.workers, runsFolder = /** @type {string | undefined} */ (undefined)) => {
    const solver = await openSolver({ ...(workers === undefined ? {} : { workers }), ...(runsFolder === undefined ? {} : { runsFolder }) });
    opened.push(solver);
    return solver;
  };
  try {
    if (call.verb === "version") {
      const { version } = await open(1);
      process.stdout.write(`rcmdp ${version.rcmdp} (${version.commit}, ${version.go})\n`);
      return codes.proved;
    }
    return await verbs[call.verb](call, open);
  } finally {
    for (const solver of opened) solver.close();
  }
}

// A reader that has seen enough, as in `rcmdp ... | head`, is no failure of ours.
process.stdout.on("error", (/** @type {NodeJS.ErrnoException} */ error) => process.exit(error.code === "EPIPE" ? 0 : codes.broken));

process.exitCode = await main(process.argv.slice(2)).catch(complain);

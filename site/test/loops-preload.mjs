// @ts-check
// loops-preload.mjs — node --import it to run Go's tests, built with -tags simd, on the loops of
// core/vector/vector.wat: every program that asks for them is given them.

import { loops } from "../loops.mjs";

const g = /** @type {any} */ (globalThis);
new Function(await loops())();
const instantiate = WebAssembly.instantiate;
/** @param {any} module @param {any} imports */
g.WebAssembly.instantiate = async (module, imports) => {
  if (!imports?.gojs) return instantiate(module, imports);
  const given = g.rcmdpLoops();
  const made = /** @type {any} */ (await instantiate(module, { ...imports, vector: given.imports }));
  given.connect((made.instance ?? made).exports.mem);
  return made;
};

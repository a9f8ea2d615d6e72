// @ts-check
// loops-preload.mjs — node --import it to run Go's tests, built with -tags simd, on the loops of
// core/vector/vector.wat: every program that asks for them is given them. With PACKED, a version of Go,
// each is packed first as the page's solver is (site/pack).

import { loops } from "../loops.mjs";
import { pack, packable } from "../pack/pack.mjs";

const g = /** @type {any} */ (globalThis);
new Function(await loops())();
const instantiate = WebAssembly.instantiate;
/** @param {any} module @param {any} imports */
g.WebAssembly.instantiate = async (module, imports) => {
  if (!imports?.gojs) return instantiate(module, imports);
  if (packable(process.env.PACKED ?? "")) module = (await pack(module)).first;
  const given = g.rcmdpLoops();
  const made = /** @type {any} */ (await instantiate(module, { ...imports, vector: given.imports }));
  given.connect((made.instance ?? made).exports.mem);
  return made;
};

// @ts-check
// loops-preload.mjs — node --import it to run Go's tests, built with -tags simd, on the loops of
// core/vector/vector.wat: every program that asks for them is given them. With PACKED, a version of Go,
// each is packed first as the page's solver is (site/pack). With BASELINE nothing is compiled a second time to run
// faster, for which most programs of tests are too short.

import v8 from "node:v8";
import { loops } from "../loops.mjs";
import { earlyNames } from "../pack/early.mjs";
import { pack, packable, prepared } from "../pack/pack.mjs";

if (process.env.BASELINE) v8.setFlagsFromString("--liftoff-only");
const g = /** @type {any} */ (globalThis);
new Function(await loops())();
const instantiate = WebAssembly.instantiate;
/** @param {any} module @param {any} imports */
g.WebAssembly.instantiate = async (module, imports) => {
  if (!imports?.gojs) return instantiate(module, imports);
  const { first, second } = packable(process.env.PACKED ?? "") ? await pack(await prepared(module), { early: earlyNames() }) : { first: module, second: null };
  /** @type {any} */
  let made;
  const complete = () =>
    void new WebAssembly.Instance(new WebAssembly.Module(/** @type {BufferSource} */ (second)), { first: (made.instance ?? made).exports });
  const given = g.rcmdpLoops();
  made = await instantiate(first, { ...imports, vector: given.imports, rcmdp: { second: complete } });
  given.connect((made.instance ?? made).exports.mem);
  return made;
};

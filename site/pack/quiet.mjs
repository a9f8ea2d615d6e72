// @ts-check
// quiet.mjs — the functions in which no goroutine is ever left for another: who calls one need not be ready to go on behind the call. The
// README beside it says what this leans on.

import { called, edited, op } from "./module.mjs";
import { ofGo, runs } from "./tables.mjs";
import { fewInstructions, neverReturns } from "./tighten.mjs";

/** The most bytes of stack that quiet functions take which do not ask for more; the runtime has 800 ready for such. */
const UNASKED = 512;

/** Packages that nothing calls which itself does not ask, so that all of these bytes are there. */
const ASKED_BEFORE = /^(rcmdplab\/|math\.|math\/big\.|slices\.)/;

/** What asks for a larger stack, which is another goroutine's work. */
const ASKING = /^runtime\.morestack(_noctxt)?$/;

/**
 * @param {import("./module.mjs").Parts} parts as they were linked
 * @param {import("./tables.mjs").Func[]} funcs
 * @returns {{ has: (to: number) => boolean, asks: (i: number) => boolean }} has: whether the function that a call names is quiet;
 *   asks: whether the i-th function of Go is but for asking for a larger stack, or what it goes on in, which it need not
 */
export function quietly({ functions, imports }, funcs) {
  const index = new Map(funcs.map(({ name }, i) => [name, i]));
  const nameOf = (/** @type {number} */ to) => funcs[to - imports.length]?.name ?? "";
  /** Bytes of stack, with those of what it calls; Infinity of what is not quiet. @type {number[]} */
  const known = [], asking = new Set();
  /** What a function of math/big in assembly goes on in, which is all that it does (arith_wasm.s); -1 of others. */
  const goesOn = (/** @type {number} */ i) => (/^math\/big\.\w+$/.test(funcs[i].name) ? index.get(`${funcs[i].name}_g`) ?? -1 : -1);
  const measured = (/** @type {number} */ i) => {
    const { type, body } = functions[i], { name, id, sp } = funcs[i];
    if (name === "runtime.memmove" || name === "runtime.memclrNoHeapPointers") return 8; // few.mjs
    const on = goesOn(i);
    if (on >= 0) {
      asking.add(i);
      return bytes(on);
    }
    if (!ofGo(type, funcs[i]) || id !== 0) return Infinity;
    let most = 0;
    edited(body, (code) => {
      if (code === op.callIndirect) most = Infinity;
    });
    for (const to of called(body)) {
      if (to < imports.length) most = imports[to].module === "vector" ? most : Infinity;
      else if (ASKING.test(nameOf(to))) {
        if (ASKED_BEFORE.test(name)) asking.add(i);
        else most = Infinity;
      } else if (!neverReturns(nameOf(to), 0) && !fewInstructions(nameOf(to))) most = Math.max(most, bytes(to - imports.length));
    }
    return most + 8 + Math.max(...runs(sp).map(([value]) => value));
  };
  const bytes = (/** @type {number} */ i) => {
    if (known[i] === undefined) {
      known[i] = Infinity; // of what calls itself
      const all = measured(i);
      known[i] = all <= UNASKED ? all : Infinity;
    }
    return known[i];
  };
  for (const i of funcs.keys()) bytes(i);
  const quiet = (/** @type {number} */ i) => known[i] < Infinity;
  return { has: (to) => quiet(to - imports.length), asks: (i) => quiet(i) && asking.has(i) };
}

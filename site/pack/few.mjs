// @ts-check
// few.mjs — bodies of runtime.memmove and memclrNoHeapPointers that do a few bytes by themselves. memory.copy and memory.fill leave
// the program in engines of today, which takes longer than moving all of a short row or clearing a small object.

import { body } from "./tables.mjs";

/** So many bytes at a time: how they are loaded and stored. @type {[bytes: number, load: string, store: string][]} */
const SIZES = [[2, "i32.load16_u", "i32.store16"], [4, "i32.load", "i32.store"], [8, "i64.load", "i64.store"]];

/** Where offset is in what begins at a local, or, below 0, before its end. @param {string} begin @param {number} offset */
const at = (begin, offset) =>
  offset < 0 ? `(i32.sub (i32.add (local.get ${begin}) (local.get $n)) (i32.const ${-offset}))` : `(i32.add (local.get ${begin}) (i32.const ${offset}))`;

/** Up to 2·k·bytes, and no less than half of it, from both ends: all of it is loaded before any is stored. @param {number} k @param {[number, string, string]} size */
function both(k, [bytes, load, store]) {
  const offsets = Array.from({ length: k }, (_, i) => [bytes * i, -bytes * (i + 1)]).flat();
  return [...offsets.map((o) => `${at("$to", o)} (${load} ${at("$from", o)})`), ...offsets.map(() => store)].join(" ");
}

/** A leaf of the runtime without results. @param {string} args what sets the locals @param {string} steps which leave $done when all is done @param {string} rest what is done otherwise */
const leaf = (args, steps, rest) =>
  body(`(module (memory 1) (global $sp (mut i32) (i32.const 0))
    (func (param i32) (result i32) (local $sp i32) (local $to i32) (local $from i32) (local $n i32) (local $end i32)
      (local.set $sp (global.get $sp)) ${args}
      (block $done ${steps} ${rest})
      (global.set $sp (i32.add (local.get $sp) (i32.const 8)))
      (i32.const 0)))`);
/** @param {string} local @param {number} offset */
const argument = (local, offset) => `(local.set ${local} (i32.wrap_i64 (i64.load offset=${offset} (local.get $sp))))`;
/** @param {number} n @param {string} does */
const upTo = (n, does) => `(if (i32.le_u (local.get $n) (i32.const ${n})) (then ${does} (br $done)))`;

/** The body of memmove(to, from, n). */
export const moving = () =>
  leaf(
    argument("$to", 8) + argument("$from", 16) + argument("$n", 24),
    [
      upTo(
        64,
        `
        ${upTo(0, "")}
        ${upTo(1, "(i32.store8 (local.get $to) (i32.load8_u (local.get $from)))")}
        ${SIZES.map((size) => upTo(2 * size[0], both(1, size))).join(" ")}
        ${upTo(32, both(2, SIZES[2]))}
        ${both(4, SIZES[2])}`,
      ),
    ].join(" "),
    "(memory.copy (local.get $to) (local.get $from) (local.get $n))",
  );

/** The body of memclrNoHeapPointers(to, n). */
export const clearing = () =>
  leaf(
    argument("$to", 8) + argument("$n", 16),
    `(if (i32.lt_u (i32.sub (local.get $n) (i32.const 8)) (i32.const 121)) (then
       (local.set $end ${at("$to", -8)})
       (loop $more
         (i64.store (local.get $to) (i64.const 0))
         (br_if $more (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 8))) (local.get $end))))
       (i64.store (local.get $end) (i64.const 0))
       (br $done)))`,
    "(memory.fill (local.get $to) (i32.const 0) (local.get $n))",
  );
